#!/usr/bin/env node
"use strict";
// Hold the licences in an npm lock file (version 2 or 3) against a policy; write the notices.
// Exit codes: 0 all allowed or accepted, 1 something to ask or denied, 2 wrong usage or input.

const fs = require("fs");

const USAGE = `usage: licenses.js [--shipped] [--notices] LOCK.json POLICY.json

  --shipped   leave out packages that are only needed for development
  --notices   print a notices file instead of verdicts`;
const RANK = { allow: 0, ask: 1, deny: 2 };

function fail(message) {
  console.error(`licenses: ${message}`);
  process.exit(2);
}

function load(path) {
  try {
    return JSON.parse(fs.readFileSync(path, "utf8"));
  } catch (error) {
    return fail(`cannot read ${path}: ${error.message}`);
  }
}

/** Verdict of an SPDX expression: OR takes the best of its sides, AND the worst. */
function judge(expression, policy) {
  const tokens = expression.match(/\(|\)|[^\s()]+/g) || [];
  let at = 0;
  function one() {
    const token = tokens[at++];
    if (token === "(") {
      const inner = either();
      if (tokens[at++] !== ")") return "ask";
      return inner;
    }
    if (tokens[at] === "WITH") at += 2;
    for (const verdict of ["deny", "ask", "allow"]) {
      if ((policy[verdict] || []).includes(token)) return verdict;
    }
    return "ask";
  }
  function both() {
    let worst = one();
    while (tokens[at] === "AND") {
      at += 1;
      const next = one();
      if (RANK[next] > RANK[worst]) worst = next;
    }
    return worst;
  }
  function either() {
    let best = both();
    while (tokens[at] === "OR") {
      at += 1;
      const next = both();
      if (RANK[next] < RANK[best]) best = next;
    }
    return best;
  }
  const verdict = either();
  return at === tokens.length ? verdict : "ask";
}

function inventory(lock, policy, shipped) {
  const rows = [];
  for (const [key, entry] of Object.entries(lock.packages)) {
    if (key === "" || (shipped && entry.dev) || entry.link) continue;
    const name = key.slice(key.lastIndexOf("node_modules/") + "node_modules/".length);
    const license = typeof entry.license === "string" && entry.license.trim() ? entry.license.trim() : "UNKNOWN";
    const id = `${name}@${entry.version}`;
    const accepted = (policy.accepted || {})[id];
    rows.push({ id, license, verdict: accepted ? "accepted" : judge(license, policy), why: accepted || "" });
  }
  const unique = new Map(rows.map((row) => [`${row.id} ${row.license}`, row]));
  return [...unique.values()].sort((a, b) => (RANK[b.verdict] || 0) - (RANK[a.verdict] || 0)
    || (a.id < b.id ? -1 : 1));
}

function main(args) {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  const files = args.filter((arg) => !["--shipped", "--notices"].includes(arg));
  if (files.length !== 2 || files.some((file) => file.startsWith("-"))) fail(`two files are needed\n${USAGE}`);
  const lock = load(files[0]), policy = load(files[1]);
  if (!lock || typeof lock.packages !== "object" || lock.packages === null) {
    fail(`${files[0]} has no "packages": only lockfileVersion 2 and 3 are read`);
  }
  const rows = inventory(lock, policy || {}, args.includes("--shipped"));
  if (args.includes("--notices")) {
    console.log("This product contains the following open-source packages.\n");
    for (const row of [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))) console.log(`${row.id}  ${row.license}`);
  } else {
    for (const row of rows) {
      if (row.verdict !== "allow") console.log([row.verdict.padEnd(8), row.id, row.license, row.why].join("  ").trimEnd());
    }
    console.error(`licenses: ${rows.length} packages, ${rows.filter((row) => RANK[row.verdict] > 0).length} to decide`);
  }
  return rows.some((row) => RANK[row.verdict] > 0) ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
