"""Pieces of a document, laid out to a width when that is known. No widget in here.

Each block yields its lines as ``Content`` when they are asked for, so that a view lays out no more
than it shows. Styles are named by theme colours (``$quiet``): one document serves every theme.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from rich.cells import cell_len
from textual.content import Content

LEAST = 8
"""Cells that text gets beside its prefix, however deep it is nested."""


class Block(Protocol):
    """A part of a document."""

    def lines(self, width: int) -> Iterator[Content]:
        """Its lines at this width."""
        ...


@dataclass(frozen=True, slots=True)
class Text:
    """Running text with a hanging prefix, as the mark of a list item or a quotation."""

    content: Content
    first: str = ""
    """In front of the first line."""
    rest: str = ""
    """In front of the others."""
    prefix_style: str = "$quiet"

    def lines(self, width: int) -> Iterator[Content]:
        """Wrap the text beside its prefix."""
        inner = max(LEAST, width - max(cell_len(self.first), cell_len(self.rest)))
        prefix = self.first
        for line in self.content.wrap(inner) or [Content("")]:
            yield Content.styled(prefix, self.prefix_style) + line if prefix else line
            prefix = self.rest


@dataclass(frozen=True, slots=True)
class Code:
    """Text kept line for line on a background of its own; long lines go on below, none is cut."""

    text: str
    """Safe text."""
    label: str = ""
    """In front of it, as the language."""
    prefix: str = ""

    def lines(self, width: int) -> Iterator[Content]:
        """The label, then the lines."""
        inner = max(LEAST, width - cell_len(self.prefix))
        if self.label:
            yield self._line(Content.styled(self.label, "$quiet italic"), inner)
        for source in self.text.split("\n"):
            for piece in Content(source).fold(inner - 1):
                yield self._line(piece, inner)

    def _line(self, piece: Content, inner: int) -> Content:
        filled = piece.pad(1, max(0, inner - piece.cell_length - 1)).stylize_before("on $code")
        return Content.styled(self.prefix, "$quiet") + filled if self.prefix else filled


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across, with a title in it or not."""

    title: str = ""

    def lines(self, width: int) -> Iterator[Content]:
        """One line."""
        tail = "─" * max(0, width - (cell_len(self.title) + 1 if self.title else 0))
        yield Content.assemble((self.title, "bold"), " " if self.title else "", (tail, "$quiet"))


@dataclass(frozen=True, slots=True)
class Pairs:
    """Names and values, the values aligned."""

    rows: Sequence[tuple[str, Content]]
    least: int = 0
    """Narrowest column of names, to align several of these."""

    def lines(self, width: int) -> Iterator[Content]:
        """Name, then its value, wrapped beside it."""
        margin = max(self.least, *(cell_len(name) for name, _ in self.rows), 0) + 2
        for name, value in self.rows:
            yield from Text(value, name.ljust(margin), " " * margin).lines(width)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table whose cells wrap."""

    head: Sequence[Content]
    rows: Sequence[Sequence[Content]]

    GAP = "  "

    def lines(self, width: int) -> Iterator[Content]:
        """The head in bold, a rule, the rows."""
        widths = self._widths(width)
        across = sum(widths) + len(self.GAP) * (len(widths) - 1)
        yield from self._row([cell.stylize("bold") for cell in self.head], widths)
        yield Content.styled("─" * across, "$quiet")
        for row in self.rows:
            yield from self._row(row, widths)

    def _widths(self, width: int) -> list[int]:
        everything = (self.head, *self.rows)
        widths = [
            max(1, *(row[i].cell_length for row in everything if i < len(row)))
            for i in range(len(self.head))
        ]
        room = max(width - len(self.GAP) * (len(widths) - 1), 3 * len(widths))
        while (over := sum(widths) - room) > 0:
            widest = max(range(len(widths)), key=widths.__getitem__)
            widths[widest] -= min(over, max(1, widths[widest] // 4))
        return widths

    def _row(self, cells: Sequence[Content], widths: Sequence[int]) -> Iterator[Content]:
        full = [*cells, *[Content("")] * (len(widths) - len(cells))]
        columns = [cell.wrap(size) for cell, size in zip(full, widths, strict=False)]
        for index in range(max(1, *map(len, columns))):
            parts = [column[index] if index < len(column) else Content("") for column in columns]
            yield Content(self.GAP).join(
                part.pad_right(max(0, size - part.cell_length))
                for part, size in zip(parts, widths, strict=True)
            )


BLANK = Text(Content(""))
"""An empty line."""
