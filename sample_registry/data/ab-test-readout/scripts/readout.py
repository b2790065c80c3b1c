#!/usr/bin/env python3
"""Read out a two-arm experiment with a yes-or-no metric: split, difference, decision.

Exit codes: 0 read out, 1 the split does not match the plan, 2 wrong usage.
"""

import argparse
import math
import sys
from statistics import NormalDist

MISMATCH = 0.001


def arm(text):
    """Units assigned and converted."""
    try:
        assigned, converted = (int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not ASSIGNED,CONVERTED") from None
    if not 0 <= converted <= assigned or assigned < 10:
        raise argparse.ArgumentTypeError(f"{text!r}: 10 or more assigned, converted among them")
    return assigned, converted


def shares(text):
    """Planned share of the first arm."""
    try:
        first, second = (float(part) for part in text.split(","))
        return first / (first + second)
    except (ValueError, ZeroDivisionError):
        raise argparse.ArgumentTypeError(f"{text!r} is not SHARE,SHARE") from None


def split_p(first, second, share):
    """p value of the split against the plan (chi square, one degree of freedom)."""
    total = first + second
    expected = total * share
    z = (first - expected) / math.sqrt(total * share * (1 - share))
    return 2 * (1 - NormalDist().cdf(abs(z)))


def difference(a, b, level):
    """Rates, their difference and its interval, in percentage points."""
    rate_a, rate_b = a[1] / a[0], b[1] / b[0]
    spread = math.sqrt(rate_a * (1 - rate_a) / a[0] + rate_b * (1 - rate_b) / b[0])
    reach = NormalDist().inv_cdf(1 - level / 2) * spread
    middle = rate_b - rate_a
    return [100 * value for value in (rate_a, rate_b, middle, middle - reach, middle + reach)]


def decide(low, high, matters):
    """What the interval says, as in the skill's table."""
    if high < 0:
        return "stop and roll back: B is worse"
    if low > matters:
        return "ship: all of the interval matters"
    if low > 0:
        return "ship if it costs nothing to keep: the gain may be small"
    if high < matters:
        return "stop: no difference that matters"
    return "too small a test: neither nothing nor a difference that matters is ruled out"


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--a", type=arm, required=True, metavar="ASSIGNED,CONVERTED")
    parser.add_argument("--b", type=arm, required=True, metavar="ASSIGNED,CONVERTED")
    parser.add_argument("--matters", type=float, required=True, help="smallest difference, in points")
    parser.add_argument("--shares", type=shares, default=0.5, metavar="A,B", help="as planned; 50,50")
    parser.add_argument("--looks", type=int, default=1, help="how often somebody looked")
    args = parser.parse_args(argv)
    if not 0 < args.shares < 1 or args.looks < 1 or args.matters < 0:
        parser.error("shares and looks are positive, the difference that matters is not negative")
    p = split_p(args.a[0], args.b[0], args.shares)
    if p < MISMATCH:
        print(f"readout: sample ratio mismatch, {args.a[0]} and {args.b[0]} (p = {p:.2g}): "
              "find out why before reading on", file=sys.stderr)
        return 1
    rate_a, rate_b, middle, low, high = difference(args.a, args.b, 0.05 / args.looks)
    print(f"split     {args.a[0]} and {args.b[0]}, as planned (p = {p:.2f})")
    print(f"rates     A {rate_a:.2f}%, B {rate_b:.2f}%")
    print(f"difference {middle:+.2f} points [{low:.2f}, {high:.2f}]"
          + (f", level divided by {args.looks} looks" if args.looks > 1 else ""))
    print(f"decision  {decide(low, high, args.matters)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
