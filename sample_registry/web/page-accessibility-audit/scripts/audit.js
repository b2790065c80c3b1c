#!/usr/bin/env node
"use strict";
// Find the barriers in an HTML page that a machine can see, and the contrast of colour pairs.
// Exit codes: 0 nothing found, 1 findings, 2 wrong usage or unreadable input.

const fs = require("fs");

const USAGE = `usage: audit.js PAGE.html [--pair FOREGROUND,BACKGROUND]... [--large]

  --pair   two hex colours whose contrast is checked (4.5:1)
  --large  the pairs are of large text (3:1)`;

function fail(message) {
  console.error(`audit: ${message}`);
  process.exit(2);
}

/** Start tags and text between them, in order; comments, scripts and styles are left out. */
function* parts(html) {
  const clean = html.replace(/<!--[\s\S]*?-->/g, "").replace(/<(script|style|template)\b[\s\S]*?<\/\1>/gi, "");
  const pattern = /<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>|([^<]+)/gi;
  for (const [, slash, name, rest, text] of clean.matchAll(pattern)) {
    if (text !== undefined) {
      yield { text: text.trim() };
      continue;
    }
    const attributes = {};
    for (const [, key, , double, single, bare] of (rest || "").matchAll(/([^\s=/]+)(\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g)) {
      attributes[key.toLowerCase()] = double ?? single ?? bare ?? "";
    }
    yield { close: slash === "/", name: name.toLowerCase(), attributes };
  }
}

function named(attributes) {
  return Boolean((attributes["aria-label"] || attributes["aria-labelledby"] || attributes.title || "").trim());
}

function* findings(html) {
  const list = [...parts(html)];
  const tags = list.filter((part) => part.name && !part.close);
  const labels = new Set(tags.filter((tag) => tag.name === "label").map((tag) => tag.attributes.for));
  const root = tags.find((tag) => tag.name === "html");
  if (!root || !(root.attributes.lang || "").trim()) yield ["no-lang", "3.1.1", "<html> has no lang"];
  const title = list.findIndex((part) => part.name === "title" && !part.close);
  if (title < 0 || !(list[title + 1] || {}).text) yield ["no-title", "2.4.2", "the page has no title"];
  if (!tags.some((tag) => tag.name === "main" || tag.attributes.role === "main")) {
    yield ["no-main", "1.3.1", "no <main>: no way past the menu"];
  }
  let level = 0, inLabel = 0;
  for (let at = 0; at < list.length; at += 1) {
    const { name, attributes, close } = list[at];
    if (!name) continue;
    if (name === "label") inLabel += close ? -1 : 1;
    if (close) continue;
    const where = `<${name}${attributes.id ? ` id=${attributes.id}` : attributes.src ? ` src=${attributes.src}` : ""}>`;
    if (name === "img" && attributes.alt === undefined && !named(attributes)) yield ["no-alt", "1.1.1", `${where} has no alt`];
    const field = ["select", "textarea"].includes(name)
      || (name === "input" && !["hidden", "submit", "button", "reset", "image"].includes(attributes.type));
    if (field && !inLabel && !labels.has(attributes.id || "\0") && !named(attributes)) {
      yield ["no-label", "3.3.2", `${where} has no label${attributes.placeholder ? ", only a placeholder" : ""}`];
    }
    if ((name === "button" || (name === "a" && attributes.href !== undefined)) && !named(attributes)) {
      const end = list.findIndex((part, place) => place > at && part.name === name && part.close);
      const inside = list.slice(at + 1, end < 0 ? undefined : end);
      const said = inside.some((part) => part.text || (part.attributes && (part.attributes.alt || named(part.attributes))));
      if (!said) yield ["no-name", "4.1.2", `${where} says nothing`];
    }
    const heading = /^h([1-6])$/.exec(name);
    if (heading) {
      if (Number(heading[1]) > level + 1) yield ["heading-skip", "1.3.1", `${where} after ${level ? `h${level}` : "no heading"}`];
      level = Number(heading[1]);
    }
    if (Number(attributes.tabindex) > 0) yield ["tabindex", "2.4.3", `${where} has tabindex ${attributes.tabindex}`];
    if (name === "meta" && attributes.name === "viewport" && /user-scalable\s*=\s*(no|0)/.test(attributes.content || "")) {
      yield ["zoom-off", "1.4.4", "the viewport forbids zoom"];
    }
  }
}

function luminance(hex) {
  const match = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(hex.trim());
  if (!match) fail(`${hex} is no hex colour`);
  const full = match[1].length === 3 ? [...match[1]].map((digit) => digit + digit).join("") : match[1];
  const [red, green, blue] = [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(pair) {
  const [first, second] = pair.split(",");
  if (!second) fail(`${pair} is not FOREGROUND,BACKGROUND`);
  const [low, high] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function main(args) {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  const files = [], pairs = [];
  for (let at = 0; at < args.length; at += 1) {
    if (args[at] === "--pair") pairs.push(args[at += 1] || "");
    else if (args[at] !== "--large") files.push(args[at]);
  }
  if (files.length !== 1 || files[0].startsWith("-")) fail(`one page is needed\n${USAGE}`);
  let html;
  try {
    html = fs.readFileSync(files[0], "utf8");
  } catch (error) {
    fail(`cannot read ${files[0]}: ${error.message}`);
  }
  const least = args.includes("--large") ? 3 : 4.5;
  const found = [...findings(html)];
  for (const pair of pairs) {
    const ratio = contrast(pair);
    if (ratio < least) found.push(["contrast", "1.4.3", `${pair}: ${ratio.toFixed(2)}:1, ${least}:1 is needed`]);
  }
  for (const [code, criterion, message] of found) console.log(`${code.padEnd(13)} ${criterion.padEnd(6)} ${message}`);
  console.error(`audit: ${found.length} findings; keyboard, zoom and screen reader are for you`);
  return found.length ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
