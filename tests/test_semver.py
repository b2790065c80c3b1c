"""Versions: what is one, and which comes first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.domain.pin import is_semver, semver_key

# https://semver.org, section 11, and a few more in between.
IN_ORDER = [
    "0.0.1", "0.9.0", "0.10.0", "1.0.0-0", "1.0.0-1", "1.0.0-9", "1.0.0-10", "1.0.0--", "1.0.0-alpha",
    "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
    "1.0.0", "1.9.0", "1.10.0", "2.0.0",
]  # fmt: skip


def test_versions_are_ordered_as_the_specification_says() -> None:
    assert sorted(sorted(IN_ORDER), key=semver_key) == IN_ORDER
    assert semver_key("1.0.0+a") == semver_key("1.0.0+b") == semver_key("1.0.0")


@pytest.mark.parametrize(
    "text",
    [
        "", "1", "1.0", "v1.0.0", "1.0.0.0", "01.0.0", "1.0.0-", "1.0.0-01", "1.0.0-a..b", "1.0.0+",
        "1.0.0 ", "1.0.0\n", "1.0.\u0661", "1,0,0", "latest", "1.0.0-\u00e4", "1.0.0" + "0" * 200,
    ],
)  # fmt: skip
def test_what_is_no_version(text: str) -> None:
    assert not is_semver(text)


@given(st.tuples(*[st.integers(0, 10**6)] * 3), st.tuples(*[st.integers(0, 10**6)] * 3))
def test_numbers_are_compared_as_numbers(
    one: tuple[int, int, int], two: tuple[int, int, int]
) -> None:
    first, second = (".".join(map(str, numbers)) for numbers in (one, two))
    assert is_semver(first)
    assert (semver_key(first) < semver_key(second)) is (one < two)
