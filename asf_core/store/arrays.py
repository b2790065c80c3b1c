"""Vectors of skills on their way between encoders, index and snapshot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class StoredVectors:
    """What the encoders made of one text."""

    vector: NDArray[np.float32]
    """(D,), L2-normalised."""
    tokens: NDArray[np.int8]
    """(t, d), one row a token, quantised; t may be 0."""
    scales: NDArray[np.float32]
    """(t,), what a token's integers are multiplied with."""


@dataclass(frozen=True, slots=True, eq=False)
class IndexRow:
    """One skill for the index."""

    id: str
    registry: str
    view_digest: str
    """Of the text that was encoded."""
    manifest: str
    """JSON."""
    vectors: StoredVectors

    def check(self, dimension: int) -> None:
        """Refuse arrays that the index could not give back.

        Raises:
            ValueError: A shape or type is wrong, or the vector is not finite.
        """
        vector, tokens, scales = self.vectors.vector, self.vectors.tokens, self.vectors.scales
        if vector.shape != (dimension,) or not np.isfinite(vector).all():
            raise ValueError(f"{self.id}: the vector is not {dimension} finite numbers")
        if tokens.ndim != 2 or tokens.dtype != np.int8 or scales.shape != tokens.shape[:1]:
            raise ValueError(f"{self.id}: the tokens are not (t, d) int8 with t scales")


@dataclass(frozen=True, slots=True, eq=False)
class VectorBatch:
    """The vectors of n skills, whose tokens are T together."""

    ids: Sequence[str]
    view_digests: Sequence[str]
    vectors: NDArray[np.float32]
    """(n, D)."""
    tokens: NDArray[np.int8]
    """(T, d), skill after skill."""
    lengths: NDArray[np.int64]
    """(n,), tokens of each skill; their sum is T."""
    scales: NDArray[np.float32]
    """(T,)."""

    def offsets(self) -> NDArray[np.int64]:
        """(n + 1,): the tokens of skill i are ``tokens[offsets[i]:offsets[i + 1]]``."""
        return np.concatenate(([0], np.cumsum(self.lengths))).astype(np.int64)

    def each(self) -> Iterator[tuple[str, str, StoredVectors]]:
        """Id, view digest and vectors of each skill; views, not copies."""
        offsets = self.offsets()
        for at, (skill_id, digest) in enumerate(zip(self.ids, self.view_digests, strict=True)):
            span = slice(offsets[at], offsets[at + 1])
            stored = StoredVectors(self.vectors[at], self.tokens[span], self.scales[span])
            yield skill_id, digest, stored


class VectorSource(Protocol):
    """Where a snapshot takes its vectors from: the index, or arrays in a test."""

    def token_counts(self) -> dict[str, int]:
        """Id and number of tokens of each skill."""
        ...

    def batches(self) -> Iterator[VectorBatch]:
        """The vectors of all skills, in any order."""
        ...


def join(batches: Sequence[VectorBatch], dimension: int) -> VectorBatch:
    """Several batches as one, sorted by id.

    Args:
        batches: Of one model.
        dimension: D, for when there is no batch.
    """
    rows = sorted((row for batch in batches for row in batch.each()), key=lambda row: row[0])
    kept = [batch for batch in batches if len(batch.ids)]
    token_dimension = kept[0].tokens.shape[1] if kept else 0
    stored = [row[2] for row in rows]
    return VectorBatch(
        ids=tuple(row[0] for row in rows),
        view_digests=tuple(row[1] for row in rows),
        vectors=np.array([s.vector for s in stored], np.float32).reshape(len(rows), dimension),
        tokens=np.concatenate(
            [s.tokens for s in stored] or [np.empty((0, token_dimension), np.int8)]
        ),
        lengths=np.array([len(s.tokens) for s in stored], np.int64),
        scales=np.concatenate([s.scales for s in stored] or [np.empty(0, np.float32)]),
    )
