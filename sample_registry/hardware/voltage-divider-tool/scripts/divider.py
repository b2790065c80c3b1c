#!/usr/bin/env python3
"""Pick two standard resistors for a voltage divider.

Exit codes: 0 a pair within 1%, 1 none, 2 wrong usage.
"""

import argparse
import re
import sys

E12 = (100, 120, 150, 180, 220, 270, 330, 390, 470, 560, 680, 820)
E24 = tuple(sorted((*E12, 110, 130, 160, 200, 240, 300, 360, 430, 510, 620, 750, 910)))
SERIES = {"E12": E12, "E24": E24, "E96": tuple(round(100 * 10 ** (n / 96)) for n in range(96))}
UNITS = {"": 1, "r": 1, "k": 1e3, "m": 1e6}


def ohms(text):
    """A resistance such as 100k, 4.7M, 330."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([rkm]?)", text.strip().lower())
    if not match or not float(match[1]):
        raise argparse.ArgumentTypeError(f"{text!r} is not a resistance such as 100k")
    return float(match[1]) * UNITS[match[2]]


def shown(value):
    """A resistance as people write it."""
    for unit, letter in ((1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:.3g}{letter}"
    return f"{value:.3g}"


def values(series, low, high):
    """Standard values from low to high."""
    found = [base * 10.0 ** power for power in range(-2, 6) for base in SERIES[series]]
    return [value for value in found if low <= value <= high]


def pairs(args):
    """(error, distance from the wanted total, R1, R2, output) of all pairs near the total."""
    ratio = args.out / args.into
    for upper in values(args.series, args.total / 100, args.total * 2):
        wanted = upper * ratio / (1 - ratio)
        near = sorted(values(args.series, wanted / 1.3, wanted * 1.3), key=lambda v: abs(v - wanted))[:2]
        for lower in near:
            total = upper + lower
            if args.total / 2 <= total <= args.total * 2:
                output = args.into * lower / total
                yield abs(output / args.out - 1), abs(total / args.total - 1), upper, lower, output


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--in", dest="into", type=float, required=True, help="highest input, volts")
    parser.add_argument("--out", type=float, required=True, help="wanted output, volts")
    parser.add_argument("--series", choices=SERIES, default="E24")
    parser.add_argument("--tolerance", type=float, default=1.0, help="percent")
    parser.add_argument("--total", type=ohms, default=100e3, help="sum of both, such as 100k")
    args = parser.parse_args(argv)
    if not 0 < args.out < args.into:
        parser.error("the output lies between 0 and the input")
    found = sorted(pairs(args))[:5]
    part = args.tolerance / 100
    for _, _, upper, lower, output in found:
        low = args.into * lower * (1 - part) / (lower * (1 - part) + upper * (1 + part))
        high = args.into * lower * (1 + part) / (lower * (1 + part) + upper * (1 - part))
        total = upper + lower
        print(f"{shown(upper):5} {shown(lower):5} {output:.3f} V  {output / args.out - 1:+.2%}  "
              f"worst {low:.3f}..{high:.3f} V  {args.into / total * 1e6:.3g} uA  "
              f"{shown(upper * lower / total)}")
    if not found or found[0][0] > 0.01:
        print("divider: no pair within 1%: try a finer series", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
