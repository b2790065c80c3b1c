"""Metrics against examples worked by hand, and against a second way of computing them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.bench.metrics import discounted, first_right, hit, mean, percentile, reciprocal

RANKING = ("c", "a", "d", "b")

# relevant: rank, hit@1, hit@2, 1/rank, nDCG@3
WORKED = {
    "first": ({"c"}, 1, 1.0, 1.0, 1.0, 1.0),
    "second": ({"a"}, 2, 0.0, 1.0, 0.5, 0.6309297535714575),
    "third": ({"d"}, 3, 0.0, 0.0, 1 / 3, 0.5),
    "past the depth": ({"b"}, 4, 0.0, 0.0, 0.25, 0.0),
    "alternatives: the first counts": ({"b", "a"}, 2, 0.0, 1.0, 0.5, 0.6309297535714575),
    "alternatives: a copy more earns no more": ({"c", "a"}, 1, 1.0, 1.0, 1.0, 1.0),
    "not ranked": ({"z"}, None, 0.0, 0.0, 0.0, 0.0),
}


@pytest.mark.parametrize(
    ("relevant", "rank", "h1", "h2", "rr", "ndcg"), WORKED.values(), ids=WORKED
)
def test_worked_examples(
    relevant: set[str], rank: int | None, h1: float, h2: float, rr: float, ndcg: float
) -> None:
    assert first_right(RANKING, relevant) == rank
    assert (hit(rank, 1), hit(rank, 2)) == (h1, h2)
    assert reciprocal(rank) == rr
    assert discounted(rank, 3) == pytest.approx(ndcg)


def textbook_ndcg(gains: Sequence[int], k: int) -> float:
    """DCG over the DCG of the gains sorted."""

    def dcg(some: Sequence[int]) -> float:
        return sum((2**gain - 1) / math.log2(place + 2) for place, gain in enumerate(some[:k]))

    ideal = dcg(sorted(gains, reverse=True))
    return dcg(gains) / ideal if ideal else 0.0


@given(
    ranking=st.lists(st.integers(0, 30), unique=True, max_size=20),
    relevant=st.sets(st.integers(0, 30), max_size=4),
    k=st.integers(1, 25),
)
def test_agrees_with_the_textbook(ranking: list[int], relevant: set[int], k: int) -> None:
    names, right = [str(i) for i in ranking], {str(i) for i in relevant}
    rank = first_right(names, right)
    places = [i for i, name in enumerate(names, start=1) if name in right]
    assert rank == (min(places) if places else None)
    assert hit(rank, k) == float(bool(right & set(names[:k])))
    assert reciprocal(rank) == (1 / min(places) if places else 0)
    # Alternatives count once: the gain of every right skill but the first is taken away.
    gains = [int(place == rank) for place in range(1, len(names) + 1)]
    assert discounted(rank, k) == pytest.approx(textbook_ndcg(gains, k))


@given(st.lists(st.floats(-1e6, 1e6), max_size=50))
def test_mean_agrees_with_statistics(values: list[float]) -> None:
    assert mean(values) == pytest.approx(statistics.fmean(values) if values else 0.0)


PERCENTILES = {
    "median of odd": ([3.0, 1.0, 2.0], 0.5, 2.0),
    "median of even": ([4.0, 1.0, 2.0, 3.0], 0.5, 2.5),
    "95th of 1 to 101": ([float(i) for i in range(1, 102)], 0.95, 96.0),
    "one value": ([7.0], 0.95, 7.0),
    "nothing": ([], 0.5, 0.0),
}


@pytest.mark.parametrize(("values", "share", "expected"), PERCENTILES.values(), ids=PERCENTILES)
def test_percentiles(values: list[float], share: float, expected: float) -> None:
    assert percentile(values, share) == pytest.approx(expected)
