"""Typed inputs and outputs of a skill: ``name:type``."""

from __future__ import annotations

import re
from typing import Annotated, Self

from pydantic import AfterValidator

from asf_core.domain.base import Value

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")


def normalise_type(text: str) -> str:
    """Drop white space at the ends and next to brackets and commas; fold the rest to one space.

    >>> normalise_type(" dict[ str ,  list[Paper] ] ")
    'dict[str,list[Paper]]'
    """
    return re.sub(r"\s*([\[\](),|])\s*", r"\1", " ".join(text.split()))


_CLOSING = {"(": ")", "[": "]", "{": "}"}


def _brackets_match(type_: str) -> bool:
    awaited: list[str] = []
    for character in type_:
        if character in _CLOSING:
            awaited.append(_CLOSING[character])
        elif character in _CLOSING.values() and (not awaited or awaited.pop() != character):
            return False
    return not awaited


class IOType(Value):
    """One typed input or output, as ``papers:list[Paper]`` (DESIGN 3)."""

    name: str
    """What the skill calls it."""
    type: Annotated[str, AfterValidator(normalise_type)]
    """Its type, white space normalised. Compared exactly."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``name:type``.

        Args:
            text: For example ``"papers: list[ Paper ]"``.

        Returns:
            The value, white space removed around and inside the type.

        Raises:
            ValueError: There is no colon, an empty half, a name that is not an identifier, or a
                type whose brackets do not match.
        """
        name, colon, type_ = text.partition(":")
        name, type_ = name.strip(), normalise_type(type_)
        if not colon or not name or not type_:
            raise ValueError(f"{text!r} is not of the form name:type")
        if not _NAME.match(name):
            raise ValueError(f"{name!r} is not a name (letters, digits, _ . -)")
        if not _brackets_match(type_):
            raise ValueError(f"the brackets of {type_!r} do not match")
        return cls(name=name, type=type_)

    def __str__(self) -> str:
        return f"{self.name}:{self.type}"
