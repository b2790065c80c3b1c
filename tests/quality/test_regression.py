"""The fit: the optimum of a convex problem can be checked without another program."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.quality.regression import auc, equal_masses, fit


def _problem(seed: int, n: int = 80, k: int = 5):
    rng = np.random.default_rng(seed)
    x = rng.random((n, k))
    odds = 1.5 - x @ np.array([3.0, 0.0, 1.0, -2.0, 0.5][:k])
    y = (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(float)
    return x, y, rng.random(n) + 0.2


@pytest.mark.parametrize("seed", range(8))
def test_the_answer_is_the_optimum(seed: int) -> None:
    """Karush, Kuhn and Tucker: gradient 0 where a weight is free, pulling up where it is held at 0."""
    x, y, masses = _problem(seed)
    prior, penalties = np.array([-0.5, -0.5, 0.0, 0.0, 0.0]), np.array([1.0, 5.0, 1.0, 0.3, 2.0])
    found = fit(x, y, masses, prior, penalties)
    residual = masses * (found.scores(x) - y)
    gradient = x.T @ residual + penalties * (found.weights - prior)
    free = found.weights < 0
    assert (found.weights <= 0).all()
    assert abs(residual.sum()) < 1e-6
    assert np.abs(gradient[free]).max(initial=0) < 1e-6
    assert (gradient[~free] <= 1e-6).all()


def test_a_signal_that_raises_good_skills_gets_no_weight() -> None:
    x, y, masses = _problem(3)
    found = fit(x, y, masses, np.zeros(5), np.full(5, 0.1))
    assert found.weights[3] == 0.0
    assert found.weights[0] < -1.0


def test_labels_that_a_line_parts_are_no_trouble() -> None:
    x = np.array([[0.0], [0.1], [0.9], [1.0]])
    found = fit(x, np.array([1.0, 1.0, 0.0, 0.0]), np.ones(4), np.zeros(1), np.array([1e-3]))
    assert np.isfinite(found.weights).all()
    assert list(found.scores(x) > 0.5) == [True, True, False, False]


def test_each_grade_weighs_alike() -> None:
    grades = np.array([0, 1, 1, 2, 2, 2])
    masses = equal_masses(grades)
    assert [masses[grades == g].sum() for g in range(3)] == pytest.approx([2.0, 2.0, 2.0])


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=2, max_size=30).filter(
        lambda rows: len({kind for _, kind in rows}) == 2
    )
)
def test_auc_is_the_share_of_pairs_in_order(rows: list[tuple[int, bool]]) -> None:
    good = [score for score, kind in rows if kind]
    bad = [score for score, kind in rows if not kind]
    wins = sum((g > b) + 0.5 * (g == b) for g in good for b in bad)
    scores, kinds = (np.array(column) for column in zip(*rows, strict=True))
    assert auc(scores.astype(float), kinds) == pytest.approx(wins / len(good) / len(bad))
