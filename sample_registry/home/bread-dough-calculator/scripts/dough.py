#!/usr/bin/env python3
"""Work out bread dough in baker's percentages, and the times backwards from baking.

Exit codes: 0 done, 1 done but a number is outside what works, 2 wrong usage.
"""

import argparse
import datetime as dt
import sys

REFERENCE = 22.0


def clock(text):
    """A time of day."""
    try:
        return dt.datetime.strptime(text, "%H:%M")
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as 18:30") from None


def amounts(args):
    """Grams of each ingredient for the whole dough."""
    parts = 100 + args.hydration + args.salt + args.yeast
    flour = args.loaves * args.weight / parts * 100
    starter = flour * args.starter / 100
    starter_flour = starter / (1 + args.starter_hydration / 100)
    water = flour * args.hydration / 100
    rows = [("flour", flour - starter_flour), ("water", water - (starter - starter_flour))]
    rows += [("starter", starter)] if args.starter else []
    rows += [("dry yeast", flour * args.yeast / 100)] if args.yeast else []
    return [*rows, ("salt", flour * args.salt / 100)]


def rise(args):
    """Hours from mixing to shaping."""
    hours = 5.5 * 20 / args.starter if args.starter else 2.0 * 1.0 / args.yeast
    return min(hours, 24.0) * 2 ** ((REFERENCE - args.room) / 8)


def timetable(args):
    """Times backwards from baking, as (time, what)."""
    first = rise(args)
    shape = args.bake - dt.timedelta(hours=1.0 * 2 ** ((REFERENCE - args.room) / 8))
    mix = shape - dt.timedelta(hours=first)
    rows = [(mix - dt.timedelta(hours=6), "feed the starter")] if args.starter else []
    rows += [(mix, "mix"), (mix + dt.timedelta(hours=min(0.75, first / 3)), "fold"), (shape, "shape")]
    return [*rows, (args.bake - dt.timedelta(minutes=45), "oven on"), (args.bake, "bake")]


def doubts(args):
    """Numbers that rarely work."""
    if not 50 <= args.hydration <= 95:
        yield f"hydration {args.hydration:g}%: between 50 and 95 is dough"
    if not 1 <= args.salt <= 3:
        yield f"salt {args.salt:g}%: usual is 1.8 to 2.5"
    if args.starter > 50:
        yield f"starter {args.starter:g}%: over 50 it turns sour before it rises"
    if args.yeast > 2:
        yield f"yeast {args.yeast:g}%: over 2 tastes of yeast"


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--loaves", type=int, required=True)
    parser.add_argument("--weight", type=float, required=True, help="grams of dough for each")
    parser.add_argument("--hydration", type=float, required=True, help="water, percent of flour")
    parser.add_argument("--salt", type=float, default=2.0)
    parser.add_argument("--starter", type=float, default=0.0, help="percent of flour")
    parser.add_argument("--starter-hydration", type=float, default=100.0)
    parser.add_argument("--yeast", type=float, default=0.0, help="dry, percent of flour")
    parser.add_argument("--bake", type=clock, help="when it goes into the oven, HH:MM")
    parser.add_argument("--room", type=float, default=REFERENCE, help="degrees Celsius")
    parser.add_argument("--dough-temperature", type=float, help="wanted; prints that of the water")
    args = parser.parse_args(argv)
    if args.loaves < 1 or args.weight <= 0 or not (args.starter or args.yeast):
        parser.error("loaves, weight and one of --starter and --yeast are needed")
    rows = amounts(args)
    if any(grams < 0 for _, grams in rows):
        parser.error("the starter brings more water than the dough has")
    for name, grams in rows:
        print(f"{name:10} {grams:7.1f} g" if grams < 20 else f"{name:10} {grams:7.0f} g")
    if args.dough_temperature:
        print(f"water at {3 * args.dough_temperature - 2 * args.room - 2:.0f} °C, by hand")
    for when, what in timetable(args) if args.bake else []:
        day = (when.date() - args.bake.date()).days
        print(f"{when:%H:%M} {what}" + (f" ({-day} day{'s' if day < -1 else ''} before)" if day else ""))
    found = list(doubts(args))
    for doubt in found:
        print(f"dough: {doubt}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
