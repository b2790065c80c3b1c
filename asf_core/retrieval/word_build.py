"""Reading skills for the word index: terms and pairs of terms, counted and put in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from asf_core.retrieval.postings import Floats, Ids, Postings
from asf_core.retrieval.vocabulary import Vocabulary
from asf_core.retrieval.words import Analyser

FIELD_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"name": 8.0, "description": 8.0, "triggers": 8.0, "headings": 1.0, "body": 1.0}
)
"""How often a word of a field counts in a skill's bag. Measured as the constants of ``lexical``:
5 instead of 8 for the description loses 0.5 points of hit@1, headings at 2 win nothing."""

_SHIFT = 32
"""Bits of a provisional term number within a provisional pair."""
_LOW = (1 << _SHIFT) - 1


@dataclass(frozen=True, slots=True)
class Contents:
    """What N skills say."""

    vocabulary: Vocabulary
    words: Postings
    bag: Floats
    """(P,) weighted frequency of each posting's term in its row."""
    plain: Floats
    """(P,) frequency in the text: all fields but the headings, which the body has too."""
    bag_lengths: Floats
    """(N,) sum of a row's weighted frequencies."""
    plain_lengths: Floats
    pairs: Postings
    pair_keys: NDArray[np.int64]
    """Ascending; see ``LexicalIndex``."""
    pair_counts: Floats
    pair_lengths: Floats


class _Numbers(dict[str, int]):
    """Terms numbered in order of appearance."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


@dataclass(slots=True)
class _Lists:
    """Postings of one kind, a row after the other."""

    width: int
    """m, values of a posting."""
    keys: list[Ids] = field(default_factory=list)
    values: list[Floats] = field(default_factory=list)

    def add(self, keys: Ids, values: Floats) -> None:
        """Add a row: ``keys`` (k,) once each, ``values`` (k, m)."""
        self.keys.append(keys)
        self.values.append(values)

    def flat(self) -> tuple[Ids, NDArray[np.int32], Floats]:
        """All keys, the row of each, its values; the lists are emptied, for they are large."""
        sizes = [len(keys) for keys in self.keys]
        rows = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        keys = np.concatenate([np.zeros(0, np.int64), *self.keys])
        self.keys.clear()
        values = np.concatenate([np.zeros((0, self.width), np.float32), *self.values])
        self.values.clear()
        return keys, rows, values


def read_documents(documents: Iterable[Mapping[str, str]]) -> Contents:
    """Read skills, as ``LexicalIndex.build`` is given them."""
    analyse, numbers = Analyser(), _Numbers()
    words, pairs = _Lists(2), _Lists(1)
    for document in documents:
        fields = {
            name: np.fromiter(
                map(numbers.__getitem__, analyse.terms(document.get(name, ""))), np.int64
            )
            for name in FIELD_WEIGHTS
        }
        words.add(*_counted_words(fields))
        pairs.add(*_counted_pairs(fields))
    return _ordered(numbers, words, pairs)


def _counted_words(fields: Mapping[str, Ids]) -> tuple[Ids, Floats]:
    """A row's distinct terms, and of each its frequency in the bag and in the text."""
    found, inverse = np.unique(np.concatenate(list(fields.values())), return_inverse=True)
    sizes = [len(ids) for ids in fields.values()]
    bag = np.repeat(list(FIELD_WEIGHTS.values()), sizes)
    plain = np.repeat([float(name != "headings") for name in fields], sizes)
    counts = [np.bincount(inverse, part, len(found)) for part in (bag, plain)]
    return found, np.stack(counts, axis=1).astype(np.float32)


def _counted_pairs(fields: Mapping[str, Ids]) -> tuple[Ids, Floats]:
    """A row's distinct pairs of adjacent terms, and how often each stands in the text."""
    adjacent = [
        (ids[:-1] << _SHIFT) | ids[1:] for name, ids in fields.items() if name != "headings"
    ]
    found, counts = np.unique(np.concatenate(adjacent), return_counts=True)
    return found, counts.astype(np.float32)[:, None]


def _ordered(numbers: _Numbers, words: _Lists, pairs: _Lists) -> Contents:
    """Number the terms in their order, and put all postings in the order of the terms."""
    size = len(words.keys)
    vocabulary = Vocabulary.of(numbers)
    number = np.zeros(len(vocabulary), np.int64)
    for place, term in enumerate(vocabulary):
        number[numbers[term.decode("utf-8", "surrogatepass")]] = place
    terms, rows, counts = words.flat()
    terms = number[terms]
    bag_lengths, plain_lengths = (_sums(rows, counts[:, k], size) for k in (0, 1))
    order = np.argsort(terms, kind="stable")
    keys, postings, pair_counts, pair_lengths = _ordered_pairs(number, pairs, size)
    return Contents(
        vocabulary=vocabulary,
        words=Postings.of(terms[order], rows[order], len(vocabulary), size),
        bag=counts[order, 0],
        plain=counts[order, 1],
        bag_lengths=bag_lengths,
        plain_lengths=plain_lengths,
        pairs=postings,
        pair_keys=keys,
        pair_counts=pair_counts,
        pair_lengths=pair_lengths,
    )


def _ordered_pairs(number: Ids, pairs: _Lists, size: int) -> tuple[Ids, Postings, Floats, Floats]:
    """The pairs' keys, postings, counts and the rows' lengths.

    Of 100,000 skills there are some 80 million: whatever is not needed any more is let go.
    """
    found, rows, counts = pairs.flat()
    lengths = _sums(rows, counts[:, 0], size)
    found = number[found >> _SHIFT] * len(number) + number[found & _LOW]
    order = np.argsort(found, kind="stable")
    found, rows, values = found[order], rows[order], counts[order, 0]
    del order, counts
    starts = np.flatnonzero(np.diff(found, prepend=-1))
    bounds = np.append(starts, len(found)).astype(np.int64)
    return found[starts], Postings(bounds, rows, size), values, lengths


def _sums(rows: NDArray[np.int32], values: Floats, size: int) -> Floats:
    return np.bincount(rows, values, size).astype(np.float32)
