#!/usr/bin/env node
"use strict";
// Compare two OpenAPI documents in JSON and tell breaking from risky and additive changes.
// Exit codes: 0 nothing breaking, 1 something breaking, 2 wrong usage or unreadable input.

const fs = require("fs");
const path = require("path");
const semver = require("../../dependency-upgrade-triage/scripts/semver.js");

const USAGE = `usage: diff-openapi.js OLD.json NEW.json [--current VERSION]

Prints one finding a line (breaking, risky, additive), and the next version when --current is given.`;
const METHODS = ["get", "put", "post", "delete", "patch", "head", "options"];
const RANK = ["breaking", "risky", "additive"];

function fail(message) {
  console.error(`diff-openapi: ${message}`);
  process.exit(2);
}

function load(file) {
  try {
    const document = JSON.parse(fs.readFileSync(file, "utf8"));
    if (!document || typeof document.paths !== "object") throw new Error('no "paths" object');
    return document;
  } catch (error) {
    return fail(`cannot read ${path.basename(file)}: ${error.message}`);
  }
}

/** Follow local references; at most 20 steps, so that a circle ends. */
function resolve(node, root) {
  for (let i = 0; i < 20 && node && typeof node.$ref === "string"; i += 1) {
    if (!node.$ref.startsWith("#/")) return {};
    node = node.$ref.slice(2).split("/")
      .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"))
      .reduce((value, part) => (value === undefined || value === null ? undefined : value[part]), root);
  }
  return node || {};
}

function typeOf(schema) {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type || "any"];
  return [...types, ...(schema.nullable ? ["null"] : [])].sort().join("|");
}

class Comparison {
  constructor(oldRoot, newRoot) {
    this.roots = [oldRoot, newRoot];
    this.findings = [];
    this.open = []; // schemas being compared now: one that holds itself is compared once
  }

  add(level, where, what) {
    this.findings.push({ level, where, what });
  }

  schemas(a, b, where, side) {
    const [before, after] = [resolve(a, this.roots[0]), resolve(b, this.roots[1])];
    if (this.open.includes(before)) return;
    this.open.push(before);
    this.compareResolved(before, after, where, side);
    this.open.pop();
  }

  compareResolved(before, after, where, side) {
    if (typeOf(before) !== typeOf(after)) {
      this.add("breaking", where, `type ${typeOf(before)} became ${typeOf(after)}`);
      return;
    }
    this.enums(before, after, where, side);
    for (const limit of ["maximum", "maxLength", "maxItems"]) {
      if (side === "request" && after[limit] !== undefined && (before[limit] === undefined || after[limit] < before[limit])) {
        this.add("breaking", where, `${limit} ${after[limit]} (was ${before[limit] === undefined ? "none" : before[limit]})`);
      }
    }
    if (before.items && after.items) this.schemas(before.items, after.items, `${where}[]`, side);
    this.properties(before, after, where, side);
  }

  enums(before, after, where, side) {
    if (!before.enum && !after.enum) return;
    const show = (values) => values.map((value) => JSON.stringify(value)).join(", ");
    const gone = (before.enum || []).filter((value) => after.enum && !after.enum.includes(value));
    const came = (after.enum || []).filter((value) => before.enum && !before.enum.includes(value));
    if (!before.enum && side === "request") this.add("breaking", where, `limited to ${show(after.enum)}`);
    if (gone.length) this.add(side === "request" ? "breaking" : "additive", where, `enum value removed: ${show(gone)}`);
    if (came.length) this.add(side === "request" ? "additive" : "risky", where, `enum value added: ${show(came)}`);
  }

  properties(before, after, where, side) {
    const [olds, news] = [before.properties || {}, after.properties || {}];
    const [oldRequired, newRequired] = [before.required || [], after.required || []];
    for (const name of Object.keys(olds)) {
      const place = `${where}.${name}`;
      if (!(name in news)) {
        this.add(side === "request" ? "risky" : "breaking", place, "removed");
        continue;
      }
      const [was, is] = [oldRequired.includes(name), newRequired.includes(name)];
      if (was !== is) {
        const breaks = side === "request" ? is : was;
        this.add(breaks ? "breaking" : "additive", place, is ? "now required" : "no longer required");
      }
      this.schemas(olds[name], news[name], place, side);
    }
    for (const name of Object.keys(news)) {
      if (name in olds) continue;
      const required = newRequired.includes(name);
      this.add(required && side === "request" ? "breaking" : "additive", `${where}.${name}`,
        `added, ${required ? "required" : "optional"}`);
    }
  }

