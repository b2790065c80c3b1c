"""Putting scores together: standardised sums, and reciprocal ranks as the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]

_DIGITS = 5
"""Scores that agree to so many decimals are equal: below that is the noise of float32 sums, and
two copies of one skill must come out in the same order every time."""


def standardised(scores: NDArray[Any]) -> Floats:
    """Scores with mean 0 and deviation 1; all 0 where they are all the same.

    Args:
        scores: (n,), of one pool: a part of the evidence for each of its skills.
    """
    values = np.asarray(scores, np.float64)
    if not len(values):
        return np.zeros(0, np.float32)
    spread = values.std()
    if spread < 10.0**-_DIGITS:
        return np.zeros(len(values), np.float32)
    return np.asarray((values - values.mean()) / spread, np.float32)


def reciprocal_ranks(scores: Sequence[NDArray[Any]], k: int = 60) -> Floats:
    """The sum of ``1 / (k + rank)`` over several scores of one pool, equal scores sharing a rank.

    Args:
        scores: Each (n,).
        k: As published, 60.
    """
    total = np.zeros(len(scores[0]) if scores else 0, np.float32)
    for part in scores:
        rounded = np.round(np.asarray(part, np.float64), _DIGITS)
        ascending = np.sort(-rounded)
        rank = 1 + np.searchsorted(ascending, -rounded, side="left")
        total += (1.0 / (k + rank)).astype(np.float32)
    return total


def best_rows(rows: Rows, scores: NDArray[Any], ids: Sequence[str], most: int) -> Rows:
    """The best of some rows, best first; equal scores in order of id.

    Args:
        rows: (n,) rows of the index.
        scores: (n,), one for each of ``rows``.
        ids: Id of every row of the index.
        most: How many to keep at most.
    """
    values = np.round(np.asarray(scores, np.float64), _DIGITS)
    if len(values) > most > 0:
        floor = np.partition(values, len(values) - most)[len(values) - most]
        keep = values >= floor
        rows, values = rows[keep], values[keep]
    order = sorted(range(len(rows)), key=lambda i: (-values[i], ids[int(rows[i])]))
    return rows[order[:most]]
