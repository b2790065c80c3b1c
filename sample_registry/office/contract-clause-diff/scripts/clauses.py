#!/usr/bin/env python3
"""Compare two plain-text versions of a contract by clause and rank the changes.

Exit codes: 0 no change but numbering, 1 changes, 2 wrong usage or input.
"""

import argparse
import difflib
import re
import sys
from pathlib import Path

HEAD = re.compile(r"^\s*(?:§\s*|Section\s+|Clause\s+|Article\s+)?(\d+(?:\.\d+)*)\.?\s+(?=\S)", re.I)
TOPICS = [
    (3, "liability", r"liab|indemn|damages|warrant"), (3, "termination", r"terminat"),
    (3, "money", r"\bfee|\bprice|payment|penalt|interest|invoice"),
    (3, "law", r"governing law|jurisdiction|arbitrat"),
    (2, "term", r"\bterm\b|renew|notice|\bdays\b"), (2, "data", r"\bdata\b|confidential|privacy"),
    (2, "control", r"assign|audit|subcontract|insurance"), (1, "duty", r"\bshall\b|\bmay\b|efforts"),
]
SHARP = re.compile(r"\b(not|no|never|unless|except|only|all|any|shall|may|must|or|and)\b|\d", re.I)
TERM = re.compile(r"[\"“]([^\"”]{2,60})[\"”]\s+(?:means|shall mean|has the meaning)")


def clauses(text):
    """(number, text) of each clause; lines before the first number are the preamble."""
    found = [["preamble", []]]
    for line in text.splitlines():
        match = HEAD.match(line)
        if match:
            found.append([match[1], [line[match.end():]]])
        else:
            found[-1][1].append(line)
    joined = [(number, " ".join(" ".join(lines).split())) for number, lines in found]
    return [(number, words) for number, words in joined if words]


def match_up(old, new):
    """Pairs of indexes of clauses that are versions of one another; equal texts first."""
    pairs, left, right = [], set(range(len(old))), set(range(len(new)))

    def take(i, j):
        pairs.append((i, j))
        left.discard(i)
        right.discard(j)

    for i, (_, words) in enumerate(old):
        j = next((j for j in sorted(right) if new[j][1] == words), None)
        if j is not None:
            take(i, j)
    scored = []
    for i in left:
        for j in right:
            same = difflib.SequenceMatcher(None, old[i][1].split(), new[j][1].split(), autojunk=False).ratio()
            if same >= 0.5:
                scored.append((same + 0.1 * (old[i][0] == new[j][0]), i, j))
    for _, i, j in sorted(scored, reverse=True):
        if i in left and j in right:
            take(i, j)
    return sorted(pairs), sorted(left), sorted(right)


def weigh(words, changed):
    """(weight 0-3, topics) of a clause and its changed words."""
    topics = [(weight, name) for weight, name, form in TOPICS if re.search(form, words, re.I)]
    weight = max((weight for weight, _ in topics), default=0)
    if SHARP.search(changed):
        weight = min(3, max(weight + 1, 1))
    return weight, ", ".join(name for _, name in topics) or "other"


def marked(old, new):
    """(old line, new line, changed words) with removed and added words marked."""
    a, b = old.split(), new.split()
    lines, changed = ([], []), []
    for kind, i1, i2, j1, j2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            for line in lines:
                line.append(" ".join(a[i1:i2]))
            continue
        changed += a[i1:i2] + b[j1:j2]
        if i2 > i1:
            lines[0].append("[-" + " ".join(a[i1:i2]) + "-]")
        if j2 > j1:
            lines[1].append("{+" + " ".join(b[j1:j2]) + "+}")
    return " ".join(lines[0]), " ".join(lines[1]), " ".join(changed)


def compare(old, new):
    """Blocks (weight, text) of all changes, heaviest first, and whether there is any."""
    pairs, gone, came = match_up(old, new)
    blocks = []
    for i, j in pairs:
        (before, a), (after, b) = old[i], new[j]
        if a != b:
            left, right, changed = marked(a, b)
            weight, topics = weigh(f"{a} {b}", changed)
            text = f"changed {before} -> {after}  {topics}\n    - {left}\n    + {right}"
            for term in TERM.findall(b):
                users = [number for number, words in new if term in words and number != after]
                text += f"\n    defines \"{term}\", used in: {', '.join(users) or 'nothing'}"
            blocks.append((weight, text))
        elif before != after:
            blocks.append((0, f"moved {before} -> {after}"))
    blocks += [(max(weigh(old[i][1], "")[0], 1), f"removed {old[i][0]}\n    - {old[i][1]}") for i in gone]
    blocks += [(max(weigh(new[j][1], "")[0], 1), f"added {new[j][0]}\n    + {new[j][1]}") for j in came]
    return sorted(blocks, key=lambda block: -block[0])


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", help="earlier version, plain text")
    parser.add_argument("new", help="later version, plain text")
    args = parser.parse_args(argv)
    try:
        old, new = (clauses(Path(name).read_text(encoding="utf-8")) for name in (args.old, args.new))
        if not old or not new:
            raise ValueError("a version holds no text")
    except (OSError, ValueError) as error:
        print(f"clauses: {error}", file=sys.stderr)
        return 2
    blocks = compare(old, new)
    for weight, text in blocks:
        print(f"[{weight}] {text}")
    print(f"clauses: {len(old)} and {len(new)} clauses, {len(blocks)} differences", file=sys.stderr)
    return 1 if any(not text.startswith("moved") for _, text in blocks) else 0


if __name__ == "__main__":
    sys.exit(main())
