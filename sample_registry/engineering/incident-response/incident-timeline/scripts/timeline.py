#!/usr/bin/env python3
"""Merge logs of several sources into one UTC timeline (JSON lines) and measure its phases.

Exit codes: 0 done, 1 done but a phase is missing, 2 wrong usage or unreadable input.
"""

import argparse
import datetime as dt
import json
import re
import sys
from pathlib import Path

ISO = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)? ?(Z|[+-]\d\d:?\d\d)?(?=\s|$)")
CLOCK = re.compile(r"(\d\d:\d\d(?::\d\d)?)(Z)?(?=\s)")
EPOCH = re.compile(r"(\d{10})(?:\.\d+)?(?=\s)")
MARKS = [("recovered", re.compile(r"#recovered|\b(recovered|resolved|back to normal)\b", re.I)),
         ("acted", re.compile(r"#acted|\b(roll(ed|ing)? ?back|restart(ed|ing)?|disabled|scaled)\b", re.I)),
         ("detected", re.compile(r"#detected|\b(alert|paged|page:|incident)\b", re.I)),
         ("start", re.compile(r"#start", re.I))]
ORDER = ("start", "detected", "acted", "recovered")


def zone_of(text):
    """A fixed offset from Z, +02:00 or +0200."""
    if text == "Z":
        return dt.timezone.utc
    sign = -1 if text[0] == "-" else 1
    digits = text[1:].replace(":", "")
    return dt.timezone(sign * dt.timedelta(hours=int(digits[:2]), minutes=int(digits[2:])))


def instant(line, date, zone):
    """(UTC time, rest of the line), or None when the line does not begin with a time."""
    match = ISO.match(line)
    if match:
        day, clock, own = match.groups()
    elif EPOCH.match(line):
        match = EPOCH.match(line)
        return dt.datetime.fromtimestamp(int(match[1]), dt.timezone.utc), line[match.end():].strip()
    else:
        match = CLOCK.match(line)
        if not match:
            return None
        if date is None:
            raise ValueError(f"{line[:40]!r} has no date: give --date")
        day, clock, own = date, match[1], match[2]
    naive = dt.datetime.fromisoformat(f"{day} {clock}")
    aware = naive.replace(tzinfo=zone_of(own) if own else zone)
    return aware.astimezone(dt.timezone.utc), line[match.end():].strip()


def mark_of(text):
    """Phase that a line marks, or an empty string."""
    return next((name for name, form in MARKS if form.search(text)), "")


def read_source(spec, date):
    """Events of one NAME=PATH[:zone][:skew=N] argument."""
    name, equals, rest = spec.partition("=")
    if not equals:
        raise ValueError(f"{spec!r} is not NAME=PATH")
    zone, skew = dt.timezone.utc, 0
    match = re.search(r":skew=([+-]?\d+)$", rest)
    if match:
        skew, rest = int(match[1]), rest[: match.start()]
    match = re.search(r":([+-]\d\d:\d\d)$", rest)
    if match:
        zone, rest = zone_of(match[1]), rest[: match.start()]
    events = []
    for line in Path(rest).read_text(encoding="utf-8", errors="replace").splitlines():
        found = instant(line.strip(), date, zone)
        if found:
            at = found[0] + dt.timedelta(seconds=skew)
            events.append({"at": at, "source": name, "text": found[1], "mark": mark_of(found[1])})
        elif events and line.strip():
            events[-1]["text"] += " " + line.strip()
    return events


def phases(events):
    """First instant of each phase; the harm starts with the first event when nothing marks it."""
    first = {}
    for event in events:
        if event["mark"] and event["mark"] not in first:
            first[event["mark"]] = event["at"]
    if events:
        first.setdefault("start", events[0]["at"])
    recovered = [event["at"] for event in events if event["mark"] == "recovered"]
    if recovered:
        first["recovered"] = recovered[-1]
    return first


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", action="append", required=True, metavar="NAME=PATH[:ZONE][:skew=S]")
    parser.add_argument("--date", help="day of lines that carry only a clock, as 2026-05-04")
    parser.add_argument("--gap", type=int, default=10, help="minutes of silence to report")
    args = parser.parse_args(argv)
    try:
        events = [event for spec in args.source for event in read_source(spec, args.date)]
    except (OSError, ValueError) as error:
        print(f"timeline: {error}", file=sys.stderr)
        return 2
    events.sort(key=lambda event: event["at"])
    for event in events:
        shown = event["at"].strftime("%Y-%m-%dT%H:%M:%SZ")
        print(json.dumps({**event, "at": shown}, ensure_ascii=False))
    for one, two in zip(events, events[1:]):
        quiet = (two["at"] - one["at"]).total_seconds() / 60
        if quiet > args.gap:
            print(f"gap of {quiet:.0f} min after {one['at']:%H:%M:%SZ}", file=sys.stderr)
    first = phases(events)
    missing = [name for name in ORDER if name not in first]
    for earlier, later, label in (("start", "detected", "detect"), ("detected", "acted", "act"),
                                  ("start", "recovered", "recover")):
        if earlier in first and later in first:
            minutes = (first[later] - first[earlier]).total_seconds() / 60
            print(f"time to {label}: {minutes:.1f} min", file=sys.stderr)
    if missing:
        print(f"no event marks: {', '.join(missing)}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
