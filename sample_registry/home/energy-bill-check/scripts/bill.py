#!/usr/bin/env python3
"""Check an electricity or gas bill against meter readings, prices and weather.

Exit codes: 0 the bill agrees, 1 it does not, 2 wrong usage or input.
"""

import argparse
import datetime as dt
import json
import math
import sys
from pathlib import Path


def load(path):
    """A case with its fields checked; ValueError names what is missing or wrong."""
    case = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(case, dict):
        raise ValueError("an object is needed")
    for field in ("readings", "prices", "base_per_year", "billed"):
        if field not in case:
            raise ValueError(f"{field} is missing")
    for field in ("readings", "prices"):
        case[field] = sorted((dt.date.fromisoformat(day), float(value)) for day, value in case[field])
    if len(case["readings"]) < 2:
        raise ValueError("two readings are needed")
    values = [value for _, value in case["readings"]]
    if values != sorted(values):
        raise ValueError("a reading is lower than the one before: a swapped meter?")
    if not case["prices"] or case["prices"][0][0] > case["readings"][0][0]:
        raise ValueError("no price for the first day")
    if case.get("kind") == "gas" and "factor" not in case:
        raise ValueError("gas needs the factor from cubic metres to kWh, it is on the bill")
    return case


def periods(case):
    """(first day, last day, units, price) between readings, divided at price changes by days."""
    factor = case.get("factor", 1.0)
    for (start, low), (end, high) in zip(case["readings"], case["readings"][1:]):
        days = (end - start).days
        changes = [day for day, _ in case["prices"] if start < day < end]
        borders = [start, *changes, end]
        for first, last in zip(borders, borders[1:]):
            price = [value for day, value in case["prices"] if day <= first][-1]
            yield first, last, (high - low) * factor * (last - first).days / days, price


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", help="JSON: readings, prices, base_per_year, billed, factor")
    args = parser.parse_args(argv)
    try:
        case = load(args.case)
        rows = list(periods(case))
        billed = {name: float(case["billed"][name]) for name in ("units", "amount")}
    except (KeyError, OSError, TypeError, ValueError, ZeroDivisionError) as error:
        print(f"bill: {args.case}: {error}", file=sys.stderr)
        return 2
    days = (rows[-1][1] - rows[0][0]).days
    units, base = sum(row[2] for row in rows), case["base_per_year"] * days / 365
    amount = base + sum(row[2] * row[3] for row in rows)
    for first, last, part, price in rows:
        print(f"price      {first} to {last}  {part:9.0f} kWh x {price:.4f} = {part * price:9.2f}")
    print(f"base fee   {days} days {base:40.2f}")
    off = []
    for name, ours, limit in (("units", units, 0.01), ("amount", amount, 0.02)):
        share = billed[name] / ours - 1 if ours else 0.0
        off += [name] if abs(share) > limit else []
        print(f"{name:10} ours {ours:.2f}, billed {billed[name]:.2f} ({share:+.1%})"
              + (" DIFFERS" if abs(share) > limit else ""))
    weather = case.get("degree_days")
    if weather:
        change = units / weather["now"] / (weather["units_before"] / weather["before"]) - 1
        print(f"weather    per degree day {change:+.0%} against the year before")
    yearly = units * 365 / days * case["prices"][-1][1] + case["base_per_year"]
    print(f"instalment {math.ceil(yearly / 12 / 5) * 5} a month")
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
