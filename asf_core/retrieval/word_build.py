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

    keys: list[Ids] = field(default_factory=list)
    values: list[NDArray[np.float64]] = field(default_factory=list)

    def add(self, keys: Ids, values: NDArray[np.float64]) -> None:
        """Add a row: ``keys`` (k,) once each, ``values`` (k, m)."""
        self.keys.append(keys)
        self.values.append(values)

    def flat(self) -> tuple[Ids, NDArray[np.int32], NDArray[np.float64]]:
        """All keys, the row of each, its values."""
        sizes = [len(keys) for keys in self.keys]
        rows = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        if not self.keys:
            return np.zeros(0, np.int64), rows, np.zeros((0, 2))
        return np.concatenate(self.keys), rows, np.concatenate(self.values)


def read_documents(documents: Iterable[Mapping[str, str]]) -> Contents:
    """Read skills, as ``LexicalIndex.build`` is given them."""
    analyse, numbers = Analyser(), _Numbers()
    words, pairs = _Lists(), _Lists()
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


def _counted_words(fields: Mapping[str, Ids]) -> tuple[Ids, NDArray[np.float64]]:
    """A row's distinct terms, and of each its frequency in the bag and in the text."""
    found, inverse = np.unique(np.concatenate(list(fields.values())), return_inverse=True)
    sizes = [len(ids) for ids in fields.values()]
    bag = np.repeat(list(FIELD_WEIGHTS.values()), sizes)
    plain = np.repeat([float(name != "headings") for name in fields], sizes)
    counts = [np.bincount(inverse, part, len(found)) for part in (bag, plain)]
    return found, np.stack(counts, axis=1)


def _counted_pairs(fields: Mapping[str, Ids]) -> tuple[Ids, NDArray[np.float64]]:
    """A row's distinct pairs of adjacent terms, and how often each stands in the text."""
    adjacent = [
        (ids[:-1] << _SHIFT) | ids[1:] for name, ids in fields.items() if name != "headings"
    ]
    found, counts = np.unique(np.concatenate(adjacent), return_counts=True)
    return found, counts.astype(np.float64)[:, None]


def _ordered(numbers: _Numbers, words: _Lists, pairs: _Lists) -> Contents:
    """Number the terms in their order, and put all postings in the order of the terms."""
    vocabulary = Vocabulary.of(numbers)
    size, width = len(words.keys), len(vocabulary)
    number = np.zeros(width, np.int64)
    for place, term in enumerate(vocabulary):
        number[numbers[term.decode("utf-8", "surrogatepass")]] = place
    terms, rows, counts = words.flat()
    terms = number[terms]
    order = np.argsort(terms, kind="stable")
    pair, pair_rows, pair_counts = pairs.flat()
    pair = number[pair >> _SHIFT] * width + number[pair & _LOW]
    pair_order = np.argsort(pair, kind="stable")
    keys, places = np.unique(pair[pair_order], return_inverse=True)
    return Contents(
        vocabulary=vocabulary,
        words=Postings.of(terms[order], rows[order], width, size),
        bag=counts[order, 0].astype(np.float32),
        plain=counts[order, 1].astype(np.float32),
        bag_lengths=_sums(rows, counts[:, 0], size),
        plain_lengths=_sums(rows, counts[:, 1], size),
        pairs=Postings.of(places, pair_rows[pair_order], len(keys), size),
        pair_keys=keys,
        pair_counts=pair_counts[pair_order, 0].astype(np.float32),
        pair_lengths=_sums(pair_rows, pair_counts[:, 0], size),
    )


def _sums(rows: NDArray[np.int32], values: NDArray[np.float64], size: int) -> Floats:
    return np.bincount(rows, values, size).astype(np.float32)
