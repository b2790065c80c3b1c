"""The candidates of a route: where each came from and what its score is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from asf_core.domain.routing import Candidate
from asf_core.domain.text import one_line
from asf_tui.glyphs import Glyphs
from asf_tui.widgets.columns import Cell, Column, Piece
from asf_tui.widgets.virtual_table import VirtualTable

Describe = Callable[[str], str]
"""The description of a skill by its id; empty where it is not known."""


class CandidateTable(VirtualTable[Candidate]):
    """Candidates by rank; Enter opens the skill.

    Args:
        glyphs: The signs.
        describe: Looks up a description.
        empty: What to say when there are none.
        id: Its id.
    """

    def __init__(self, glyphs: Glyphs, describe: Describe, empty: str, id: str) -> None:  # noqa: A002
        super().__init__(
            columns(glyphs, describe, ()),
            key=lambda row: row.skill_id,
            name_of=lambda row: row.slug,
            empty=empty,
            id=id,
        )
        self._glyphs = glyphs
        self._describe = describe

    def show_candidates(self, candidates: Sequence[Candidate]) -> None:
        """Show candidates, with a column for each part of their evidence."""
        self.columns = columns(self._glyphs, self._describe, candidates)
        self.rearrange()
        self.show(candidates, keep=False)


def columns(
    glyphs: Glyphs, describe: Describe, candidates: Iterable[Candidate]
) -> tuple[Column[Candidate], ...]:
    """The columns for these candidates; the bars of all parts have one scale."""
    candidates = tuple(candidates)
    parts = list(dict.fromkeys(key for c in candidates for key in c.evidence))
    most = max((abs(v) for c in candidates for v in c.evidence.values()), default=0.0) or 1.0

    def rank(row: Candidate, width: int) -> Cell:
        return (Piece(str(row.rank), "quiet"),)

    def move(row: Candidate, width: int) -> Cell:
        return (moved(row, glyphs),)

    def name(row: Candidate, width: int) -> Cell:
        return (Piece(one_line(row.slug, width)),)

    def score(row: Candidate, width: int) -> Cell:
        return (Piece(f"{row.score:.2f}"),)

    def words(row: Candidate, width: int) -> Cell:
        return (Piece(one_line(" ".join(row.matched), width), "note"),)

    def description(row: Candidate, width: int) -> Cell:
        return (Piece(one_line(describe(row.skill_id), width), "quiet"),)

    return (
        Column("#", rank, 3, 3, right=True),
        Column("moved", move, 5, 5, rank=1),
        Column("name", name, 16, 32, wish=24),
        Column("score", score, 6, 6, rank=1, right=True),
        *(_evidence(part, most, glyphs, 2 + i) for i, part in enumerate(parts)),
        Column("words in common", words, 16, 32, rank=8),
        Column("description", description, 20, 200, rank=9),
    )


def moved(row: Candidate, glyphs: Glyphs) -> Piece:
    """How a rank changed: up, down, the same, or new."""
    if row.previous_rank is None:
        return Piece(f"{glyphs.new} new", "note")
    change = row.previous_rank - row.rank
    if change == 0:
        return Piece(glyphs.same, "quiet")
    sign, tone = (glyphs.up, "good") if change > 0 else (glyphs.down, "warn")
    return Piece(f"{sign}{abs(change)}", tone)


def _evidence(part: str, most: float, glyphs: Glyphs, rank: int) -> Column[Candidate]:
    def cell(row: Candidate, width: int) -> Cell:
        value = row.evidence.get(part)
        if value is None:
            return (Piece(" " * (width - 5) + " none", "quiet"),)
        before, bar, after = glyphs.diverging(value / most, max(3, width - 6))
        return (
            Piece(before, "faint"),
            Piece(bar, "good" if value >= 0 else "bad"),
            Piece(after, "faint"),
            Piece(f" {value:5.2f}", "quiet"),
        )

    return Column(one_line(part, 12), cell, 13, 19, rank=rank)
