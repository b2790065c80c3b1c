#!/usr/bin/env python3
"""Forecast a seasonal series by the best of three plain methods, judged on its own past.

Exit codes: 0 a method beats the plain average, 1 none does, 2 wrong usage or unusable input.
"""

import argparse
import csv
import datetime as dt
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "time-series-gap-fill" / "scripts"))
from grid import stamp  # noqa: E402

METHODS = ("naive", "mean", "drift")


def read(path):
    """Times and values of a series on a grid; ValueError when a value is empty."""
    with open(path, encoding="utf-8-sig", newline="") as handle:
        rows = list(csv.DictReader(handle))
    if not rows or not {"time", "value"} <= set(rows[0]):
        raise ValueError("columns time and value are needed")
    for number, row in enumerate(rows, 2):
        if not row["value"]:
            raise ValueError(f"line {number}: {row['time']} is a gap; begin after it, or fill it")
    return [row["time"] for row in rows], [float(row["value"]) for row in rows]


def ahead(values, season, steps, method):
    """The next values by one method."""
    found = []
    for step in range(steps):
        place = len(values) - season + step % season
        if method == "naive":
            found.append(values[place])
        elif method == "mean":
            past = [values[place - back * season] for back in range(4) if place - back * season >= 0]
            found.append(sum(past) / len(past))
        else:
            last, before = values[-season:], values[-2 * season:-season]
            change = (sum(last) - sum(before)) / season
            found.append(values[place] + change * (1 + step // season))
    return found


def backtest(values, season, steps):
    """For each method its errors by step, over origins one season apart; and of the plain mean."""
    errors = {name: [] for name in (*METHODS, "average")}
    origin = len(values) - steps
    while origin >= 2 * season and len(errors["naive"]) < 12:
        known, truth = values[:origin], values[origin:origin + steps]
        level = sum(known) / len(known)
        for name in METHODS:
            errors[name].append([t - f for t, f in zip(truth, ahead(known, season, steps, name))])
        errors["average"].append([t - level for t in truth])
        origin -= season
    return errors


def size(errors):
    """Mean absolute error."""
    flat = [abs(error) for origin in errors for error in origin]
    return sum(flat) / len(flat)


def quantile(values, share):
    """A quantile by linear interpolation."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("series", help="CSV with columns time and value, on a grid")
    parser.add_argument("--season", type=int, required=True, help="cells in a season, such as 7")
    parser.add_argument("--ahead", type=int, default=0, help="cells to forecast; a season if not given")
    args = parser.parse_args(argv)
    try:
        times, values = read(args.series)
        if args.season < 2:
            raise ValueError("a season has at least 2 cells")
        steps = args.ahead or args.season
        errors = backtest(values, args.season, steps)
        if len(errors["naive"]) < 4:
            raise ValueError(f"{len(values)} values are too few: 4 origins of {steps} cells do not fit")
        step = (moment(times[-1]) - moment(times[0])) / (len(times) - 1)
    except (OSError, TypeError, ValueError, csv.Error) as error:
        print(f"forecast: {args.series}: {error}", file=sys.stderr)
        return 2
    level = abs(sum(values) / len(values)) or 1.0
    sizes = {name: size(found) / level for name, found in errors.items()}
    best = min(METHODS, key=lambda name: sizes[name])
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["time", "forecast", "low", "high"])
    for number, value in enumerate(ahead(values, args.season, steps, best)):
        past = [origin[number] for origin in errors[best]]
        low, high = value + quantile(past, 0.1), value + quantile(past, 0.9)
        when = stamp(moment(times[-1]) + step * (number + 1))
        writer.writerow([when, f"{value:.4g}", f"{min(low, value):.4g}", f"{max(high, value):.4g}"])
    gain = 1 - sizes[best] / sizes["naive"] if sizes["naive"] else 0.0
    print(f"forecast: {best}: error {sizes[best]:.1%} of level, naive {sizes['naive']:.1%}, "
          f"plain average {sizes['average']:.1%}, better than naive by {gain:.0%}", file=sys.stderr)
    return 0 if sizes[best] < sizes["average"] else 1


def moment(text):
    """Seconds since 1970 of a time in UTC."""
    return dt.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


if __name__ == "__main__":
    sys.exit(main())
