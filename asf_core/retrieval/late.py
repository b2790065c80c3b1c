"""Late interaction: how well each token of a task is met by a skill's tokens."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from asf_core.retrieval.index_view import IndexView

Floats = NDArray[np.float32]

_MOST_PRODUCTS = 500_000
"""OpenBLAS computes a matrix product of twice as many multiplications in one thread."""


def best_matches(view: IndexView, rows: NDArray[np.int64], query: Floats) -> Floats:
    """For each skill and each token of the task the best cosine with a token of the skill.

    Args:
        view: The index.
        rows: (n,) rows of the index.
        query: (q, D) token vectors, L2-normalised.

    Returns:
        (n, q). Their mean over a row is the MaxSim score. A skill without token vectors gets the
        mean of the others: nothing is known for or against it.
    """
    bounds = [(int(view.token_offsets[r]), int(view.token_offsets[r + 1])) for r in rows]
    found = np.zeros((len(rows), len(query)), np.float32)
    some = np.array([end > start for start, end in bounds], bool)
    if not some.any() or not len(query):
        return found
    filled = [bound for bound in bounds if bound[1] > bound[0]]
    values = np.concatenate([view.tokens[a:b] for a, b in filled])
    scales = np.concatenate([view.token_scales[a:b] for a, b in filled])
    similar = _products(values, query) * scales[:, None]
    starts = np.cumsum([0] + [b - a for a, b in filled[:-1]])
    found[some] = np.maximum.reduceat(similar, starts, axis=0)
    found[~some] = found[some].mean(axis=0)
    return found


def _products(values: NDArray[np.int8], query: Floats) -> Floats:
    """``values @ query.T``, a few rows at a time.

    Products this small stay in this thread and in the cache. In one piece, BLAS would share the
    work among threads that wait for each other by spinning: on two cores that other work keeps
    busy that takes ten times as long, and gains little where they are idle.
    """
    width = values.shape[1]
    rows = max(8, min(64, _MOST_PRODUCTS // (width * len(query))))
    found = np.empty((len(values), len(query)), np.float32)
    block = np.empty((rows, width), np.float32)
    across = np.ascontiguousarray(query.T)
    for start in range(0, len(values), rows):
        some = values[start : start + rows]
        block[: len(some)] = some
        np.matmul(block[: len(some)], across, out=found[start : start + rows])
    return found
