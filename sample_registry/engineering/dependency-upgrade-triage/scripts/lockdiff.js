#!/usr/bin/env node
"use strict";
// Compare two npm lock files (lockfileVersion 2 or 3) and put each change in a queue.
// Exit codes: 0 all changes can merge, 1 something must be read, 2 wrong usage or unreadable input.

const fs = require("fs");
const semver = require("./semver.js");

const USAGE = `usage: lockdiff.js [--json] OLD.json NEW.json

Compares two npm lock files and prints, for each package that changed:
  queue (stop, plan, read, merge), name, from, to, flags`;
const ORDER = ["stop", "plan", "read", "merge"];

function fail(message) {
  console.error(`lockdiff: ${message}`);
  process.exit(2);
}

function load(path) {
  let document;
  try {
    document = JSON.parse(fs.readFileSync(path, "utf8"));
  } catch (error) {
    fail(`cannot read ${path}: ${error.message}`);
  }
  if (!document || typeof document.packages !== "object" || document.packages === null) {
    fail(`${path} has no "packages": only lockfileVersion 2 and 3 are read`);
  }
  return document.packages;
}

function host(resolved) {
  const match = /^[a-z+]+:\/\/([^/]+)/i.exec(resolved || "");
  return match ? match[1] : "";
}

function directNames(packages) {
  const root = packages[""] || {};
  return new Set(["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]
    .flatMap((field) => Object.keys(root[field] || {})));
}

/** Queue and flags of one change; before or after is undefined for a new or a removed package. */
function judge(before, after, direct) {
  const flags = [];
  if (after && after.hasInstallScript && !(before && before.hasInstallScript)) flags.push("install-script");
  if (before && after && host(before.resolved) !== host(after.resolved)) flags.push("other-registry");
  if (flags.length) return ["stop", flags];
  if (!before) return ["read", ["new"]];
  if (!after) return ["merge", ["removed"]];
  const from = semver.parse(before.version), to = semver.parse(after.version);
  if (!from || !to) return ["read", ["no-semver"]];
  if (to.pre && !from.pre) flags.push("prerelease");
  if (semver.compare(to, from) < 0) flags.push("down");
  const step = semver.step(from, to);
  flags.unshift(step);
  if (step === "major") return [direct ? "plan" : "read", flags];
  if (flags.length > 1 || (step === "minor" && direct)) return ["read", flags];
  return ["merge", flags];
}

function diff(oldPackages, newPackages) {
  const direct = directNames(newPackages), changes = [];
  for (const key of new Set([...Object.keys(oldPackages), ...Object.keys(newPackages)])) {
    if (key === "") continue;
    const before = oldPackages[key], after = newPackages[key];
    if (before && after && before.version === after.version && before.resolved === after.resolved) continue;
    const name = key.slice(key.lastIndexOf("node_modules/") + "node_modules/".length);
    const isDirect = key === `node_modules/${name}` && direct.has(name);
    const [queue, flags] = judge(before, after, isDirect);
    changes.push({ queue, name, at: key, from: before ? before.version : null,
      to: after ? after.version : null, direct: isDirect, flags });
  }
  return changes.sort((a, b) => ORDER.indexOf(a.queue) - ORDER.indexOf(b.queue)
    || (a.at < b.at ? -1 : 1));
}

function main(args) {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  const json = args.includes("--json");
  const files = args.filter((arg) => arg !== "--json");
  if (files.length !== 2 || files.some((file) => file.startsWith("-"))) fail(`two files are needed\n${USAGE}`);
  const changes = diff(load(files[0]), load(files[1]));
  if (json) console.log(JSON.stringify(changes, null, 1));
  else for (const change of changes) {
    console.log([change.queue.padEnd(5), change.name, change.from || "-", "->", change.to || "-",
      change.direct ? "direct" : "transitive", ...change.flags].join(" "));
  }
  return changes.some((change) => change.queue !== "merge") ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
