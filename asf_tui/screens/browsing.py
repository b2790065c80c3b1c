"""A list and, beside it or in its place, one thing of it from several sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.worker import Worker

from asf_tui import messages
from asf_tui.library import Library
from asf_tui.loading import Loader
from asf_tui.problems import Problem
from asf_tui.screens.base import NARROW, WIDE, AreaScreen
from asf_tui.widgets.tabbed import TabbedDetail
from asf_tui.widgets.virtual_table import VirtualTable

Item = TypeVar("Item")
Value = TypeVar("Value")

PAUSE = 0.04
"""Seconds that the cursor rests on a row before its detail is read: none is while a key is held."""


class BrowsingScreen(AreaScreen):
    """The screen of an area that is a list with details.

    What is shown is read again whenever the workspace changes, by whoever it was changed.
    """

    AUTO_FOCUS = "#rows"
    DEFAULT_CSS = """
    BrowsingScreen #list { width: 1fr; }
    BrowsingScreen.-normal #list { width: 42%; min-width: 44; }
    BrowsingScreen.-wide #list { width: 34%; min-width: 48; }
    BrowsingScreen #detail { width: 1fr; }
    BrowsingScreen.-normal #detail, BrowsingScreen.-wide #detail { border-left: solid $panel; }
    BrowsingScreen.-narrow #detail { display: none; }
    BrowsingScreen.-narrow.-reading #detail { display: block; }
    BrowsingScreen.-narrow.-reading #list { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._loaders: dict[str, Loader[Any, Any]] = {}
        self._rest: Timer | None = None
        self._shown = ""
        """What the detail shows, by its key."""

    # What an area says

    def make_table(self) -> VirtualTable[Any]:
        """The list; its id is ``rows``."""
        raise NotImplementedError

    def make_detail(self) -> TabbedDetail:
        """The detail."""
        raise NotImplementedError

    def reload(self) -> None:
        """Read the list anew."""
        raise NotImplementedError

    def read_row(self, row: Any) -> None:
        """Read what the detail shows of a row."""
        raise NotImplementedError

    def clear_detail(self) -> None:
        """There is no row: show nothing."""
        raise NotImplementedError

    # What all have

    def compose_area(self) -> ComposeResult:
        """List and detail, side by side."""
        with Horizontal():
            with Vertical(id="list"):
                yield self.make_table()
            yield self.make_detail()

    def on_mount(self) -> None:
        """Follow what changes."""
        self.watch(self.app, "revision", self._revised, init=False)

    def _revised(self, _: str) -> None:
        self.reload()

    def show_library(self, library: Library) -> None:
        """The skills changed."""
        if self.workbench.work.session is not None:
            self.reload()

    def loader(
        self,
        name: str,
        doing: str,
        read: Callable[[Item], Value],
        show: Callable[[Value], None],
        fail: Callable[[Problem], None] | None = None,
    ) -> Loader[Item, Value]:
        """A reading of this screen, whose failure is shown in the place of the detail."""
        made = Loader(self, name, doing, read, show, fail or self._show_problem)
        self._loaders[name] = made
        return made

    def _show_problem(self, problem: Problem) -> None:
        self._shown = ""
        self.detail.show_problem(problem)

    @on(messages.Loaded)
    def _loaded(self, message: messages.Loaded) -> None:
        self._loaders[message.loader].loaded(message)

    def work_ended(self, worker: Worker[object]) -> None:
        """Reading shows its failures itself."""
        if worker.group in self._loaders:
            self._loaders[worker.group].ended(worker)
        else:
            super().work_ended(worker)

    @property
    def table(self) -> VirtualTable[Any]:
        """The list."""
        return self.query_one("#rows", VirtualTable)

    @property
    def detail(self) -> TabbedDetail:
        """The detail."""
        return self.query_one(TabbedDetail)

    @property
    def reading(self) -> bool:
        """Whether, in one pane, the detail stands in the place of the list."""
        return self.has_class("-reading")

    @property
    def one_pane(self) -> bool:
        """Whether only one of list and detail is seen."""
        return self.size.width < NARROW

    def on_resize(self, event: events.Resize) -> None:
        """Show one, two or three panes."""
        self.detail.wide = event.size.width > WIDE

    def again(self, key: str) -> bool:
        """Whether the detail that is about to be shown is of what it shows already."""
        same, self._shown = key == self._shown, key
        return same

    @on(VirtualTable.Highlighted, "#rows")
    def _highlighted(self) -> None:
        self.refresh_bindings()
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(PAUSE, self.read_current)

    @on(VirtualTable.Chosen, "#rows")
    def _chosen(self) -> None:
        self.open_detail()

    def read_current(self) -> None:
        """Read what the detail shows of the row at the cursor."""
        row = self.table.current
        if row is None:
            self._shown = ""
            self.clear_detail()
        else:
            self.read_row(row)

    def open_detail(self, side: str = "") -> None:
        """Go from the list to the detail, to one side of it where one is named."""
        if self.table.current is None:
            return
        if side:
            self.detail.turn_to(side)
        self.add_class("-reading")
        target = self.detail.body if side else self.detail.entrance
        self.call_after_refresh(lambda: self.set_focus(target()))

    # Commands

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to turn the tabs that are seen, and to go back from where one went."""
        if not self.is_mounted:
            return True
        if action == "turn":
            return self.reading or not self.one_pane
        if action == "back":
            return self.reading
        return True

    def action_back(self) -> None:
        """From the detail to the list."""
        self.remove_class("-reading")
        self.table.focus()
        self.refresh_bindings()

    def action_turn(self, step: int) -> None:
        """Turn the tabs."""
        self.detail.strip.turn(step)
