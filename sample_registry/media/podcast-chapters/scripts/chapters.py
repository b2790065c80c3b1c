#!/usr/bin/env python3
"""Check a file of chapter marks and write it in the podcast namespace's JSON format.

Exit codes: 0 fine, 1 usable with warnings, 2 wrong usage or a file that players refuse.
"""

import argparse
import json
import re
import sys
from pathlib import Path

LINE = re.compile(r"(\d{1,2}):(\d\d):(\d\d)\s+(\S.*)")


def seconds(text):
    """A time such as 00:58:31 in seconds."""
    match = re.fullmatch(r"(\d{1,2}):(\d\d):(\d\d)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as 00:58:31")
    return (int(match[1]) * 60 + int(match[2])) * 60 + int(match[3])


def read(path, length):
    """Chapters as (seconds, title); ValueError when players would refuse them."""
    chapters = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8-sig").splitlines(), 1):
        if not line.strip():
            continue
        match = LINE.match(line.strip())
        if not match:
            raise ValueError(f"line {number}: not a time and a title")
        start = seconds(":".join(match.groups()[:3]))
        if chapters and start <= chapters[-1][0]:
            raise ValueError(f"line {number}: not later than the chapter before")
        if start >= length:
            raise ValueError(f"line {number}: after the end")
        chapters.append((start, match[4]))
    if not chapters:
        raise ValueError("no chapters")
    if chapters[0][0]:
        raise ValueError("the first chapter must begin at 00:00:00")
    return chapters


def warnings(chapters, length):
    """What makes chapters hard to use."""
    ends = [start for start, _ in chapters[1:]] + [length]
    seen = set()
    for (start, title), end in zip(chapters, ends):
        if end - start < 120:
            yield f"{title}: {end - start} s, join it with a neighbour"
        if end - start > 900:
            yield f"{title}: {(end - start) // 60} minutes, is there a second question?"
        if len(title) > 45:
            yield f"{title}: {len(title)} characters, phones cut after 45"
        if title.lower() in seen:
            yield f"{title}: twice"
        seen.add(title.lower())


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chapters", help="text file: HH:MM:SS TITLE, one a line")
    parser.add_argument("--length", type=seconds, required=True, help="of the recording, HH:MM:SS")
    parser.add_argument("--json", action="store_true", help="print the chapters as JSON")
    args = parser.parse_args(argv)
    try:
        chapters = read(args.chapters, args.length)
    except (OSError, UnicodeError, ValueError) as error:
        print(f"chapters: {args.chapters}: {error}", file=sys.stderr)
        return 2
    if args.json:
        document = {"version": "1.2.0", "chapters": [{"startTime": s, "title": t} for s, t in chapters]}
        print(json.dumps(document, indent=1, ensure_ascii=False))
    found = list(warnings(chapters, args.length))
    for warning in found:
        print(f"chapters: {warning}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
