"""Measures of a ranking against the skills that are right.

The relevant skills of a query are alternatives: copies of one skill, or several that do the same.
Any of them is right and one is enough, so each measure looks at the first that the ranking has. A
router that folds copies into one is not punished for the copies that it does not list.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

import numpy as np


def first_right(ranking: Iterable[str], relevant: Collection[str]) -> int | None:
    """Rank of the first right skill, from 1; ``None`` when the ranking has none."""
    return next((rank for rank, i in enumerate(ranking, start=1) if i in relevant), None)


def hit(rank: int | None, k: int) -> float:
    """1 when a right skill is among the first ``k``, else 0."""
    return float(rank is not None and rank <= k)


def reciprocal(rank: int | None) -> float:
    """1 / rank; 0 when there is none. Its mean over queries is the MRR."""
    return 0.0 if rank is None else 1.0 / rank


def discounted(rank: int | None, k: int) -> float:
    """nDCG@k with alternatives counted once: 1 / log2(1 + rank) up to ``k``, else 0.

    The ideal ranking has a right skill first, for a gain of 1 (Järvelin and Kekäläinen 2002).
    """
    return 1.0 / math.log2(1 + rank) if rank is not None and rank <= k else 0.0


def mean(values: Iterable[float]) -> float:
    """Arithmetic mean; 0 of nothing."""
    some = list(values)
    return math.fsum(some) / len(some) if some else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share of them lies, between neighbours linear; 0 of nothing.

    Args:
        values: In any order.
        share: 0 to 1, as 0.5 for the median.
    """
    return float(np.quantile(np.asarray(values, np.float64), share)) if len(values) else 0.0
