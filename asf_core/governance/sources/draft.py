"""What the projections share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pydantic import ValidationError

from asf_core.domain.errors import InputError
from asf_core.domain.skill import TreeEntry
from asf_core.trust.canonical import sha256_hex


@dataclass(frozen=True, slots=True)
class Import:
    """Who imports, and when."""

    actor: str
    at: str
    """RFC 3339, in UTC."""


@contextmanager
def binding(named: str) -> Iterator[None]:
    """Say for people which value of a source is out of bounds.

    Args:
        named: How the error names the skill.

    Raises:
        InputError: A value made inside is out of bounds, or contradicts another.
    """
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"{named} cannot become a candidate",
            why=": ".join(filter(None, [where, first["msg"].removeprefix("Value error, ")])),
            hint="Mend it at its source, then add it again",
        ) from error


def file_entry(path: str, data: bytes) -> TreeEntry:
    """The row of a plain file in a tree manifest."""
    return TreeEntry(
        path=path, kind="file", executable=False, size=len(data), sha256=sha256_hex(data)
    )
