"""The list of skills."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import overload

from rich.cells import cell_len

from asf_core.domain.skill import SkillRow, SkillState
from asf_core.domain.text import one_line
from asf_tui.glyphs import Glyphs
from asf_tui.library import Library
from asf_tui.text import amount, cut
from asf_tui.widgets.columns import GAP, Cell, Column, Piece
from asf_tui.widgets.virtual_table import VirtualTable

NAME, WIDEST = 18, 40
"""Cells that names get at least and at most."""


class Picked(Sequence[SkillRow]):
    """Some of the rows, in an order of their own; holds positions, copies nothing.

    Args:
        rows: All rows.
        positions: Which, in order.
    """

    def __init__(self, rows: Sequence[SkillRow], positions: Sequence[int]) -> None:
        self._rows = rows
        self._positions = positions

    def __len__(self) -> int:
        return len(self._positions)

    @overload
    def __getitem__(self, index: int) -> SkillRow: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SkillRow]: ...
    def __getitem__(self, index: int | slice) -> SkillRow | Sequence[SkillRow]:
        if isinstance(index, slice):
            return Picked(self._rows, self._positions[index])
        return self._rows[self._positions[index]]


class SkillList(VirtualTable[SkillRow]):
    """All skills, ready or not, each with its verdict.

    Args:
        glyphs: The signs.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(
            columns(glyphs, {}, NAME),
            key=lambda row: row.id,
            name_of=lambda row: row.slug,
            id="skills",
        )
        self._glyphs = glyphs

    def fit_names(self, library: Library) -> None:
        """Make room for the names of these skills, and for what tells those of one name apart."""
        names = (
            cell_len(row.slug) + (len(where) + GAP if (where := library.apart.get(row.id)) else 0)
            for row in library.index.rows
        )
        widest = max(NAME, min(max(names, default=NAME), WIDEST))
        self.columns = columns(self._glyphs, library.apart, widest)
        self.rearrange()


def columns(glyphs: Glyphs, apart: Mapping[str, str], widest: int) -> tuple[Column[SkillRow], ...]:
    """The columns of the list, from what is always shown to what needs a wide screen.

    Args:
        glyphs: The signs.
        apart: What tells skills of one name apart, by id.
        widest: Cells of the widest name.
    """

    def sign(row: SkillRow, width: int) -> Cell:
        state = glyphs.state(row.state)
        return (Piece(state.glyph, state.tone),)

    def name(row: SkillRow, width: int) -> Cell:
        style = "plain" if row.state is SkillState.READY else "quiet"
        where = one_line(apart.get(row.id, ""))
        if not where:
            return (Piece(one_line(row.slug), style),)
        room = max(NAME // 2, width - GAP - cell_len(where))
        slug = one_line(row.slug)
        slug = slug if cell_len(slug) <= room else cut(slug, room)
        left = width - cell_len(slug) - GAP
        shown = where if cell_len(where) <= left else "…" + where[-max(1, left - 1) :]
        return (Piece(slug, style), Piece(" " * GAP), Piece(shown, "note"))

    def verdict(row: SkillRow, width: int) -> Cell:
        state = glyphs.state(row.state)
        if row.state is not SkillState.READY:
            return (Piece(state.word, state.tone),)
        if row.worst is None:
            return (Piece(state.word, "quiet"),)
        worst = glyphs.severity(row.worst)
        return (Piece(f"{worst.glyph} {row.findings} {worst.word}", worst.tone),)

    def description(row: SkillRow, width: int) -> Cell:
        if row.state_reason:
            return (Piece(one_line(row.state_reason, width), glyphs.state(row.state).tone),)
        return (Piece(one_line(row.description, 400), "quiet"),)

    def registry(row: SkillRow, width: int) -> Cell:
        return (Piece(one_line(row.registry, width), "quiet"),)

    def risk(row: SkillRow, width: int) -> Cell:
        risk = glyphs.risk(row.risk)
        return (Piece(f"{risk.glyph} {risk.word}", risk.tone),)

    def version(row: SkillRow, width: int) -> Cell:
        return (Piece(one_line(row.version or "", width), "quiet"),)

    def tokens(row: SkillRow, width: int) -> Cell:
        return (Piece(amount(row.tokens), "quiet"),)

    return (
        Column("", sign, 1, 1),
        Column("name", name, NAME, widest, wish=min(widest, 22), searched=True),
        Column("verdict", verdict, 12, 12, rank=1),
        Column("description", description, 16, 400, rank=2, wish=30, searched=True),
        Column("registry", registry, 11, 16, rank=3),
        Column("risk", risk, 10, 10, rank=4),
        Column("version", version, 8, 10, rank=5),
        Column("tokens", tokens, 6, 8, rank=6, right=True),
    )
