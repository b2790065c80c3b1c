#!/usr/bin/env node
"use strict";
// Plan new names for photos from a list that exiftool wrote. Moves nothing.
// Exit codes: 0 a plan for all files, 1 some need an answer first, 2 wrong usage or input.

const fs = require("fs");

const USAGE = `usage: plan.js LIST.json [--clock MODEL=+HH:MM:SS]... [--today YYYY-MM-DD]

  --clock  what to add to the times of a camera
  --today  later dates are taken for a wrong clock`;
const RAW = ["raf", "nef", "cr2", "cr3", "arw", "dng", "orf", "rw2"];

function fail(message) {
  console.error(`plan: ${message}`);
  process.exit(2);
}

function load(path) {
  let list;
  try {
    list = JSON.parse(fs.readFileSync(path, "utf8"));
  } catch (error) {
    fail(`cannot read ${path}: ${error.message}`);
  }
  if (!Array.isArray(list) || list.some((entry) => !entry || !entry.SourceFile)) fail(`${path}: a list of exiftool with SourceFile is needed`);
  return list;
}

function clock(text) {
  const match = /^(.+)=([+-])(\d{1,3}):(\d\d):(\d\d)$/.exec(text || "");
  if (!match) fail(`${text} is not MODEL=+HH:MM:SS`);
  const seconds = Number(match[3]) * 3600 + Number(match[4]) * 60 + Number(match[5]);
  return [match[1], (match[2] === "-" ? -1 : 1) * seconds * 1000];
}

/** A moment as written by the camera, as milliseconds of an imaginary UTC. */
function moment(entry, clocks) {
  const match = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/.exec(entry.DateTimeOriginal || "");
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second) + (clocks.get(entry.Model) || 0);
}

function split(path) {
  const slash = path.lastIndexOf("/"), file = path.slice(slash + 1), dot = file.lastIndexOf(".");
  return { folder: path.slice(0, slash + 1), stem: dot > 0 ? file.slice(0, dot) : file, ending: dot > 0 ? file.slice(dot + 1).toLowerCase() : "" };
}

/** Folder and stem without what programs add: -edit, _1, (2). */
function family(path) {
  const { folder, stem } = split(path);
  return `${folder}${stem.replace(/([-_ ](edit(ed)?|bearbeitet)|\s*\(\d+\))$/i, "")}`;
}

function target(time, entry) {
  const text = new Date(time).toISOString();
  const { stem, ending } = split(entry.SourceFile);
  const camera = (entry.Model || "unknown").toLowerCase().replace(/[^a-z0-9]+/g, "");
  const day = text.slice(0, 10), hour = text.slice(11, 19).replace(/:/g, "");
  return `${day.slice(0, 4)}/${day.slice(0, 7)}/${day}_${hour}_${camera}_${stem.replace(/[^\w-]+/g, "-")}${ending ? `.${ending}` : ""}`;
}

function remark(time, today) {
  if (time === null) return "no-date";
  if (time > today + 86400000) return "future";
  const day = new Date(time).toISOString().slice(0, 10);
  return ["1970-01-01", "1980-01-01", "2000-01-01"].includes(day) ? "epoch" : "";
}

function quote(text) {
  return /[",]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function main(args) {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  const files = [], clocks = new Map();
  let today = Date.now();
  for (let at = 0; at < args.length; at += 1) {
    if (args[at] === "--clock") clocks.set(...clock(args[at += 1]));
    else if (args[at] === "--today") today = Date.parse(args[at += 1]);
    else files.push(args[at]);
  }
  if (files.length !== 1 || files[0].startsWith("-") || Number.isNaN(today)) fail(`one list is needed\n${USAGE}`);
  const groups = new Map();
  for (const entry of load(files[0])) {
    const name = family(entry.SourceFile);
    groups.set(name, [...(groups.get(name) || []), entry]);
  }
  const taken = new Map(), remarks = [];
  for (const entries of groups.values()) {
    const lead = entries.find((entry) => RAW.includes(split(entry.SourceFile).ending) && moment(entry, clocks) !== null)
      || entries.find((entry) => moment(entry, clocks) !== null) || entries[0];
    const time = moment(lead, clocks), why = remark(time, today);
    for (const entry of entries) {
      if (why) remarks.push([why, entry.SourceFile, lead.DateTimeOriginal || ""]);
      else {
        const to = target(time, { ...entry, Model: lead.Model });
        if (taken.has(to.toLowerCase())) remarks.push(["two-for-one", entry.SourceFile, `as ${taken.get(to.toLowerCase()).from}`]);
        else taken.set(to.toLowerCase(), { from: entry.SourceFile, to });
      }
    }
  }
  for (const { from, to } of [...taken.values()].sort((a, b) => (a.to < b.to ? -1 : 1))) console.log(`${quote(from)},${to}`);
  for (const [why, file, more] of remarks) console.error(`${why.padEnd(11)} ${file}  ${more}`.trimEnd());
  return remarks.length ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
