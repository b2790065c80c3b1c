#!/usr/bin/env python3
"""Find records of a CSV file that probably mean the same person or company.

Exit codes: 0 no pair to look at, 1 at least one, 2 wrong usage or unreadable input.
"""

import argparse
import csv
import difflib
import itertools
import re
import sys
import unicodedata
from collections import defaultdict

LEGAL = set("gmbh ag kg ohg ug ltd limited llc inc corp co plc sa sarl bv nv spa srl oy ab".split())
SAME, LOOK = 0.90, 0.75


def fold(text):
    """Lower case, umlauts and accents as plain letters, everything else as space."""
    text = text.lower()
    for letter, plain in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        text = text.replace(letter, plain)
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return re.sub(r"[^a-z0-9]+", " ", text.replace("-", "")).strip()


def words(text):
    """Words of a name without legal forms."""
    found = [word for word in fold(text).replace(" & ", " ").split() if word not in LEGAL]
    return found or fold(text).split()


def name_score(first, second):
    """How alike two names are, each word with its best partner; 0 to 1."""
    if not first or not second:
        return 0.0
    def best(some, others):
        return sum(max(difflib.SequenceMatcher(None, w, o).ratio() for o in others) for w in some) / len(some)
    joined = difflib.SequenceMatcher(None, "".join(sorted(first)), "".join(sorted(second))).ratio()
    return max(min(best(first, second), best(second, first)), joined)


def score(a, b, args):
    """Score of a pair and the fields that agree."""
    total, agreed = name_score(a["_words"], b["_words"]) ** 2 * 0.9, []
    for name in args.strong:
        if a[name] and b[name]:
            total += 0.3 if fold(a[name]) == fold(b[name]) else -0.1
            agreed += [name] if fold(a[name]) == fold(b[name]) else []
    for name in args.weak:
        if a[name] and fold(a[name]) == fold(b[name]):
            total += 0.1 / len(args.weak)
            agreed.append(name)
    return max(0.0, min(1.0, total)), agreed


def blocks(rows, strong):
    """Pairs that are worth comparing."""
    places = defaultdict(list)
    for number, row in enumerate(rows):
        for name in strong:
            if row[name]:
                places[name, fold(row[name])].append(number)
        for word in set(word[:3] for word in row["_words"]):
            places["word", word].append(number)
    pairs = set()
    for members in places.values():
        if len(members) <= 500:
            pairs.update(itertools.combinations(members, 2))
    return sorted(pairs)


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", help="CSV file; rows are numbered from 2, as in an editor")
    parser.add_argument("--name", required=True, help="column that holds the name")
    def several(text):
        return text.split(",")
    parser.add_argument("--strong", type=several, default=[], metavar="A,B")
    parser.add_argument("--weak", type=several, default=[], metavar="A,B")
    args = parser.parse_args(argv)
    try:
        with open(args.table, encoding="utf-8-sig", newline="") as handle:
            reader = csv.DictReader(handle)
            missing = [n for n in [args.name, *args.strong, *args.weak] if n not in (reader.fieldnames or ())]
            if missing:
                raise ValueError(f"no column {', '.join(missing)}")
            rows = [{key: (value or "").strip() for key, value in row.items() if key} for row in reader]
    except (OSError, UnicodeError, ValueError, AttributeError, csv.Error) as error:
        print(f"match: {args.table}: {error}", file=sys.stderr)
        return 2
    for row in rows:
        row["_words"] = words(row[args.name])
    found = []
    for first, second in blocks(rows, args.strong):
        total, agreed = score(rows[first], rows[second], args)
        if total >= LOOK:
            found.append((-total, first, second, agreed))
    for total, first, second, agreed in sorted(found):
        label = "same" if -total >= SAME else "look"
        names = [f'{n + 2} "{rows[n][args.name]}"' for n in (first, second)]
        print(f"{label} {-total:.2f}  {names[0]:30} {names[1]:30} {', '.join(agreed)}".rstrip())
    doubtful = sum(-total < SAME for total, *_ in found)
    print(f"match: {len(rows)} records, {len(found) - doubtful} same, {doubtful} to look at", file=sys.stderr)
    return 1 if doubtful else 0


if __name__ == "__main__":
    sys.exit(main())
