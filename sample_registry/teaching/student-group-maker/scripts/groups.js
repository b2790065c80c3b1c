#!/usr/bin/env node
"use strict";
// Split a class into groups by rules; the same seed gives the same groups.
// Exit codes: 0 done, 1 the rules cannot be kept, 2 wrong usage or input.

const fs = require("fs");

const USAGE = `usage: groups.js CLASS.json --size N [--seed N]

  CLASS.json  {"students": [{"name", "level", "tags"}], "apart", "together", "past"}`;
const TRIES = 4000;

function fail(message) {
  console.error(`groups: ${message}`);
  process.exit(2);
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function load(path) {
  let plan;
  try {
    plan = JSON.parse(fs.readFileSync(path, "utf8"));
  } catch (error) {
    fail(`cannot read ${path}: ${error.message}`);
  }
  if (!plan || !Array.isArray(plan.students) || plan.students.length < 2) fail(`${path}: at least two students are needed`);
  const names = plan.students.map((student) => student.name);
  if (new Set(names).size < names.length || names.some((name) => !name)) fail(`${path}: each student needs a name of their own`);
  for (const field of ["apart", "together"]) {
    for (const name of (plan[field] || []).flat()) if (!names.includes(name)) fail(`${path}: ${field} names ${name}, who is not in the class`);
  }
  return plan;
}

function sizes(count, size) {
  const number = size === 2 ? Math.max(1, Math.floor(count / size)) : Math.ceil(count / size);
  return Array.from({ length: number }, (_, at) => Math.floor(count / number) + (at < count % number ? 1 : 0));
}

function key(first, second) {
  return first < second ? `${first}\n${second}` : `${second}\n${first}`;
}

function pairs(names) {
  return names.flatMap((first, at) => names.slice(at + 1).map((second) => key(first, second)));
}

function pastPairs(plan) {
  const counts = new Map();
  for (const group of (plan.past || []).flat()) for (const pair of pairs(group)) counts.set(pair, (counts.get(pair) || 0) + 1);
  return counts;
}

/** Cost of a grouping in the order of the skill's list, as one number. */
function cost(groups, plan, past) {
  const groupOf = new Map(groups.flatMap((group, at) => group.map((student) => [student.name, at])));
  const broken = (plan.apart || []).filter(([a, b]) => groupOf.get(a) === groupOf.get(b)).length
    + (plan.together || []).filter(([a, b]) => groupOf.get(a) !== groupOf.get(b)).length;
  let repeated = 0, lone = 0;
  const means = [];
  for (const group of groups) {
    for (const pair of pairs(group.map((student) => student.name))) repeated += past.get(pair) || 0;
    const tags = group.flatMap((student) => student.tags || []);
    lone += tags.filter((tag) => tags.indexOf(tag) === tags.lastIndexOf(tag)).length;
    means.push(group.reduce((sum, student) => sum + (student.level || 0), 0) / group.length);
  }
  const spread = Math.max(...means) - Math.min(...means);
  return { broken, repeated, spread, lone, total: broken * 1e6 + repeated * 100 + spread * 10 + lone };
}

function arrange(plan, size, seed) {
  const next = random(seed), past = pastPairs(plan);
  const order = [...plan.students].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(next() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  let start = 0;
  const groups = sizes(order.length, size).map((length) => order.slice(start, (start += length)));
  let best = cost(groups, plan, past);
  for (let step = 0; step < TRIES && groups.length > 1; step += 1) {
    const one = Math.floor(next() * groups.length), other = Math.floor(next() * groups.length);
    if (one === other) continue;
    const a = Math.floor(next() * groups[one].length), b = Math.floor(next() * groups[other].length);
    [groups[one][a], groups[other][b]] = [groups[other][b], groups[one][a]];
    const now = cost(groups, plan, past);
    if (now.total <= best.total) best = now;
    else [groups[one][a], groups[other][b]] = [groups[other][b], groups[one][a]];
  }
  return { groups, best };
}

function main(args) {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  const option = (name, otherwise) => {
    const at = args.indexOf(name);
    return at < 0 ? otherwise : Number(args.splice(at, 2)[1]);
  };
  const size = option("--size", NaN), seed = option("--seed", 1);
  if (args.length !== 1 || !(size >= 2) || !Number.isInteger(seed)) fail(`a class and a size of 2 or more are needed\n${USAGE}`);
  const plan = load(args[0]), { groups, best } = arrange(plan, size, seed);
  if (best.broken) {
    const rules = [...(plan.apart || []).map((pair) => `${pair.join(" and ")} apart`), ...(plan.together || []).map((pair) => `${pair.join(" and ")} together`)];
    console.error(`groups: no arrangement keeps all of: ${rules.join(", ")}`);
    return 1;
  }
  groups.forEach((group, at) => console.log(`${at + 1}: ${group.map((student) => student.name).sort().join(", ")}`));
  const lengths = groups.map((group) => group.length);
  const sums = groups.map((group) => group.reduce((sum, student) => sum + (student.level || 0), 0));
  console.error(`groups: ${groups.length} groups of ${Math.min(...lengths)}-${Math.max(...lengths)}, ${best.repeated} repeated pairs, level sums ${Math.min(...sums)}-${Math.max(...sums)}`);
  return 0;
}

process.exitCode = main(process.argv.slice(2));
