from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_memory import Shelf, memory_view, skill

from asf_core.retrieval.late import best_matches
from asf_core.retrieval.models.encoders import normalised, quantised

_WIDTH = 12


def _view(rng: np.random.Generator, counts: Sequence[int]) -> tuple[Any, list[np.ndarray]]:
    rows = [normalised(rng.standard_normal((n, _WIDTH))) for n in counts]
    view = memory_view([skill(f"s{i}") for i in range(len(counts))], Shelf())
    found = [quantised(row) for row in rows]
    view.tokens = np.concatenate([f.values for f in found])
    view.token_scales = np.concatenate([f.scales for f in found])
    view.token_offsets = np.cumsum([0, *counts])
    return view, [f.values * f.scales[:, None] for f in found]


@given(
    st.integers(0, 9),
    st.lists(st.integers(0, 90), min_size=1, max_size=6),
    st.integers(1, 40),
)
def test_best_matches_are_those_of_a_plain_maximum(seed: int, counts: list[int], q: int) -> None:
    rng = np.random.default_rng(seed)
    view, rows = _view(rng, counts)
    query = normalised(rng.standard_normal((q, _WIDTH)))
    order = rng.permutation(len(counts))
    found = best_matches(view, order, query)
    assert found.shape == (len(counts), q)
    for place, row in enumerate(order):
        if counts[row]:
            np.testing.assert_allclose(found[place], (rows[row] @ query.T).max(0), atol=1e-5)


def test_a_skill_without_tokens_is_neither_praised_nor_blamed() -> None:
    view, _ = _view(np.random.default_rng(0), [3, 0, 2])
    found = best_matches(view, np.arange(3), normalised(np.ones((4, _WIDTH))))
    np.testing.assert_allclose(found[1], (found[0] + found[2]) / 2, rtol=1e-6)


@pytest.mark.parametrize(("rows", "q"), [(0, 3), (2, 0)])
def test_nothing_to_match_is_no_error(rows: int, q: int) -> None:
    view, _ = _view(np.random.default_rng(0), [3, 2])
    found = best_matches(view, np.arange(rows), np.zeros((q, _WIDTH), np.float32))
    assert found.shape == (rows, q)
