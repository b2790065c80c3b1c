"""Lines without what is a skill's own, so that a template shows through.

``Working on quant analyst tasks`` in the skill ``quant-analyst`` and ``Working on network engineer
tasks`` in ``network-engineer`` are one line: ``working on § tasks``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Set

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|§")
_PART = re.compile(r"[^\W_]+")
_RUN = re.compile(r"§(?: §)+")
_LEAST_LETTERS = 3
"""Shorter words of a name (of, to, js) stand in texts for other reasons; a number never does."""
_LONGEST = 2_000
"""Of a line that is masked; the rest of it is left out."""


def name_words(*names: str) -> frozenset[str]:
    """The words of a skill's names that stand for its topic, in lower case."""
    return frozenset(
        word
        for name in names
        for word in _PART.findall(name.lower())
        if len(word) >= _LEAST_LETTERS or word.isdigit()
    )


def masked(text: str, own: Set[str]) -> str:
    """Words of a text in lower case with single spaces, those of the name as ``§``.

    Args:
        text: A line or a sentence.
        own: From :func:`name_words`.

    >>> masked("- Working on *Quant-Analyst* tasks!", {"quant", "analyst"})
    'working on § tasks'
    """
    words = ("§" if w in own else w for w in _WORD.findall(text[:_LONGEST].lower()))
    return _RUN.sub("§", " ".join(words))


def key(text: str) -> int:
    """A number that stands for a text: the first 48 bits of its SHA-256.

    Among a million lines two meet by chance with a probability of one in five hundred, and a line
    that is then taken for a stock line changes a share by one line.
    """
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:6], "big")
