"""The listing budget and colliding descriptions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.domain.listing import ListingFate, ListingHost, Overflow
from asf_core.quality.listing import (
    HOSTS,
    MOST,
    SEPARATOR,
    Listed,
    check_listing,
    custom_host,
    find_collisions,
)


def _skills(*lengths: int) -> list[Listed]:
    return [Listed(f"r/s{i}", f"s{i}", "d" * n, demoted=i == 0) for i, n in enumerate(lengths)]


def _host(budget: int, overflow: Overflow, most: int = 0) -> ListingHost:
    return ListingHost(
        name="h", budget=budget, most_description=most, overflow=overflow, source="t"
    )


def _fates(lengths: tuple[int, ...], host: ListingHost) -> list[tuple[str, int]]:
    return [(e.fate.value, e.shown) for e in check_listing(_skills(*lengths), host).entries]


BARE = 2 + SEPARATOR


def test_what_fits_is_shown_whole() -> None:
    check = check_listing(_skills(10, 20), custom_host(100))
    assert check.fits
    assert check.cut == ()
    assert check.characters == 2 * BARE + 30
    assert check.without_demoted == BARE + 20


@pytest.mark.parametrize(
    ("overflow", "lengths", "budget", "expected"),
    [
        (Overflow.CUT, (10, 20, 5), 2 * BARE + 30, [("whole", 16), ("whole", 26), ("left out", 0)]),
        (Overflow.CUT, (10, 50, 5), 40, [("whole", 16), ("left out", 0), ("left out", 0)]),
        (Overflow.NAMES, (10, 50, 5), 3 * BARE + 20, [("whole", 16), ("name only", 6), ("whole", 11)]),
        (Overflow.SHORTEN, (10, 50, 50), 3 * BARE + 40, [("whole", 16), ("shortened", 21), ("shortened", 21)]),
        (Overflow.SHORTEN, (10, 50, 50), 2 * BARE, [("name only", 6), ("name only", 6), ("left out", 0)]),
    ],
)  # fmt: skip
def test_each_host_cuts_in_its_way(
    overflow: Overflow, lengths: tuple[int, ...], budget: int, expected: list[tuple[str, int]]
) -> None:
    assert _fates(lengths, _host(budget, overflow)) == expected


def test_a_description_over_the_hosts_cap_is_said() -> None:
    (entry,) = check_listing(_skills(2_000), HOSTS["codex"]).entries
    assert (entry.fate, entry.shown) == (ListingFate.CAPPED, BARE + 1_024)


@settings(deadline=None)
@given(st.lists(st.integers(0, 300), max_size=30), st.integers(0, 3_000), st.sampled_from(Overflow))
def test_no_host_shows_more_than_its_budget(lengths: list[int], budget: int, how: Overflow) -> None:
    check = check_listing(_skills(*lengths), _host(budget, how, most=200))
    shown = sum(entry.shown for entry in check.entries)
    names = sum(len(one.name) + SEPARATOR for one in _skills(*lengths))
    floor = names if how is Overflow.NAMES else 0  # there names always stay
    assert shown <= max(budget, floor, check.characters if check.fits else 0)
    assert check.fits == (check.characters <= budget)


def test_descriptions_that_run_into_each_other() -> None:
    skills = [
        Listed("r/a", "alpha", "Query a Kusto cluster with KQL", False),
        Listed("r/b", "beta", "Query a Kusto database with KQL", False),
        Listed("r/c", "gamma", "Bake bread", False),
        Listed("r/d", "deltas", "Rivers", False),
        Listed("r/e", "delta", "Letters", False),
    ]
    vectors = np.array([[1, 0, 0], [0.96, 0.28, 0], [0, 1, 0], [0, 0, 1], [0, -1, 0]], np.float32)
    first, second = find_collisions(skills, vectors, {})
    assert (first.first, first.second, first.cosine) == ("r/a", "r/b", pytest.approx(0.96))
    assert (first.only_first, first.only_second) == (("cluster",), ("database",))
    assert (second.first, second.second, second.cosine) == ("r/d", "r/e", None)
    assert [c.first for c in find_collisions(skills, vectors, {"r/b": "r/a"})] == ["r/d"]
    assert [c.because for c in find_collisions(skills, None, {})] == ["nearly equal names"]


def test_a_registry_of_one_description_gives_a_list_that_can_be_read() -> None:
    skills = [Listed(f"r/{i:04}", f"name{i:04}x{i:04}", "Same", False) for i in range(1_200)]
    vectors = np.tile(np.array([1, 0], np.float32), (1_200, 1))
    assert len(find_collisions(skills, vectors, {})) == MOST
