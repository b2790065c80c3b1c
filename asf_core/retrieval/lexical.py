"""BM25 over a skill's fields, memory-mapped.

One bm25s index a field, all over one vocabulary: ``name``, ``description``, ``triggers``, and
``text``, which is those three and the body together. A skill's score is the weighted sum of its
fields'. The IDF is Lucene's, ``log(1 + (N - df + 0.5) / (df + 0.5))``: above zero even for a word
that every skill has, so that in a registry of one skill a match still scores.
"""

from __future__ import annotations

import json
import logging
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.errors import StoreError
from asf_core.retrieval.vocabulary import Vocabulary
from asf_core.retrieval.words import Analyser, analyser, name_key

Floats = NDArray[np.float32]

FORMAT = 1
"""Raised whenever the files or the rules of ``words`` change: another format is another index."""
TEXT = "text"
FIELDS = ("name", "description", "triggers", TEXT)
K1 = 1.5
B = 0.75

FIELD_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"name": 0.5, "description": 0.5, "triggers": 0.5, TEXT: 1.0}
)
"""Measured 2026-11-30 on the 2,400 development queries that do not name their skill, over 2,637
skills: hit@1 0.695, MRR 0.793; ``text`` alone 0.651, 0.752; BM25F with the body at 1, the
description at 5 and the name at 8: 0.678, 0.781."""

# Of a word's weight in the coverage: past _MOST rarity says no more (a name that no skill has is
# no reason to doubt the rest); _PRIOR skills are imagined, so that in a registry of a few skills
# the words that all have and that none has do not weigh all too unlike. _DOUBT is the weight of
# words that the task might have had beside those that it has.
_MOST = 5.0
_PRIOR = 20
_DOUBT = 6.0
_NONE = np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """A task as the index sees it."""

    words: tuple[str, ...]
    """For each distinct term, the words of the task that it comes from, as written."""
    ids: tuple[int | None, ...]
    """For each distinct term its id; ``None`` where no skill has it."""
    idf: tuple[float, ...]
    """For each distinct term its IDF over whole texts."""

    @property
    def known(self) -> list[int]:
        """Ids of the terms that some skill has."""
        return [i for i in self.ids if i is not None]


