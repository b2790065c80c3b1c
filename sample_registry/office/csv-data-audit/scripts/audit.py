#!/usr/bin/env python3
"""Audit a CSV or TSV table and report what could spoil an analysis. Changes nothing.

Exit codes: 0 no finding of severity error, 1 at least one, 2 wrong usage or unreadable file.
"""

import argparse
import csv
import json
import re
import sys
from collections import Counter

MISSING = {"", "na", "n/a", "nan", "null", "none", "-", "--", ".", "?", "missing", "unknown"}
SENTINELS = {-999.0, -99.0, 99.0, 999.0, 9999.0}
SLIPS = (10.0, 25.4, 1000.0)
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$")
SHEET_DATE = re.compile(rf"(\d{{1,2}}-({'|'.join(MONTHS)})|({'|'.join(MONTHS)})-\d{{2}})$", re.I)
LONG_FLOAT = re.compile(r"\d\.\d{3,}[eE]\+(1[2-9]|[2-9]\d)$")
SLASH_DATE = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.]\d{2,4}$")


def number(text):
    """The value as a number, or None."""
    return float(text) if NUMBER.match(text) else None


def column_findings(name, cells):
    """Findings of one column; cells are (row number, text)."""
    found = []
    padded = [(row, text) for row, text in cells if text != text.strip()]
    if padded:
        found.append(("warning", "edge_space", name, padded[0][0],
                      f"{len(padded)} values with space at an edge"))
    cells = [(row, text.strip()) for row, text in cells]
    present = [(row, text) for row, text in cells if text.lower() not in MISSING]
    numbers = [(row, number(text)) for row, text in present if number(text) is not None]
    words = [(row, text) for row, text in present if number(text) is None]
    found += shape_findings(name, present)
    if present and len({text for _, text in present}) == 1 and len(cells) > 2:
        found.append(("info", "constant", name, present[0][0], f"always {present[0][1]!r}"))
    if len(numbers) > len(words):
        tokens = [(row, text) for row, text in cells if text and text.lower() in MISSING]
        if tokens:
            plural = "values" if len(tokens) > 1 else "value"
            found.append(("warning", "hidden_missing", name, tokens[0][0],
                          f"{len(tokens)} {plural} {tokens[0][1]!r} in a numeric column"))
        if words:
            found.append(("error", "mixed_type", name, words[0][0],
                          f"{words[0][1]!r} among {len(numbers)} numbers"))
        found += number_findings(name, numbers)
    return found


def shape_findings(name, present):
    """What spreadsheets did, and dates that can be read two ways."""
    found = []
    for code, form, says in (("spreadsheet_date", SHEET_DATE, "a name turned into a date?"),
                             ("long_id_float", LONG_FLOAT, "digits of an identifier are lost")):
        hits = [(row, text) for row, text in present if form.match(text)]
        if hits:
            found.append(("error", code, name, hits[0][0], f"{hits[0][1]!r}: {says}"))
    dates = [(row, SLASH_DATE.match(text)) for row, text in present]
    dates = [(row, int(match[1]), int(match[2])) for row, match in dates if match]
    if dates and all(first <= 12 and second <= 12 for _, first, second in dates):
        found.append(("warning", "two_date_orders", name, dates[0][0],
                      "no value above 12 says which part is the month"))
    return found


def number_findings(name, numbers):
    """Sentinels far from the rest, and jumps by a unit's factor."""
    found, values = [], sorted(value for _, value in numbers)
    for row, value in numbers:
        others = [v for v in values if v != value]
        if value in SENTINELS and others and not min(others) <= value <= max(others):
            if abs(value) > 3 * max(abs(v) for v in others):
                found.append(("warning", "hidden_missing", name, row,
                              f"{value:g} stands apart from the rest: a code for missing?"))
                break
    if len(values) < 4 or values[0] <= 0:
        return found
    middle = values[len(values) // 2]
    for (_, before), (row, value) in zip(numbers, numbers[1:]):
        ratio = max(value, before) / min(value, before)
        off = max(value, middle) / min(value, middle) > 5
        if off and value not in SENTINELS and any(abs(ratio / slip - 1) < 0.03 for slip in SLIPS):
            found.append(("error", "unit_slip", name, row,
                          f"{value:g} after {before:g} in the row before: two units?"))
            break
    return found


def audit(rows):
    """Findings of a whole table, the header as the first row."""
    if not rows or not any(cell.strip() for cell in rows[0]):
        return [("error", "no_header", "", 1, "the first row is empty")]
    header, found = [cell.strip() for cell in rows[0]], []
    for name, count in Counter(header).items():
        if count > 1:
            found.append(("error", "duplicate_header", name, 1, f"{count} columns of this name"))
        if not name:
            found.append(("error", "blank_header", "", 1, "a column without a name"))
    body = [(place, row) for place, row in enumerate(rows[1:], 2) if any(c.strip() for c in row)]
    for place, row in body:
        if len(row) != len(header):
            found.append(("error", "ragged_row", "", place,
                          f"{len(row)} fields, the header has {len(header)}"))
    whole = [(place, row) for place, row in body if len(row) == len(header)]
    seen = {}
    for place, row in whole:
        if tuple(row) in seen:
            found.append(("warning", "duplicate_row", "", place, f"equal to row {seen[tuple(row)]}"))
        seen.setdefault(tuple(row), place)
    for column, name in enumerate(header):
        found += column_findings(name, [(place, row[column]) for place, row in whole])
    return found


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", help="the CSV or TSV file")
    parser.add_argument("--encoding", default="utf-8-sig")
    parser.add_argument("--delimiter", help="one character; guessed when not given")
    parser.add_argument("--json", action="store_true", help="print a JSON document")
    args = parser.parse_args(argv)
    try:
        with open(args.table, encoding=args.encoding, newline="") as handle:
            text = handle.read()
        first = text.split("\n", 1)[0]
        delimiter = args.delimiter or max(",;\t|", key=first.count)
        rows = list(csv.reader(text.splitlines(keepends=True), delimiter=delimiter))
    except (OSError, UnicodeError, csv.Error, TypeError) as error:
        print(f"audit: cannot read {args.table}: {error}", file=sys.stderr)
        return 2
    order = ("error", "warning", "info")
    found = sorted(audit(rows), key=lambda finding: (order.index(finding[0]), finding[3]))
    if args.json:
        keys = ("severity", "code", "column", "row", "message")
        print(json.dumps({"rows": max(len(rows) - 1, 0), "findings":
                          [dict(zip(keys, finding)) for finding in found]}, indent=1))
    else:
        for severity, code, column, row, message in found:
            print(f"{severity:8} {code:17} {column:8} row {row:<5} {message}")
        print(f"audit: {max(len(rows) - 1, 0)} rows, {len(found)} findings", file=sys.stderr)
    return 1 if any(finding[0] == "error" for finding in found) else 0


if __name__ == "__main__":
    sys.exit(main())
