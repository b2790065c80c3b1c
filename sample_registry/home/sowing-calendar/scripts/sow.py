#!/usr/bin/env python3
"""Make a sowing calendar from the frost dates of a place.

Exit codes: 0 done, 1 some crop can no longer ripen, 2 wrong usage.
"""

import argparse
import datetime as dt
import sys

# Weeks against the last frost: start indoors, plant out, sow outdoors; weeks until ripe (from planting
# or sowing), weeks between sowings, stands frost.
CROPS = {
    "tomato": (-8, 1, None, 11, None, False), "pepper": (-10, 2, None, 12, None, False),
    "courgette": (-4, 1, 1, 7, None, False), "bean": (None, None, 1, 9, 3, False),
    "lettuce": (-6, -3, -4, 8, 2, False), "carrot": (None, None, -5, 13, 4, True),
    "leek": (-10, 2, None, 18, None, True), "spinach": (None, None, -6, 7, 3, True),
    "pea": (None, None, -6, 10, None, True), "kale": (-2, 4, 2, 12, None, True),
}


def crops(text):
    """Names of crops."""
    names = [name.strip().lower() for name in text.split(",")]
    unknown = [name for name in names if name not in CROPS]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown: {', '.join(unknown)}; known: {', '.join(CROPS)}")
    return names


def events(name, last, first):
    """Events of a crop as (date, what), sowings as long as they can ripen."""
    indoors, out, sow, ripe, again, hardy = CROPS[name]
    def at(weeks):
        return last + dt.timedelta(weeks=weeks)
    if indoors is not None:
        yield at(indoors), "start indoors"
        yield at(out - 1), "harden off"
        yield at(out), "plant out"
        yield at(out + ripe), "first harvest"
    if sow is not None:
        when = at(sow)
        yield when, "sow outdoors"
        if indoors is None:
            yield at(sow + ripe), "first harvest"
        while again and when + dt.timedelta(weeks=again) <= latest(name, first):
            when += dt.timedelta(weeks=again)
            yield when, "sow again"


def latest(name, first):
    """Last day on which a sowing or planting still ripens."""
    ripe, hardy = CROPS[name][3], CROPS[name][5]
    return first - dt.timedelta(weeks=ripe - (4 if hardy else 0))


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--last-frost", type=dt.date.fromisoformat, required=True, help="in spring")
    parser.add_argument("--first-frost", type=dt.date.fromisoformat, required=True, help="in autumn")
    parser.add_argument("--crops", type=crops, default=list(CROPS), help="names with commas; all if not given")
    parser.add_argument("--from", dest="start", type=dt.date.fromisoformat, help="leave out what is past")
    args = parser.parse_args(argv)
    if args.first_frost <= args.last_frost:
        parser.error("the first frost in autumn comes after the last one in spring")
    rows = [(when, name, what) for name in args.crops
            for when, what in events(name, args.last_frost, args.first_frost)
            if args.start is None or when >= args.start]
    for when, name, what in sorted(rows):
        print(f"{when} {name:10} {what}")
    late = [name for name in args.crops if args.start and args.start > latest(name, args.first_frost)]
    for name in late:
        print(f"sow: {name}: too late since {latest(name, args.first_frost)}", file=sys.stderr)
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
