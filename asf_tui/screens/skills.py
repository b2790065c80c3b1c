"""The Skills area: the list, and one skill beside it or in its place."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.worker import Worker, WorkerState

from asf_core.domain.errors import AsfError
from asf_core.domain.skill import SkillRow, SkillState
from asf_core.domain.text import one_line
from asf_tui import messages
from asf_tui.commands import bindings
from asf_tui.commands.shared import DOCUMENT, TABLE
from asf_tui.commands.skills import FILTER, SKILLS
from asf_tui.filtering import ORDERS, Query, highlighter
from asf_tui.jobs import LatestOnly
from asf_tui.library import Library, SkillView
from asf_tui.problems import Problem
from asf_tui.screens.base import ASKING, NARROW, WIDE, AreaScreen
from asf_tui.screens.deciding import Deciding
from asf_tui.screens.dialogs import AskDialog
from asf_tui.text import amount
from asf_tui.widgets.filter_box import FilterBox
from asf_tui.widgets.neighbours import NeighbourTable
from asf_tui.widgets.skill_detail import SkillDetail
from asf_tui.widgets.skill_list import Picked, SkillList

PAUSE = 0.04
"""Seconds that the cursor rests on a skill before it is read: none is while a key is held."""


class SkillsScreen(AreaScreen):
    """Browse, filter and read the skills."""

    AREA = "skills"
    PLACES = (SKILLS, FILTER, TABLE, DOCUMENT)
    BINDINGS: ClassVar[list[BindingType]] = bindings(SKILLS)
    AUTO_FOCUS = "SkillList"
    CSS = """
    SkillsScreen #list { width: 1fr; }
    SkillsScreen.-normal #list { width: 42%; min-width: 44; }
    SkillsScreen.-wide #list { width: 40%; min-width: 56; }
    SkillsScreen #detail { width: 1fr; }
    SkillsScreen.-normal #detail, SkillsScreen.-wide #detail { border-left: solid $panel; }
    SkillsScreen.-narrow #detail { display: none; }
    SkillsScreen.-narrow.-reading #detail { display: block; }
    SkillsScreen.-narrow.-reading #list { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._loads: LatestOnly[str] = LatestOnly(self._load)
        self._rest: Timer | None = None
        self._order = next(iter(ORDERS))
        self._wanted: str | None = None
        """Id of a skill to open as soon as it is listed."""

    def compose_area(self) -> ComposeResult:
        """List and detail, side by side."""
        glyphs = self.workbench.glyphs
        with Horizontal():
            with Vertical(id="list"):
                yield FilterBox()
                yield SkillList(glyphs)
            yield SkillDetail(glyphs)

    @property
    def table(self) -> SkillList:
        """The list."""
        return self.query_one(SkillList)

    @property
    def detail(self) -> SkillDetail:
        """The skill."""
        return self.query_one(SkillDetail)

    @property
    def library(self) -> Library:
        """All rows."""
        return self.workbench.library

    @property
    def reading(self) -> bool:
        """Whether, in one pane, the skill stands in the place of the list."""
        return self.has_class("-reading")

    def on_resize(self, event: events.Resize) -> None:
        """Show one, two or three panes."""
        self.detail.wide = event.size.width > WIDE

    # The list

    def show_library(self, library: Library) -> None:
        """Show the rows that there are now, the cursor kept."""
        self.table.fit_names(library)
        self._refill(keep=True)

    def _refill(self, *, keep: bool) -> None:
        query = Query.parse(self.query_one(FilterBox).text)
        index = self.library.index
        found = index.match(query, self._order)
        self.table.empty = self._why_empty(query)
        self.table.show(Picked(index.rows, found), pattern=highlighter(query), keep=keep)
        self._count(len(found), query)

    def _count(self, found: int, query: Query) -> None:
        total = len(self.library.index.rows)
        count = amount(found) if found == total else f"{amount(found)} of {amount(total)}"
        label = Content.styled(query.problem, "$warn") if query.problem else Content(count)
        if self._order != "name" and not query.problem:
            label += f" by {self._order}"
        self.query_one(FilterBox).tell(label)

    def _why_empty(self, query: Query) -> str:
        if self.library.index.rows:
            return "No skill matches the filter.\nEsc clears it; ? tells what it understands."
        return self.workbench.empty_words()

    def _clear_filter(self) -> None:
        self.query_one(FilterBox).clear()
        self._refill(keep=True)

    @on(FilterBox.Changed)
    def _filter_changed(self) -> None:
        self._refill(keep=False)

    @on(FilterBox.Left)
    def _filter_left(self, event: FilterBox.Left) -> None:
        if event.clear:
            self._clear_filter()
        self.table.focus()

    @on(SkillList.Highlighted, "#skills")
    def _highlighted(self) -> None:
        self.refresh_bindings()
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(PAUSE, self._read_current)

    @on(SkillList.Chosen, "#skills")
    def _chosen(self) -> None:
        self._open()

    @on(NeighbourTable.Chosen, "#neighbours")
    def _neighbour_chosen(self, event: NeighbourTable.Chosen) -> None:
        event.stop()
        self.open_skill(event.row.other)

    def open_skill(self, skill_id: str) -> None:
        """Put the cursor on a skill and open it, the filter cleared if it hides it."""
        if self.library.row(skill_id) is None:
            words = one_line(f"{skill_id} is not in the list.", 200)
            self.notify(words, markup=False, severity="warning")
            return
        if not self.table.select(skill_id):
            self._clear_filter()
            self.table.select(skill_id)
        self._read_current()
        self._open(anew=True)

    def _open(self, *, anew: bool = False) -> None:
        if self.table.current is None:
            return
        if anew or not (self.reading or self.size.width >= NARROW):
            self.detail.strip.first()  # who goes to another skill reads what it is, first
        self.add_class("-reading")
        self.call_after_refresh(lambda: self.set_focus(self.detail.body()))

    # The skill

    def _read_current(self) -> None:
        row = self.table.current
        if row is None:
            self._loads.drop()
            self.detail.clear()
        else:
            self._loads.ask(row.id)

    def _load(self, serial: int, skill_id: str) -> None:
        work = partial(self._read, serial, skill_id)
        self.workbench.work.start(
            self, work, group="skill", doing="Reading the skill", serial=serial
        )

    def _read(self, serial: int, skill_id: str) -> None:
        engine = self.workbench.work.engine
        try:
            view = SkillView.read(engine, skill_id, self.workbench.glyphs)
        except AsfError as error:
            self.post_message(messages.SkillUnread(serial, Problem.of(error, "", None)))
        else:
            self.post_message(messages.SkillRead(serial, view))

    def work_ended(self, worker: Worker[object]) -> None:
        """A failure to read is shown where the skill would be."""
        if worker.group == ASKING:
            super().work_ended(worker)
            return
        if worker.state is WorkerState.ERROR and worker.error is not None:
            problem = self.workbench.work.problem_of(worker.error, worker.description)
            self.post_message(messages.SkillUnread(int(worker.name), problem))
        self._loads.done()

    @on(messages.SkillRead)
    def _skill_read(self, message: messages.SkillRead) -> None:
        if self._loads.is_current(message.serial):
            self.detail.show(message.view)

    @on(messages.SkillUnread)
    def _skill_unread(self, message: messages.SkillUnread) -> None:
        if self._loads.is_current(message.serial):
            self.detail.show_problem(message.problem)

    # Commands

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what makes sense for the skill at the cursor."""
        row = self.query_one(SkillList).current if self.is_mounted else None
        if action == "quarantine":
            return row is not None and row.state is not SkillState.QUARANTINED
        if action == "edit_skill":
            return row is not None
        if action == "candidate":
            return row is not None and row.state is SkillState.READY
        if action == "release":
            return row is not None and row.state is SkillState.QUARANTINED
        if action == "turn":
            return self.reading or self.size.width >= NARROW
        if action == "back":
            return self.reading or bool(self.is_mounted and self.query_one(FilterBox).text)
        return True

    def action_filter(self) -> None:
        """Type a filter."""
        self.remove_class("-reading")
        self.query_one(FilterBox).focus_input()

    def action_back(self) -> None:
        """From the skill to the list, then clear the filter."""
        if self.reading:
            self.remove_class("-reading")
        else:
            self._clear_filter()
        self.table.focus()
        self.refresh_bindings()

    def action_turn(self, step: int) -> None:
        """Turn the tabs."""
        self.detail.strip.turn(step)

    def action_tab(self, tab: str) -> None:
        """Show a tab."""
        self._open()
        self.detail.strip.action_pick(tab)

    def action_order(self) -> None:
        """Order the list by the next of the orders."""
        names = list(ORDERS)
        self._order = names[(names.index(self._order) + 1) % len(names)]
        self._refill(keep=True)

    def action_edit_skill(self) -> None:
        """Open the skill at the cursor in the editor."""
        if self.table.current is not None:
            self.workbench.edit_skill(self.table.current.id)

    def action_candidate(self) -> None:
        """Ask for whom, then take the skill in as a candidate."""
        row = self.table.current
        if row is not None:
            self.asking(Deciding(self.workbench).add_candidate(row), "Taking in the skill")

    def action_quarantine(self) -> None:
        """Ask why, then quarantine."""
        self._decide("quarantine", "Quarantine", "It stays listed, and is never routed or run.")

    def action_release(self) -> None:
        """Ask why, then release."""
        self._decide("release", "Release", "It can be routed again.")

    def _decide(self, kind: str, title: str, effect: str) -> None:
        row = self.table.current
        if row is None:
            return
        dialog = AskDialog(f"{title} {row.slug}", f"{row.id}\n{effect}", "reason")
        self.app.push_screen(dialog, partial(self._decided, kind, row))

    def _decided(self, kind: str, row: SkillRow, reason: str | None) -> None:
        if reason is not None:
            self.workbench.work.decide(kind, row, reason)
