"""Fitting: against scikit-free oracles, by properties, and on data whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.retrieval.fitting import (
    Example,
    by_group,
    fit_listwise,
    fit_logistic,
    left_out,
    means,
    ranks,
    without,
)


def _examples(seed: int, weights: np.ndarray, count: int = 120) -> list[Example]:
    """Pools whose right skill is drawn by a softmax over known weights."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        evidence = rng.normal(size=(12, len(weights)))
        chance = np.exp(evidence @ weights)
        right = np.zeros(12, bool)
        right[rng.choice(12, p=chance / chance.sum())] = True
        found.append(Example(f"source {number % 3}", evidence, right))
    return found


def test_known_weights_are_found_again() -> None:
    true = np.array([3.0, -1.0, 0.0])
    found = fit_listwise(_examples(1, true, 3000), penalty=1e-6)
    assert found == pytest.approx(true, abs=0.25)


def test_the_slope_at_the_fit_is_flat() -> None:
    """The minimum, told by differences of the loss itself."""
    examples, penalty = _examples(2, np.array([2.0, 1.0])), 1e-3
    scale = np.concatenate([e.evidence for e in examples]).std(axis=0) + 1e-9
    weights = by_group([e.source for e in examples])

    def loss(raw: np.ndarray) -> float:
        total = penalty * float((raw * scale) @ (raw * scale))
        for example, weight in zip(examples, weights, strict=True):
            scores = example.evidence @ raw
            total += weight * float(
                np.log(np.exp(scores).sum()) - np.log(np.exp(scores[example.right]).sum())
            )
        return total

    found = fit_listwise(examples, penalty)
    for column in range(2):
        step = np.zeros(2)
        step[column] = 1e-4
        assert loss(found) <= loss(found + step) + 1e-12
        assert loss(found) <= loss(found - step) + 1e-12


@settings(max_examples=20)
@given(st.integers(0, 1000), st.floats(0.1, 100))
def test_the_scale_of_a_part_changes_no_order(seed: int, factor: float) -> None:
    examples = _examples(seed, np.array([2.0, 1.0]), 40)
    scaled = [Example(e.source, e.evidence * [factor, 1.0], e.right) for e in examples]
    plain, other = fit_listwise(examples), fit_listwise(scaled)
    assert other * [factor, 1.0] == pytest.approx(plain, rel=1e-3, abs=1e-4)


def test_a_source_is_judged_by_weights_that_never_saw_it() -> None:
    good = _examples(3, np.array([4.0]), 60)
    turned = [Example("contrary", -e.evidence, e.right) for e in _examples(4, np.array([4.0]), 20)]
    by_source = {r.source: [] for r in left_out(good + turned)}
    for found in left_out(good + turned):
        by_source[found.source].append(found.rank == 1)
    assert np.mean(by_source["contrary"]) < 0.2 < np.mean(by_source["source 0"])


def test_without_takes_one_column() -> None:
    examples = _examples(5, np.array([3.0, 0.0]), 30)
    assert means(list(ranks(without(examples, 1), np.array([3.0])))) == means(
        list(ranks(examples, np.array([3.0, 0.0])))
    )


def test_nothing_to_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="right skill"):
        fit_listwise([Example("s", np.ones((3, 2)), np.zeros(3, bool))])


def test_a_logistic_regression_finds_known_chances() -> None:
    rng = np.random.default_rng(6)
    rows = rng.normal(size=(20_000, 2))
    good = rng.random(20_000) < 1 / (1 + np.exp(-(rows @ [1.5, -0.5] + 0.3)))
    weights = np.full(20_000, 1 / 20_000)
    slope, bias = fit_logistic(rows, good, weights)
    assert slope == pytest.approx([1.5, -0.5], abs=0.08)
    assert bias == pytest.approx(0.3, abs=0.08)


def test_answers_that_can_be_told_apart_do_not_run_away() -> None:
    rows = np.linspace(-1, 1, 50)[:, None]
    slope, bias = fit_logistic(rows, rows[:, 0] > 0.1, np.full(50, 0.02))
    assert np.isfinite(slope).all()
    assert np.isfinite(bias)
