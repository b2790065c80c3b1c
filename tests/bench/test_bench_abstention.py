"""The abstention curve, by hand and by brute force."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.bench.abstention import Threshold, curve, operating_point

scores = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5000001, 0.9, 1.0]), max_size=12)


def test_worked_example() -> None:
    found = curve([0.9, 0.8, 0.4, 0.7], [0.1, 0.4])
    assert [(p.threshold, p.negatives_planned, p.positives_lost) for p in found.points[:-1]] == [
        (0.1, 1.0, 0.0),
        (0.4, 0.5, 0.0),
        (0.7, 0.0, 0.25),
        (0.8, 0.0, 0.5),
        (0.9, 0.0, 0.75),
    ]
    last = found.points[-1]
    assert last.threshold > 0.9
    assert (last.negatives_planned, last.positives_lost) == (0.0, 1.0)
    # 8 pairs: 0.4 against 0.4 is half a win, the other seven are wins.
    assert found.area == pytest.approx(7.5 / 8)


def test_operating_points() -> None:
    found = curve([0.9, 0.8, 0.4, 0.7], [0.1, 0.4])
    assert operating_point(found, 0.0) == Threshold(
        threshold=0.4, negatives_planned=0.5, positives_lost=0.0
    )
    assert operating_point(found, 0.25) == Threshold(
        threshold=0.7, negatives_planned=0.0, positives_lost=0.25
    )
    assert operating_point(curve([], []), 0.05) is None


@given(scores, scores)
def test_agrees_with_counting(good: list[float], bad: list[float]) -> None:
    found = curve(good, bad)
    for point in found.points:
        planned = sum(value >= point.threshold for value in bad)
        lost = sum(value < point.threshold for value in good)
        assert point.negatives_planned == pytest.approx(planned / len(bad) if bad else 0)
        assert point.positives_lost == pytest.approx(lost / len(good) if good else 0)
    wins = [1.0 if g > b else 0.5 if g == b else 0.0 for g in good for b in bad]
    assert found.area == pytest.approx(sum(wins) / len(wins) if wins else 0)


@given(scores, scores)
def test_a_higher_threshold_never_lets_more_through(good: list[float], bad: list[float]) -> None:
    points = curve(good, bad).points
    assert [p.threshold for p in points] == sorted({p.threshold for p in points})
    for lower, higher in itertools.pairwise(points):
        assert higher.negatives_planned <= lower.negatives_planned
        assert higher.positives_lost >= lower.positives_lost
    if points:
        assert points[0].positives_lost == points[-1].negatives_planned == 0
