#!/usr/bin/env python3
"""Measure an English text and list the sentences that are hard to read.

Exit codes: 0 within the limits, 1 over a limit, 2 wrong usage or input.
"""

import argparse
import re
import sys
from pathlib import Path

LIMITS = {"public": (15, 25, 60, 10), "staff": (18, 30, 50, 15), "specialist": (22, 40, 35, 25)}
ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|etc|Mr|Mrs|Ms|Dr|No|vs|approx)\.", re.I)
PASSIVE = re.compile(r"\b(?:am|is|are|was|were|be|been|being)\s+(?:(?:\w+ly|not|never|hereby)\s+)*(?:\w+ed|given|made|taken|done|"
                     r"sent|held|paid|kept|found|shown|written|known)\b", re.I)
NOUNS = re.compile(r"\b\w+(?:tion|ment|ance|ence|ity|sion)s?\b", re.I)


def syllables(word):
    """Estimate: groups of vowels, a silent final e left out, at least one."""
    word = word.lower()
    count = len(re.findall(r"[aeiouy]+", word))
    if word.endswith("e") and not word.endswith(("le", "ee")) and count > 1:
        count -= 1
    return max(count, 1)


def sentences(text):
    """(line number, sentence) pairs; a blank line or a list item ends a sentence too."""
    text = ABBREVIATIONS.sub(lambda match: match[0][:-1] + "\u0001", text)
    for part in re.finditer(r"(?:[^.!?\n]|\n(?!\s*\n|\s*[-*\d]+[.)]?\s))+[.!?]*", text):
        words = " ".join(part[0].replace("\u0001", ".").split())
        if re.search(r"[A-Za-z]{2}", words):
            begin = part.start() + len(part[0]) - len(part[0].lstrip())
            yield text.count("\n", 0, begin) + 1, words


def measure(text):
    """Figures of a text and its sentences as (line, words, sentence)."""
    rows = [(line, re.findall(r"[A-Za-z][A-Za-z'-]*|\d[\d.,]*", words), words)
            for line, words in sentences(text)]
    if not rows:
        raise ValueError("no sentence found")
    words = [word for _, found, _ in rows for word in found]
    mean = len(words) / len(rows)
    per_word = sum(map(syllables, words)) / len(words)
    passives = sum(bool(PASSIVE.search(sentence)) for _, _, sentence in rows)
    figures = {"sentences": len(rows), "words": len(words), "words a sentence": round(mean, 1),
               "longest": max(len(found) for _, found, _ in rows),
               "reading ease": round(206.835 - 1.015 * mean - 84.6 * per_word, 1),
               "passives a hundred": round(100 * passives / len(rows), 1),
               "nouns from verbs a hundred words": round(100 * len(NOUNS.findall(text)) / len(words), 1)}
    return figures, [(line, len(found), sentence) for line, found, sentence in rows]


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", help="plain text file, or - for standard input")
    parser.add_argument("--audience", choices=sorted(LIMITS), default="public")
    args = parser.parse_args(argv)
    try:
        text = sys.stdin.read() if args.text == "-" else Path(args.text).read_text(encoding="utf-8")
        figures, rows = measure(text)
    except (OSError, ValueError) as error:
        print(f"readability: {args.text}: {error}", file=sys.stderr)
        return 2
    mean, longest, ease, passives = LIMITS[args.audience]
    over = {"words a sentence": figures["words a sentence"] > mean, "longest": figures["longest"] > longest,
            "reading ease": figures["reading ease"] < ease,
            "passives a hundred": figures["passives a hundred"] > passives}
    for name, value in figures.items():
        print(f"{name}: {value}" + ("  over the limit" if over.get(name) else ""))
    for line, count, sentence in rows:
        reasons = [f"{count} words"] if count > longest else []
        if PASSIVE.search(sentence):
            reasons.append("passive")
        if reasons:
            print(f"line {line}: {', '.join(reasons)}: {sentence[:90]}")
    return 1 if any(over.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
