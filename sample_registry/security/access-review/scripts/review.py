#!/usr/bin/env python3
"""Compare people with the rights they hold and list what somebody has to decide.

Exit codes: 0 nothing to decide, 1 findings, 2 wrong usage or input.
"""

import argparse
import csv
import datetime as dt
import sys

ORDER = ("leaver", "apart", "unknown_person", "beyond_role", "dormant")


def table(path, *columns):
    """Rows of a CSV file; ValueError names a column that is missing."""
    with open(path, encoding="utf-8-sig", newline="") as handle:
        reader = csv.DictReader(handle)
        missing = [name for name in columns if name not in (reader.fieldnames or ())]
        if missing:
            raise ValueError(f"{path}: no column {', '.join(missing)}")
        return [{key: (value or "").strip() for key, value in row.items() if key} for row in reader]


def judge(people, grants, roles, apart, today, days):
    """Findings as (code, person, system, right, why)."""
    known = {row["person"]: row for row in people}
    needed = None if roles is None else {(r["team"], r["system"], r["right"]) for r in roles}
    held = {}
    for grant in grants:
        held.setdefault((grant["person"], grant["system"]), set()).add(grant["right"])
    for grant in grants:
        name, system, right, used = (grant[k] for k in ("person", "system", "right", "last_used"))
        where, person = (name, system, right), known.get(name)
        if person is None:
            yield ("unknown_person", *where, "in no personnel record")
            continue
        if person["status"] == "left":
            yield ("leaver", *where, f"left {person['left_on'] or '?'}, last used {used or 'never'}")
            continue
        for first, second in apart:
            if right == first and second in held[name, system]:
                yield ("apart", *where, f"also holds {second}")
        if needed is not None and (person["team"], system, right) not in needed:
            yield ("beyond_role", *where, f"team {person['team']} does not need it")
        idle = (today - dt.date.fromisoformat(used)).days if used else None
        if idle is None or idle > days:
            yield ("dormant", *where, "never used" if idle is None else f"not used for {idle} days")


def pair(text):
    """Two rights that one person must not hold together."""
    first, comma, second = text.partition(",")
    if not (first and comma and second):
        raise argparse.ArgumentTypeError(f"{text!r} is not RIGHT,RIGHT")
    return first, second


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("people", help="CSV: person, team, status, left_on")
    parser.add_argument("grants", help="CSV: person, system, right, last_used")
    parser.add_argument("--roles", help="CSV: team, system, right that a team needs")
    parser.add_argument("--apart", type=pair, action="append", default=[], metavar="RIGHT,RIGHT")
    parser.add_argument("--today", type=dt.date.fromisoformat, default=dt.date.today())
    parser.add_argument("--days", type=int, default=90, help="unused for longer is dormant")
    args = parser.parse_args(argv)
    try:
        people = table(args.people, "person", "team", "status", "left_on")
        grants = table(args.grants, "person", "system", "right", "last_used")
        roles = table(args.roles, "team", "system", "right") if args.roles else None
        found = list(judge(people, grants, roles, args.apart, args.today, args.days))
    except (OSError, ValueError, csv.Error) as error:
        print(f"review: {error}", file=sys.stderr)
        return 2
    found.sort(key=lambda row: (ORDER.index(row[0]), row[1:]))
    for code, person, system, right, why in found:
        print(f"{code:14} {person:12} {system:12} {right:16} {why}")
    print(f"review: {len(grants)} rights of {len(people)} people, {len(found)} to decide", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
