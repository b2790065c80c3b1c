#!/usr/bin/env python3
"""Fit subtitles to a film by anchors or frame rates, then check how well they can be read.

Exit codes: 0 no finding, 1 findings, 2 wrong usage or unreadable input.
"""

import argparse
import bisect
import re
import sys
from pathlib import Path

CLOCK = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?$")
ARROW = re.compile(r"(\S+)\s*-->\s*(\S+)")


def clock(text):
    """A time such as 01:02:03.5 in seconds."""
    match = CLOCK.match(text.strip())
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as 01:02:03.5")
    hours, minutes, rest, part = match.groups()
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(rest) + float(f"0.{part or 0}")


def anchor(text):
    """A time in the file and the same moment in the film."""
    before, equals, after = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not FILE_TIME=FILM_TIME")
    return clock(before), clock(after)


def rate(text):
    """Frame rates of file and film as a factor."""
    try:
        before, after = (float(part) for part in text.split(":"))
        return before / after
    except (ValueError, ZeroDivisionError):
        raise argparse.ArgumentTypeError(f"{text!r} is not RATE:RATE") from None


def parse(text):
    """Subtitles as [begin, end, lines]; ValueError names the block."""
    found = []
    for number, block in enumerate(re.split(r"\n\s*\n", text.replace("\r\n", "\n").strip()), 1):
        lines = block.split("\n")
        if lines[0].strip().isdigit():
            lines = lines[1:]
        match = ARROW.match(lines[0]) if lines else None
        if not match:
            raise ValueError(f"block {number} has no line of times")
        try:
            found.append([clock(match[1]), clock(match[2]), lines[1:]])
        except argparse.ArgumentTypeError as error:
            raise ValueError(f"block {number}: {error}") from None
    return found


def mapping(anchors, factor):
    """A function from file time to film time."""
    anchors = sorted(anchors)
    for (a, b), (c, d) in zip(anchors, anchors[1:]):
        if c <= a or d <= b:
            raise ValueError(f"anchors {a:g}={b:g} and {c:g}={d:g} run backwards")
    if not anchors:
        return lambda time: time * factor
    if len(anchors) == 1:
        (a, b), = anchors
        return lambda time: b + (time - a) * factor
    places = [a for a, _ in anchors]

    def fit(time):
        at = min(max(bisect.bisect_right(places, time) - 1, 0), len(anchors) - 2)
        (a, b), (c, d) = anchors[at], anchors[at + 1]
        return b + (time - a) * (d - b) / (c - a)
    return fit


def findings(subtitles, speed, width):
    """What makes subtitles hard to read, as (number, code, message)."""
    last = None
    for number, (begin, end, lines) in enumerate(subtitles, 1):
        letters = sum(len(re.sub(r"<[^>]*>", "", line)) for line in lines)
        shown = end - begin
        if shown < 0.8:
            yield number, "short", f"{shown:.2f} s"
        elif letters / shown > speed:
            yield number, "fast", f"{letters / shown:.1f} characters a second"
        if max((len(line) for line in lines), default=0) > width:
            yield number, "wide", f"{max(len(line) for line in lines)} characters"
        if len(lines) > 2:
            yield number, "tall", f"{len(lines)} lines"
        if last is not None and begin < last - 0.0005:
            yield number, "overlap", f"{last - begin:.2f} s"
        elif last is not None and begin - last < 0.0795 and begin != last:
            yield number, "tight", f"{(begin - last) * 1000:.0f} ms"
        last = end


def stamp(seconds):
    """Seconds as an SRT time stamp."""
    milli = round(seconds * 1000)
    return f"{milli // 3600000:02}:{milli // 60000 % 60:02}:{milli // 1000 % 60:02},{milli % 1000:03}"


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("subtitles", help="SRT file in UTF-8")
    parser.add_argument("--anchor", type=anchor, action="append", default=[], metavar="FILE=FILM")
    parser.add_argument("--rate", type=rate, default=1.0, metavar="FILE:FILM", help="such as 25:23.976")
    parser.add_argument("--check", action="store_true", help="print no subtitles, only findings")
    parser.add_argument("--speed", type=float, default=17.0, help="characters a second")
    parser.add_argument("--width", type=int, default=42, help="characters a line")
    args = parser.parse_args(argv)
    try:
        subtitles = parse(Path(args.subtitles).read_text(encoding="utf-8-sig"))
        fit = mapping(args.anchor, args.rate)
    except (OSError, UnicodeError, ValueError) as error:
        print(f"retime: {args.subtitles}: {error}", file=sys.stderr)
        return 2
    fitted = [[max(0.0, fit(begin)), fit(end), lines] for begin, end, lines in subtitles if fit(end) > 0]
    if not args.check:
        print("\n".join("\n".join([str(number), f"{stamp(begin)} --> {stamp(end)}", *lines, ""])
                        for number, (begin, end, lines) in enumerate(fitted, 1)))
    found = list(findings(fitted, args.speed, args.width))
    for number, code, message in found:
        print(f"{number:5} {code:8} {message}", file=sys.stdout if args.check else sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
