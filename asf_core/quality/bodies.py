"""A body's lines by what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

LONGEST = 400_000
"""Characters of a body that are read; no page of instructions is longer."""

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6}\s")
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")


class Kind(Enum):
    """What a line is."""

    PROSE = "prose"
    ITEM = "item"
    """Of a list."""
    HEADING = "heading"
    CODE = "code"
    """Inside a fence; comments there count as prose would."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not empty."""

    kind: Kind
    text: str
    """Without white space at the ends; of a list's item, without its mark."""


def lines(body: str) -> Iterator[Line]:
    """The lines of a Markdown text, HTML comments and empty lines left out."""
    fence, hidden = "", False
    for raw in body[:LONGEST].split("\n"):
        text = raw.strip()
        mark = _FENCE.match(raw)
        if fence:
            if mark and text.startswith(fence) and not text.strip(fence[0]):
                fence = ""
            elif text:
                yield Line(Kind.CODE, text)
        elif hidden or text.startswith("<!--"):
            hidden = "-->" not in text
        elif mark:
            fence = mark[1]
        elif text:
            yield _line(text)


def _line(text: str) -> Line:
    if _HEADING.match(text):
        return Line(Kind.HEADING, text.lstrip("#").strip())
    if item := _ITEM.match(text):
        return Line(Kind.ITEM, text[item.end() :])
    return Line(Kind.PROSE, text)
