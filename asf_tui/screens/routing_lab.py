"""The Routing lab: type a task, watch the stages, read the plan and why."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState

from asf_core.domain.errors import AsfError
from asf_core.domain.routing import Candidate, RouteRequest, RouteResult, StageTrace
from asf_tui import bridge, messages
from asf_tui.commands import bindings
from asf_tui.commands.routing import PLAN, ROUTING, TASK
from asf_tui.commands.shared import TABLE
from asf_tui.comparing import Compared, candidates, plan_text
from asf_tui.jobs import LatestOnly
from asf_tui.library import Library
from asf_tui.problems import Problem
from asf_tui.screens.base import WIDE, AreaScreen
from asf_tui.screens.dialogs import AskDialog, ProblemDialog
from asf_tui.widgets.candidates import CandidateTable
from asf_tui.widgets.compare_view import CompareTable, CompareView
from asf_tui.widgets.filter_box import QuietInput
from asf_tui.widgets.plan_view import HOW_TO, PlanView, verdict
from asf_tui.widgets.stage_bars import StageBars
from asf_tui.widgets.tab_strip import Tab, TabStrip
from asf_tui.widgets.virtual_table import VirtualTable

_BODIES = frozenset({"plan", "candidates", "misses", "compared"})
"""Ids of what a tab can show."""


class Asked(NamedTuple):
    """A task and how to route it: with one setting, or with two to compare."""

    task: str
    settings: tuple[str, ...]


class TaskInput(QuietInput):
    """Where the task is typed."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(TASK)

    def action_leave(self) -> None:
        """To the results."""
        if isinstance(self.screen, RoutingScreen):
            self.screen.focus_results()


