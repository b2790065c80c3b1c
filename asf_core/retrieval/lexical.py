"""The words of the skills: BM25 over one weighted bag a skill, and over pairs of adjacent words.

A word in a skill's name or description weighs more than one in its body, and the weights are laid
on before the frequencies saturate (BM25F), so that a word met in two places is not counted as two
words. The IDF is that of the unweighted text. A pair of words that stand side by side in both
task and skill ("pull request") says more than the two apart. All of it is mapped into memory.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.errors import StoreError
from asf_core.retrieval.postings import Postings, lucene_idf
from asf_core.retrieval.vocabulary import Vocabulary
from asf_core.retrieval.word_build import FIELD_WEIGHTS, Contents, read_documents
from asf_core.retrieval.words import analyser, name_key

Floats = NDArray[np.float32]

FORMAT = 2
"""Raised whenever the files or the rules of ``words`` change: another format is another index."""

# Measured over the 2,637 public skills with the 2,537 development queries that do not name theirs
# (hit@1, MRR): the bag with these 0.683, 0.785; the same with k1 of 2 or 10 and b of 0.5 or 0.9 is
# worse; plain BM25 over name, description and body 0.651, 0.752. Terms of a task count once.
K1, B = 6.0, 0.75
# Of the pairs, and of the plain BM25 that `asf bench` measures against: the usual values.
PLAIN_K1, PLAIN_B = 1.5, 0.75

# Of a word's weight in the coverage: past _MOST rarity says no more (a name that no skill has is
# no reason to doubt the rest); _PRIOR skills are imagined, so that in a registry of a few skills
# the words that all have and that none has do not weigh all too unlike. _DOUBT is the weight of
# words that the task might have had beside those that it has.
_MOST = 5.0
_PRIOR = 20
_DOUBT = 6.0
_NONE = np.zeros(0, np.int32)

__all__ = ["FIELD_WEIGHTS", "FORMAT", "LexicalIndex", "LexicalQuery"]


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """A task as the index sees it."""

    words: tuple[str, ...]
    """For each distinct term, the words of the task that it comes from, as written."""
    ids: tuple[int | None, ...]
    """For each distinct term its id; ``None`` where no skill has it."""
    idf: tuple[float, ...]
    """For each distinct term its IDF over whole texts."""
    pairs: tuple[int, ...]
    """The distinct pairs of adjacent terms that some skill has."""

    @property
    def known(self) -> list[int]:
        """Ids of the terms that some skill has."""
        return [i for i in self.ids if i is not None]

    @property
    def mass(self) -> float:
        """The IDF of all terms together: what no BM25 score of the task can exceed."""
        return sum(self.idf) or 1.0


@dataclass(frozen=True, slots=True)
class _Weights:
    """What the terms and the pairs add to the scores of the rows that have them."""

    bag: Floats
    plain: Floats
    pairs: Floats

    @classmethod
    def of(cls, found: Contents) -> _Weights:
        return cls(
            found.words.bm25(found.bag, found.bag_lengths, K1, B),
            found.words.bm25(found.plain, found.plain_lengths, PLAIN_K1, PLAIN_B),
            found.pairs.bm25(found.pair_counts, found.pair_lengths, PLAIN_K1, PLAIN_B),
        )

    def save(self, directory: Path) -> None:
        for name in self.__slots__:
            np.save(directory / f"{name}_weights.npy", getattr(self, name))


class LexicalIndex:
    """An index over skills, in the order in which they were given."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        words: Postings,
        pairs: Postings,
        pair_keys: NDArray[np.int64],
        weights: _Weights,
        names: Mapping[str, Sequence[int]],
    ) -> None:
        """Use :meth:`build` or :meth:`load`.

        Args:
            vocabulary: All terms.
            words: Rows by term.
            pairs: Rows by pair of adjacent terms.
            pair_keys: The pairs, ascending: first term's id times the vocabulary's size, plus
                the second's.
            weights: Of ``words`` and ``pairs``.
            names: ``name_key`` of each name -> the rows that carry it.
        """
        self._vocabulary = vocabulary
        self._words = words
        self._pairs = pairs
        self._pair_keys = pair_keys
        self._weights = weights
        self._names = names
        self._size = words.size

    def __len__(self) -> int:
        return self._size

    @classmethod
    def build(cls, documents: Iterable[Mapping[str, str]]) -> LexicalIndex:
        """Index skills.

        Args:
            documents: Of each skill its ``name`` (a line for each way it is called),
                ``description``, ``triggers``, ``headings`` and ``body`` (which has the headings
                too); an absent one is empty.
        """
        names: dict[str, list[int]] = {}
        found = read_documents(_noting_names(documents, names))
        return cls(
            found.vocabulary, found.words, found.pairs, found.pair_keys, _Weights.of(found), names
        )

    def save(self, directory: Path) -> None:
        """Write the index into a directory of its own, made if need be."""
        directory.mkdir(parents=True, exist_ok=True)
        self._vocabulary.save(directory)
        self._words.save(directory, "words")
        self._pairs.save(directory, "pairs")
        np.save(directory / "pair_keys.npy", self._pair_keys)
        self._weights.save(directory)
        (directory / "names.json").write_text(json.dumps(self._names), "utf-8")
        meta = {"format": FORMAT, "size": self._size}
        (directory / "meta.json").write_text(json.dumps(meta), "utf-8")

    @classmethod
    def load(cls, directory: Path, mmap: bool = True) -> LexicalIndex:
        """Open a saved index.

        Args:
            directory: Where it was saved.
            mmap: Map the files instead of reading them.

        Raises:
            StoreError: There is none, it is damaged, or another version of the program wrote it.
        """
        try:
            meta = json.loads((directory / "meta.json").read_text("utf-8"))
            if meta["format"] != FORMAT:
                raise ValueError(f"its format is {meta['format']}, this program's is {FORMAT}")
            return cls._opened(directory, meta["size"], "r" if mmap else None)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(
                f"The word index in {directory} cannot be read",
                why=str(error),
                hint="Build it again with: asf sync",
            ) from error

    @classmethod
    def _opened(cls, directory: Path, size: int, mode: Any) -> LexicalIndex:
        parts = ("pair_keys", *(f"{name}_weights" for name in _Weights.__slots__))
        keys, *weights = (np.load(directory / f"{part}.npy", mmap_mode=mode) for part in parts)
        return cls(
            Vocabulary.load(directory, mode),
            Postings.load(directory, "words", size, mode),
            Postings.load(directory, "pairs", size, mode),
            keys,
            _Weights(*weights),
            json.loads((directory / "names.json").read_text("utf-8")),
        )

    def query(self, task: str) -> LexicalQuery:
        """Read a task: plain words, nothing in it is an operator."""
        words: dict[str, str] = {}
        read: list[str] = []
        for written, found in analyser().spans(task):
            read.extend(found)
            for term in found:
                words.setdefault(term, written)
        ids = dict(zip(words, map(self._vocabulary.id, words), strict=True))
        pairs = self._pairs_of([ids[term] for term in read])
        idf = tuple(map(self._idf, ids.values()))
        return LexicalQuery(tuple(words.values()), tuple(ids.values()), idf, pairs)

    def scores(self, query: LexicalQuery) -> Floats:
        """BM25 of each skill's weighted bag: (N,), 0 where no word matches, at most the mass."""
        return self._words.sums(query.known, self._weights.bag)

    def plain_scores(self, query: LexicalQuery) -> Floats:
        """Plain BM25 of name, description, triggers and body as one text, the floor: (N,)."""
        return self._words.sums(query.known, self._weights.plain)

    def pair_scores(self, query: LexicalQuery) -> Floats:
        """BM25 of the pairs of adjacent words: (N,), 0 where none matches."""
        return self._pairs.sums(query.pairs, self._weights.pairs)

    def share(self, query: LexicalQuery) -> Floats:
        """How much of ``query.mass`` is that of terms that each skill has: (N,), 0 to 1."""
        total = np.zeros(self._size, np.float32)
        for term, idf in zip(query.ids, query.idf, strict=True):
            if term is not None:
                total[self._words.rows_of(term)] += idf
        return total / np.float32(query.mass)

    def coverage(self, query: LexicalQuery) -> Floats:
        """How much of the task each skill's text has: (N,), 0 to 1.

        The share of the task's words, each weighing more the fewer skills have it; a task of one
        or two common words stays low, for they prove little. Unlike ``share`` it means the same
        in a registry of one skill and of thousands.
        """
        found, total = np.zeros(self._size, np.float32), 0.0
        for term in query.ids:
            rows = _NONE if term is None else self._words.rows_of(term)
            weight = min(_MOST, math.log1p((self._size + _PRIOR) / (len(rows) + 1)))
            found[rows] += weight
            total += weight
        return found / np.float32(total + _DOUBT)

    def matched(
        self, query: LexicalQuery, rows: NDArray[np.int64], most: int = 6
    ) -> list[tuple[str, ...]]:
        """The task's words that skills have.

        Returns:
            For each of ``rows`` the words, most telling first, as the task writes them.
        """
        found: list[list[str]] = [[] for _ in rows]
        terms = zip(query.idf, query.words, query.ids, strict=True)
        for _, word, term in sorted(terms, key=lambda item: (-item[0], item[1])):
            if term is not None:
                for place in np.flatnonzero(np.isin(rows, self._words.rows_of(term))):
                    found[place].append(word)
        return [tuple(dict.fromkeys(words))[:most] for words in found]

    def named(self, task: str) -> tuple[int, ...]:
        """Rows whose name is the whole task, in whatever way it is written."""
        return tuple(self._names.get(name_key(task), ()))

    def idf(self, term: str) -> float:
        """A term's IDF over whole texts."""
        return self._idf(self._vocabulary.id(term))

    def _idf(self, term: int | None) -> float:
        return lucene_idf(0 if term is None else len(self._words.rows_of(term)), self._size)

    def _pairs_of(self, read: Sequence[int | None]) -> tuple[int, ...]:
        """Places of the pairs of adjacent terms among ``pair_keys``."""
        width = len(self._vocabulary)
        keys = {a * width + b for a, b in pairwise(read) if a is not None and b is not None}
        places = []
        for key in sorted(keys):
            place = int(np.searchsorted(self._pair_keys, key))
            if place < len(self._pair_keys) and self._pair_keys[place] == key:
                places.append(place)
        return tuple(places)


def _noting_names(
    documents: Iterable[Mapping[str, str]], names: dict[str, list[int]]
) -> Iterable[Mapping[str, str]]:
    """The documents, whose names are put down on the way."""
    for row, document in enumerate(documents):
        for key in sorted({name_key(name) for name in document.get("name", "").split("\n")}):
            if key:
                names.setdefault(key, []).append(row)
        yield document
