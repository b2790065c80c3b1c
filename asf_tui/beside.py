"""Two texts side by side, line against line. Values in, a block out; no widget in here."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from textual.content import Content

from asf_tui.blocks import LEAST
from asf_tui.text import amount, block

GAP = " │ "
KEPT = 2
"""Equal lines that are shown around what differs."""
MOST = 4_000
"""Lines that are compared; a longer text is shown as it is."""

Row = tuple[Content, Content]


@dataclass(frozen=True, slots=True)
class Beside:
    """Rows of two cells that wrap, each in its half of the width."""

    rows: Sequence[Row]

    def lines(self, width: int) -> Iterator[Content]:
        """As many lines a row as its longer cell needs."""
        half = max(LEAST, (width - len(GAP)) // 2)
        for left, right in self.rows:
            wrapped = [cell.wrap(half) if cell.plain else [Content("")] for cell in (left, right)]
            for one, other in zip_longest(*wrapped, fillvalue=Content("")):
                padded = one.pad_right(max(0, half - one.cell_length))
                yield Content.assemble(padded, (GAP, "$quiet"), other)


def compared(left: str, right: str) -> tuple[Row, ...]:
    """Two texts as rows: what both have is quiet and left out where it is long.

    Args:
        left: Hostile text.
        right: Hostile text.
    """
    before, after = left.split("\n"), right.split("\n")
    if max(len(before), len(after)) > MOST:
        return tuple(
            (block(one), block(other)) for one, other in zip_longest(before, after, fillvalue="")
        )
    found = difflib.SequenceMatcher(None, before, after, autojunk=False)
    rows: list[Row] = []
    for tag, i1, i2, j1, j2 in found.get_opcodes():
        if tag == "equal":
            rows += _equal(before[i1:i2], first=i1 == 0, last=i2 == len(before))
        else:
            rows += _differing(before[i1:i2], after[j1:j2])
    return tuple(rows)


def _equal(lines: Sequence[str], *, first: bool, last: bool) -> Iterator[Row]:
    """The lines next to what differs; the rest as their number."""
    head = 0 if first else KEPT
    tail = 0 if last else KEPT
    if len(lines) <= head + tail + 1:
        yield from ((block(line, "$quiet"), block(line, "$quiet")) for line in lines)
        return
    yield from ((block(line, "$quiet"), block(line, "$quiet")) for line in lines[:head])
    left_out = Content.styled(f"… {amount(len(lines) - head - tail)} equal lines", "$note")
    yield left_out, left_out
    shown = lines[len(lines) - tail :] if tail else ()
    yield from ((block(line, "$quiet"), block(line, "$quiet")) for line in shown)


def _differing(before: Sequence[str], after: Sequence[str]) -> Iterator[Row]:
    for one, other in zip_longest(before, after):
        yield _side("- ", one, "$bad"), _side("+ ", other, "$good")


def _side(sign: str, text: str | None, style: str) -> Content:
    return Content("") if text is None else Content.styled(sign, style) + block(text, style)
