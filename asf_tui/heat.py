"""Occurrences over time as shades. Values in, values out; no widget in here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from asf_core.domain.skillbook_report import OverTime
from asf_tui.glyphs import Glyphs

TONES = ("quiet", "note", "note", "warn", "bad")
"""Of the shades, from none to the most."""
ALL = ""
"""Key of the row that sums all issues."""


@dataclass(frozen=True, slots=True)
class HeatRow:
    """One line of the heatmap."""

    key: str
    """Id of the issue; :data:`ALL` for the sum of all."""
    text: str
    earlier: int
    counts: tuple[int, ...]
    most: int
    """The highest count of its kind: of all issues, or of the sums."""

    @property
    def total(self) -> int:
        """In the columns, without what was earlier."""
        return sum(self.counts)


def rows(over: OverTime, texts: dict[str, str]) -> tuple[HeatRow, ...]:
    """The sum of all issues, then each, the most often met first.

    Args:
        over: The figures.
        texts: What each issue says, by its id.
    """
    if not over.rows:
        return ()
    most = max(max(row.counts) for row in over.rows)
    everything = HeatRow(ALL, "all issues", over.earlier, over.totals, max(over.totals))
    return (
        everything,
        *(HeatRow(row.id, texts.get(row.id, ""), row.earlier, row.counts, most)
          for row in over.rows),
    )  # fmt: skip


def level(count: int, most: int) -> int:
    """Which shade a count gets: 0 for none, 4 for the most; one is never none."""
    if count <= 0 or most <= 0:
        return 0
    return max(1, -(-4 * count // most))


def cells(
    counts: Sequence[int], most: int, width: int, glyphs: Glyphs
) -> Iterator[tuple[str, str]]:
    """The shades of a row, each with its tone; two cells wide where there is room.

    Args:
        counts: One for each column.
        most: What the darkest shade stands for.
        width: Cells of the whole row; where it is too narrow, the oldest columns are left out.
        glyphs: The signs.
    """
    wide = max(1, min(2, width // max(1, len(counts))))
    for count in counts[-(width // wide) :]:
        at = level(count, most)
        yield glyphs.shades[at] * wide, TONES[at]


def legend(most: int, glyphs: Glyphs) -> str:
    """What the shades stand for, as ``░ 1  ▒ 2-3  ▓ 4-5  █ 6-7``; empty where nothing was met."""
    spans: list[list[int]] = [[] for _ in glyphs.shades]
    for count in range(1, most + 1) if most <= 400 else ():
        spans[level(count, most)].append(count)
    if most > 400:
        spans = [[], *([most * n // 4 + 1, most * (n + 1) // 4] for n in range(4))]
    return "  ".join(
        f"{sign} {span[0]}" + (f"-{span[-1]}" if span[-1] > span[0] else "")
        for sign, span in zip(glyphs.shades, spans, strict=True)
        if span
    )


def span(over: OverTime) -> str:
    """The periods that the columns stand for."""
    return f"{over.columns[0]} to {over.columns[-1]}"
