"""JSON from strangers: one reading or none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.domain.base import Value
from asf_core.trust.canonical import canonical_json
from asf_core.trust.strictjson import MalformedError, parse_strict, read_model

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


class Point(Value):
    x: int
    label: str
    inside: bool = False


@given(_JSON)
def test_what_has_a_canonical_form_is_read(value: Any) -> None:
    try:
        document = canonical_json(value)
    except ValueError:  # a lone surrogate
        return
    assert parse_strict(document) == value
    assert parse_strict(json.dumps(value, indent=2).encode()) == value


@pytest.mark.parametrize(
    "document",
    [
        b'{"a":1,"a":1}',
        b'{"a":1,"\\u0061":2}',
        b'[{"b":{"c":1,"c":2}}]',
        b"NaN",
        b"[Infinity]",
        b"-Infinity",
        b"1e999",
        b"9007199254740993",
        b"1" * 5_000,
        b'"\xff"',
        b'"\\ud800"',
        b'"\xed\xa0\x80"',
        b"\xef\xbb\xbf{}",
        b"{} {}",
        b"{'a':1}",
        b"",
        b" ",
        b"[" * 200_000,
        b'{"a":' * 100_000,
        b'"tab\there"',
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(document: bytes) -> None:
    with pytest.raises(MalformedError):
        parse_strict(document)


def test_a_document_over_its_cap_is_not_looked_at() -> None:
    assert parse_strict(b'"12"', limit=4) == "12"
    with pytest.raises(MalformedError):
        parse_strict(b'"123"', limit=4)


@pytest.mark.parametrize(
    ("document", "where"),
    [
        (b'{"x":true,"label":"a"}', "x"),
        (b'{"x":"1","label":"a"}', "x"),
        (b'{"x":1.5,"label":"a"}', "x"),
        (b'{"x":1,"label":2}', "label"),
        (b'{"x":1,"label":"a","inside":1}', "inside"),
        (b'{"x":1}', "label"),
        (b'{"x":1,"label":"a","y":1}', "y"),
        (b"[]", "document"),
    ],
)
def test_a_value_of_another_shape_is_refused_by_name(document: bytes, where: str) -> None:
    with pytest.raises(MalformedError, match=where):
        read_model(Point, document)
