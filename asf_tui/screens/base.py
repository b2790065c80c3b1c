"""What every area has: the top bar, the command bar, and a say when its work fails."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from asf_tui.commands import Place
from asf_tui.library import Library
from asf_tui.widgets.command_bar import CommandBar
from asf_tui.widgets.top_bar import Activity, TopBar

if TYPE_CHECKING:
    from asf_tui.app import Workbench

NARROW = 100
"""Below this many columns, one pane."""
WIDE = 140
"""Above this many columns, three panes."""
LOW = 20
"""Below this many lines, nothing but the essential."""
ASKING = "asking"
"""Group of the workers that wait for a person."""


class AreaScreen(Screen[None]):
    """The screen of an area."""

    AREA: ClassVar[str]
    PLACES: ClassVar[tuple[Place, ...]]
    """Whose commands the help shows here."""
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual declares it
        (0, "-narrow"),
        (NARROW, "-normal"),
        (WIDE + 1, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (LOW, "-high")]  # noqa: RUF012 - Textual declares it

    @property
    def workbench(self) -> Workbench:
        """The app, as what it is."""
        return cast("Workbench", self.app)

    def compose(self) -> ComposeResult:
        """Top bar, the area's own, command bar."""
        yield TopBar(self.AREA)
        yield from self.compose_area()
        yield CommandBar()

    def compose_area(self) -> ComposeResult:
        """The area's own widgets."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Follow what the app knows."""
        self.query_one(TopBar).glyphs = self.workbench.glyphs
        self.watch(self.app, "activity", self._show_activity)
        self.watch(self.app, "library", self.show_library)

    def _show_activity(self, activity: Activity) -> None:
        self.query_one(TopBar).activity = activity

    def show_library(self, library: Library) -> None:
        """The rows of all skills changed."""
        raise NotImplementedError

    def action_press(self, key: str) -> None:
        """Do as if a key was pressed: a click in the command bar."""
        self.app.simulate_key(key)

    def asking(self, coroutine: Coroutine[Any, Any, object], doing: str) -> None:
        """Run what asks the person: dialogs follow one another, the screen goes on meanwhile.

        Args:
            coroutine: Of :class:`asf_tui.screens.deciding.Deciding`.
            doing: What it is, for the words of a failure.
        """
        self.run_worker(coroutine, "asking", ASKING, doing, exit_on_error=False)

    @on(Worker.StateChanged)
    def _worker_moved(self, event: Worker.StateChanged) -> None:
        if event.state in {WorkerState.SUCCESS, WorkerState.ERROR, WorkerState.CANCELLED}:
            self.work_ended(event.worker)

    def work_ended(self, worker: Worker[object]) -> None:
        """Work of this screen ended; a failure is shown."""
        if worker.error is not None and worker.state is WorkerState.ERROR:
            self.workbench.report_failure(worker.error, worker.description)
