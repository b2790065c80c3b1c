"""Postings: which rows have a term, and what it adds to each one's BM25 score.

Plain arrays, a term's rows after the other's, so that they are memory-mapped as they are and a
task costs a few slices. Every document's frequencies may be weighted before they saturate.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]


def lucene_idf(df: int, size: int) -> float:
    """Lucene's IDF, above zero even for a term that every one of ``size`` rows has."""
    return math.log1p((size - df + 0.5) / (df + 0.5))


@dataclass(frozen=True, slots=True)
class Postings:
    """Rows by term."""

    starts: NDArray[np.int64]
    """(V + 1,): where the rows of each term begin and end."""
    rows: NDArray[np.int32]
    """(P,), ascending within a term."""
    size: int
    """N: rows there are in all."""

    @classmethod
    def of(cls, terms: Ids, rows: NDArray[np.int32], count: int, size: int) -> Postings:
        """From ``terms`` (P,) in ascending order, equal ones in order of ``rows`` (P,).

        Args:
            terms: Below ``count``.
            rows: The row that has each term, once a row.
            count: V, terms there are in all.
            size: N, rows there are in all.
        """
        starts = np.zeros(count + 1, np.int64)
        np.cumsum(np.bincount(terms, minlength=count), out=starts[1:])
        return cls(starts, rows, size)

    @classmethod
    def load(cls, directory: Path, name: str, size: int, mmap_mode: Any) -> Postings:
        """Open saved ones; ``mmap_mode`` as of ``numpy.load``."""
        starts, rows = (
            np.load(directory / f"{name}_{part}.npy", mmap_mode=mmap_mode)
            for part in ("starts", "rows")
        )
        return cls(starts, rows, size)

    def save(self, directory: Path, name: str) -> None:
        """Write two ``.npy`` files into an existing directory."""
        np.save(directory / f"{name}_starts.npy", self.starts)
        np.save(directory / f"{name}_rows.npy", self.rows)

    def rows_of(self, term: int) -> NDArray[np.int32]:
        """The rows that have a term."""
        return self.rows[self.starts[term] : self.starts[term + 1]]

    def sums(self, terms: Iterable[int], weights: Floats) -> Floats:
        """For each row the sum of the weights of some terms: (N,).

        Args:
            terms: Each counts as often as it is given.
            weights: (P,).
        """
        total = np.zeros(self.size, np.float32)
        for term in terms:
            some = slice(self.starts[term], self.starts[term + 1])
            total[self.rows[some]] += weights[some]
        return total

    def bm25(self, frequencies: Floats, lengths: Floats, k1: float, b: float) -> Floats:
        """What each term adds to each row's BM25 score, Lucene's form: (P,).

        Args:
            frequencies: (P,) of the terms in the rows, weighted or not.
            lengths: (N,) of the rows, in the same unit.
            k1: Saturation.
            b: How much the length counts.
        """
        mean = max(float(lengths.mean(dtype=np.float64)) if len(lengths) else 0.0, 1e-9)
        room = np.asarray(k1 * (1 - b + b * lengths / mean), np.float32)
        df = np.diff(self.starts)
        idf = np.log1p((self.size - df + 0.5) / (df + 0.5)).astype(np.float32)
        saturated = frequencies / (frequencies + room[self.rows])
        return np.asarray(np.repeat(idf, df) * saturated, np.float32)
