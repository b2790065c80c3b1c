#!/usr/bin/env python3
"""Print a changelog section from whole commit messages on standard input.

Each commit is HASH US SUBJECT US BODY, ended by RS (see SKILL.md for the git format).
Exit codes: 0 done, 1 no commit worth a line, 2 wrong usage or input, 3 done and breaking.
"""

import argparse
import re
import sys

SECTIONS = ["Breaking", "Added", "Fixed", "Faster", "Reverted", "Other"]
PLACES = {"feat": "Added", "fix": "Fixed", "perf": "Faster", "revert": "Reverted"}
QUIET = {"docs", "test", "chore", "ci", "build", "style", "refactor"}
SUBJECT = re.compile(r"([a-z]+)(?:\(([^)]*)\))?(!)?: +(.+)")
FOOTER = re.compile(r"^BREAKING[ -]CHANGE: *(.+(?:\n(?![A-Za-z-]+: |\n).+)*)", re.M)
CLOSES = re.compile(r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?) (#\d+)", re.I)
REVERTS = re.compile(r"This reverts commit ([0-9a-f]{7,40})")
VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


def read_commits(text):
    """(hash, subject, body) of each commit, oldest first; ValueError on another format."""
    commits = []
    for record in text.split("\x1e"):
        if not record.strip():
            continue
        fields = record.strip("\n").split("\x1f")
        if len(fields) != 3:
            raise ValueError("a record does not have three fields: use the --pretty format of SKILL.md")
        commits.append(tuple(field.strip() for field in fields))
    return commits[::-1]


def uncancelled(commits):
    """Commits without the pairs of a revert and its target."""
    gone = set()
    for sha, _, body in reversed(commits):
        match = REVERTS.search(body)
        if match and sha not in gone:
            target = [other for other, _, _ in commits if other.startswith(match[1])]
            if target:
                gone |= {sha, target[0]}
    return [commit for commit in commits if commit[0] not in gone]


def line_of(subject, body):
    """(section or None, text, breaking note) of one commit."""
    match, footer = SUBJECT.match(subject), FOOTER.search(body)
    issues = "".join(f" ({issue})" for issue in dict.fromkeys(CLOSES.findall(body)))
    note = " ".join(footer[1].split()) if footer else ""
    if not match:
        section = "Reverted" if subject.startswith("Revert ") else "Other"
        return ("Breaking" if footer else section), subject + issues, note
    kind, scope, bang, text = match.groups()
    line = (f"{scope}: {text}" if scope else text) + issues
    if bang or footer:
        return "Breaking", line, note
    if kind in QUIET:
        return None, line, note
    return PLACES.get(kind, "Other"), (line if kind in PLACES else subject + issues), note


def bump(current, sections):
    """The next version for what the sections hold."""
    major, minor, patch = (int(part) for part in VERSION.fullmatch(current).groups())
    if "Breaking" in sections:
        return f"{major + 1}.0.0" if major else f"0.{minor + 1}.0"
    if "Added" in sections and major:
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}"


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--current", required=True, help="version of the last release, as 1.4.0")
    parser.add_argument("--version", help="use this version instead of the proposed one")
    parser.add_argument("--date", default="")
    args = parser.parse_args(argv)
    if not VERSION.fullmatch(args.current):
        parser.error(f"{args.current} is not of the form 1.4.0")
    try:
        commits = uncancelled(read_commits(sys.stdin.read()))
    except ValueError as error:
        print(f"changelog: {error}", file=sys.stderr)
        return 2
    sections = {}
    for _, subject, body in commits:
        section, line, note = line_of(subject, body)
        if section:
            sections.setdefault(section, []).append(line + (f"\n  {note}" if note else ""))
    if not sections:
        print("changelog: no commit worth a line", file=sys.stderr)
        return 1
    version = args.version or bump(args.current, sections)
    print(f"## {version}" + (f" - {args.date}" if args.date else ""))
    for name in SECTIONS:
        if name in sections:
            print(f"\n### {name}\n" + "\n".join(f"- {line}" for line in sections[name]))
    return 3 if "Breaking" in sections else 0


if __name__ == "__main__":
    sys.exit(main())
