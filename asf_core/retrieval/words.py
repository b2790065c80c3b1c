"""Words of the lexical index: one rule for skills and for tasks.

A task is always plain words: quotes, hyphens, colons, brackets and words such as AND or NOT have
no meaning of their own. What becomes of a text:

- an identifier (``single-cell_QC``, ``cellCountQc``, ``config.toml``) gives its pieces and,
  glued together, itself (``singlecellqc``), so that every way of writing it meets every other;
- English words are stemmed (Snowball), common ones dropped;
- Chinese, Japanese and Korean runs give their overlapping pairs of characters;
- accents fall away from Latin letters (``café`` is ``cafe``), zero-width characters from any word.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Literal

_CJK = (
    "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3031-\u3035\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
_PIECE = r"[^\W_]+(?:\+\+|\#(?!\w))?"
# An identifier: pieces that one separator joins. A name may start or end with separators, which
# then fall away. An apostrophe joins too, so that "don't" is one identifier.
_RUN = re.compile(rf"{_PIECE}(?:[-_.'’]{_PIECE})*")
_SCRIPTS = re.compile(rf"[{_CJK}]+|[^{_CJK}]+")
_SEPARATOR = re.compile(r"[-_.'’]")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_HIDDEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_LATIN = re.compile("[0-9A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_IS_CJK = re.compile(rf"[{_CJK}]")

_COMMON = (
    "a about also am an and any are aren as at be been being but by can could couldn did didn do "
    "does doesn doing don for from get got had hadn has hasn have haven he help her him his how i "
    "if in into is isn it its just let like ll me my need no not of on or our out please re s she "
    "should shouldn so some such t than that the their them then there these they this to too up "
    "us use using ve want was wasn we were weren what when where which who why will with would "
    "wouldn you your"
)
STOP_WORDS = frozenset(_COMMON.split())
"""Words so common in tasks and texts alike that they tell nothing."""

Script = Literal["latin", "cjk", "other"]

_LONGEST_WORD = 64
"""Longer runs are hashes, base64 and the like: cut, so that they cannot swell the vocabulary."""


class Analyser(dict[str, tuple[str, ...]]):
    """Turns text into terms: a dictionary from a run of text to its terms that fills itself.

    One for a whole build, or one a thread: Snowball's stemmer is not thread-safe.
    """

    def __init__(self) -> None:
        super().__init__()
        import Stemmer

        self._stem = Stemmer.Stemmer("english").stemWord

    def __missing__(self, run: str) -> tuple[str, ...]:
        found = self[run] = tuple(self._analyse(run))
        return found

    def terms(self, text: str) -> list[str]:
        """The terms of a text, in order, with repeats."""
        return list(chain.from_iterable(map(self.__getitem__, _RUN.findall(_plain(text)))))

    def spans(self, text: str) -> list[tuple[str, tuple[str, ...]]]:
        """Each run of the text as written, with its terms (none for a stop word)."""
        return [(run, self[run]) for run in _RUN.findall(_plain(text))]

    def _analyse(self, run: str) -> Iterator[str]:
        if run.isascii() or not _IS_CJK.search(run):
            yield from self._identifier(run)
            return
        for part in _SCRIPTS.findall(run):
            yield from _pairs(part) if _IS_CJK.match(part) else self.terms(part)

    def _identifier(self, run: str) -> Iterator[str]:
        pieces = [hump for piece in _SEPARATOR.split(run) for hump in _HUMP.split(piece)]
        for piece in pieces:
            word = _fold(piece)
            if word not in STOP_WORDS:
                yield self._stem(word)[:_LONGEST_WORD]
        if len(pieces) > 1 and not all(_fold(piece) in STOP_WORDS for piece in pieces):
            # Digits keep a dot between them: 1.10 is not 110.
            glue = "." if run.replace(".", "").isdigit() else ""
            yield glue.join(map(_fold, pieces))[:_LONGEST_WORD]


_LOCAL = threading.local()


def terms(text: str) -> list[str]:
    """The terms of a short text, in order, with repeats. Safe in any thread.

    >>> terms("Single-cell_QC for the cells")
    ['singl', 'cell', 'qc', 'singlecellqc', 'cell']
    """
    return analyser().terms(text)


def analyser() -> Analyser:
    """This thread's analyser, for tasks and other short texts."""
    if not hasattr(_LOCAL, "analyser"):
        _LOCAL.analyser = Analyser()
    found: Analyser = _LOCAL.analyser
    return found


def name_key(text: str) -> str:
    """What two ways of writing one name have in common: letters and digits, folded.

    >>> name_key("Cell_countQC ") == name_key("cell-count-qc")
    True
    """
    return "".join(_fold(char) for char in _plain(text) if char.isalnum())


def script(text: str) -> Script:
    """The script that makes up half of the letters and digits or more.

    ``latin`` and ``cjk`` (Chinese, Japanese, Korean); ``other`` for any other, for a mixture, and
    for a text without letters.
    """
    plain = [char for char in _plain(text) if char.isalnum()]
    cjk = sum(bool(_IS_CJK.match(char)) for char in plain)
    latin = sum(_LATIN.match(char) is not None for char in plain)
    if not plain or 2 * max(cjk, latin) < len(plain):
        return "other"
    return "cjk" if cjk >= latin else "latin"


def distinct(items: Iterable[str]) -> list[str]:
    """The items once each, in order of first appearance."""
    return list(dict.fromkeys(items))


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for left, right in pairwise(run):
        yield left + right


def _fold(piece: str) -> str:
    folded = piece.casefold()
    if folded.isascii():
        return folded
    bare = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    return bare if bare.isascii() else folded


def _plain(text: str) -> str:
    if text.isascii():
        return text
    return _HIDDEN.sub("", unicodedata.normalize("NFKC", text))
