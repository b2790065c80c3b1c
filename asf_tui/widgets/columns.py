"""Columns of a table: which fit, how wide each gets, and what a cell holds. No widget in here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from rich.cells import cell_len

from asf_core.domain.text import visible
from asf_tui.text import cut

Row = TypeVar("Row")

GAP = 2
"""Cells between two columns."""


class Piece(NamedTuple):
    """A run of text in one style."""

    text: str
    style: str = "plain"
    """Name of a tone, or ``strong``, ``match``; see :class:`VirtualTable`."""


Cell = Sequence[Piece]


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """One column."""

    title: str
    cell: Callable[[Row, int], Cell]
    """Makes a cell from a row and the width it will have; too long is cut, too short is padded."""
    least: int
    """Narrowest width at which it is of use."""
    most: int
    """Widest that it grows to."""
    rank: int = 0
    """What goes first when there is no room: the highest rank. 0 always stays."""
    wish: int = 0
    """Width that it should have before a column of higher rank is let in; 0 for ``least``."""
    right: bool = False
    """Aligned to the right."""
    searched: bool = False
    """Whether matches of the filter are marked in it."""


def arrange(columns: Sequence[Column[Row]], width: int) -> list[tuple[Column[Row], int]]:
    """Choose the columns that fit and share the width among them.

    Args:
        columns: In the order of the screen.
        width: Cells of the whole row.

    Returns:
        Each chosen column with its width, in order; together at most ``width`` cells with gaps.
    """
    chosen = list(columns)
    while len(chosen) > 1 and _needed(chosen) > width:
        chosen.remove(max(chosen, key=lambda column: column.rank))
    widths = [column.least for column in chosen]
    spare = width - sum(widths) - GAP * (len(chosen) - 1)
    by_rank = sorted(enumerate(chosen), key=lambda pair: pair[1].rank)
    for index, column in [*by_rank, *by_rank]:
        wanted = column.most if widths[index] >= column.wish else column.wish
        more = max(min(spare, wanted - widths[index]), min(spare, 0))
        widths[index] = max(1, widths[index] + more)
        spare -= more
    return list(zip(chosen, widths, strict=True))


def _needed(columns: Sequence[Column[Row]]) -> int:
    """Cells that these take: those of the highest rank their least, the others what they wish."""
    last = max(column.rank for column in columns)
    wishes = (c.least if c.rank == last else max(c.least, c.wish) for c in columns)
    return sum(wishes) + GAP * (len(columns) - 1)


def fill(cell: Iterable[Piece], width: int, *, right: bool = False) -> list[Piece]:
    """Make a cell exactly ``width`` cells wide: padded with spaces, or cut with ``…``."""
    pieces: list[Piece] = []
    left = width
    for text, style in cell:
        safe = visible(text)
        length = cell_len(safe)
        if length > left:
            pieces.append(Piece(cut(safe, left), style))
            return pieces
        pieces.append(Piece(safe, style))
        left -= length
    padding = Piece(" " * left)
    return [padding, *pieces] if right else [*pieces, padding]


def excerpt(cell: Sequence[Piece], pattern: re.Pattern[str] | None, width: int) -> list[Piece]:
    """Start a long text a little before its first match, where that would be cut off."""
    pieces = list(cell)
    if pattern is None or len(pieces) != 1:
        return pieces
    text, style = pieces[0]
    found = pattern.search(text)
    if found is None or cell_len(text[: found.end()]) < width:
        return pieces
    start = max(0, found.start() - width // 4)
    return [Piece("…" + text[start:], style)]


def mark(cell: Iterable[Piece], pattern: re.Pattern[str] | None) -> list[Piece]:
    """Split the pieces where a pattern matches, the matches in style ``match``."""
    if pattern is None:
        return list(cell)
    marked: list[Piece] = []
    for text, style in cell:
        start = 0
        for found in pattern.finditer(text):
            if found.start() > start:
                marked.append(Piece(text[start : found.start()], style))
            marked.append(Piece(found.group(), "match"))
            start = found.end()
        if start < len(text):
            marked.append(Piece(text[start:], style))
    return marked
