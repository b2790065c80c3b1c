"""The heatmap of occurrences, and what its shades stand for."""

from __future__ import annotations

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Static

from asf_core.domain.skillbook_report import OverTime
from asf_tui import heat
from asf_tui.glyphs import Glyphs
from asf_tui.text import line
from asf_tui.widgets.book_tables import HeatTable


class HeatView(Vertical):
    """Issues by periods, the legend above.

    Args:
        glyphs: The signs.
    """

    DEFAULT_CSS = """
    HeatView > #legend { height: auto; max-height: 2; padding: 0 1; color: $quiet; background: $background; }
    HeatView > HeatTable { height: 1fr; }
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="time")
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        """Legend and table."""
        yield Static("", id="legend", markup=False)
        yield HeatTable(self._glyphs)

    @property
    def target(self) -> Widget:
        """What has the focus here."""
        return self.query_one(HeatTable)

    def show_time(self, over: OverTime, texts: Mapping[str, str]) -> None:
        """Show the occurrences of these issues.

        Args:
            over: The figures.
            texts: What each issue says, by its id; those that are not in it are left out.
        """
        shown = over.model_copy(update={"rows": tuple(row for row in over.rows if row.id in texts)})
        most = max((max(row.counts) for row in shown.rows), default=0)
        said = f"by {over.period.value}, met: {heat.legend(most, self._glyphs) or 'never'}"
        self.query_one("#legend", Static).update(line(said))
        self.query_one(HeatTable).show_time(shown, texts)
