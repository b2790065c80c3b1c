#!/usr/bin/env python3
"""Sample size of a two-group comparison, or the smallest difference that a size can detect.

Exit codes: 0 done, 2 wrong usage.
"""

import argparse
import math
import sys
from statistics import NormalDist

Z = NormalDist().inv_cdf


def quantiles(args):
    """z of alpha and of power."""
    return Z(1 - args.alpha / (1 if args.one_sided else 2)), Z(args.power)


def means_size(difference, sd, z_alpha, z_power, ratio):
    """Size of arm 1; the last term corrects the normal for the t distribution (Guenther 1981)."""
    base = (1 + 1 / ratio) * ((z_alpha + z_power) * sd / difference) ** 2
    return base + z_alpha ** 2 / (2 * (1 + ratio))


def proportions_size(p1, p2, z_alpha, z_power, ratio):
    """Size of arm 1 with the pooled variance under the null."""
    pooled = (p1 + ratio * p2) / (1 + ratio)
    null = z_alpha * math.sqrt((1 + 1 / ratio) * pooled * (1 - pooled))
    alternative = z_power * math.sqrt(p1 * (1 - p1) + p2 * (1 - p2) / ratio)
    return ((null + alternative) / (p1 - p2)) ** 2


def up(value):
    """Ceiling that forgives floating-point dust."""
    return math.ceil(value - 1e-9)


def parse(argv):
    """Arguments, checked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("outcome", choices=["means", "proportions"])
    parser.add_argument("--difference", type=float, help="smallest difference that matters (means)")
    parser.add_argument("--sd", type=float, help="standard deviation within a group (means)")
    parser.add_argument("--p1", type=float, help="proportion in arm 1")
    parser.add_argument("--p2", type=float, help="proportion in arm 2")
    parser.add_argument("--n", type=int, help="size of each arm: report the detectable difference")
    parser.add_argument("--power", type=float, default=0.8)
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--one-sided", action="store_true")
    parser.add_argument("--ratio", type=float, default=1.0, help="arm 2 / arm 1")
    parser.add_argument("--dropout", type=float, default=0.0, help="share lost, 0 to below 1")
    parser.add_argument("--cluster-size", type=int, default=1)
    parser.add_argument("--icc", type=float, default=0.0, help="intra-cluster correlation")
    args = parser.parse_args(argv)
    if args.outcome == "means":
        if not args.sd or args.sd <= 0 or (not args.difference and not args.n):
            parser.error("means needs --sd above 0 and either --difference or --n")
    elif args.p1 is None or args.p2 is None or not (0 < args.p1 < 1 and 0 < args.p2 < 1):
        parser.error("proportions needs --p1 and --p2 between 0 and 1")
    elif args.p1 == args.p2:
        parser.error("--p1 and --p2 are equal: no sample size can tell them apart")
    elif args.n:
        parser.error("--n works with means only")
    if not 0 <= args.dropout < 1 or not 0 <= args.icc <= 1 or args.cluster_size < 1:
        parser.error("dropout in [0, 1), icc in [0, 1], cluster size from 1")
    if not 0 < args.alpha < 0.5 or not 0.5 <= args.power < 1 or args.ratio <= 0:
        parser.error("alpha in (0, 0.5), power in [0.5, 1), ratio above 0")
    if args.n is not None and args.n < 2:
        parser.error("--n must be at least 2")
    return args


def main(argv=None):
    """Run the command; returns the exit code."""
    args = parse(argv)
    z_alpha, z_power = quantiles(args)
    effect = 1 + (args.cluster_size - 1) * args.icc
    sides = "one" if args.one_sided else "two"
    print(f"alpha {args.alpha:g} {sides}-sided, power {args.power:g}, ratio 1:{args.ratio:g}")
    if args.n:
        usable = args.n * (1 - args.dropout) / effect
        difference = (z_alpha + z_power) * args.sd * math.sqrt((1 + 1 / args.ratio) / usable)
        print(f"detectable difference with {args.n} in arm 1: {difference:.3g} "
              f"({difference / args.sd:.2f} SD)")
        return 0
    if args.outcome == "means":
        size = means_size(args.difference, args.sd, z_alpha, z_power, args.ratio)
        print(f"difference {args.difference:g}, SD {args.sd:g}, "
              f"standardised effect {abs(args.difference) / args.sd:.2f}")
    else:
        size = proportions_size(args.p1, args.p2, z_alpha, z_power, args.ratio)
        print(f"proportions {args.p1:g} and {args.p2:g}, difference {args.p1 - args.p2:g}")
    size *= effect
    if effect > 1:
        print(f"design effect {effect:.2f}")
    arm1, arm2 = up(size), up(size * args.ratio)
    print(f"analysed: arm 1 {arm1}, arm 2 {arm2}, total {arm1 + arm2}")
    if args.dropout:
        more1, more2 = up(arm1 / (1 - args.dropout)), up(arm2 / (1 - args.dropout))
        print(f"enrolled at {args.dropout:.0%} dropout: arm 1 {more1}, arm 2 {more2}, "
              f"total {more1 + more2}")
    if args.outcome == "proportions":
        rarest = min(args.p1, args.p2, 1 - args.p1, 1 - args.p2)
        if arm1 * rarest < 5:
            print("warning: fewer than 5 expected events in an arm, use an exact method",
                  file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
