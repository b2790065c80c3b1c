#!/usr/bin/env python3
"""Draft one reminder a person from a list of actions. Sends nothing.

Exit codes: 0 drafts for all, 1 some actions have no owner or date, 2 wrong usage or input.
"""

import argparse
import datetime as dt
import json
import sys
from pathlib import Path

RUNGS = [(20, "agenda"), (10, "choose"), (5, "in the way"), (1, "nudge"), (-2, "heads-up")]
OPENING = {
    "heads-up": "due in the next days, nothing to answer if it is on its way:",
    "nudge": "still on its way, or is another day better?",
    "in the way": "what is in the way? I can help to move it.",
    "choose": "this is well past its date. Which shall it be: a new date, another owner, or drop it?",
    "agenda": "I will put this on the next agenda so that the chair can decide.",
}
EXITS = "Answer with one word each: done / new date / hand over / drop."


def rung(late):
    """Name of the ladder's rung for a number of days late; None when it is not yet time."""
    return next((name for days, name in RUNGS if late >= days), None)


def drafts(actions, today):
    """(drafts by owner, actions without owner or date)."""
    people, orphans = {}, []
    for item in actions:
        if not isinstance(item, dict) or not item.get("what"):
            raise ValueError("every action needs at least 'what'")
        if not item.get("owner") or not item.get("due"):
            orphans.append(item)
            continue
        late = (today - dt.date.fromisoformat(item["due"])).days
        if rung(late):
            people.setdefault(item["owner"], []).append((late, item))
    result = []
    for owner, items in sorted(people.items()):
        items.sort(key=lambda pair: (-pair[0], pair[1]["what"]))
        name = rung(items[0][0])
        lines = [f"- {item['what']} (due {item['due']}"
                 + (f", {late} days ago)" if late > 0 else ")") for late, item in items[:5]]
        more = [f"... and {len(items) - 5} more; shall we talk?"] if len(items) > 5 else []
        text = "\n".join([f"Hello {owner}, {OPENING[name]}", *lines, *more, EXITS])
        result.append({"to": owner, "rung": name, "text": text})
    return result, orphans


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("actions", help="JSON: a list of actions, or an object with 'actions'")
    parser.add_argument("--today", default=dt.date.today().isoformat())
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    try:
        document = json.loads(Path(args.actions).read_text(encoding="utf-8"))
        actions = document.get("actions") if isinstance(document, dict) else document
        if not isinstance(actions, list):
            raise ValueError("expected a list of actions")
        messages, orphans = drafts(actions, dt.date.fromisoformat(args.today))
    except (OSError, ValueError) as error:
        print(f"remind: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(messages, ensure_ascii=False, indent=1))
    else:
        print("\n\n".join(f"[{message['rung']}]\n{message['text']}" for message in messages))
    for item in orphans:
        print(f"yours to settle: {item['what']}", file=sys.stderr)
    return 1 if orphans else 0


if __name__ == "__main__":
    sys.exit(main())
