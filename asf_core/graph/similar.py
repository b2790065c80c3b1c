"""The name that looks most like one that means nothing."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

_LEAST = 0.75
"""Ratio of :class:`difflib.SequenceMatcher` from which two names look alike."""
_TRIED = 12
_LONGEST = 100


class SimilarNames:
    """Names by the pairs of letters in them.

    A text may hold thousands that mean nothing; to compare each with every name takes minutes.

    Args:
        names: In any order.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._with: dict[str, list[str]] = defaultdict(list)
        for name in sorted(names):
            for pair in _pairs(name):
                self._with[pair].append(name)
        self._found: dict[str, str | None] = {}

    def nearest(self, wanted: str) -> str | None:
        """The name that looks most like this one, ``None`` where none comes close."""
        if wanted not in self._found:
            self._found[wanted] = self._search(wanted) if len(wanted) <= _LONGEST else None
        return self._found[wanted]

    def _search(self, wanted: str) -> str | None:
        shared = Counter(name for pair in _pairs(wanted) for name in self._with.get(pair, ()))
        # Pairs in common per letter: a long name must not win by its length.
        ranked = sorted(shared, key=lambda n: (-shared[n] / (len(n) + len(wanted)), n))[:_TRIED]
        scored = ((difflib.SequenceMatcher(None, n, wanted).ratio(), n) for n in ranked)
        best = max(scored, key=lambda one: (one[0], one[1]), default=(0.0, ""))
        return best[1] if best[0] >= _LEAST else None


def _pairs(name: str) -> set[str]:
    return set(_each_pair(f" {name} "))


def _each_pair(padded: str) -> Iterator[str]:
    for at in range(len(padded) - 1):
        yield padded[at : at + 2]
