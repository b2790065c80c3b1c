#!/usr/bin/env node
"use strict";
// Used by the build. Leaves with 1 when something must be mended, with 2 when it cannot read.

const fs = require("fs");

const USAGE = `usage: check.js SOURCE.json TARGET.json --language CODE [--names FILE]

  --language  of the target, such as de or pl: decides the plural forms
  --names     a file of words that stay as they are, one a line`;
const FEW = ["one", "few", "many", "other"];
const FORMS = { ja: ["other"], ko: ["other"], zh: ["other"], th: ["other"], vi: ["other"], id: ["other"],
    pl: FEW, ru: FEW, uk: FEW, cs: FEW, ar: ["zero", "one", "two", "few", "many", "other"] };
const SUFFIX = /_(zero|one|two|few|many|other)$/;

function fail(message)
{
    console.error(`check: ${message}`);
    process.exit(2);
}

function read(path)
{
    try {
        return fs.readFileSync(path, "utf8");
    } catch (error) {
        return fail(`cannot read ${path}: ${error.message}`);
    }
}

function flatten(value, prefix = "", into = new Map())
{
    for (const [key, inner] of Object.entries(value)) {
        if (inner && typeof inner === "object") flatten(inner, `${prefix}${key}.`, into);
        else into.set(prefix + key, String(inner));
    }
    return into;
}

function load(path)
{
    try {
        return flatten(JSON.parse(read(path)));
    } catch (error) {
        return fail(`cannot read ${path}: ${error.message}`);
    }
}

function icuForms(text)
{
    if (!/\{\s*\w+\s*,\s*plural\s*,/.test(text)) return null;
    return [...text.matchAll(/(zero|one|two|few|many|other)\s*\{/g)].map((match) => match[1]);
}

function placeholders(text)
{
    const plain = text.replace(/\{\s*(\w+)\s*,[\s\S]*\}/, "{$1}");
    return [...new Set(plain.match(/\{\{\s*\w+\s*\}\}|\{\s*\w+\s*\}|%\(\w+\)s|%[sd]/g) || [])]
        .map((found) => found.replace(/\s/g, "")).sort().join(" ");
}

function tags(text)
{
    return (text.match(/<\/?[a-z0-9]+/gi) || []).sort().join(" ");
}

function* compare(source, target, language, names)
{
    const needed = FORMS[language] || ["one", "other"];
    const families = new Set([...source.keys()].filter((key) => SUFFIX.test(key)).map((key) => key.replace(SUFFIX, "")));
    for (const family of families) {
        const lost = needed.filter((form) => !target.has(`${family}_${form}`));
        if (lost.length) yield ["error", "plural", family, `needs ${lost.join(", ")}`];
    }
    for (const [key, text] of source) {
        const family = key.replace(SUFFIX, "");
        const other = target.get(key);
        if (families.has(family) && SUFFIX.test(key) && other === undefined) continue;
        if (other === undefined) {
            yield ["error", "missing", key, JSON.stringify(text)];
            continue;
        }
        if (!other.trim() && text.trim()) {
            yield ["error", "empty", key, JSON.stringify(text)];
            continue;
        }
        if (placeholders(text) !== placeholders(other)) {
            yield ["error", "placeholder", key, `${placeholders(text) || "none"} became ${placeholders(other) || "none"}`];
        }
        if (tags(text) !== tags(other)) yield ["error", "tag", key, `${tags(text) || "none"} became ${tags(other) || "none"}`];
        if (icuForms(text)) {
            const lost = needed.filter((form) => !(icuForms(other) || []).includes(form));
            if (lost.length) yield ["error", "plural", key, `needs ${lost.join(", ")}`];
        }
        if (other === text && /[a-z]{3}/i.test(text) && !names.has(text)) yield ["note", "same", key, JSON.stringify(text)];
        if (!icuForms(text) && other.length > 20 && other.length > 1.6 * text.length) yield ["note", "long", key, `${text.length} to ${other.length} characters`];
    }
    for (const key of target.keys()) {
        const plural = SUFFIX.test(key) && families.has(key.replace(SUFFIX, ""));
        if (!source.has(key) && !plural) yield ["note", "orphan", key, ""];
    }
}

function main(args)
{
    if (args.includes("--help") || args.includes("-h")) {
        console.log(USAGE);
        return 0;
    }
    const option = (name) => {
        const at = args.indexOf(name);
        return at < 0 ? undefined : args.splice(at, 2)[1];
    };
    const language = option("--language"), list = option("--names");
    if (args.length !== 2 || !language) fail(`two files and a language are needed\n${USAGE}`);
    const names = new Set(list ? read(list).split("\n").map((line) => line.trim()) : []);
    const found = [...compare(load(args[0]), load(args[1]), language, names)]
        .sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    for (const [level, code, key, message] of found) console.log(`${level.padEnd(5)} ${code.padEnd(11)} ${key}  ${message}`.trimEnd());
    return found.some(([level]) => level === "error") ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
