#!/usr/bin/env python3
"""Rank the papers of the bundled index by a query and print them as a JSON array.

Exit codes: 0 papers found, 1 none found, 2 wrong usage or unreadable index.
"""

import argparse
import json
import math
import re
import sys
from collections import Counter
from pathlib import Path

INDEX = Path(__file__).resolve().parent.parent / "data" / "papers.json"
FIELDS = {"title": 3.0, "keywords": 2.0, "abstract": 1.0}
FOLD = {"tumor": "tumour", "tumors": "tumour", "tumours": "tumour", "color": "colour",
        "randomization": "randomisation", "randomize": "randomise", "papers": "paper"}
STOP = set("a about an and are as at be by for from has have how in is it of on or that the to was "
           "what which with paper published find".split())
K1, B = 1.2, 0.75


def words(text):
    """Lower-case words of a text, hyphenated names kept whole and also split."""
    found = []
    for token in re.findall(r"[^\W_]+(?:-[^\W_]+)*", text.lower()):
        parts = [token, *token.split("-")] if "-" in token else [token]
        found += [FOLD.get(part, part) for part in parts]
    return [word for word in found if word not in STOP]


def weighted(paper):
    """Bag of words of a paper, a word in the title counting three times."""
    bag = Counter()
    for field, weight in FIELDS.items():
        value = paper.get(field, "")
        for word in words(" ".join(value) if isinstance(value, list) else value):
            bag[word] += weight
    return bag


def rank(papers, query):
    """(score, paper) pairs with a score above zero, best first; BM25 over the weighted bags."""
    bags = [weighted(paper) for paper in papers]
    mean = sum(sum(bag.values()) for bag in bags) / len(bags)
    holders = Counter(word for bag in bags for word in bag)
    scored = []
    for paper, bag in zip(papers, bags):
        norm = K1 * (1 - B + B * sum(bag.values()) / mean)
        score = 0.0
        for word in set(words(query)):
            if bag[word]:
                rarity = math.log(1 + (len(bags) - holders[word] + 0.5) / (holders[word] + 0.5))
                score += rarity * bag[word] * (K1 + 1) / (bag[word] + norm)
        if score > 0:
            scored.append((score, paper))
    return sorted(scored, key=lambda pair: (-pair[0], pair[1]["id"]))


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("query", nargs="?", help="what to look for, in words")
    parser.add_argument("--limit", type=int, default=10, help="most papers to return (default 10)")
    parser.add_argument("--year-from", type=int, default=0, help="oldest year to keep")
    parser.add_argument("--published-only", action="store_true",
                        help="leave out preprints and retracted papers")
    parser.add_argument("--about", action="store_true", help="print the index's size and end date")
    args = parser.parse_args(argv)
    try:
        index = json.loads(INDEX.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(f"lookup: cannot read the index {INDEX}: {error}", file=sys.stderr)
        return 2
    if args.about:
        print(f"{len(index['papers'])} invented papers, index closed {index['closed']}")
        return 0
    if not args.query or not words(args.query):
        print("lookup: give a query with at least one content word (see --help)", file=sys.stderr)
        return 2
    papers = [paper for paper in index["papers"]
              if paper["year"] >= args.year_from
              and (not args.published_only or paper["status"] == "published")]
    hits = rank(papers, args.query)[: max(args.limit, 0)] if papers else []
    for score, paper in hits:
        print(f"{score:6.2f}  {paper['year']}  {paper['id']}  {paper['title']}", file=sys.stderr)
    print(json.dumps([paper for _, paper in hits], ensure_ascii=False, indent=1))
    if not hits:
        print(f"lookup: no paper matches {args.query!r}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
