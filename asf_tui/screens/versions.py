"""The Versions area: each skill's versions in time, going forward and back, and the log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.event import Event
from asf_tui import dossier_view, happened, messages, timeline
from asf_tui.blocks import BLANK, Block, Rule, Text
from asf_tui.bridge import Desk
from asf_tui.commands import bindings
from asf_tui.commands.shared import DOCUMENT, TABLE
from asf_tui.commands.versions import VERSIONS
from asf_tui.dossier import WAITING, Dossier
from asf_tui.glyphs import Glyphs
from asf_tui.screens.browsing import BrowsingScreen
from asf_tui.screens.deciding import Deciding
from asf_tui.screens.dialogs import TextDialog
from asf_tui.text import line
from asf_tui.timeline import Lane
from asf_tui.widgets.desk_tables import EventTable, LaneTable, Versioned, VersionedTable, versioned
from asf_tui.widgets.document import DocumentView
from asf_tui.widgets.log_view import LogView
from asf_tui.widgets.tabbed import TabbedDetail

if TYPE_CHECKING:
    from asf_tui.bridge.shown import LedgerResult

_TITLES = {
    "timeline": "Timeline",
    "version": "Version",
    "events": "Events",
    "log": "Log",
}
LAST = 2_000
"""Events of the whole log that are shown, the newest."""


@dataclass(frozen=True, slots=True)
class History:
    """A skill's versions and what happened to them."""

    row: Versioned
    lanes: tuple[Lane, ...]
    events: tuple[Event, ...]


