#!/usr/bin/env python3
"""Check an expense claim (CSV) against limits and for what looks claimed twice.

Exit codes: 0 nothing to ask, 1 findings, 2 wrong usage or input.
"""

import argparse
import csv
import datetime as dt
import json
import sys
from collections import defaultdict
from pathlib import Path

LIMITS = {"meal": {"per_item": 40, "per_day": 60, "receipt_from": 10},
          "hotel": {"per_item": 180, "per_day": 180, "receipt_from": 0},
          "taxi": {"per_item": 60, "per_day": 120, "receipt_from": 10},
          "rail": {"receipt_from": 0}, "air": {"receipt_from": 0},
          "other": {"per_item": 50, "per_day": 100, "receipt_from": 10}}
COLUMNS = ("date", "category", "amount", "currency", "rate", "base_amount", "merchant", "receipt")


def read(path):
    """Rows with parsed dates and numbers; ValueError names the row."""
    rows = []
    with open(path, encoding="utf-8-sig", newline="") as handle:
        reader = csv.DictReader(handle)
        missing = set(COLUMNS) - set(reader.fieldnames or [])
        if missing:
            raise ValueError(f"column {', '.join(sorted(missing))} is missing")
        for place, row in enumerate(reader, 2):
            try:
                rows.append({"row": place, "date": dt.date.fromisoformat(row["date"].strip()),
                             "category": row["category"].strip().lower(),
                             "amount": float(row["amount"]), "rate": float(row["rate"] or 1),
                             "base": float(row["base_amount"]), "receipt": row["receipt"].strip(),
                             "merchant": " ".join(row["merchant"].lower().split())})
            except (AttributeError, TypeError, ValueError) as error:
                raise ValueError(f"row {place}: {error}") from None
    return rows


def single(row, limits, today):
    """Findings that one row gives on its own."""
    limit = limits.get(row["category"], limits["other"])
    if row["base"] > limit.get("per_item", float("inf")):
        yield "over_limit", f"{row['base']:.2f} for one {row['category']}, {limit['per_item']} allowed"
    if not row["receipt"] and row["base"] >= limit.get("receipt_from", 0):
        yield "no_receipt", f"{row['base']:.2f} at {row['merchant']} without a receipt"
    if abs(row["amount"] * row["rate"] - row["base"]) > 0.02 * abs(row["base"]) + 0.01:
        yield "conversion", f"{row['amount']:.2f} x {row['rate']:g} is not {row['base']:.2f}"
    if row["date"] > today:
        yield "future", f"{row['date']} is after the claim: day and month swapped?"
    elif row["date"].weekday() > 4:
        yield "weekend", f"{row['date']} is a {row['date']:%A}: part of a trip?"


def pairs(rows):
    """Rows that look claimed twice, reported on the later row."""
    for place, later in enumerate(rows):
        for earlier in rows[:place]:
            if (later["merchant"], later["base"]) != (earlier["merchant"], earlier["base"]):
                continue
            days = abs((later["date"] - earlier["date"]).days)
            if days <= 3:
                code = "near_duplicate" if days else "duplicate"
                yield later["row"], code, f"same merchant and amount as row {earlier['row']}"
                break


def groups(rows, limits):
    """Day limits, bills that look split, and round cash sums."""
    days, visits = defaultdict(list), defaultdict(list)
    for row in rows:
        days[row["date"], row["category"]].append(row)
        visits[row["date"], row["merchant"], row["category"]].append(row)
    for (day, category), found in days.items():
        allowed, total = limits.get(category, limits["other"]).get("per_day"), sum(r["base"] for r in found)
        if allowed and total > allowed and len(found) > 1:
            yield found[-1]["row"], "over_limit", f"{total:.2f} for {category} on {day}, {allowed} allowed"
    for (_, merchant, category), found in visits.items():
        limit = limits.get(category, limits["other"]).get("per_item")
        close = [row for row in found if limit and 0.8 * limit <= row["base"] <= limit]
        if len(close) > 1:
            yield close[-1]["row"], "split", f"{len(close)} rows just under {limit} at {merchant}, one day"
    cash = [row for row in rows if not row["receipt"] and row["base"] > 0 and row["base"] % 10 == 0]
    if len(cash) >= 3:
        yield cash[0]["row"], "round_cash", f"{len(cash)} round sums without a receipt"


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("claim", help="CSV with the columns " + ", ".join(COLUMNS))
    parser.add_argument("--limits", metavar="FILE", help="JSON of limits by category")
    parser.add_argument("--today", default=dt.date.today().isoformat(), help="date of the claim")
    args = parser.parse_args(argv)
    try:
        limits = dict(LIMITS)
        if args.limits:
            limits.update(json.loads(Path(args.limits).read_text(encoding="utf-8")))
        rows, today = read(args.claim), dt.date.fromisoformat(args.today)
    except (OSError, ValueError) as error:
        print(f"audit_expenses: {args.claim}: {error}", file=sys.stderr)
        return 2
    found = [(row["row"], code, words) for row in rows for code, words in single(row, limits, today)]
    found += [*pairs(rows), *groups(rows, limits)]
    for place, code, words in sorted(found):
        print(f"row {place}: {code}: {words}")
    asked = {place for place, _, _ in found}
    clear = sum(row["base"] for row in rows if row["row"] not in asked)
    print(f"audit_expenses: {len(rows)} rows, {len(found)} findings, {clear:.2f} can be paid now",
          file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
