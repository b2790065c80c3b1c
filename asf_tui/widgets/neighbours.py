"""The skills around a skill."""

from __future__ import annotations

from asf_core.domain.graph import EdgeKind
from asf_core.domain.text import one_line
from asf_tui.glyphs import Glyphs
from asf_tui.library import Neighbour
from asf_tui.widgets.columns import Cell, Column, Piece
from asf_tui.widgets.virtual_table import VirtualTable

OUTWARD = {kind: kind.value.replace("_", " ") for kind in EdgeKind}
"""A relation as the skill that it starts at has it."""

INWARD = OUTWARD | {
    EdgeKind.DEPENDS_ON: "is needed by",
    EdgeKind.REQUIRED_SUB_SKILLS: "is part of",
    EdgeKind.DUPLICATE_OF: "is copied by",
    EdgeKind.TESTED_BY: "tests",
    EdgeKind.VERSION_OF: "has version",
    EdgeKind.EXTENDS: "is extended by",
    EdgeKind.REFERENCES: "is named by",
}
"""The same relation as the other skill has it."""


class NeighbourTable(VirtualTable[Neighbour]):
    """Relations in both directions; Enter opens the other skill.

    Args:
        glyphs: The signs.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(
            columns(glyphs),
            key=lambda row: f"{row.outward} {row.edge.kind} {row.other}",
            name_of=lambda row: row.other.rpartition("/")[2],
            empty="No neighbours.\nNo skill refers to this one, and it refers to none.",
            id="neighbours",
        )


def columns(glyphs: Glyphs) -> tuple[Column[Neighbour], ...]:
    """Relation, skill, how sure, what says so."""

    def relation(row: Neighbour, width: int) -> Cell:
        arrow = glyphs.out if row.outward else glyphs.into
        word = (OUTWARD if row.outward else INWARD)[row.edge.kind]
        conflict = row.edge.kind is EdgeKind.CONFLICTS_WITH
        return (Piece(f"{arrow} ", "quiet"), Piece(word, "bad" if conflict else "note"))

    def other(row: Neighbour, width: int) -> Cell:
        return (Piece(one_line(row.other.rpartition("/")[2], width)),)

    def where(row: Neighbour, width: int) -> Cell:
        return (Piece(one_line(row.other.rpartition("/")[0], width), "quiet"),)

    def sure(row: Neighbour, width: int) -> Cell:
        return (Piece(f"{row.edge.confidence:.2f} {row.edge.origin.lower()}", "quiet"),)

    def says(row: Neighbour, width: int) -> Cell:
        evidence = row.edge.evidence
        text = f"{evidence[0].line}: {evidence[0].text}" if evidence else ""
        return (Piece(one_line(text, width), "quiet"),)

    return (
        Column("relation", relation, 16, 21),
        Column("skill", other, 18, 40),
        Column("in", where, 12, 30, rank=3),
        Column("sure", sure, 14, 14, rank=1),
        Column("line that says so", says, 18, 200, rank=2),
    )
