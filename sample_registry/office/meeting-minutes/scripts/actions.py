#!/usr/bin/env python3
"""Extract actions and decisions from meeting notes as JSON.

Exit codes: 0 all actions have an owner and a date, 1 some lack one, 2 wrong usage or input.
"""

import argparse
import datetime as dt
import json
import re
import sys
from pathlib import Path

DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
MARK = re.compile(r"\s*(?:[-*]\s*)?(?:\[[ x]\]\s*)?([DAQR]):\s*(.+)")
PROMISE = re.compile(r"\b([A-Z][\w'-]+(?: [A-Z][\w'-]+)?) (?:will|is going to|agreed to|takes|has to) "
                     r"([a-z].+?)[.;]?$")
OWNER = re.compile(r"([A-Z][\w'-]+(?: [A-Z][\w'-]+)?)(?: ?[:,-] | to | will )(.+)")
NOBODY = {"Team", "Everybody", "Everyone", "Somebody", "Someone", "All", "We", "They", "It", "This", "That"}
BY = re.compile(r",?\s*\b(?:by|until|before|on)\s+(\d{4}-\d\d-\d\d|tomorrow|(?:next )?(?:"
                + "|".join(DAYS) + r")|end of \w+|asap)\b", re.I)
VAGUE = re.compile(r"\b(asap|soon|end of \w+|next week|some time)\b", re.I)


def due_date(text, today):
    """(text without the date, ISO date or None)."""
    match = BY.search(text)
    if not match:
        return text.strip(" .,"), None
    rest, word = (text[: match.start()] + text[match.end():]).strip(" .,"), match[1].lower()
    if re.fullmatch(r"\d{4}-\d\d-\d\d", word):
        try:
            return rest, dt.date.fromisoformat(word).isoformat()
        except ValueError:
            return text.strip(" .,"), None
    if word == "tomorrow":
        return rest, (today + dt.timedelta(days=1)).isoformat()
    day = word.split()[-1]
    if day not in DAYS:
        return text.strip(" .,"), None
    ahead = (DAYS.index(day) - today.weekday() - 1) % 7 + 1 + (7 if word.startswith("next ") else 0)
    return rest, (today + dt.timedelta(days=ahead)).isoformat()


def action(text, line, today):
    """One action; `problem` says what is missing."""
    what, due = due_date(text, today)
    match = OWNER.match(what)
    owner, what = (match[1], match[2]) if match else (None, what)
    if owner in NOBODY:
        owner = None
    problems = [] if owner else ["no owner"]
    if due is None:
        problems.append("vague date" if VAGUE.search(text) else "no date")
    elif dt.date.fromisoformat(due).weekday() > 4:
        problems.append("due on a weekend")
    return {"owner": owner, "what": what.strip(), "due": due, "line": line,
            "problem": ", ".join(problems)}


def extract(text, today):
    """Decisions, actions, questions and risks of the notes."""
    found = {"decisions": [], "actions": [], "questions": [], "risks": []}
    places = {"D": "decisions", "Q": "questions", "R": "risks"}
    for number, line in enumerate(text.splitlines(), 1):
        match = MARK.match(line)
        if match and match[1] == "A":
            found["actions"].append(action(match[2], number, today))
        elif match:
            items = found[places[match[1]]]
            item = {"text": match[2].strip(), "line": number}
            if match[1] == "D":
                item["number"] = f"{today.isoformat()}/{len(items) + 1}"
            items.append(item)
        else:
            for sentence in re.split(r"(?<=[.!?])\s+", line.strip()):
                promise = PROMISE.search(sentence)
                if promise and promise[1] not in NOBODY:
                    found["actions"].append(action(f"{promise[1]}: {promise[2]}", number, today))
    return found


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notes", help="text file with the notes")
    parser.add_argument("--date", required=True, help="day of the meeting, as 2026-06-11")
    args = parser.parse_args(argv)
    try:
        today = dt.date.fromisoformat(args.date)
        found = extract(Path(args.notes).read_text(encoding="utf-8"), today)
    except (OSError, ValueError) as error:
        print(f"actions: {error}", file=sys.stderr)
        return 2
    print(json.dumps(found, ensure_ascii=False, indent=1))
    open_ones = [item for item in found["actions"] if item["problem"]]
    for item in open_ones:
        print(f"line {item['line']}: {item['problem']}: {item['what']}", file=sys.stderr)
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main())
