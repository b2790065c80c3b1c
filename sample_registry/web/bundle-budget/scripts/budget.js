#!/usr/bin/env node
"use strict";
// Compare the sizes of two builds and hold them against limits.
// Exit codes: 0 within all limits, 1 over one, 2 wrong usage or unreadable input.

const fs = require("fs");

const USAGE = `usage: budget.js BEFORE.json AFTER.json [--limit NAME=BYTES]... [--growth PERCENT]

  Each file is an esbuild metafile, or {"files": {"main.js": 81234}}.
  --limit   most bytes of a chunk, by its name without hash and ending
  --growth  most growth of a chunk in percent (5)`;

function fail(message) {
  console.error(`budget: ${message}`);
  process.exit(2);
}

/** main-3FA9C0D1.js and main.3fa9c0d1.js are both main. */
function chunk(path) {
  const file = path.slice(path.lastIndexOf("/") + 1);
  return file.replace(/\.(js|mjs|css)$/, "").replace(/[-.](?=[A-Za-z]*\d)[A-Za-z0-9]{6,}$/, "") + (file.endsWith(".css") ? ".css" : "");
}

/** Package of a module's path, or the path itself for own code. */
function owner(path) {
  const parts = path.split("node_modules/");
  if (parts.length < 2) return path;
  const names = parts[parts.length - 1].split("/");
  return names[0].startsWith("@") ? `${names[0]}/${names[1]}` : names[0];
}

function load(path) {
  let document;
  try {
    document = JSON.parse(fs.readFileSync(path, "utf8"));
  } catch (error) {
    fail(`cannot read ${path}: ${error.message}`);
  }
  const sizes = {}, modules = {};
  const add = (into, key, bytes) => { into[key] = (into[key] || 0) + bytes; };
  if (document && document.files) {
    for (const [file, bytes] of Object.entries(document.files)) add(sizes, chunk(file), bytes);
  } else if (document && document.outputs) {
    for (const [file, output] of Object.entries(document.outputs)) {
      if (file.endsWith(".map")) continue;
      add(sizes, chunk(file), output.bytes);
      for (const [input, part] of Object.entries(output.inputs || {})) add(modules, owner(input), part.bytesInOutput);
    }
  } else fail(`${path} has neither outputs nor files`);
  return { sizes, modules };
}

function kilo(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function change(before, after) {
  return before ? `${after >= before ? "+" : ""}${(100 * (after - before) / before).toFixed(0)}%` : "new";
}

function main(args) {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  const files = [], limits = {};
  let growth = 5;
  for (let at = 0; at < args.length; at += 1) {
    if (args[at] === "--limit") {
      const [name, bytes] = (args[at += 1] || "").split("=");
      if (!(Number(bytes) > 0)) fail(`--limit wants NAME=BYTES\n${USAGE}`);
      limits[name] = Number(bytes);
    } else if (args[at] === "--growth") growth = Number(args[at += 1]);
    else files.push(args[at]);
  }
  if (files.length !== 2 || files.some((file) => file.startsWith("-")) || !(growth >= 0)) fail(`two builds are needed\n${USAGE}`);
  const before = load(files[0]), after = load(files[1]);
  let over = false;
  for (const name of Object.keys({ ...before.sizes, ...after.sizes }).sort()) {
    const was = before.sizes[name] || 0, is = after.sizes[name] || 0, says = [];
    if (limits[name] && is > limits[name]) says.push(`over the limit of ${kilo(limits[name])}`);
    if (was && is > was * (1 + growth / 100)) says.push(`grew by more than ${growth}%`);
    over = over || says.length > 0;
    console.log(`${name.padEnd(16)} ${kilo(was)} -> ${kilo(is)} (${change(was, is)}) ${says.join(", ")}`.trimEnd());
  }
  for (const name of Object.keys(limits)) if (!after.sizes[name]) fail(`no chunk is called ${name}; there are ${Object.keys(after.sizes).join(", ")}`);
  const grown = Object.entries(after.modules).map(([name, bytes]) => [name, bytes - (before.modules[name] || 0)])
    .filter(([, more]) => more > 0).sort((a, b) => b[1] - a[1]).slice(0, 10);
  for (const [name, more] of grown) console.log(`  +${kilo(more)}  ${name}${before.modules[name] ? "" : " (new)"}`);
  return over ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
