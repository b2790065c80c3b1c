"""The paired bootstrap against what is known of it."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.bench.bootstrap import Interval, paired


def test_a_constant_difference_has_no_width() -> None:
    found = paired([0.0, 0.5, 0.25], [0.25, 0.75, 0.5])
    assert found == Interval(mean=0.25, low=0.25, high=0.25)
    assert found.sure


def test_no_difference_is_not_sure() -> None:
    assert not paired([1.0, 0.0], [1.0, 0.0]).sure


def test_nothing_to_compare() -> None:
    assert paired([], []) == Interval(mean=0.0, low=0.0, high=0.0)


def test_agrees_with_every_possible_draw() -> None:
    """Of three queries there are 27 draws: the interval's ends must be quantiles of their means."""
    difference = [1.0, 0.0, -2.0]
    means = [math.fsum(draw) / 3 for draw in itertools.product(difference, repeat=3)]
    low, high = np.quantile(means, (0.025, 0.975), method="inverted_cdf")
    found = paired([0.0] * 3, difference, resamples=50_000)
    assert found.mean == pytest.approx(-1 / 3)
    assert (found.low, found.high) == pytest.approx((low, high))


def test_agrees_with_the_normal_law_on_many_queries() -> None:
    values = np.random.default_rng(5).normal(0.1, 1.0, 4000)
    found = paired(np.zeros(4000).tolist(), values.tolist())
    half = 1.96 * values.std() / math.sqrt(4000)
    assert found.low == pytest.approx(values.mean() - half, abs=0.1 * half)
    assert found.high == pytest.approx(values.mean() + half, abs=0.1 * half)


def test_queries_of_one_skill_are_drawn_together() -> None:
    """Ten copies of each query in one group say no more than the query alone."""
    difference = [1.0, -1.0, 1.0, 1.0, 0.0, 0.0, 1.0, -1.0]
    single = paired([0.0] * 8, difference)
    many = [d for d in difference for _ in range(10)]
    grouped = paired([0.0] * 80, many, [i for i in range(8) for _ in range(10)])
    assert grouped == single
    ungrouped = paired([0.0] * 80, many)
    assert ungrouped.high - ungrouped.low < 0.5 * (grouped.high - grouped.low)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=30))
def test_turned_round_is_mirrored_and_repeatable(pairs: list[tuple[float, float]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    there = paired(first, second, resamples=200)
    assert paired(first, second, resamples=200) == there
    back = paired(second, first, resamples=200)
    assert back.mean == pytest.approx(-there.mean)
    assert back.low == pytest.approx(-there.high)
    assert there.low - 1e-9 <= there.high


@pytest.mark.parametrize(
    ("first", "second", "groups"),
    [([1.0], [1.0, 2.0], None), ([1.0], [1.0], ["a", "b"])],
    ids=["unequal", "groups unequal"],
)
def test_refuses_what_is_not_paired(
    first: list[float], second: list[float], groups: list[str] | None
) -> None:
    with pytest.raises(ValueError, match="as many"):
        paired(first, second, groups)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = [0.0] * 6, [1.0, 0.0, 0.0, 1.0, -1.0, 0.5]
    whole = paired(first, second, resamples=500)
    monkeypatch.setattr("asf_core.bench.bootstrap._BLOCK", 40)
    assert paired(first, second, resamples=500) == whole
