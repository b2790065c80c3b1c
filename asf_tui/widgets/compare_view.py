"""Two settings side by side: their figures, and where each candidate went."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from asf_core.domain.text import one_line
from asf_tui.comparing import Compared, Moved, figures
from asf_tui.glyphs import Glyphs
from asf_tui.widgets.candidates import Describe
from asf_tui.widgets.columns import Cell, Column, Piece
from asf_tui.widgets.virtual_table import VirtualTable


class CompareTable(VirtualTable[Moved]):
    """Candidates of both settings; Enter opens the skill.

    Args:
        glyphs: The signs.
        describe: Looks up a description.
    """

    def __init__(self, glyphs: Glyphs, describe: Describe) -> None:
        super().__init__(
            (),
            key=lambda row: row.skill_id,
            name_of=lambda row: row.slug,
            empty="Nothing to compare yet.\nc asks for two settings and routes the task with both.",
            id="compared",
        )
        self._glyphs = glyphs
        self._describe = describe

    def show_compared(self, compared: Compared) -> None:
        """Show where each candidate went."""
        rows = compared.rows
        names = (compared.first.setting, compared.second.setting)
        self.columns = columns(self._glyphs, self._describe, rows, names)
        self.rearrange()
        self.show(rows, keep=False)


class CompareView(Vertical):
    """Figures of both settings above the table.

    Args:
        glyphs: The signs.
        describe: Looks up a description.
    """

    DEFAULT_CSS = """
    CompareView #figures { height: auto; padding: 0 1; background: $background; }
    CompareView CompareTable { height: 1fr; }
    """

    def __init__(self, glyphs: Glyphs, describe: Describe) -> None:
        super().__init__(id="compare")
        self._glyphs = glyphs
        self._describe = describe
        self.compared: Compared | None = None

    def compose(self) -> ComposeResult:
        """Figures, table."""
        yield Static("", id="figures", markup=False)
        yield CompareTable(self._glyphs, self._describe)

    def show(self, compared: Compared) -> None:
        """Show two answers."""
        self.compared = compared
        self.query_one(CompareTable).show_compared(compared)
        self.on_resize()

    def on_resize(self) -> None:
        """Lay the figures out to the width."""
        if self.compared is not None:
            told = figures(self.compared, max(20, self.size.width - 2), self._glyphs)
            self.query_one("#figures", Static).update(told)


def columns(
    glyphs: Glyphs, describe: Describe, rows: Sequence[Moved], names: tuple[str, str]
) -> tuple[Column[Moved], ...]:
    """Name, the rank under each setting, how far it moved, and in whose plan it is."""
    most = max((abs(row.change or 0) for row in rows), default=0) or 1

    def name(row: Moved, width: int) -> Cell:
        return (Piece(one_line(row.slug), "plain" if any(row.planned) else "quiet"),)

    def first(row: Moved, width: int) -> Cell:
        return (Piece(str(row.first.rank) if row.first else "-", "quiet"),)

    def second(row: Moved, width: int) -> Cell:
        return (Piece(str(row.second.rank) if row.second else "-"),)

    def moved(row: Moved, width: int) -> Cell:
        change = row.change
        if change is None:
            new = row.first is None
            sign, word = (glyphs.new, "new") if new else (glyphs.broken, "gone")
            return (Piece(f"{sign} {word}", "note" if new else "warn"),)
        if change == 0:
            return (Piece(glyphs.same, "quiet"),)
        sign, tone = (glyphs.up, "good") if change > 0 else (glyphs.down, "warn")
        return (Piece(f"{sign}{abs(change)}", tone),)

    def bar(row: Moved, width: int) -> Cell:
        change = row.change or 0
        before, filled, after = glyphs.diverging(change / most, width)
        return (
            Piece(before, "faint"),
            Piece(filled, "good" if change > 0 else "warn"),
            Piece(after, "faint"),
        )

    def plan(row: Moved, width: int) -> Cell:
        words = {(True, True): "both", (True, False): names[0], (False, True): names[1]}
        word = words.get(row.planned, "")
        return (Piece(one_line(word, width), "good" if row.planned == (True, True) else "note"),)

    def description(row: Moved, width: int) -> Cell:
        return (Piece(one_line(describe(row.skill_id), width), "quiet"),)

    titles = [one_line(title, 14) for title in names]
    return (
        Column("name", name, 16, 32, wish=24),
        Column(titles[0], first, max(4, len(titles[0])), max(4, len(titles[0])), right=True),
        Column(titles[1], second, max(4, len(titles[1])), max(4, len(titles[1])), right=True),
        Column("moved", moved, 6, 6),
        Column("lost, won", bar, 9, 21, rank=2),
        Column("in the plan of", plan, 14, 14, rank=1),
        Column("description", description, 20, 200, rank=3),
    )
