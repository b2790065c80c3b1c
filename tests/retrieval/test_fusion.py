from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from asf_core.retrieval.fusion import best_rows, reciprocal_ranks, standardised

_SCORES = arrays(np.float32, st.integers(0, 30), elements=st.floats(-50, 50, width=32))


@given(_SCORES)
def test_standardised_scores_have_mean_zero_deviation_one_and_the_same_order(
    scores: np.ndarray,
) -> None:
    found = standardised(scores)
    assert found.shape == scores.shape
    assert np.isfinite(found).all()
    if found.any():
        assert found.mean() == pytest.approx(0, abs=1e-4)
        assert found.std() == pytest.approx(1, abs=1e-3)
        assert (np.diff(found[np.argsort(scores)]) >= -1e-5).all()


def test_equal_scores_say_nothing() -> None:
    assert standardised(np.array([3.0, 3.0, 3.0])).tolist() == [0.0, 0.0, 0.0]
    assert standardised(np.array([7.0])).tolist() == [0.0]
    assert len(standardised(np.array([]))) == 0


def test_reciprocal_ranks_as_published() -> None:
    found = reciprocal_ranks([np.array([0.9, 0.5, 0.5]), np.array([1.0, 3.0, 2.0])])
    expected = [1 / 61 + 1 / 63, 1 / 62 + 1 / 61, 1 / 62 + 1 / 62]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert len(reciprocal_ranks([])) == 0


@given(_SCORES, st.integers(0, 35))
def test_the_best_rows_are_those_of_a_full_sort(scores: np.ndarray, most: int) -> None:
    scores = np.round(scores, 0)
    ids = [f"skill-{(i * 7) % 31:02d}-{i}" for i in range(len(scores))]
    rows = np.arange(len(scores))
    expected = sorted(rows, key=lambda r: (-scores[r], ids[r]))[:most]
    assert best_rows(rows, scores, ids, most).tolist() == expected


def test_noise_of_float32_decides_no_tie() -> None:
    ids = ["b", "a"]
    assert best_rows(np.arange(2), np.array([0.5 + 1e-7, 0.5]), ids, 1).tolist() == [1]
