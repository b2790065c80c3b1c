#!/usr/bin/env node
"use strict";
// Check a map of redirects, or write it as nginx rules.
// Exit codes: 0 clean, 1 findings, 2 wrong usage or unreadable input.

const fs = require("fs");

const USAGE = `usage: redirects.js MAP.csv [--old FILE] [--new FILE] [--nginx]

  --old    paths of the old site, one a line: each must be moved, kept or gone on purpose
  --new    paths of the new site, one a line: targets must be among them
  --nginx  print rules instead of findings`;
const TOO_MANY_HOME = 3;

function fail(message) {
  console.error(`redirects: ${message}`);
  process.exit(2);
}

function lines(path) {
  try {
    return fs.readFileSync(path, "utf8").split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  } catch (error) {
    return fail(`cannot read ${path}: ${error.message}`);
  }
}

function load(path) {
  return lines(path).filter((line) => !line.startsWith("#")).map((line, number) => {
    const [from, to, ...more] = line.split(",").map((part) => part.trim());
    if (!from || !from.startsWith("/") || to === undefined || more.length) fail(`${path}, line ${number + 1}: ${line} is not OLD,NEW`);
    if (to.endsWith("*") && !from.endsWith("*")) fail(`${path}, line ${number + 1}: only the new address has a *`);
    return { from, to };
  });
}

/** Exact lines first, then patterns, the longest first. */
function ordered(rules) {
  const exact = rules.filter((rule) => !rule.from.endsWith("*"));
  const patterns = rules.filter((rule) => rule.from.endsWith("*"));
  return [...exact, ...patterns.sort((a, b) => b.from.length - a.from.length)];
}

/** Where a path goes in one hop: a path, "" for gone, undefined for not redirected. */
function hop(path, rules) {
  for (const { from, to } of rules) {
    if (from === path) return to;
    if (from.endsWith("*") && path.startsWith(from.slice(0, -1))) {
      return to.endsWith("*") ? to.slice(0, -1) + path.slice(from.length - 1) : to;
    }
  }
  return undefined;
}

function follow(path, rules) {
  const seen = [path];
  for (;;) {
    const next = hop(seen[seen.length - 1], rules);
    if (next === undefined || next === "" || /^https?:/.test(next)) return { seen, next };
    if (seen.includes(next)) return { seen: [...seen, next], loop: true };
    seen.push(next);
  }
}

function* check(raw, rules, oldPaths, newPaths) {
  const first = new Set();
  for (const { from } of raw) {
    if (first.has(from)) yield ["twice", from, "the first line wins"];
    first.add(from);
  }
  const starts = new Set([...raw.map((rule) => rule.from).filter((from) => !from.endsWith("*")), ...oldPaths]);
  let home = 0;
  for (const start of starts) {
    const { seen, next, loop } = follow(start, rules);
    const end = seen[seen.length - 1];
    if (loop) yield ["loop", start, seen.join(" -> ")];
    else if (seen.length > 2) yield ["chain", start, seen.join(" -> ")];
    if (!loop && seen.length > 1 && next === undefined && newPaths.size && !newPaths.has(end)) yield ["dead", start, `to ${end}, which is not on the new site`];
    if (seen.length === 1 && next === undefined && newPaths.size && !newPaths.has(start)) yield ["lost", start, "neither moved, kept nor gone on purpose"];
    if (!loop && end === "/" && start !== "/") home += 1;
  }
  if (home > TOO_MANY_HOME) yield ["home", "/", `${home} old addresses end on the start page`];
}

function nginx({ from, to }) {
  const escaped = from.replace(/\*$/, "").replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  const pattern = from.endsWith("*") ? `^${escaped}(.*)$` : `^${escaped}$`;
  if (to === "") return `location ~ ${pattern} { return 410; }`;
  return `rewrite ${pattern} ${to.endsWith("*") ? `${to.slice(0, -1)}$1` : to} permanent;`;
}

function main(args) {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  const option = (name) => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args.splice(at, 2)[1];
  };
  const oldFile = option("--old"), newFile = option("--new");
  const files = args.filter((arg) => arg !== "--nginx");
  if (files.length !== 1 || files[0].startsWith("-")) fail(`one map is needed\n${USAGE}`);
  const raw = load(files[0]), rules = ordered(raw);
  if (args.includes("--nginx")) {
    for (const rule of rules) console.log(nginx(rule));
    return 0;
  }
  const oldPaths = oldFile ? lines(oldFile) : [];
  const found = [...check(raw, rules, oldPaths, new Set(newFile ? lines(newFile) : []))];
  for (const [code, path, message] of found) console.log(`${code.padEnd(6)} ${path}  ${message}`);
  console.error(`redirects: ${raw.length} lines, ${oldPaths.length} old addresses, ${found.length} findings`);
  return found.length ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
