#!/usr/bin/env python3
"""Put irregular readings on a regular grid, fill short gaps, flag every value.

Exit codes: 0 no value is empty, 1 some gaps stay, 2 wrong usage or unreadable input.
"""

import argparse
import csv
import datetime as dt
import re
import sys
from collections import Counter

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def span(text):
    """Seconds of a text such as 15m, 1h, 30s."""
    match = re.fullmatch(r"(\d+)([smhd])", text)
    if not match or not int(match[1]):
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as 15m or 1h")
    return int(match[1]) * UNITS[match[2]]


def read(path):
    """Readings as (seconds since 1970, value), sorted; ValueError names the line."""
    readings = []
    with open(path, encoding="utf-8-sig", newline="") as handle:
        reader = csv.DictReader(handle)
        if not {"time", "value"} <= set(reader.fieldnames or ()):
            raise ValueError("columns time and value are needed")
        for row in reader:
            try:
                moment = dt.datetime.fromisoformat(row["time"].strip().replace("Z", "+00:00"))
                value = float(row["value"])
            except (AttributeError, TypeError, ValueError):
                raise ValueError(f"line {reader.line_num}: {row['time']!r}, {row['value']!r}") from None
            if moment.tzinfo is None:
                raise ValueError(f"line {reader.line_num}: {row['time']!r} has no offset from UTC")
            readings.append((moment.timestamp(), value))
    if len(readings) < 2:
        raise ValueError("at least two readings are needed")
    return sorted(set(readings))


def usual_step(readings):
    """The most frequent interval in whole seconds, the smaller of equals."""
    gaps = Counter(round(b - a) for (a, _), (b, _) in zip(readings, readings[1:]) if b - a >= 1)
    if not gaps:
        raise ValueError("all readings have one time")
    return min(gaps, key=lambda gap: (-gaps[gap], gap))


def grid(readings, step, longest):
    """Rows (seconds, value or None, flag) on multiples of the step."""
    cells = {}
    for moment, value in readings:
        cells.setdefault(round(moment / step), []).append(value)
    known = sorted(cells)
    rows = []
    for before, after in zip(known, known[1:]):
        rows.append(before)
        hole = after - before - 1
        rows += [(before, after, n) for n in range(1, hole + 1)]
    rows.append(known[-1])
    mean = {cell: sum(values) / len(values) for cell, values in cells.items()}
    for row in rows:
        if isinstance(row, int):
            yield row * step, mean[row], "ok" if len(cells[row]) == 1 else "mean"
            continue
        before, after, n = row
        if (after - before - 1) * step > longest:
            yield (before + n) * step, None, "gap"
        else:
            part = n / (after - before)
            yield (before + n) * step, mean[before] + part * (mean[after] - mean[before]), "filled"


def stamp(seconds):
    """A moment in UTC as text."""
    return dt.datetime.fromtimestamp(seconds, dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("readings", help="CSV with columns time and value")
    parser.add_argument("--step", type=span, help="such as 15m; the most frequent interval if not given")
    parser.add_argument("--longest", type=span, default=0, help="longest hole to fill; none if not given")
    args = parser.parse_args(argv)
    try:
        readings = read(args.readings)
        step = args.step or usual_step(readings)
    except (OSError, UnicodeError, ValueError, csv.Error) as error:
        print(f"grid: {args.readings}: {error}", file=sys.stderr)
        return 2
    rows = list(grid(readings, step, args.longest))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["time", "value", "flag"])
    for moment, value, flag in rows:
        writer.writerow([stamp(moment), "" if value is None else f"{value:.6g}", flag])
    counts = Counter(flag for _, _, flag in rows)
    said = ", ".join(f"{flag} {counts[flag]}" for flag in ("ok", "mean", "filled", "gap") if counts[flag])
    print(f"grid: step {step} s, {len(rows)} cells: {said}", file=sys.stderr)
    return 1 if counts["gap"] else 0


if __name__ == "__main__":
    sys.exit(main())
