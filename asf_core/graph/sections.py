"""A Markdown text cut at its headings, so that only the sections that matter are parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it, up to the next heading of any depth."""

    depth: int
    """1 to 6; 0 for what stands above the first heading."""
    title: str
    first: int
    """Line of the text on which ``text`` starts, 0-based; the heading's own line comes before it."""
    text: str


def sections(body: str) -> Iterator[Section]:
    """Cut a text at its ATX headings, but not at lines inside fences and HTML comments.

    Args:
        body: Markdown, its lines ended by a line feed.

    Yields:
        Sections in order; together they hold every line once.
    """
    depth, title, first = 0, "", 0
    lines = body.split("\n")
    for number, next_depth, next_title in _headings(lines):
        yield Section(depth, title, first, "\n".join(lines[first:number]))
        depth, title, first = next_depth, next_title, number + 1
    yield Section(depth, title, first, "\n".join(lines[first:]))


def _headings(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Number (0-based), depth and title of each heading line."""
    fence, comment = "", False
    for number, line in enumerate(lines):
        if comment:
            comment = "-->" not in line
        elif fence:
            fence = "" if _closes(line.strip(), fence) else fence
        elif ("```" in line or "~~~" in line) and (opening := _FENCE.match(line)):
            fence = opening[1]
        elif "<!--" in line and line.lstrip().startswith("<!--"):
            comment = "-->" not in line
        elif line.startswith("#") and (heading := _HEADING.match(line)):
            yield number, len(heading[1]), heading[2]


def _closes(mark: str, fence: str) -> bool:
    return len(mark) >= len(fence) and not mark.strip(fence[0])
