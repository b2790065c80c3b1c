"""Names so alike that a person or a model takes one for the other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

MOST_EDITS = 2
"""Letters put in, left out or exchanged."""
_LONG_WORD = 8
"""Letters from which a word may differ by two edits; in a shorter one by a single one, as ``video``
and ``videodb`` are two words."""
_LEAST_LETTERS = 4
"""Of the words that differ: ``-py`` and ``-ts`` name two languages, not one name misspelt."""
_LONGEST = 64
_FEW = 50
"""Words up to which comparing all pairs is the quicker way."""
_SEPARATOR = re.compile(r"[^a-z0-9]+")
_VERSION = re.compile(r"v?\d+\Z")
_DIGITS = re.compile(r"\d+")


def collisions(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Names that are not the same and nearly are.

    Two collide when all their words but one are equal and these two are one edit apart, long ones
    two (``flaky-test-hunter``, ``flaky-tests-hunter``), or when they differ in separators alone.
    Numbers tell names apart.

    Args:
        names: In any order, repeats allowed.

    Returns:
        Of each name that collides the others, sorted.
    """
    words = {name: _words(name) for name in set(names)}
    found: dict[str, set[str]] = defaultdict(set)
    for a, b in _near_pairs(words):
        found[a].add(b)
        found[b].add(a)
    for group in _joined(words):
        for name in group:
            found[name].update(group)
    return {n: tuple(sorted(o - {n})) for n, o in sorted(found.items()) if o - {n}}


def _words(name: str) -> tuple[str, ...]:
    return tuple(word for word in _SEPARATOR.split(name.lower()[:_LONGEST]) if word)


def _joined(words: Mapping[str, tuple[str, ...]]) -> Iterator[list[str]]:
    """Names that differ in their separators alone."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name, own in words.items():
        groups["".join(own)].append(name)
    yield from (group for letters, group in groups.items() if letters and len(group) > 1)


def _near_pairs(words: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Pairs whose words are equal but for one, and that one nearly.

    Names are compared only where the rest of their words is equal, and in a large group of those
    only where two of the differing words have a rest in common after at most two letters are taken
    out of each, which is so for any two at most two edits apart (Garbe, SymSpell, 2012).
    """
    groups: dict[tuple[str, ...], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, own in words.items():
        for at, word in enumerate(own):
            if len(word) >= _LEAST_LETTERS and not _VERSION.match(word):
                groups[(*own[:at], "\0", *own[at + 1 :])][word].append(name)
    for group in groups.values():
        for x, y in _near_words(list(group)):
            yield from ((a, b) for a in group[x] for b in group[y])


def _near_words(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    buckets = [words]
    if len(words) > _FEW:
        rests: dict[str, list[str]] = defaultdict(list)
        for word in words:
            for rest in _rests(word):
                rests[rest].append(word)
        buckets = list(rests.values())
    for bucket in buckets:
        yield from ((x, y) for x, y in combinations(bucket, 2) if _alike(x, y))


def _alike(x: str, y: str) -> bool:
    if _DIGITS.sub("", x) == _DIGITS.sub("", y):
        return False  # report2024 and report2025 are told apart by their numbers
    return edits(x, y) <= (1 if min(len(x), len(y)) < _LONG_WORD else MOST_EDITS)


def _rests(word: str) -> set[str]:
    """What is left of a word without up to two of its letters."""
    once = {word[:i] + word[i + 1 :] for i in range(len(word))}
    return {word} | once | {rest[:i] + rest[i + 1 :] for rest in once for i in range(len(rest))}


def edits(a: str, b: str, most: int = MOST_EDITS) -> int:
    """Edit distance (Levenshtein), cut off above ``most``.

    Returns:
        The distance, or ``most + 1`` when it is larger.
    """
    if abs(len(a) - len(b)) > most:
        return most + 1
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, start=1):
        before, row = row, [i]
        for j, other in enumerate(b, start=1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != other)))
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
