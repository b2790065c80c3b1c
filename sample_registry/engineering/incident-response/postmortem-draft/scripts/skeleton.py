#!/usr/bin/env python3
"""Skeleton of a post-mortem in Markdown from a timeline (JSON lines).

Reuses the phases of incident-timeline. Exit codes: 0 done, 2 wrong usage or unreadable input.
"""

import argparse
import datetime as dt
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "incident-timeline" / "scripts"))

from timeline import phases  # noqa: E402

TODO = "TO WRITE"
SECTIONS = [("Impact", "users, orders, money, data; numbers or who will find them"),
            ("Contributing factors", "three to six conditions, each with its counterfactual check"),
            ("What limited the damage", "controls that worked, and luck, told apart"),
            ("Actions", "at most five: action, owner, date, and prevents / shortens / shrinks")]


def read_events(path):
    """Events with `at` as an instant; ValueError names the line that is wrong."""
    events = []
    for place, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
            stamp = dt.datetime.strptime(event["at"], "%Y-%m-%dT%H:%M:%SZ")
            events.append({**event, "at": stamp.replace(tzinfo=dt.timezone.utc)})
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"line {place} is no timeline event: {error}") from None
    if not events:
        raise ValueError("the timeline is empty")
    return events


def cell(text):
    """A text that cannot break a Markdown table."""
    return " ".join(str(text).split()).replace("|", "\\|")


def skeleton(events, title):
    """The document."""
    first = phases(events)
    lines = [f"# {title}", "", f"Date: {events[0]['at']:%Y-%m-%d}. Times in UTC.", "", "| phase | at | after start |",
             "|---|---|---|"]
    for name in ("start", "detected", "acted", "recovered"):
        if name in first:
            minutes = (first[name] - first["start"]).total_seconds() / 60
            lines.append(f"| {name} | {first[name]:%H:%M:%S} | {minutes:.0f} min |")
        else:
            lines.append(f"| {name} | {TODO} | |")
    for heading, hint in SECTIONS[:1]:
        lines += ["", f"## {heading}", "", f"{TODO}: {hint}"]
    lines += ["", "## Timeline", "", "| time | source | event |", "|---|---|---|"]
    lines += [f"| {event['at']:%H:%M:%S} | {cell(event['source'])} | {cell(event['text'])} |"
              for event in events]
    for heading, hint in SECTIONS[1:]:
        lines += ["", f"## {heading}", "", f"{TODO}: {hint}"]
    return "\n".join([*lines, ""])


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("timeline", help="JSON lines as incident-timeline writes them")
    parser.add_argument("--title", default="Incident")
    args = parser.parse_args(argv)
    try:
        print(skeleton(read_events(args.timeline), args.title))
    except (OSError, ValueError) as error:
        print(f"skeleton: {args.timeline}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
