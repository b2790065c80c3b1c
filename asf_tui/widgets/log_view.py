"""The whole event log, and whether its chain holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Static

from asf_core.domain.event import Event
from asf_tui import happened
from asf_tui.glyphs import Glyphs
from asf_tui.widgets.desk_tables import EventTable

if TYPE_CHECKING:
    from asf_tui.bridge.shown import LedgerResult


class LogView(Vertical):
    """Events of everything, the verdict on the chain above.

    Args:
        glyphs: The signs.
    """

    DEFAULT_CSS = """
    LogView > #chain { height: auto; max-height: 3; padding: 0 1; background: $background; }
    LogView > EventTable { height: 1fr; }
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="log")
        self._glyphs = glyphs
        self._found: LedgerResult | None = None

    def compose(self) -> ComposeResult:
        """Verdict and table."""
        yield Static(happened.chain(None, self._glyphs), id="chain", markup=False)
        yield EventTable(self._glyphs, "all-events", "Nothing has happened yet.")

    @property
    def target(self) -> Widget:
        """What has the focus here."""
        return self.query_one(EventTable)

    @property
    def found(self) -> LedgerResult | None:
        """What the last verification found; ``None`` before the first, and after a change."""
        return self._found

    def show_events(self, events: Sequence[Event]) -> None:
        """Show events that come oldest first."""
        self.query_one(EventTable).show_events(events, keep=True)

    def judge(self, found: LedgerResult | None) -> None:
        """Say whether the chain holds."""
        self._found = found
        self.query_one("#chain", Static).update(happened.chain(found, self._glyphs))
