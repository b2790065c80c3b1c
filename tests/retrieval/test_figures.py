"""What a bundle saves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.domain.routing import RoutableSkill
from asf_core.retrieval.figures import RegistryTotals, token_figures


def skill(name: str, tokens: int, listing: int = 0) -> RoutableSkill:
    return RoutableSkill(name, name, "r", "", None, tokens, listing)


def test_four_of_2058_skills_save_99_8_percent() -> None:
    registry = [skill(str(n), 2_000, 50) for n in range(2_058)]
    figures = token_figures(RegistryTotals.of(registry), registry[:4], 3.0)

    assert (figures.registry_skills, figures.bundle_skills) == (2_058, 4)
    assert figures.naive_tokens == 2_058 * 2_000
    assert figures.bundle_tokens == 4 * 2_000
    assert figures.disclosure_tokens == 2_058 * 50 + 4 * 1_950
    assert f"{figures.savings:.1%}" == "99.8%"
    assert f"{figures.token_savings:.1%}" == "99.8%"
    assert figures.naive_cost == pytest.approx(12.348)
    assert figures.bundle_cost == pytest.approx(0.024)


def test_skills_of_unequal_size_are_summed_not_averaged() -> None:
    registry = [skill("a", 900, 10), skill("b", 100, 10)]
    figures = token_figures(RegistryTotals.of(registry), registry[1:], 1.0)
    assert figures.savings == 0.5
    assert figures.token_savings == pytest.approx(0.9)
    assert figures.disclosure_tokens == 20 + 90


def test_an_empty_registry_saves_nothing_and_divides_by_nothing() -> None:
    figures = token_figures(RegistryTotals.of([]), [], 3.0)
    assert (figures.savings, figures.token_savings, figures.naive_cost) == (0.0, 0.0, 0.0)


def test_an_empty_bundle_saves_all() -> None:
    figures = token_figures(RegistryTotals.of([skill("a", 10, 1)]), [], 3.0)
    assert (figures.savings, figures.token_savings, figures.disclosure_tokens) == (1.0, 1.0, 1)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 5_000), st.integers(0, 200)), min_size=1, max_size=40),
    st.data(),
)
def test_figures_agree_with_each_other(sizes: list[tuple[int, int]], data: st.DataObject) -> None:
    registry = [skill(str(n), body + listing, listing) for n, (body, listing) in enumerate(sizes)]
    chosen = data.draw(st.lists(st.sampled_from(registry), unique_by=lambda s: s.id))
    figures = token_figures(RegistryTotals.of(registry), chosen, 2.5)

    assert 0.0 <= figures.savings <= 1.0
    assert 0.0 <= figures.token_savings <= 1.0
    assert figures.bundle_tokens <= figures.disclosure_tokens <= figures.naive_tokens
    assert figures.bundle_cost <= figures.naive_cost
