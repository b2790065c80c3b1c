"""The Measure area: gauges, failure modes with the nodes behind them, communities."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState

from asf_core.domain.measure import MeasureProgress, MeasureReport
from asf_core.domain.text import one_line
from asf_tui import measured, messages
from asf_tui.commands import bindings
from asf_tui.commands.measure import MEASURE, PATH
from asf_tui.commands.shared import DOCUMENT, TABLE
from asf_tui.jobs import Pace
from asf_tui.library import Library
from asf_tui.screens.base import AreaScreen
from asf_tui.widgets.document import DocumentView
from asf_tui.widgets.filter_box import QuietInput
from asf_tui.widgets.measure_tables import CommunityTable, IsolatedTable, ModeTable, NodeTable
from asf_tui.widgets.tab_strip import Tab, TabStrip
from asf_tui.widgets.virtual_table import VirtualTable

_BODIES = ("modes", "hubs", "isolated", "communities", "about")


class StoppedError(Exception):
    """The measurement was given up."""


class PathInput(QuietInput):
    """Where the registry or path is typed."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(PATH)

    def action_leave(self) -> None:
        """To the figures."""
        if isinstance(self.screen, MeasureScreen):
            self.screen.focus_body()


class MeasureScreen(AreaScreen):
    """Measure a registry or a codebase and walk to what is behind its figures."""

    AREA = "measure"
    PLACES = (MEASURE, PATH, TABLE, DOCUMENT)
    BINDINGS: ClassVar[list[BindingType]] = bindings(MEASURE)
    AUTO_FOCUS = "ModeTable"
    CSS = """
    MeasureScreen #what { height: 1; background: $surface; }
    MeasureScreen #what-sign { width: 9; padding: 0 1; color: $quiet; background: $surface; }
    MeasureScreen #what:focus-within #what-sign { color: $note; text-style: bold; }
    MeasureScreen #verdict { height: auto; max-height: 3; padding: 0 1; }
    MeasureScreen #gauges { height: 4; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    MeasureScreen.-low #gauges { height: 1; }
    MeasureScreen #bodies { height: 1fr; }
    MeasureScreen #bodies > * { height: 1fr; }
    MeasureScreen #repair { height: auto; max-height: 6; padding: 0 1; background: $surface; }
    MeasureScreen.-low #repair { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.report: MeasureReport | None = None
        self.stop: threading.Event | None = None
        """Stops the measurement that runs; ``None`` when none does."""
        self._registry = ""

    def compose_area(self) -> ComposeResult:
        """What to measure; verdict and gauges; the tables; what to do about it."""
        glyphs = self.workbench.glyphs
        with Horizontal(id="what"):
            yield Static("Measure", id="what-sign")
            yield PathInput("name of a registry, or the path of a directory", id="path")
        yield Static("", id="verdict", markup=False)
        yield Static("", id="gauges", markup=False)
        yield TabStrip(self._tabs(), id="tabs")
        with Container(id="bodies"):
            yield ModeTable(glyphs)
            yield NodeTable(glyphs)
            yield IsolatedTable()
            yield CommunityTable(glyphs)
            yield DocumentView("about")
        yield Static("", id="repair", markup=False)

    def on_mount(self) -> None:
        """Say how to begin."""
        self._show()

    def on_resize(self) -> None:
        """Lay the gauges out to the width."""
        self._draw_gauges()

    def show_library(self, library: Library) -> None:
        """Offer the first registry, unless something is named already."""
        line = self.query_one(PathInput)
        if not line.value and library.registries:
            line.value = library.registries[0].name

    # Tabs

    def _tabs(self) -> tuple[Tab, ...]:
        report = self.report
        counts = (
            (len(report.modes), len(report.hubs), len(report.isolated), report.counts.communities)
            if report
            else (None,) * 4
        )
        titles = ("Failure modes", "Hubs", "Isolated", "Communities", "About")
        return tuple(
            Tab(key, title, count)
            for key, title, count in zip(_BODIES, titles, (*counts, None), strict=True)
        )

    @on(TabStrip.Turned)
    def _turned(self) -> None:
        moving = self.focused is not None and self.focused.id in _BODIES
        self._show_body()
        if moving:
            self.focus_body()

    def _show_body(self) -> None:
        active = self.query_one(TabStrip).active
        for body in _BODIES:
            self.query_one(f"#{body}").display = body == active
        self.query_one("#repair").display = active == "modes" and bool(
            self.report and self.report.modes
        )

    def focus_body(self) -> None:
        """Go to what the tab shows."""
        self.set_focus(self.query_one(f"#{self.query_one(TabStrip).active}"))

    # Measuring

    @on(Input.Submitted, "#path")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_run()

    def measure(self, what: str) -> None:
        """Measure a registry of the workspace, or any directory."""
        session = self.workbench.work.session
        if session is None or self.stop is not None:
            words = "A measurement is running: Esc stops it." if session else "Not open yet."
            self.notify(words, markup=False)
            return
        known = {row.name: row.path for row in self.workbench.library.registries}
        path = Path(known.get(what, what)).expanduser()
        names = [name for name, root in known.items() if Path(root) == path]
        self._registry = names[0] if names else ""
        stop, pace = threading.Event(), Pace()
        self.stop, self.report = stop, None
        self._show()
        self.focus_body()

        def tell(progress: MeasureProgress) -> None:
            if stop.is_set():
                raise StoppedError
            if pace.lets(progress.phase, progress.done == progress.total):
                self.post_message(messages.MeasureMoved(progress))

        def work() -> None:
            try:
                report = session.measure(path, tell)
            except StoppedError:
                self.post_message(messages.Measured(None))
            else:
                self.post_message(messages.Measured(None if stop.is_set() else report))

        self.workbench.work.start(self, work, group="measure", doing="Measuring")

    @on(messages.MeasureMoved)
    def _moved(self, message: messages.MeasureMoved) -> None:
        if self.stop is not None and not self.stop.is_set():
            self._say(measured.progress(message.progress), "$note")

    @on(messages.Measured)
    def _measured(self, message: messages.Measured) -> None:
        self.stop, self.report = None, message.report
        self._show()
        if message.report is None:
            self._say("Stopped. r measures again.", "$warn")

    def work_ended(self, worker: Worker[object]) -> None:
        """A failure is shown, and one can begin anew."""
        if worker.state is WorkerState.ERROR:
            self.stop = None
            self._show()
            super().work_ended(worker)

    # Showing

    def _say(self, words: str, style: str = "") -> None:
        self.query_one("#verdict", Static).update(Content.styled(one_line(words, 300), style))

    def _show(self) -> None:
        report, glyphs = self.report, self.workbench.glyphs
        self.query_one(TabStrip).tabs = self._tabs()
        self.query_one(ModeTable).empty = self._why_no_mode()
        self.query_one(ModeTable).show(measured.mode_rows(report) if report else (), keep=False)
        self.query_one(NodeTable).show(report.hubs if report else (), keep=False)
        self.query_one(IsolatedTable).show(report.isolated if report else (), keep=False)
        self.query_one(CommunityTable).show(report.communities if report else (), keep=False)
        about = tuple(measured.about(report, glyphs)) if report else ()
        self.query_one("#about", DocumentView).show(about)
        if report:
            self.query_one("#verdict", Static).update(measured.verdict(report, glyphs))
        else:
            self._say("Measuring…" if self.stop else "r measures, / says what, n names the next.")
        self._draw_gauges()
        self._show_body()
        self.refresh_bindings()

    def _why_no_mode(self) -> str:
        if self.report:
            return "No failure mode.\nEvery figure is on the healthy side of its threshold."
        if self.stop:
            return "Measuring…\nEsc stops it."
        return (
            "How well can a router find its way here?\n"
            "r measures the registry that is named above; / names another, or a path to code."
        )

    def _draw_gauges(self) -> None:
        if self.is_mounted and (report := self.report):
            told = measured.gauges(report, self.size.width - 2, self.workbench.glyphs)
            self.query_one("#gauges", Static).update(told)
        self.query_one("#gauges").display = self.report is not None

    @on(ModeTable.Highlighted, "#modes")
    def _mode_highlighted(self) -> None:
        row = self.query_one(ModeTable).current
        self.query_one("#repair", Static).update(measured.repair(row))

    @on(VirtualTable.Chosen)
    def _chosen(self, event: VirtualTable.Chosen) -> None:
        event.stop()
        row = event.row
        node = row if isinstance(row, str) else getattr(getattr(row, "node", row), "id", None)
        if node is None or self.report is None:
            return
        known = self.workbench.library.positions
        if found := measured.skill_id(node, self.report, self._registry, known):
            self.post_message(messages.ShowSkill(found))
        else:
            words = f"{node} is no skill of a registry of this workspace."
            self.notify(one_line(words, 200), markup=False)

    # Commands

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to stop only what runs."""
        return self.stop is not None if action == "cancel" else True

    def action_edit(self) -> None:
        """Type what to measure."""
        line = self.query_one(PathInput)
        self.set_focus(line)
        line.action_select_all()

    def action_run(self) -> None:
        """Measure what the line names."""
        if what := self.query_one(PathInput).value.strip():
            self.measure(what)
        else:
            self.action_edit()

    def action_next(self) -> None:
        """Name the next registry."""
        names = [row.name for row in self.workbench.library.registries]
        line = self.query_one(PathInput)
        if names:
            here = names.index(line.value) if line.value in names else -1
            line.value = names[(here + 1) % len(names)]

    def action_cancel(self) -> None:
        """Stop the measurement at its next step."""
        if self.stop is not None:
            self.stop.set()
            self._say("Stopping…", "$warn")

    def action_turn(self, step: int) -> None:
        """Turn the tabs."""
        self.query_one(TabStrip).turn(step)
