"use strict";
// Versions as numbers: just what comparing two lock files and naming the next release needs.

const FORM = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Parse "1.2.3-rc.1"; null for anything that is not a full version. */
function parse(text) {
  const match = FORM.exec(String(text).trim());
  if (!match) return null;
  return { major: +match[1], minor: +match[2], patch: +match[3], pre: match[4] || "" };
}

/** Negative, zero or positive, by the precedence rules of semver 2.0 (build metadata ignored). */
function compare(a, b) {
  for (const part of ["major", "minor", "patch"]) if (a[part] !== b[part]) return a[part] - b[part];
  if (a.pre === b.pre) return 0;
  if (!a.pre || !b.pre) return a.pre ? -1 : 1;
  const left = a.pre.split("."), right = b.pre.split(".");
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    if (left[i] === undefined) return -1;
    if (right[i] === undefined) return 1;
    const numeric = [left[i], right[i]].map((part) => /^\d+$/.test(part));
    if (numeric[0] && numeric[1] && +left[i] !== +right[i]) return +left[i] - +right[i];
    if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
    if (left[i] !== right[i]) return left[i] < right[i] ? -1 : 1;
  }
  return 0;
}

/** "major", "minor", "patch" or "none": the step between two versions; 0.x minors count as major. */
function step(from, to) {
  if (from.major !== to.major) return "major";
  if (from.minor !== to.minor) return from.major === 0 ? "major" : "minor";
  return compare(from, to) === 0 ? "none" : "patch";
}

/** The version after `version` for a change of the given size; before 1.0 a break is a minor. */
function next(version, size) {
  const { major, minor, patch } = version;
  if (size === "major") return major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`;
  if (size === "minor") return major === 0 ? `0.${minor}.${patch + 1}` : `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${patch + 1}`;
}

module.exports = { parse, compare, step, next };
