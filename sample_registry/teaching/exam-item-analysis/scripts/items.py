#!/usr/bin/env python3
"""Difficulty, discrimination and distractors of multiple-choice items, and KR-20 of the whole.

Exit codes: 0 no remark, 1 an item has one, 2 wrong usage or input.
"""

import argparse
import csv
import statistics
import sys
from collections import Counter


def correlation(xs, ys):
    """Pearson's; 0 where one of the two does not vary."""
    mean_x, mean_y = statistics.fmean(xs), statistics.fmean(ys)
    top = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
    below = (sum((x - mean_x) ** 2 for x in xs) * sum((y - mean_y) ** 2 for y in ys)) ** 0.5
    return top / below if below else 0.0


def judge(chosen, key, rest):
    """Share right, discrimination, counts and remarks of one item."""
    right = [int(option == key) for option in chosen]
    share, power = statistics.fmean(right), correlation(right, rest)
    counts = Counter(chosen)
    others = {option: correlation([int(c == option) for c in chosen], rest)
              for option in counts if option not in (key, "-")}
    remarks = []
    if power < 0 and any(value > max(0.0, power) for value in others.values()):
        remarks.append("key?")
    elif power < 0:
        remarks.append("negative")
    elif power < 0.15 and 0.05 < share < 0.95:
        remarks.append("flat")
    if share < 0.25:
        remarks.append("too-hard")
    if share > 0.95:
        remarks.append("too-easy")
    if share <= 0.95 and any(counts[o] < 0.03 * len(chosen) for o in "ABCD" if o != key):
        remarks.append("idle-option")
    return share, power, counts, remarks


def read(path, key):
    """Answers of each student in capitals, - for none; ValueError names a row that does not fit."""
    with open(path, encoding="utf-8-sig", newline="") as handle:
        rows = [row for row in csv.reader(handle) if row]
    if len(rows) < 3:
        raise ValueError("a header and at least two students are needed")
    for number, row in enumerate(rows, 1):
        if len(row) != len(key) + 1:
            raise ValueError(f"row {number} has {len(row) - 1} answers, the key {len(key)}")
    return rows[0][1:], [[cell.strip().upper() or "-" for cell in row[1:]] for row in rows[1:]]


def kr20(scores, shares):
    """Reliability (KR-20) and the standard error of a score."""
    spread, count = statistics.pvariance(scores), len(shares)
    if not spread or count < 2:
        return 0.0, 0.0
    value = count / (count - 1) * (1 - sum(p * (1 - p) for p in shares) / spread)
    return value, (spread * (1 - max(0.0, value))) ** 0.5


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("answers", help="CSV: student, then one column for each item")
    parser.add_argument("--key", required=True, help="right options, such as A,C,B")
    args = parser.parse_args(argv)
    key = [option.strip().upper() for option in args.key.split(",")]
    try:
        names, answers = read(args.answers, key)
    except (OSError, UnicodeError, ValueError, csv.Error) as error:
        print(f"items: {args.answers}: {error}", file=sys.stderr)
        return 2
    right = [[int(a == k) for a, k in zip(row, key)] for row in answers]
    scores, shares, found = [sum(row) for row in right], [], False
    for place, name in enumerate(names):
        rest = [score - row[place] for score, row in zip(scores, right)]
        share, power, counts, remarks = judge([row[place] for row in answers], key[place], rest)
        shares.append(share)
        found = found or bool(remarks)
        options = " ".join(f"{option}{'*' if option == key[place] else ''}:{counts[option]}" for option in sorted(counts))
        print(f"{name:8} {share:4.0%} right  {power:+.2f}  {options:28} {' '.join(remarks)}".rstrip())
    value, error = kr20(scores, shares)
    print(f"{len(answers)} students, mean {statistics.fmean(scores):.1f} of {len(key)}, "
          f"KR-20 {value:.2f}, standard error {error:.1f} points")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
