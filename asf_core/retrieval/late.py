"""Late interaction: how well each token of a task is met by a skill's tokens."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from asf_core.retrieval.index_view import IndexView

Floats = NDArray[np.float32]


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
    values = np.concatenate([view.tokens[a:b] for a, b in filled]).astype(np.float32)
    scales = np.concatenate([view.token_scales[a:b] for a, b in filled])
    similar = (values @ query.T) * scales[:, None]
    starts = np.cumsum([0] + [b - a for a, b in filled[:-1]])
    found[some] = np.maximum.reduceat(similar, starts, axis=0)
    found[~some] = found[some].mean(axis=0)
    return found
