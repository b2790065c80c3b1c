#!/usr/bin/env python3
"""Replace identifiers in a CSV file by keyed pseudonyms, coarsen columns, count who stands alone.

Exit codes: 0 done, 1 done but fewer than k rows share some combination, 2 wrong usage or input.
"""

import argparse
import csv
import hashlib
import hmac
import sys
from collections import Counter
from pathlib import Path


def prefix(text):
    """A column and how many characters of it stay."""
    column, colon, length = text.rpartition(":")
    if not colon or not length.isdigit() or not column:
        raise argparse.ArgumentTypeError(f"{text!r} is not COLUMN:LENGTH")
    return column, int(length)


def pseudonym(value, key):
    """The same word for the same value under one key; nothing for nothing."""
    value = " ".join(value.split()).lower()
    if not value:
        return ""
    return "p" + hmac.new(key, value.encode("utf-8"), hashlib.sha256).hexdigest()[:12]


def change(row, args, key):
    """A row as it may be shared."""
    shared = {name: value for name, value in row.items() if name not in args.drop}
    for name in args.replace:
        shared[name] = pseudonym(shared[name], key)
    for name in args.year:
        shared[name] = shared[name].strip()[:4]
    for name, length in args.prefix:
        value = shared[name].strip()
        shared[name] = value[:length] + "*" * max(0, len(value) - length)
    return shared


def alone(rows, quasi, k):
    """Combinations of the quasi identifiers that fewer than k rows share."""
    counts = Counter(tuple(row[name] for name in quasi) for row in rows)
    return sorted((count, group) for group, count in counts.items() if count < k)


def check_columns(args, columns):
    """ValueError when an option names a column that is not there, or one that is dropped."""
    named = [*args.replace, *args.year, *(name for name, _ in args.prefix), *args.quasi]
    for name in [*named, *args.drop]:
        if name not in columns:
            raise ValueError(f"no column {name!r}; there are {', '.join(columns)}")
    for name in named:
        if name in args.drop:
            raise ValueError(f"column {name!r} is both dropped and used")


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", help="CSV file with a header")
    parser.add_argument("--key", required=True, help="file with at least 16 random bytes")
    parser.add_argument("--replace", action="append", default=[], metavar="COLUMN")
    parser.add_argument("--year", action="append", default=[], metavar="COLUMN", help="keep the year")
    parser.add_argument("--prefix", action="append", default=[], type=prefix, metavar="COLUMN:LENGTH")
    parser.add_argument("--drop", action="append", default=[], metavar="COLUMN")
    parser.add_argument("--quasi", type=lambda text: text.split(","), default=[], metavar="A,B")
    parser.add_argument("--k", type=int, default=5, help="rows that must share a combination")
    args = parser.parse_args(argv)
    try:
        key = Path(args.key).read_bytes()
        if len(key) < 16:
            raise ValueError(f"{args.key} holds {len(key)} bytes, at least 16 are needed")
        with open(args.table, encoding="utf-8-sig", newline="") as handle:
            reader = csv.DictReader(handle)
            columns = list(reader.fieldnames or ())
            check_columns(args, columns)
            rows = [change(row, args, key) for row in reader]
    except (OSError, ValueError, AttributeError, csv.Error) as error:
        print(f"pseudonymise: {error}", file=sys.stderr)
        return 2
    rows.sort(key=lambda row: list(row.values()))
    writer = csv.DictWriter(sys.stdout, [c for c in columns if c not in args.drop], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    lonely = alone(rows, args.quasi, args.k) if args.quasi else []
    for count, group in lonely:
        print(f"pseudonymise: {count} of k={args.k}: {', '.join(group)}", file=sys.stderr)
    return 1 if lonely else 0


if __name__ == "__main__":
    sys.exit(main())
