#!/usr/bin/env python3
"""Randomised, blocked layout of groups on a 96- or 384-well plate, as CSV.

Exit codes: 0 done, 2 wrong usage or more wells asked for than the plate has.
"""

import argparse
import csv
import random
import string
import sys

SHAPES = {96: (8, 12), 384: (16, 24)}


def usable_blocks(plate, empty_rim, block):
    """Lists of (row, column), one a block, in filling order."""
    rows, columns = SHAPES[plate]
    edge = 1 if empty_rim else 0
    row_range, column_range = range(edge, rows - edge), range(edge, columns - edge)
    if block == "column":
        return [[(row, column) for row in row_range] for column in column_range]
    return [[(row, column) for column in column_range] for row in row_range]


def deal(groups, blocks, rng):
    """Deal the groups' wells over the blocks as evenly as they go, then shuffle each block.

    Card k of a group of n stands at (k + offset) / n of the whole run, with one random offset a
    group: so a small group is spread over all blocks instead of being used up in the first ones.
    """
    stack = []
    for name, count in groups:
        offset = rng.random()
        stack += [((k + offset) / count, name) for k in range(count)]
    cards = [name for _, name in sorted(stack)]
    sizes = [len(cards) * (i + 1) // len(blocks) - len(cards) * i // len(blocks)
             for i in range(len(blocks))]
    placed, start = [], 0
    for block, size in zip(blocks, sizes):
        hand = cards[start:start + size]
        start += size
        wells = rng.sample(block, size)
        rng.shuffle(hand)
        placed += sorted(zip(wells, hand), key=lambda pair: block.index(pair[0]))
    return placed


def group(text):
    """Parse name:count."""
    name, _, count = text.rpartition(":")
    if not name or not count.isdigit() or int(count) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form name:count")
    return name, int(count)


def balance(placed, by):
    """Lines on how evenly the groups lie."""
    lines = []
    for name in dict.fromkeys(group for _, group in placed):
        wells = [well for well, group in placed if group == name]
        axis = 1 if by == "column" else 0
        counts = [sum(well[axis] == value for well in wells)
                  for value in sorted({well[axis] for well, _ in placed})]
        rows = sum(well[0] for well in wells) / len(wells) + 1
        columns = sum(well[1] for well in wells) / len(wells) + 1
        lines.append(f"{name}: {len(wells)} wells, {min(counts)}-{max(counts)} a {by}, "
                     f"mean row {rows:.1f}, mean column {columns:.1f}")
    return lines


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plate", type=int, choices=sorted(SHAPES), default=96)
    parser.add_argument("--group", type=group, action="append", required=True, metavar="NAME:COUNT")
    parser.add_argument("--block", choices=("column", "row"), default="column")
    parser.add_argument("--empty-rim", action="store_true", help="leave the outer wells empty")
    parser.add_argument("--seed", type=int, required=True, help="note it down: it is the layout")
    args = parser.parse_args(argv)
    names = [name for name, _ in args.group]
    if len(set(names)) < len(names):
        parser.error("a group is named twice")
    blocks = usable_blocks(args.plate, args.empty_rim, args.block)
    wanted, have = sum(count for _, count in args.group), sum(map(len, blocks))
    if wanted > have:
        print(f"layout: {wanted} wells asked for, {have} usable", file=sys.stderr)
        return 2
    placed = deal(args.group, blocks, random.Random(args.seed))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["well", "row", "column", "group", "replicate", "order"])
    seen = dict.fromkeys(names, 0)
    for order, ((row, column), name) in enumerate(placed, 1):
        seen[name] += 1
        letter = string.ascii_uppercase[row]
        writer.writerow([f"{letter}{column + 1}", letter, column + 1, name, seen[name], order])
    for line in balance(placed, args.block):
        print(line, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
