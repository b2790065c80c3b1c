"""RFC 8785 canonical JSON and SHA-256."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.trust.canonical import canonical_json, sha256_hex

SAFE_INTEGERS = st.integers(min_value=-(2**53) + 1, max_value=2**53 - 1)
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | SAFE_INTEGERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def test_rfc_8785_example_sorts_by_utf16_and_keeps_numbers_short():
    # The example of RFC 8785, 3.2.3: key order by UTF-16 code units, not by code points.
    value = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7}
    keys = list(json.loads(canonical_json(value)))
    assert keys == ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]


def test_no_white_space_and_utf8():
    assert canonical_json({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'.encode()


@pytest.mark.parametrize(
    "value",
    [2**53, float("nan"), float("inf"), "\ud800", {"\ud800": 1}, {1: 2}, b"bytes", {"a": object()}],
)
def test_what_has_no_canonical_form_is_refused(value):
    with pytest.raises(ValueError):  # noqa: PT011 - each kind has its own message
        canonical_json(value)


@settings(deadline=None)
@given(VALUES)
def test_reads_back_equal_and_is_a_fixed_point(value):
    written = canonical_json(value)
    assert json.loads(written) == value
    assert canonical_json(json.loads(written)) == written


def test_sha256_of_nothing():
    assert sha256_hex(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
