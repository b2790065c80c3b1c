"""JSON from strangers: one reading or none.

Two programs that read one document in two ways are how a signed text comes to mean something else.
So a key that stands twice, NaN, bytes that are not UTF-8 and whatever has no canonical form are
refused, and values are made from the canonical text of what was read, not from the document.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from asf_core.trust.canonical import Json, canonical_json

MAX_BYTES = 4 * 1024 * 1024
"""Longest document that is looked at."""

_Model = TypeVar("_Model", bound=BaseModel)


class MalformedError(ValueError):
    """A document that is not what it must be; the message is one sentence for people."""


def parse_strict(document: bytes, *, limit: int = MAX_BYTES) -> Json:
    """Read a JSON document that has one meaning.

    Args:
        document: UTF-8, without a byte-order mark.
        limit: Longest document accepted, in bytes.

    Raises:
        MalformedError: It is too long, no JSON, or ambiguous.
    """
    if len(document) > limit:
        raise MalformedError(f"it has {len(document):,} bytes; the cap is {limit:,}")
    try:
        text = document.decode("utf-8")
        value: Json = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
        canonical_json(value)
    except MalformedError:
        raise
    except UnicodeDecodeError as error:
        raise MalformedError("it is not UTF-8") from error
    except RecursionError as error:
        raise MalformedError("it is nested too deeply") from error
    except ValueError as error:
        raise MalformedError(f"it is not JSON with one meaning: {error}") from error
    return value


def read_model(model: type[_Model], document: bytes, *, limit: int = MAX_BYTES) -> _Model:
    """Read a value out of a JSON document.

    Args:
        model: Strict and closed.
        document: As :func:`parse_strict` takes it.
        limit: Longest document accepted, in bytes.

    Raises:
        MalformedError: :func:`parse_strict` refuses it, or it is no such value.
    """
    return as_model(model, parse_strict(document, limit=limit))


def as_model(model: type[_Model], value: Json) -> _Model:
    """Make a value of what :func:`parse_strict` read.

    Raises:
        MalformedError: It is no such value; says at which field.
    """
    try:
        return model.model_validate_json(canonical_json(value))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the document"
        raise MalformedError(f"{where}: {first['msg']}") from error


def dump_canonical(value: BaseModel) -> bytes:
    """A value's canonical JSON, by the names that its format gives to its fields."""
    return canonical_json(value.model_dump(mode="json", by_alias=True))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise MalformedError(f"the key {twice[:60]!r} stands twice in one object")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise MalformedError(f"{name} is no JSON number")
