"""Is one setting better than another? A paired bootstrap over the queries of both."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.base import Value

_Floats = NDArray[np.float64]

RESAMPLES = 10_000
_SEED = 20_261_130
_BLOCK = 1_000_000
"""Drawn group numbers held at a time."""


class Interval(Value):
    """A mean difference and how sure it is."""

    mean: float
    """Of second minus first."""
    low: float
    """2.5th percentile of the resampled means."""
    high: float
    """97.5th percentile."""

    @property
    def sure(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0


def paired(
    first: Sequence[float],
    second: Sequence[float],
    groups: Sequence[Hashable] | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = _SEED,
) -> Interval:
    """Interval of the mean difference between two settings on the same queries.

    Queries that were written for one skill stand and fall together. Given as groups they are drawn
    together, which makes the interval wider, and true.

    Args:
        first: (n,) a measure of each query under one setting.
        second: (n,) the same under the other.
        groups: (n,) what each query belongs to; each its own when absent.
        resamples: How many draws.
        seed: Of the draws: equal input has equal output.

    Raises:
        ValueError: The lengths differ.
    """
    difference = np.asarray(second, np.float64) - np.asarray(first, np.float64)
    if len(first) != len(second) or (groups is not None and len(groups) != len(first)):
        raise ValueError("a paired bootstrap needs as many values of the one as of the other")
    if not len(difference):
        return Interval(mean=0.0, low=0.0, high=0.0)
    sums, sizes = _grouped(difference, groups)
    low, high = np.quantile(_means(sums, sizes, resamples, seed), (0.025, 0.975))
    return Interval(mean=float(difference.mean()), low=float(low), high=float(high))


def _grouped(difference: _Floats, groups: Sequence[Hashable] | None) -> tuple[_Floats, _Floats]:
    """(g,) sum of the differences in each group and (g,) its size, in order of first appearance."""
    if groups is None:
        return difference, np.ones_like(difference)
    number: dict[Hashable, int] = {}
    places = np.array([number.setdefault(group, len(number)) for group in groups])
    sums = np.bincount(places, difference).astype(np.float64)
    return sums, np.bincount(places).astype(np.float64)


def _means(
    sums: _Floats,
    sizes: _Floats,
    resamples: int,
    seed: int,
) -> _Floats:
    random, count = np.random.default_rng(seed), len(sums)
    rows = max(1, _BLOCK // count)
    found = []
    for start in range(0, resamples, rows):
        drawn = random.integers(0, count, (min(rows, resamples - start), count))
        found.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    return np.concatenate(found)
