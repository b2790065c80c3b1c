#!/usr/bin/env python3
"""Shift all subtitles of an SRT file by a fixed time.

Exit codes: 0 done, 1 done but some lines fell before zero, 2 wrong usage or unreadable input.
"""

import argparse
import re
import sys
from pathlib import Path

TIMES = re.compile(r"(\d+):(\d\d):(\d\d),(\d{3})\s*-->\s*(\d+):(\d\d):(\d\d),(\d{3})(.*)")


def seconds(hours, minutes, rest, milli):
    """Parts of a time stamp as milliseconds."""
    return ((int(hours) * 60 + int(minutes)) * 60 + int(rest)) * 1000 + int(milli)


def stamp(milli):
    """Milliseconds as a time stamp."""
    rest, part = divmod(milli, 1000)
    return f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02},{part:03}"


def blocks(text):
    """Subtitles as (begin, end, words) in milliseconds; ValueError names the block."""
    for number, block in enumerate(re.split(r"\n\s*\n", text.replace("\r\n", "\n").strip()), 1):
        lines = block.split("\n")
        at = 0 if TIMES.match(lines[0]) else 1
        match = TIMES.match(lines[at]) if len(lines) > at else None
        if not match:
            raise ValueError(f"block {number} has no line such as 00:00:01,000 --> 00:00:02,000")
        yield seconds(*match.groups()[:4]), seconds(*match.groups()[4:8]), "\n".join(lines[at + 1:])


def decode(data):
    """Text of a file in UTF-8 or Windows-1252."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252")


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("subtitles", help="SRT file")
    parser.add_argument("--by", type=float, required=True, help="seconds, negative is earlier")
    parser.add_argument("--bom", action="store_true", help="write a byte order mark")
    args = parser.parse_args(argv)
    try:
        found = list(blocks(decode(Path(args.subtitles).read_bytes())))
    except (OSError, UnicodeError, ValueError) as error:
        print(f"shift: {args.subtitles}: {error}", file=sys.stderr)
        return 2
    by = round(args.by * 1000)
    moved = [(max(0, begin + by), end + by, words) for begin, end, words in found if end + by > 0]
    text = "\n".join(f"{n}\n{stamp(begin)} --> {stamp(end)}\n{words}\n"
                     for n, (begin, end, words) in enumerate(moved, 1))
    sys.stdout.write(("\ufeff" if args.bom else "") + text)
    lost = len(found) - len(moved)
    print(f"shift: {len(moved)} subtitles by {args.by:+g} s, {lost} fell before zero", file=sys.stderr)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