class VersionsScreen(BrowsingScreen):
    """See what became of each version, activate, roll back, read and verify the log."""

    AREA = "versions"
    PLACES = (VERSIONS, TABLE, DOCUMENT)
    BINDINGS: ClassVar[list[BindingType]] = bindings(VERSIONS)

    def __init__(self) -> None:
        super().__init__()
        self.dossier: Dossier | None = None
        """Of the version at the cursor of the timeline."""
        self._lists = self.loader("versions", "Reading the versions", self._read_list, self._list)
        self._histories = self.loader(
            "history", "Reading the versions of the skill", self._read_history, self._show_history
        )
        self._dossiers = self.loader(
            "dossier", "Reading the version", self._read_dossier, self._show_dossier
        )
        self._chains = self.loader(
            "chain", "Verifying the event chain", self._verify, self._show_chain
        )

    def make_table(self) -> VersionedTable:
        """Skills that have versions."""
        return VersionedTable(self.workbench.glyphs)

    def make_detail(self) -> TabbedDetail:
        """One of them in time."""
        glyphs = self.workbench.glyphs
        sides: dict[str, Widget] = {
            "timeline": LaneTable(glyphs),
            "version": DocumentView("version"),
            "events": EventTable(glyphs, "events", "Nothing has happened to this skill yet."),
            "log": LogView(glyphs),
        }
        return TabbedDetail(sides, _TITLES)

    @property
    def lanes(self) -> LaneTable:
        """The timeline."""
        return self.query_one(LaneTable)

    @property
    def log_view(self) -> LogView:
        """The whole log."""
        return self.query_one(LogView)

    # The list and the log

    def reload(self) -> None:
        """Read the versions and the log anew; what was verified is no longer all of it."""
        self.log_view.judge(None)
        self._lists.ask(True)

    def _read_list(self, _: bool) -> tuple[tuple[Versioned, ...], tuple[Event, ...]]:
        desk = self.workbench.work.desk
        return versioned(desk.versions()), desk.events(last=LAST)

    def _list(self, found: tuple[tuple[Versioned, ...], tuple[Event, ...]]) -> None:
        rows, events = found
        self.table.show(rows)
        self.log_view.show_events(events)

    # One skill

    def read_row(self, row: Versioned) -> None:
        """Read what happened to its versions."""
        self._histories.ask(row)

    def clear_detail(self) -> None:
        """There are no versions."""
        self._histories.drop()
        self._dossiers.drop()
        self.dossier = None
        self.detail.clear()
        self.lanes.show(())
        self.query_one("#events", EventTable).show(())
        self.refresh_bindings()

    def _read_history(self, row: Versioned) -> History:
        return read_history(self.workbench.work.desk, row)

    def _show_history(self, history: History) -> None:
        glyphs = self.workbench.glyphs
        keep = self.again(history.row.skill_id)
        self.detail.head(
            Content("\n").join([line(history.row.skill_id, "bold"), timeline.legend(glyphs)])
        )
        self.detail.counts({"timeline": len(history.lanes), "events": len(history.events)})
        self.lanes.show(history.lanes, keep=keep)
        self.query_one("#events", EventTable).show_events(history.events, keep=keep)

    @on(LaneTable.Highlighted, "#timeline")
    def _lane_highlighted(self, event: LaneTable.Highlighted) -> None:
        event.stop()
        self.dossier = None
        self.refresh_bindings()
        if isinstance(event.row, Lane):
            self._dossiers.ask(event.row.record.content_hash)

    def _read_dossier(self, content_hash: str) -> Dossier:
        return Dossier.read(self.workbench.work.desk, content_hash)

    def _show_dossier(self, dossier: Dossier) -> None:
        self.dossier = dossier
        self.detail.write("version", tuple(_version(dossier, self.workbench.glyphs)))
        self.refresh_bindings()

    @on(LaneTable.Chosen, "#timeline")
    def _lane_chosen(self, event: LaneTable.Chosen) -> None:
        event.stop()
        self.detail.turn_to("version")
        self.call_after_refresh(lambda: self.set_focus(self.detail.sides["version"]))

    @on(EventTable.Chosen, "#events, #all-events")
    def _event_chosen(self, event: EventTable.Chosen) -> None:
        event.stop()
        if isinstance(event.row, Event):
            title = f"Event {event.row.number}"
            self.app.push_screen(TextDialog(title, tuple(happened.whole(event.row))))

    # The chain

    def _verify(self, _: bool) -> LedgerResult:
        return self.workbench.work.desk.verify()

    def _show_chain(self, found: LedgerResult) -> None:
        self.log_view.judge(found)
        if len(found.problems) > 1:
            told = tuple(_problems(found))
            self.app.push_screen(TextDialog("The event chain does not hold", told))

    def action_verify(self) -> None:
        """Verify the chain, and show it in the log."""
        self.open_detail("log")
        self._chains.ask(True)

    # Commands

    @property
    def _record(self) -> VersionRecord | None:
        """The version at the cursor of the timeline, where the timeline is seen."""
        if not self.is_mounted or (self.one_pane and not self.reading):
            return None
        lane = self.lanes.current
        return None if lane is None else lane.record

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what makes sense for the version at the cursor."""
        record = self._record
        if action == "roll_back":
            return record is not None and record.state is VersionState.RETIRED
        if action == "activate":
            return record is not None and record.state in WAITING and not record.terminal
        if action == "end":
            return record is not None and not record.terminal
        if action == "open_skill":
            return self.is_mounted and self.table.current is not None
        return super().check_action(action, parameters)

    def _current(self) -> Dossier | None:
        record, dossier = self._record, self.dossier
        if record is not None and dossier is not None:
            return dossier
        self.notify("The version is still being read.", markup=False)
        return None

    def action_roll_back(self) -> None:
        """Go back to the version."""
        if dossier := self._current():
            self.asking(Deciding(self.workbench).roll_back(dossier), "Rolling back")

    def action_activate(self) -> None:
        """Make the version active."""
        if dossier := self._current():
            self.asking(Deciding(self.workbench).activate(dossier), "Activating")

    def action_end(self) -> None:
        """End the version for good."""
        if self._record is not None:
            self.asking(Deciding(self.workbench).end(self._record), "Ending the version")

    def action_open_skill(self) -> None:
        """Show the skill in Skills."""
        if self.table.current is not None:
            self.post_message(messages.ShowSkill(self.table.current.skill_id))


def read_history(desk: Desk, row: Versioned) -> History:
    """Read what happened to a skill's versions; for a worker."""
    events = desk.events(row.skill_id)
    return History(row, timeline.lanes(row.records, events), events)


def _version(dossier: Dossier, glyphs: Glyphs) -> Iterator[Block]:
    """A version in one document: what its next step needs, what it rests on, what it binds."""
    yield from dossier_view.needs(dossier, glyphs)
    yield BLANK
    yield Rule("Receipts")
    yield from dossier_view.receipts(dossier, glyphs)
    yield BLANK
    yield Rule("What it binds")
    yield from dossier_view.bound(dossier.record, dossier.standing.drift, glyphs)


def _problems(found: LedgerResult) -> Iterator[Block]:
    for problem in found.problems:
        yield Text(line(problem), "- ", "  ")
