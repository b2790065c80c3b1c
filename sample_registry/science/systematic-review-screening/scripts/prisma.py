#!/usr/bin/env python3
"""Counts of the PRISMA flow, agreement and holes, from a CSV of screening decisions.

Columns: id, source, stage (title or full), screener_a, screener_b, final, reason.
Exit codes: 0 the flow adds up, 1 there are holes, 2 wrong usage or input.
"""

import argparse
import csv
import sys
from collections import Counter

COLUMNS = ("id", "source", "stage", "screener_a", "screener_b", "final", "reason")
DECISIONS = {"in", "out", "unclear", ""}


def kappa(pairs):
    """(raw agreement, Cohen's kappa or None when chance agreement is complete)."""
    total = len(pairs)
    agree = sum(a == b for a, b in pairs) / total
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(first[label] * second[label] for label in first) / total ** 2
    return agree, None if chance == 1 else (agree - chance) / (1 - chance)


def holes(rows):
    """What does not add up, in words."""
    found = []
    titles = {row["id"]: row for row in rows if row["stage"] == "title"}
    fulls = {row["id"] for row in rows if row["stage"] == "full"}
    for row in rows:
        name = f"{row['id']} ({row['stage']})"
        both = {row["screener_a"], row["screener_b"]}
        if row["final"] not in ("in", "out", "duplicate"):
            found.append(f"{name}: no final decision")
        if row["stage"] == "full" and row["final"] == "out" and not row["reason"]:
            found.append(f"{name}: excluded at full text without a reason")
        if row["final"] == "in" and both == {"out"}:
            found.append(f"{name}: included against two 'out'")
        if row["stage"] == "full" and titles.get(row["id"], {}).get("final") != "in":
            found.append(f"{name}: read in full although it did not pass the titles")
    for name, row in titles.items():
        if row["final"] == "in" and name not in fulls:
            found.append(f"{name}: passed the titles, never read in full")
    return found


def read(path):
    """Rows with stripped values; ValueError names what is wrong."""
    with open(path, encoding="utf-8-sig", newline="") as handle:
        reader = csv.DictReader(handle)
        missing = set(COLUMNS) - set(reader.fieldnames or [])
        if missing:
            raise ValueError(f"column {', '.join(sorted(missing))} is missing")
        rows = [{name: (row[name] or "").strip() for name in COLUMNS} for row in reader]
    seen = set()
    for place, row in enumerate(rows, 2):
        if row["stage"] not in ("title", "full"):
            raise ValueError(f"row {place}: stage {row['stage']!r} is neither title nor full")
        if {row["screener_a"], row["screener_b"]} - DECISIONS:
            raise ValueError(f"row {place}: a decision is none of in, out, unclear")
        if (row["id"], row["stage"]) in seen:
            raise ValueError(f"row {place}: {row['id']} appears twice at this stage")
        seen.add((row["id"], row["stage"]))
    if not rows:
        raise ValueError("no records")
    return rows


def flow(rows):
    """Lines of the flow diagram, top to bottom."""
    titles = [row for row in rows if row["stage"] == "title"]
    fulls = [row for row in rows if row["stage"] == "full"]
    lines = [f"identified {len(titles)}"]
    lines += [f"  from {name}: {count}"
              for name, count in sorted(Counter(row["source"] for row in titles).items())]
    copies = sum(row["final"] == "duplicate" for row in titles)
    lines += [f"duplicates removed {copies}", f"screened {len(titles) - copies}",
              f"excluded on title or abstract {sum(row['final'] == 'out' for row in titles)}",
              f"read in full {len(fulls)}"]
    reasons = Counter(row["reason"] or "(no reason)" for row in fulls if row["final"] == "out")
    lines.append(f"excluded on full text {sum(reasons.values())}")
    lines += [f"  {reason}: {count}" for reason, count in reasons.most_common()]
    return [*lines, f"included {sum(row['final'] == 'in' for row in fulls)}"]


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("decisions", help="CSV with the columns " + ", ".join(COLUMNS))
    args = parser.parse_args(argv)
    try:
        rows = read(args.decisions)
    except (OSError, ValueError, csv.Error) as error:
        print(f"prisma: {args.decisions}: {error}", file=sys.stderr)
        return 2
    print("\n".join(flow(rows)))
    for stage in ("title", "full"):
        pairs = [(row["screener_a"], row["screener_b"]) for row in rows
                 if row["stage"] == stage and row["screener_a"] and row["screener_b"]]
        if pairs:
            agree, value = kappa(pairs)
            shown = "not defined" if value is None else f"{value:.2f}"
            print(f"{stage}: {len(pairs)} read twice, agreement {agree:.0%}, kappa {shown}")
    found = holes(rows)
    for hole in found:
        print(f"hole: {hole}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
