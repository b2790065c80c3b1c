#!/usr/bin/env python3
"""Compare two deliveries of a feed (CSV or JSON lines) and print what drifted.

Exit codes: 0 nothing breaks readers, 1 something does, 2 wrong usage or unreadable input.
"""

import argparse
import csv
import json
import re
import sys
from collections import Counter

CATEGORY = 20
FORMS = (("int", re.compile(r"[-+]?\d+$")), ("float", re.compile(r"[-+]?\d*\.?\d+([eE][-+]?\d+)?$")),
         ("date", re.compile(r"\d{4}-\d\d-\d\d([T ].*)?$")), ("bool", re.compile(r"(true|false)$", re.I)))
WIDTH = {"empty": 0, "bool": 1, "int": 1, "float": 2, "date": 1, "text": 3}


def rows_of(path):
    """Columns and rows of a file, values as text; ValueError when it is neither form."""
    with open(path, encoding="utf-8-sig", newline="") as handle:
        text = handle.read()
    if text.lstrip().startswith("{"):
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
        columns = list(dict.fromkeys(name for row in found for name in row))
        return columns, [{n: "" if row.get(n) is None else str(row[n]) for n in columns} for row in found]
    reader = csv.DictReader(text.splitlines(keepends=True))
    rows = list(reader)
    if not reader.fieldnames or not rows:
        raise ValueError(f"{path}: no rows")
    return list(reader.fieldnames), [{n: (row.get(n) or "").strip() for n in reader.fieldnames} for row in rows]


def kind(value):
    """The narrowest form that a value fits."""
    return next((name for name, form in FORMS if form.match(value)), "text") if value else "empty"


def profile(rows, name):
    """Type, null share and values of a column, and where its widest value stands."""
    kinds = [(WIDTH[kind(row[name])], kind(row[name]), number) for number, row in enumerate(rows, 2)]
    width, widest, at = max(kinds, key=lambda entry: (entry[0], -entry[2]))
    if len({k for w, k, _ in kinds if w == 1}) > 1 and width == 1:
        width, widest = 3, "text"
    return {"type": widest, "width": width, "row": at, "sample": rows[at - 2][name],
            "nulls": sum(not row[name] for row in rows) / len(rows),
            "values": Counter(row[name] for row in rows if row[name])}


def column_drift(name, old, new, files):
    """Changes of a column that both deliveries have."""
    if old["type"] != new["type"] and "empty" not in (old["type"], new["type"]):
        level = "breaks" if new["width"] >= old["width"] else "notes"
        yield (level, "type", name, f"{old['type']} in {files[0]}, {new['type']} in {files[1]}: "
                                    f"{new['sample']!r} in row {new['row']}")
    if new["nulls"] - old["nulls"] >= 0.1:
        yield "breaks", "nulls", name, f"{old['nulls']:.0%} empty before, {new['nulls']:.0%} now"
    fresh = sorted(set(new["values"]) - set(old["values"]))
    if fresh and old["type"] == new["type"] == "text" and len(old["values"]) <= CATEGORY:
        said = ", ".join(f"{value!r} ({new['values'][value]} rows)" for value in fresh[:3])
        yield "warns", "new_value", name, said


def drift(before, after, key, files):
    """All changes as (level, code, column, message)."""
    (old_names, old_rows), (new_names, new_rows) = before, after
    for name in old_names:
        if name not in new_names:
            yield "breaks", "gone", name, f"was column {old_names.index(name) + 1}"
    for name in new_names:
        if name not in old_names:
            yield "notes", "new", name, f"column {new_names.index(name) + 1}"
    both = [name for name in new_names if name in old_names]
    if both != [name for name in old_names if name in new_names]:
        yield "warns", "moved", "", "the order of common columns changed"
    for name in both:
        yield from column_drift(name, profile(old_rows, name), profile(new_rows, name), files)
    if not 0.5 < len(new_rows) / len(old_rows) < 2:
        yield "warns", "rows", "", f"{len(old_rows)} before, {len(new_rows)} now"
    if key:
        twice = [v for v, n in Counter(row.get(key, "") for row in new_rows).items() if n > 1]
        if twice:
            yield "breaks", "key_twice", key, f"{len(twice)} values more than once, as {twice[0]!r}"


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--key", help="column that must be unique")
    parser.add_argument("--json", action="store_true", help="print a JSON document")
    args = parser.parse_args(argv)
    try:
        before, after = rows_of(args.old), rows_of(args.new)
        if args.key and args.key not in after[0]:
            raise ValueError(f"{args.new}: no column {args.key!r}")
        found = list(drift(before, after, args.key, (args.old, args.new)))
    except (AttributeError, OSError, UnicodeError, ValueError, csv.Error) as error:
        print(f"drift: {error}", file=sys.stderr)
        return 2
    found.sort(key=lambda row: ("breaks", "warns", "notes").index(row[0]))
    if args.json:
        print(json.dumps([dict(zip(("level", "code", "column", "message"), row)) for row in found], indent=1))
    else:
        for level, code, column, message in found:
            print(f"{level:7} {code:10} {column:10} {message}")
    return 1 if any(row[0] == "breaks" for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