class LexicalIndex:
    """An index over skills, in the order in which they were given."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        fields: Mapping[str, Any],
        names: Mapping[str, Sequence[int]],
        size: int,
    ) -> None:
        """Use :meth:`build` or :meth:`load`.

        Args:
            vocabulary: All terms.
            fields: Field -> ``bm25s.BM25``; a field without any term is absent.
            names: ``name_key`` of each name -> the rows that carry it.
            size: How many skills there are.
        """
        self._vocabulary = vocabulary
        self._fields = fields
        self._names = names
        self._size = size

    def __len__(self) -> int:
        return self._size

    @classmethod
    def build(cls, documents: Iterable[Mapping[str, str]]) -> LexicalIndex:
        """Index skills.

        Args:
            documents: Of each skill its ``name`` (a line for each way it is called),
                ``description``, ``triggers`` and ``body``; an absent one is empty.
        """
        analyse, names = Analyser(), dict[str, list[int]]()
        rows: list[dict[str, list[str]]] = []
        for row, document in enumerate(documents):
            parts = {f: analyse.terms(document.get(f, "")) for f in (*FIELDS[:-1], "body")}
            rows.append({f: parts[f] for f in FIELDS[:-1]} | {TEXT: list(chain(*parts.values()))})
            for key in sorted({name_key(name) for name in document.get("name", "").split("\n")}):
                if key:
                    names.setdefault(key, []).append(row)
        return cls(*_indexed(rows), names, len(rows))

    def save(self, directory: Path) -> None:
        """Write the index into a directory of its own, made if need be."""
        directory.mkdir(parents=True, exist_ok=True)
        self._vocabulary.save(directory)
        for field, index in self._fields.items():
            index.save(directory / field, show_progress=False)
        meta = {"format": FORMAT, "size": self._size, "fields": sorted(self._fields)}
        (directory / "names.json").write_text(json.dumps(self._names), "utf-8")
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
        bm25s = _bm25s()
        try:
            meta = json.loads((directory / "meta.json").read_text("utf-8"))
            if meta["format"] != FORMAT:
                raise ValueError(f"its format is {meta['format']}, this program's is {FORMAT}")
            names = json.loads((directory / "names.json").read_text("utf-8"))
            vocabulary = Vocabulary.load(directory, "r" if mmap else None)
            fields = {
                field: bm25s.BM25.load(directory / field, mmap=mmap, load_vocab=False)
                for field in meta["fields"]
            }
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(
                f"The word index in {directory} cannot be read",
                why=str(error),
                hint="Build it again with: asf sync",
            ) from error
        return cls(vocabulary, fields, names, meta["size"])

    def query(self, task: str) -> LexicalQuery:
        """Read a task: plain words, nothing in it is an operator."""
        words: dict[str, str] = {}
        for written, found in analyser().spans(task):
            for term in found:
                words.setdefault(term, written)
        ids = tuple(map(self._vocabulary.id, words))
        return LexicalQuery(tuple(words.values()), ids, tuple(map(self._idf, ids)))

    def scores(self, query: LexicalQuery) -> Floats:
        """Each skill's score: (N,), 0 where no word matches, never below, never NaN."""
        total = np.zeros(self._size, np.float32)
        for field, found in self.field_scores(query).items():
            total += FIELD_WEIGHTS[field] * found
        return total

    def field_scores(self, query: LexicalQuery) -> dict[str, Floats]:
        """Each field's own BM25 score, unweighted: field -> (N,)."""
        known = query.known
        if not known:
            return {}
        return {field: index.get_scores_from_ids(known) for field, index in self._fields.items()}

    def coverage(self, query: LexicalQuery) -> Floats:
        """How much of the task each skill's text has: (N,), 0 to 1.

        The share of the task's words, each weighing more the fewer skills have it; a task of one
        or two common words stays low, for they prove little. Unlike a BM25 score it means the same
        in a registry of one skill and of thousands.
        """
        found, total = np.zeros(self._size, np.float32), 0.0
        for term in query.ids:
            rows = _NONE if term is None else self._rows(term)
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
                for place in np.flatnonzero(np.isin(rows, self._rows(term))):
                    found[place].append(word)
        return [tuple(dict.fromkeys(words))[:most] for words in found]

    def named(self, task: str) -> tuple[int, ...]:
        """Rows whose name is the whole task, in whatever way it is written."""
        return tuple(self._names.get(name_key(task), ()))

    def idf(self, term: str) -> float:
        """A term's IDF over whole texts."""
        return self._idf(self._vocabulary.id(term))

    def _idf(self, term: int | None) -> float:
        df = 0 if term is None else len(self._rows(term))
        return math.log1p((self._size - df + 0.5) / (df + 0.5))

    def _rows(self, term: int) -> NDArray[np.int32]:
        """The rows that have a term anywhere."""
        scores = self._fields[TEXT].scores
        start, end = scores["indptr"][term], scores["indptr"][term + 1]
        rows: NDArray[np.int32] = scores["indices"][start:end]
        return rows


def _indexed(rows: Sequence[Mapping[str, list[str]]]) -> tuple[Vocabulary, dict[str, Any]]:
    vocabulary = Vocabulary.of({term for row in rows for term in row[TEXT]})
    ids = {term.decode("utf-8", "surrogatepass"): i for i, term in enumerate(vocabulary)}
    fields = {}
    for field in FIELDS:
        tokens = [[ids[term] for term in row[field]] for row in rows]
        if any(tokens):
            fields[field] = _bm25(tokens, ids)
    return vocabulary, fields


def _bm25(tokens: list[list[int]], ids: dict[str, int]) -> Any:
    index = _bm25s().BM25(k1=K1, b=B, method="lucene")
    index.index((tokens, ids), create_empty_token=False, show_progress=False)
    index.vocab_dict = {}  # the vocabulary is kept once, for all fields
    return index


def _bm25s() -> Any:
    # Without progress bars, which it would import at a cost of 50 ms, and never shows here.
    os.environ.setdefault("DISABLE_TQDM", "1")
    import bm25s

    # It sets its own logger to DEBUG, and would speak on any handler that the process has.
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    return bm25s