  parameters(a, b, where) {
    const table = (list, root) => new Map((list || []).map((item) => resolve(item, root))
      .map((item) => [`${item.in} ${item.name}`, item]));
    const [olds, news] = [table(a.parameters, this.roots[0]), table(b.parameters, this.roots[1])];
    for (const [name, item] of olds) {
      const now = news.get(name);
      if (!now) this.add("risky", `${where} ${name}`, "parameter removed");
      else {
        if (now.required && !item.required) this.add("breaking", `${where} ${name}`, "now required");
        this.schemas(item.schema || {}, now.schema || {}, `${where} ${name}`, "request");
      }
    }
    for (const [name, item] of news) {
      if (!olds.has(name)) {
        this.add(item.required ? "breaking" : "additive", `${where} ${name}`,
          `parameter added, ${item.required ? "required" : "optional"}`);
      }
    }
  }

  contents(a, b, where, side) {
    const [olds, news] = [a.content || {}, b.content || {}];
    for (const media of Object.keys(olds)) {
      if (!news[media]) this.add("breaking", where, `media type ${media} removed`);
      else this.schemas(olds[media].schema || {}, news[media].schema || {}, where, side);
    }
  }

  operations(before, after, where) {
    this.parameters(before, after, where);
    const bodies = [resolve(before.requestBody, this.roots[0]), resolve(after.requestBody, this.roots[1])];
    if (bodies[1].required && !bodies[0].required) this.add("breaking", `${where} request`, "body now required");
    this.contents(bodies[0], bodies[1], `${where} request `, "request");
    const [olds, news] = [before.responses || {}, after.responses || {}];
    for (const code of Object.keys(olds)) {
      const place = `${where} response ${code} `;
      if (!news[code]) this.add(code.startsWith("2") ? "breaking" : "risky", place.trim(), "removed");
      else this.contents(resolve(olds[code], this.roots[0]), resolve(news[code], this.roots[1]), place, "response");
    }
    for (const code of Object.keys(news)) if (!olds[code]) this.add("risky", `${where} response ${code}`, "added");
  }

  run() {
    const [olds, news] = this.roots.map((root) => root.paths);
    for (const route of new Set([...Object.keys(olds), ...Object.keys(news)])) {
      for (const method of METHODS) {
        const [before, after] = [(olds[route] || {})[method], (news[route] || {})[method]];
        const where = `${method.toUpperCase()} ${route}`;
        if (before && !after) this.add("breaking", where, "operation removed");
        else if (!before && after) this.add("additive", where, "operation added");
        else if (before && after) this.operations(before, after, where);
      }
    }
    return this.findings.sort((a, b) => RANK.indexOf(a.level) - RANK.indexOf(b.level));
  }
}

function main(args) {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  const files = [];
  let current = null;
  for (let i = 0; i < args.length; i += 1) {
    if (args[i] === "--current") {
      current = semver.parse(args[i + 1] || "");
      if (!current) fail(`--current needs a version such as 2.4.1, not ${args[i + 1]}`);
      i += 1;
    } else files.push(args[i]);
  }
  if (files.length !== 2 || files.some((file) => file.startsWith("-"))) fail(`two documents are needed\n${USAGE}`);
  const findings = new Comparison(load(files[0]), load(files[1])).run();
  for (const { level, where, what } of findings) console.log(`${level.padEnd(9)} ${where}: ${what}`);
  const worst = findings.length ? findings[0].level : "none";
  const size = { breaking: "major", risky: "minor", additive: "minor" }[worst] || "patch";
  if (current) console.log(`next version: ${semver.next(current, size)}`);
  return worst === "breaking" ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
