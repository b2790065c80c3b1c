"""Canonical JSON and SHA-256: the two functions that every digest goes through."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import rfc8785

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
"""What canonical JSON can say."""


def canonical_json(value: Json) -> bytes:
    """Write a value in RFC 8785 canonical JSON: one value, one sequence of bytes.

    Args:
        value: None, bool, int (at most 2**53 - 1 in size), finite float, str, and lists and
            string-keyed mappings of these.

    Returns:
        UTF-8, keys sorted by UTF-16 code units, no white space.

    Raises:
        ValueError: The value has no canonical form: too large an integer, NaN, a lone surrogate,
            a key that is not text, or another type.
    """
    try:
        return rfc8785.dumps(value)
    except UnicodeEncodeError as error:  # a ValueError already, but one that quotes the text
        raise ValueError("a lone surrogate has no canonical JSON") from error


def sha256_hex(data: bytes) -> str:
    """SHA-256 of bytes, 64 lower-case hexadecimal characters."""
    return hashlib.sha256(data).hexdigest()