class RoutingScreen(AreaScreen):
    """Type a task and watch it being routed."""

    AREA = "routing"
    PLACES = (ROUTING, TASK, PLAN, TABLE)
    BINDINGS: ClassVar[list[BindingType]] = bindings(ROUTING)
    AUTO_FOCUS = "TaskInput"
    CSS = """
    RoutingScreen #task-line { height: 1; background: $surface; }
    RoutingScreen #task-sign { width: 7; padding: 0 1; color: $quiet; background: $surface; }
    RoutingScreen #task-line:focus-within #task-sign { color: $note; text-style: bold; }
    RoutingScreen #top { layout: vertical; height: auto; }
    RoutingScreen #verdict { height: auto; max-height: 3; padding: 0 1; }
    RoutingScreen.-normal #verdict, RoutingScreen.-wide #verdict { max-height: 6; }
    RoutingScreen.-normal #top, RoutingScreen.-wide #top { layout: horizontal; height: auto; min-height: 6; }
    RoutingScreen.-normal StageBars, RoutingScreen.-wide StageBars { width: 1fr; }
    RoutingScreen.-normal #verdict, RoutingScreen.-wide #verdict { width: 1fr; }
    RoutingScreen.-low #top { min-height: 1; }
    RoutingScreen.-low #verdict { max-height: 1; }
    RoutingScreen.-low StageBars { height: 1; }
    RoutingScreen #results { height: 1fr; layout: vertical; }
    RoutingScreen #plan, RoutingScreen #candidates, RoutingScreen #misses, RoutingScreen #compare { height: 1fr; }
    RoutingScreen.-wide #results { layout: grid; grid-size: 2; grid-columns: 2fr 3fr; grid-rows: 1 1fr; }
    RoutingScreen #plan-title { display: none; height: 1; padding: 0 1; background: $surface; text-style: bold; }
    RoutingScreen.-wide #plan-title { display: block; }
    RoutingScreen.-wide #result-tabs, RoutingScreen.-wide #candidates, RoutingScreen.-wide #misses, RoutingScreen.-wide #compare { border-left: solid $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.routes: LatestOnly[Asked] = LatestOnly(self._start)
        self.result: RouteResult | None = None
        self._wide = False
        self._asked = ""
        self._setting = ""
        """Name of the setting to route with; empty for the workspace's own."""

    def compose_area(self) -> ComposeResult:
        """Task, stages and verdict, results."""
        glyphs = self.workbench.glyphs
        with Horizontal(id="task-line"):
            yield Static("Task", id="task-sign")
            yield TaskInput("what is to be done, in words; Enter routes it", id="task")
        with Container(id="top"):
            yield StageBars(glyphs)
            yield Static("", id="verdict", markup=False)
        with Container(id="results"):
            yield Static("Plan", id="plan-title")
            yield TabStrip(self._tabs(), id="result-tabs")
            yield PlanView(glyphs)
            yield CandidateTable(glyphs, self._describe, "No candidates yet.", "candidates")
            yield CandidateTable(glyphs, self._describe, "No near misses.", "misses")
            yield CompareView(glyphs, self._describe)

    def on_mount(self) -> None:
        """Say how to begin; who comes here will route."""
        if self.workbench.work.session is not None:
            self.workbench.work.prepare()
        self._say()
        self._turned()

    def on_resize(self, event: events.Resize) -> None:
        """Show the plan beside the candidates where there is room."""
        self._wide = event.size.width > WIDE
        self.query_one(TabStrip).tabs = self._tabs()
        self._turned()

    def show_library(self, library: Library) -> None:
        """Say how to begin, unless there is something to read."""
        if not self._asked:
            self._say()

    def _say(self) -> None:
        words = HOW_TO if self.workbench.library.index.rows else self.workbench.empty_words()
        self.query_one(PlanView).say(words)

    def _describe(self, skill_id: str) -> str:
        row = self.workbench.library.row(skill_id)
        return row.description if row else ""

    # Tabs

    def _tabs(self) -> tuple[Tab, ...]:
        result = self.result
        plan = Tab("plan", "Plan", len(result.bundle.steps) if result else None)
        rest = (
            Tab("candidates", "Candidates", len(candidates(result.stages)) if result else None),
            Tab("misses", "Near misses", len(result.near_misses) if result else None),
            Tab("compare", "Compare"),
        )
        return rest if self._wide else (plan, *rest)

    @on(TabStrip.Turned)
    def _on_turned(self, event: TabStrip.Turned) -> None:
        event.stop()
        self._turned()

    def _turned(self) -> None:
        active = self.query_one(TabStrip).active
        moving = self.focused is not None and self.focused.id in _BODIES
        self.query_one("#plan").display = self._wide or active == "plan"
        self.query_one("#candidates").display = active == "candidates"
        self.query_one("#misses").display = active == "misses"
        self.query_one("#compare").display = active == "compare"
        if moving:
            self.focus_results()

    def focus_results(self) -> None:
        """Go to what the tab shows."""
        active = self.query_one(TabStrip).active
        self.set_focus(self.query_one("#compared" if active == "compare" else f"#{active}"))

    # Routing

    @on(Input.Submitted, "#task")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if task := event.value.strip():
            self.route(task)

    def route(self, task: str) -> None:
        """Route a task; the answer to an earlier one no longer counts."""
        if self.workbench.work.session is None:
            self.notify("The workspace is not open yet.", severity="warning")
            return
        self._asked, self.result = task, None
        self.query_one(StageBars).begin()
        self.query_one("#verdict", Static).update(Content.styled("Routing…", "$note"))
        self.query_one(PlanView).say("Routing…")
        self.routes.ask(Asked(task, (self._setting,)))

    def _start(self, serial: int, asked: Asked) -> None:
        work = partial(self._work, serial, asked)
        self.workbench.work.start(
            self, work, group="route", doing="Routing the task", serial=serial
        )

    def _work(self, serial: int, asked: Asked) -> None:
        def tell(trace: StageTrace) -> None:
            self.post_message(messages.StageDone(serial, trace))

        route, alone = self.workbench.work.engine.route, len(asked.settings) == 1
        results = [
            route(asked.task, RouteRequest(setting=setting), tell if alone else None)
            for setting in asked.settings
        ]
        if not alone:
            self.post_message(messages.Compared(serial, Compared(results[0], results[1])))
        self.post_message(messages.Routed(serial, results[-1]))

    def work_ended(self, worker: Worker[object]) -> None:
        """A failure counts while its task is the newest."""
        if worker.state is WorkerState.ERROR and self.routes.is_current(int(worker.name)):
            self._finish(None)
            super().work_ended(worker)
        self.routes.done()

    @on(messages.StageDone)
    def _stage_done(self, message: messages.StageDone) -> None:
        if not self.routes.is_current(message.serial):
            return
        self.query_one(StageBars).add(message.trace)
        if message.trace.candidates:
            self._show("#candidates", message.trace.candidates)

    @on(messages.Compared)
    def _compared(self, message: messages.Compared) -> None:
        if self.routes.is_current(message.serial):
            self.query_one(CompareView).show(message.compared)
            self.query_one(TabStrip).action_pick("compare")

    @on(messages.Routed)
    def _routed(self, message: messages.Routed) -> None:
        if self.routes.is_current(message.serial):
            self._finish(message.result)

    def _finish(self, result: RouteResult | None) -> None:
        self.result = result
        self.query_one(StageBars).finish(result)
        told = (
            verdict(result, self.workbench.glyphs)
            if result
            else Content.styled("Routing failed.", "$bad")
        )
        self.query_one("#verdict", Static).update(told)
        self.query_one(TabStrip).tabs = self._tabs()
        if result is None:
            self.query_one(PlanView).say("Routing failed.\nr routes the task again.")
        else:
            self.query_one(PlanView).show(result)
            self._show("#candidates", candidates(result.stages))
            self._show("#misses", result.near_misses)

    def _show(self, table: str, candidates: tuple[Candidate, ...]) -> None:
        self.query_one(table, CandidateTable).show_candidates(candidates)

    @on(CandidateTable.Chosen)
    def _candidate_chosen(self, event: CandidateTable.Chosen) -> None:
        event.stop()
        self.post_message(messages.ShowSkill(event.row.skill_id))

    @on(CompareTable.Chosen, "#compared")
    def _compared_chosen(self, event: CompareTable.Chosen) -> None:
        event.stop()
        self.post_message(messages.ShowSkill(event.row.skill_id))

    @on(PlanView.Chosen)
    def _step_chosen(self, event: PlanView.Chosen) -> None:
        event.stop()
        self.post_message(messages.ShowSkill(event.skill_id))

    # Commands

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what there is a task or a plan for."""
        if action == "copy_plan":
            return self.result is not None
        return bool(self._asked) if action in {"again", "compare"} else True

    def action_edit(self) -> None:
        """Type a task."""
        self.set_focus(self.query_one(TaskInput))  # at once: the next key is for it

    def action_again(self) -> None:
        """Route the same task."""
        self.route(self._asked)

    def action_setting(self) -> None:
        """Ask for the setting to route with."""
        text = f"{_settings_help()}\nNow: {self._setting or 'the workspace’s own'}"
        dialog = AskDialog("Route with which setting?", text, "setting")
        self.app.push_screen(dialog, self._set)

    def _set(self, answer: str | None) -> None:
        if answer and (names := self._checked(answer.split()[:1])):
            self._setting = names[0]
            self.query_one(TaskInput).placeholder = f"what is to be done; routed with {names[0]}"
            if self._asked:
                self.action_again()

    def action_compare(self) -> None:
        """Ask for two settings, then route the task with both."""
        own = self.result.setting if self.result else "balanced"
        other = "fast" if own != "fast" else "balanced"
        text = f"Two settings, as {other} {own}.\n{_settings_help()}"
        dialog = AskDialog("Compare which settings?", text, "two settings", f"{other} {own}")
        self.app.push_screen(dialog, self._compare)

    def _compare(self, answer: str | None) -> None:
        words = (answer or "").split()
        if answer is None:
            return
        if len(words) != 2:
            self.notify("Give two settings, as: fast balanced", severity="warning", markup=False)
        elif names := self._checked(words):
            self.query_one("#verdict", Static).update(Content.styled("Comparing…", "$note"))
            self.routes.ask(Asked(self._asked, tuple(names)))

    def _checked(self, names: list[str]) -> list[str]:
        """The settings, or none and a word about what is wrong with them."""
        try:
            return [bridge.check_setting(name) for name in names]
        except AsfError as error:
            self.app.push_screen(ProblemDialog(Problem.of(error, "", None)))
            return []

    def action_copy_plan(self) -> None:
        """Copy the plan as text."""
        if self.result is not None:
            self.app.copy_to_clipboard(plan_text(self.result))
            self.notify("The plan was sent to the terminal's clipboard.", markup=False)

    def action_edit_skill(self) -> None:
        """Open the skill at the cursor in the editor."""
        if skill_id := self._at_cursor():
            self.workbench.edit_skill(skill_id)

    def _at_cursor(self) -> str | None:
        focused = self.focused
        if isinstance(focused, PlanView):
            return focused.current_skill
        if isinstance(focused, VirtualTable) and focused.current is not None:
            return str(focused.current.skill_id)
        return None

    def action_turn(self, step: int) -> None:
        """Turn the tabs."""
        self.query_one(TabStrip).turn(step)


def _settings_help() -> str:
    names = ", ".join(bridge.setting_names())
    return f"{names};\none without a part, as balanced-pairs; cross@4 reads the first 4."
