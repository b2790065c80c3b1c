#!/usr/bin/env python3
"""Merge a CSV of people into a text template, after checking both.

Exit codes: 0 clean or written, 1 findings (nothing is written), 2 wrong usage or input.
"""

import argparse
import csv
import re
import sys
from pathlib import Path

FIELD = re.compile(r"\{\{\s*(\w+)\s*(?:\|([^{}]*))?\}\}")
ODD = re.compile(r"(test|x{2,}|n/?a|null|none|tbd|#(ref|n/a|value|name)[!?]?)$", re.I)


def read(path):
    """(column names, rows) with values stripped."""
    with open(path, encoding="utf-8-sig", newline="") as handle:
        reader = csv.DictReader(handle)
        names = reader.fieldnames or []
        rows = [{name: (row.get(name) or "").strip() for name in names} for row in reader]
    if not rows:
        raise ValueError(f"{path} has no rows")
    return names, rows


def render(template, row):
    """The letter for one row."""
    return FIELD.sub(lambda match: row.get(match[1]) or match[2] or "", template)


def address(text):
    """An address as mailbox providers see it: case folded, dots before the @ dropped."""
    local, at, domain = text.lower().partition("@")
    return local.replace(".", "") + at + domain if at else ""


def check(template, names, rows, key):
    """Findings as (row number or 0, code, message)."""
    fields = {match[1]: match[2] for match in FIELD.finditer(template)}
    found = [(0, "unknown_field", f"no column {name}") for name in fields if name not in names]
    left = FIELD.sub("", template)
    if "{{" in left or "}}" in left:
        found.append((0, "unknown_field", "braces that form no placeholder"))
    for name in names:
        if name not in fields and name != key and "mail" not in name.lower():
            found.append((0, "unused_column", f"column {name} is not used"))
    seen, keys = {}, {}
    for place, row in enumerate(rows, 2):
        for name in fields:
            value = row.get(name, "")
            if name in names and not value and not fields[name]:
                found.append((place, "empty_field", f"{name} is empty and has no fallback"))
            if ODD.match(value):
                found.append((place, "suspicious_value", f"{name} is {value!r}"))
            if "name" in name.lower() and len(value) > 3 and value.isupper():
                found.append((place, "shouting", f"{name} is {value!r}"))
        for name in names:
            mark = address(row[name]) if "mail" in name.lower() else ""
            if mark and mark in seen:
                found.append((place, "duplicate_address", f"same as row {seen[mark]}"))
            seen.setdefault(mark, place)
        if key:
            name = file_name(row[key])
            if name in keys:
                found.append((place, "duplicate_key", f"{name} is also row {keys[name]}"))
            keys.setdefault(name, place)
    return found


def file_name(value):
    """A safe file name for a key; ValueError when nothing is left of it."""
    name = re.sub(r"[^\w.-]+", "_", value).strip("._")
    if not name:
        raise ValueError(f"the key {value!r} makes no file name")
    return name + ".txt"


def samples(template, rows):
    """First row, longest letter, and the row that falls back most often."""
    fields = [match[1] for match in FIELD.finditer(template)]
    picks = [rows[0], max(rows, key=lambda row: len(render(template, row))),
             max(rows, key=lambda row: sum(not row.get(name) for name in fields))]
    return [render(template, row) for place, row in enumerate(picks) if row not in picks[:place]]


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", help="CSV with one row a person")
    parser.add_argument("template", help="text with {{placeholders}}")
    parser.add_argument("--check", action="store_true", help="look only: findings and samples")
    parser.add_argument("--out", metavar="DIR", help="write one file a row here")
    parser.add_argument("--key", help="column that names the files")
    args = parser.parse_args(argv)
    if args.check == bool(args.out) or (args.out and not args.key):
        parser.error("give either --check, or --out DIR with --key COLUMN")
    try:
        names, rows = read(args.table)
        template = Path(args.template).read_text(encoding="utf-8")
        if args.key and args.key not in names:
            raise ValueError(f"no column {args.key}")
        found = check(template, names, rows, args.key)
        blocking = [finding for finding in found if finding[1] != "unused_column"]
        for place, code, words in found:
            print(f"{f'row {place}' if place else 'template'}: {code}: {words}", file=sys.stderr)
        if args.check:
            print("\n-----\n".join(samples(template, rows)))
        elif not blocking:
            out = Path(args.out)
            out.mkdir(parents=True, exist_ok=True)
            for row in rows:
                (out / file_name(row[args.key])).write_text(render(template, row), encoding="utf-8")
            print(f"{len(rows)} letters in {out}")
    except (OSError, ValueError) as error:
        print(f"merge: {error}", file=sys.stderr)
        return 2
    return 1 if blocking else 0


if __name__ == "__main__":
    sys.exit(main())
