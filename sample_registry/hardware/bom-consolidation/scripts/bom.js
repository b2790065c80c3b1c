#!/usr/bin/env node
"use strict";
// Consolidate the bills of materials of boards into one order list.
// Exit codes: 0 clean, 1 remarks, 2 wrong usage or unreadable input.

const fs = require("fs");

const USAGE = `usage: bom.js FILE.csv:BOARDS... [--spare PERCENT]

  Columns: Reference, Value, Footprint, MPN. The list goes to stdout, remarks to stderr.`;
const E24 = [10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91];
const SCALE = { p: 1e-12, n: 1e-9, u: 1e-6, "µ": 1e-6, m: 1e-3, r: 1, k: 1e3, M: 1e6 };

function fail(message) {
  console.error(`bom: ${message}`);
  process.exit(2);
}

function cells(line) {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].slice(0, -1)
    .map(([, cell]) => cell.replace(/^"|"$/g, "").replace(/""/g, '"').trim());
}

function load(path) {
  let text;
  try {
    text = fs.readFileSync(path, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    fail(`cannot read ${path}: ${error.message}`);
  }
  const [head, ...lines] = text.split(/\r?\n/).filter((line) => line.trim()).map((line) => cells(`${line},`));
  for (const name of ["Reference", "Value", "Footprint"]) if (!head || !head.includes(name)) fail(`${path}: no column ${name}`);
  return lines.map((line) => Object.fromEntries(head.map((name, at) => [name, line[at] || ""])));
}

/** Value of a resistor or capacitor as a number; null for everything else. */
function amount(text, letter) {
  if (!"RC".includes(letter)) return null;
  const plain = text.replace(/\s|ohms?|Ω|F$|H$/gi, "").replace(/(\d)([RrkKMpnuµm])(\d)/, "$1.$3$2");
  const match = /^(\d+(?:\.\d+)?)([RrKkMpnuµm]?)$/.exec(plain);
  if (!match) return null;
  const unit = match[2] === "K" ? "k" : match[2] === "R" ? "r" : match[2];
  return Number((Number(match[1]) * (unit ? SCALE[unit] : 1)).toPrecision(6));
}

function collect(orders) {
  const parts = new Map(), remarks = [];
  for (const { path, boards } of orders) {
    const seen = new Set();
    for (const row of load(path)) {
      if (/\bDNP\b/i.test(row.Value)) continue;
      const references = row.Reference.split(/[\s,;]+/).filter(Boolean);
      for (const reference of references) {
        if (seen.has(reference)) remarks.push(["twice", `${reference} in ${path}`]);
        seen.add(reference);
      }
      const letter = (/^[A-Za-z]+/.exec(references[0] || "") || ["?"])[0].toUpperCase();
      const number = amount(row.Value, letter);
      const key = [letter, number ?? row.Value.toLowerCase(), row.Footprint, row.MPN || ""].join("|");
      const part = parts.get(key) || { letter, number, value: row.Value, footprint: row.Footprint, mpn: row.MPN || "", count: 0, places: [] };
      part.count += references.length * boards;
      part.places.push(...references);
      parts.set(key, part);
    }
  }
  return { parts: [...parts.values()], remarks };
}

function odd(number) {
  const digits = Number(number.toExponential(1).split("e")[0]) * 10;
  return Math.abs(number / 10 ** Math.floor(Math.log10(number)) * 10 - digits) > 1e-6 || !E24.includes(Math.round(digits));
}

function* judge(parts) {
  for (const [at, part] of parts.entries()) {
    if (!part.mpn && !["R", "C", "L"].includes(part.letter)) yield ["no-mpn", `${part.value} (${part.places[0]})`];
    if (part.letter === "R" && part.number && odd(part.number)) yield ["odd-value", `${part.value} (${part.places[0]})`];
    for (const other of parts.slice(at + 1)) {
      if (part.letter !== other.letter || part.footprint !== other.footprint) continue;
      const same = part.number === null ? part.value.toLowerCase() === other.value.toLowerCase() : part.number === other.number;
      if (same && part.mpn && other.mpn) yield ["two-mpn", `${part.value} ${part.footprint}: ${part.mpn}, ${other.mpn}`];
      const rare = Math.min(part.places.length, other.places.length) <= 2;
      if (!same && part.letter === "R" && part.number && other.number && rare) {
        const ratio = Math.max(part.number, other.number) / Math.min(part.number, other.number);
        if (ratio <= 1.05 + 1e-9) yield ["near", `${part.value} and ${other.value} in ${part.footprint}`];
      }
    }
  }
}

function quantity(part, spare) {
  const least = ["R", "C", "L"].includes(part.letter) ? 5 : 1;
  return part.count + Math.max(Math.ceil(part.count * spare / 100), least);
}

function main(args) {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  let spare = 5;
  const at = args.indexOf("--spare");
  if (at >= 0) spare = Number(args.splice(at, 2)[1]);
  if (!args.length || !(spare >= 0)) fail(`at least one file is needed\n${USAGE}`);
  const orders = args.map((arg) => {
    const match = /^(.+):(\d+)$/.exec(arg);
    if (!match || match[2] === "0") fail(`${arg} is not FILE.csv:BOARDS\n${USAGE}`);
    return { path: match[1], boards: Number(match[2]) };
  });
  const { parts, remarks } = collect(orders);
  parts.sort((a, b) => (a.letter === b.letter ? (a.number ?? 0) - (b.number ?? 0) || (a.value < b.value ? -1 : 1) : a.letter < b.letter ? -1 : 1));
  console.log("quantity,value,footprint,mpn,references");
  for (const part of parts) console.log([quantity(part, spare), part.value, part.footprint, part.mpn, part.places.join(" ")].join(","));
  const found = [...remarks, ...judge(parts)];
  for (const [code, message] of found) console.error(`${code.padEnd(9)} ${message}`);
  return found.length ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
