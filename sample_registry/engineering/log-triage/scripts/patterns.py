#!/usr/bin/env python3
"""Collapse log lines into patterns, and compare them with a quiet period.

Exit codes: 0 no new or louder pattern (or no comparison asked), 1 some, 2 wrong usage or input.
"""

import argparse
import json
import re
import sys
from pathlib import Path

STAMP = re.compile(r"\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)\S*\s*")
LEVEL = re.compile(r"\b(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b")
QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
VARIABLE = re.compile(r"\b(?:[0-9a-f]{8}-[0-9a-f-]{27}|0x[0-9a-f]+|[0-9a-f]{12,}|\d+(?:[.:]\d+)*)(?=\b|[a-z]{1,2}\b)", re.I)


def pattern_of(text, keep_words):
    """A line with its variable parts replaced by #."""
    if not keep_words:
        text = QUOTED.sub("#", text)
    text = VARIABLE.sub("#", text)
    return " ".join(text.split())[:200]


def collect(path, keep_words, more):
    """Patterns of a file: count, level, first and last line; and the span of time."""
    table, span, lines = {}, ["", ""], 0
    with open(path, encoding="utf-8", errors="replace") as handle:
        for place, line in enumerate(handle, 1):
            if not line.strip() or more.match(line):
                continue
            lines += 1
            stamp = STAMP.match(line)
            at = stamp[1].replace(" ", "T") if stamp else ""
            if at:
                span = [span[0] or at, at]
            text = line[stamp.end():] if stamp else line
            level = LEVEL.search(text)
            row = table.setdefault(pattern_of(text, keep_words), {
                "count": 0, "level": level[1] if level else "", "first_line": place, "first_at": at})
            row["count"] += 1
            row["last_line"] = place
    return table, span, lines


def seconds(span):
    """Length of a span of two stamps."""
    import datetime as dt
    if not all(span):
        return 0.0
    first, last = (dt.datetime.fromisoformat(stamp) for stamp in span)
    return (last - first).total_seconds()


def compare(now, then):
    """Mark each pattern: new, louder, or empty; and list what is gone."""
    rows = []
    for pattern, row in now.items():
        before = then[pattern]["count"] if pattern in then else 0
        change = "new" if not before else "louder" if row["count"] >= 10 * before else ""
        rows.append({"pattern": pattern, **row, "before": before, "change": change})
    rows += [{"pattern": pattern, "count": 0, "level": row["level"], "first_line": 0, "last_line": 0,
              "first_at": "", "before": row["count"], "change": "gone"}
             for pattern, row in then.items() if pattern not in now and row["count"] >= 10]
    order = {"new": 0, "louder": 1, "gone": 2, "": 3}
    return sorted(rows, key=lambda row: (order[row["change"]], row["first_line"], -row["count"]))


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("log", help="the log file")
    parser.add_argument("--against", metavar="FILE", help="log of a quiet period")
    parser.add_argument("--top", type=int, default=30, help="patterns to print (default 30)")
    parser.add_argument("--keep-words", action="store_true", help="keep quoted text in patterns")
    parser.add_argument("--continue", dest="more", default=r"\s|Caused by|Traceback",
                        metavar="REGEX", help="lines that belong to the line before")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    try:
        more = re.compile(args.more)
        for path in filter(None, [args.log, args.against]):
            if not Path(path).is_file():
                raise ValueError(f"{path} is no file")
        now, span, lines = collect(args.log, args.keep_words, more)
        then, other, _ = collect(args.against, args.keep_words, more) if args.against else ({}, span, 0)
    except (OSError, ValueError, re.error) as error:
        print(f"patterns: {error}", file=sys.stderr)
        return 2
    long, short = max(seconds(span), seconds(other)), min(seconds(span), seconds(other))
    if args.against and long and short < 0.8 * long:
        print(f"warning: the spans differ ({seconds(span):.0f} s, {seconds(other):.0f} s): "
              "counts do not compare", file=sys.stderr)
    if args.against:
        rows = compare(now, then)
    else:
        rows = sorted(({"pattern": pattern, **row} for pattern, row in now.items()),
                      key=lambda row: (-row["count"], row["first_line"]))
    if args.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    else:
        for row in rows[: args.top]:
            print(f"{row.get('change', ''):7}{row['count']:7} {row['level']:8} "
                  f"line {row['first_line']:<7} {row['pattern']}")
    print(f"patterns: {lines} lines, {len(now)} patterns", file=sys.stderr)
    return 1 if any(row.get("change") in ("new", "louder") for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
