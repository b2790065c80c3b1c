#!/usr/bin/env python3
"""Fit a calibration to pairs of reference and reading, and look at what is left over.

Exit codes: 0 fitted, 1 fitted but the residuals bend, 2 wrong usage or input.
"""

import argparse
import csv
import statistics
import sys

T95 = {1: 12.7, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26, 10: 2.23}


def read(path):
    """Pairs (reading, reference), sorted by reading."""
    with open(path, encoding="utf-8-sig", newline="") as handle:
        reader = csv.DictReader(handle)
        if not {"reference", "reading"} <= set(reader.fieldnames or ()):
            raise ValueError("columns reference and reading are needed")
        try:
            return sorted((float(row["reading"]), float(row["reference"])) for row in reader)
        except (TypeError, ValueError):
            raise ValueError(f"line {reader.line_num}: not two numbers") from None


def solve(matrix, right):
    """Solve a small system of linear equations (Gauss, with pivots)."""
    size = len(right)
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    for at in range(size):
        pivot = max(range(at, size), key=lambda r: abs(rows[r][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        if abs(rows[at][at]) < 1e-12:
            raise ValueError("the readings do not differ enough for this fit")
        for below in range(at + 1, size):
            factor = rows[below][at] / rows[at][at]
            rows[below] = [a - factor * b for a, b in zip(rows[below], rows[at])]
    found = [0.0] * size
    for at in reversed(range(size)):
        found[at] = (rows[at][-1] - sum(rows[at][n] * found[n] for n in range(at + 1, size))) / rows[at][at]
    return found


def fit(points, degree):
    """Coefficients of a polynomial of scaled readings, lowest power first, and the scale."""
    scale = max(abs(x) for x, _ in points) or 1.0
    powers = [[(x / scale) ** n for n in range(degree + 1)] for x, _ in points]
    matrix = [[sum(row[i] * row[j] for row in powers) for j in range(degree + 1)] for i in range(degree + 1)]
    right = [sum(row[i] * y for row, (_, y) in zip(powers, points)) for i in range(degree + 1)]
    return [value / scale ** n for n, value in enumerate(solve(matrix, right))]


def value(coefficients, reading):
    """What a reading means."""
    return sum(c * reading ** n for n, c in enumerate(coefficients))


def bends(points, residuals):
    """Whether the residuals of the outer thirds have one sign and those in the middle the other."""
    third = len(points) // 3
    if third < 1:
        return False
    outer = statistics.fmean(residuals[:third] + residuals[-third:])
    middle = statistics.fmean(residuals[third:-third])
    spread = statistics.pstdev(residuals)
    return outer * middle < 0 and min(abs(outer), abs(middle)) > 0.5 * spread > 1e-9


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("points", help="CSV with columns reference and reading")
    parser.add_argument("--degree", type=int, choices=(1, 2, 3), default=1)
    parser.add_argument("--at", type=float, action="append", default=[], help="a reading to convert")
    args = parser.parse_args(argv)
    try:
        points = read(args.points)
        free = len(points) - args.degree - 1
        if free < 1:
            raise ValueError(f"{len(points)} points are too few for degree {args.degree}")
        coefficients = fit(points, args.degree)
    except (OSError, UnicodeError, ValueError, csv.Error) as error:
        print(f"calibrate: {args.points}: {error}", file=sys.stderr)
        return 2
    residuals = [y - value(coefficients, x) for x, y in points]
    names = ("offset", "gain", "square", "cube")
    print(", ".join(f"{name} {c:.6g}" for name, c in zip(names, coefficients)))
    for (x, y), left in zip(points, residuals):
        print(f"reading {x:g}  reference {y:g}  residual {left:+.3g}")
    spread = (sum(left ** 2 for left in residuals) / free) ** 0.5
    reach = T95.get(free, 1.96) * spread
    print(f"spread {spread:.3g}, uncertainty of a value (95%) {reach:.3g}")
    for reading in args.at:
        outside = not points[0][0] <= reading <= points[-1][0]
        print(f"{reading:g} means {value(coefficients, reading):.5g} ± {reach:.3g}"
              + (", outside the points: a guess" if outside else ""))
    if args.degree == 1 and bends(points, residuals):
        print("calibrate: the residuals bend: try --degree 2", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
