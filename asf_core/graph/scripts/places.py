"""Where a path of a script leads, as far as its text tells."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum


class Base(Enum):
    """What a path starts from."""

    SKILL = "skill"
    """The skill's own directory: the text fixes it."""
    HERE = "here"
    """The directory in which the script is run."""
    SOMEWHERE = "somewhere"
    """An argument, the environment, the user's home."""


@dataclass(frozen=True, slots=True)
class Place:
    """A path and what it starts from."""

    base: Base
    path: str
    """POSIX, normalised; empty for the base itself. Components ``..`` stand only in front."""

    def join(self, text: str) -> Place:
        """The place that a path leads to from here; an absolute one leads elsewhere."""
        if text.startswith(("/", "~")):
            return written(text)
        return Place(self.base, _normal(f"{self.path}/{text}" if self.path else text))

    def up(self, steps: int = 1) -> Place:
        """The directory that holds this one.

        Args:
            steps: How many times, at most 64.
        """
        return self.join("/".join([".."] * min(steps, _MOST_STEPS))) if steps > 0 else self

    def followed_by(self, text: str) -> Place:
        """What stands there when a text follows directly, as in ``$dir/x`` or ``$name.py``."""
        if text.startswith("/"):
            return self.join(text.lstrip("/"))
        if self.path:
            return Place(self.base, _normal(self.path + text))
        _, slash, rest = text.partition("/")
        return self.join(rest) if slash else self

    @property
    def leads_out(self) -> bool:
        """Whether it may stand in another skill."""
        parts = self.path.split("/")
        if self.base is Base.SKILL:
            return parts[0] == ".."
        if self.base is Base.HERE:
            return parts[0] == ".." or "skills" in parts
        return len(parts) > 1


_MOST_STEPS = 64
_LONGEST = 4_000
UNKNOWN = Place(Base.SOMEWHERE, "")
Value = str | Place | None
"""A text, a place, or something that the text does not tell."""


def written(text: str) -> Place:
    """The place that a plain string means as a path."""
    if len(text) > _LONGEST or "\0" in text or "://" in text:
        return UNKNOWN
    if text.startswith(("/", "~")):
        return Place(Base.SOMEWHERE, _normal(text.partition("/")[2].lstrip("/")))
    return Place(Base.HERE, _normal(text))


def as_place(value: Value) -> Place:
    """A value where a path is wanted."""
    return value if isinstance(value, Place) else UNKNOWN if value is None else written(value)


def joined(values: Sequence[Value]) -> Place:
    """``os.path.join``, ``path.join``, ``a / b``: a later place begins anew."""
    place = as_place(values[0]) if values else UNKNOWN
    for value in values[1:]:
        if isinstance(value, str):
            place = place.join(value)
        elif isinstance(value, Place) and value.base is Base.SKILL:
            place = value
        else:  # something unknown in the middle: only what follows it is known
            place = UNKNOWN
    return place


def combined(parts: Iterable[Value]) -> Value:
    """Texts and values one after the other, without anything between.

    What grows beyond the longest path is no path: a name that doubles itself would fill memory.
    """
    whole: Value = ""
    for part in parts:
        if whole == "":
            whole = part if part is not None else UNKNOWN
        elif isinstance(part, str):
            whole = whole + part if isinstance(whole, str) else as_place(whole).followed_by(part)
        else:
            whole = part if isinstance(part, Place) and part.base is Base.SKILL else UNKNOWN
        if isinstance(whole, str) and len(whole) > _LONGEST:
            return UNKNOWN
    return whole


def words(parts: Iterable[Value]) -> list[Value]:
    """The words of a command line that is given as one text with values in it."""
    found: list[list[Value]] = [[]]
    for part in parts:
        pieces = re.split(r"\s+", part) if isinstance(part, str) else [part]
        for number, piece in enumerate(pieces):
            if number:
                found.append([])
            if piece != "":
                found[-1].append(piece.strip("\"'") if isinstance(piece, str) else piece)
    return [combined(word) for word in found if word]


def _normal(path: str) -> str:
    normal = posixpath.normpath(path) if path else ""
    return "" if normal == "." or len(normal) > _LONGEST else normal.lstrip("/")
