"""Tables of a measurement: failure modes with their nodes, hubs, isolated tools, communities."""

from __future__ import annotations

from asf_core.domain.measure import CommunityFigure, NodeFigure
from asf_core.domain.text import one_line
from asf_tui.glyphs import Glyphs
from asf_tui.measured import ModeRow
from asf_tui.text import amount
from asf_tui.widgets.columns import Cell, Column, Piece
from asf_tui.widgets.virtual_table import VirtualTable


class ModeTable(VirtualTable[ModeRow]):
    """Failure modes, each above the nodes that cause it; Enter opens the skill.

    Args:
        glyphs: The signs.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        def name(row: ModeRow, width: int) -> Cell:
            if row.node is None:
                return (Piece(f"{glyphs.broken} {row.mode.mode}", "bad"),)
            return (Piece("  "), Piece(one_line(row.node.name, width - 2)))

        def degree(row: ModeRow, width: int) -> Cell:
            if row.node is None:
                return (Piece(amount(row.mode.total), "bad"),)
            return (Piece(amount(row.node.degree), "quiet"),)

        def what(row: ModeRow, width: int) -> Cell:
            if row.node is None:
                return (
                    Piece("nodes cause it" if row.mode.total != 1 else "node causes it", "bad"),
                )
            return (Piece(one_line(row.node.kind, width), "quiet"),)

        def place(row: ModeRow, width: int) -> Cell:
            if row.node is None:
                return (Piece(one_line(row.mode.because, width), "quiet"),)
            return (Piece(_place(row.node, width), "quiet"),)

        super().__init__(
            (
                Column("failure mode, node", name, 26, 40),
                Column("links", degree, 5, 6, right=True),
                Column("", what, 14, 14, rank=2),
                Column("where", place, 20, 200, rank=1),
            ),
            key=lambda row: row.key,
            name_of=lambda row: row.node.name if row.node else row.mode.mode,
            id="modes",
        )


class NodeTable(VirtualTable[NodeFigure]):
    """Nodes of highest degree; Enter opens the skill.

    Args:
        glyphs: The signs.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        def name(row: NodeFigure, width: int) -> Cell:
            return (Piece(one_line(row.name, width)),)

        def degree(row: NodeFigure, width: int) -> Cell:
            most = max((one.degree for one in self.rows), default=1) or 1
            full, rest = glyphs.bar(row.degree / most, max(1, width - 6))
            return (Piece(full, "note"), Piece(rest, "faint"), Piece(f" {row.degree:5}", "quiet"))

        def what(row: NodeFigure, width: int) -> Cell:
            return (Piece(one_line(row.note or row.kind, width), "quiet"),)

        def place(row: NodeFigure, width: int) -> Cell:
            return (Piece(_place(row, width), "quiet"),)

        super().__init__(
            (
                Column("node", name, 20, 40, wish=28),
                Column("links", degree, 12, 24),
                Column("where", place, 16, 60, rank=1, wish=30),
                Column("what", what, 22, 200, rank=1),
            ),
            key=lambda row: row.id,
            name_of=lambda row: row.name,
            empty="No hubs.\nNo node is joined to more than a few others.",
            id="hubs",
        )


class IsolatedTable(VirtualTable[str]):
    """Ids of tools that nothing is joined to; Enter opens the skill."""

    def __init__(self) -> None:
        def name(row: str, width: int) -> Cell:
            return (Piece(one_line(row.rpartition("/")[2], width)),)

        def place(row: str, width: int) -> Cell:
            return (Piece(one_line(row.rpartition("/")[0], width), "quiet"),)

        super().__init__(
            (Column("isolated tool", name, 20, 48), Column("in", place, 16, 200, rank=1)),
            key=lambda row: row,
            name_of=lambda row: row.rpartition("/")[2],
            empty="No isolated tools.\nEach is joined to another.",
            id="isolated",
        )


class CommunityTable(VirtualTable[CommunityFigure]):
    """Groups of nodes that hang together, the largest first.

    Args:
        glyphs: The signs.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        def name(row: CommunityFigure, width: int) -> Cell:
            if row.name is None:
                return (Piece("no name", "warn"),)
            return (Piece(one_line(row.name, width)),)

        def size(row: CommunityFigure, width: int) -> Cell:
            return (Piece(amount(row.size), "plain"),)

        def share(row: CommunityFigure, width: int) -> Cell:
            full, rest = glyphs.bar(row.share, max(1, width - 6))
            return (Piece(full, "good"), Piece(rest, "faint"), Piece(f" {row.share:4.0%}", "quiet"))

        def ties(row: CommunityFigure, width: int) -> Cell:
            return (Piece(amount(row.ties), "quiet" if row.ties else "warn"),)

        def members(row: CommunityFigure, width: int) -> Cell:
            return (Piece(one_line(", ".join(row.members), width), "quiet"),)

        super().__init__(
            (
                Column("community", name, 16, 30),
                Column("nodes", size, 5, 6, right=True),
                Column("links", ties, 5, 6, right=True),
                Column("of its name", share, 13, 18, rank=2),
                Column("members", members, 20, 200, rank=1),
            ),
            key=lambda row: f"{row.name} {row.members}",
            name_of=lambda row: row.name or "",
            empty="No communities.",
            id="communities",
        )


def _place(node: NodeFigure, width: int) -> str:
    return one_line(f"{node.path}:{node.line}" if node.line > 1 else node.path, width)
