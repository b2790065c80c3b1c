"""One thing shown from several sides: a head, tabs, and what each tab shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from asf_tui.blocks import BLANK, Block, Text
from asf_tui.problems import Problem
from asf_tui.text import line
from asf_tui.widgets.document import DocumentView
from asf_tui.widgets.tab_strip import Tab, TabStrip


class TabbedDetail(Container):
    """Shows a thing. When wide, what the first tab shows stands beside the others.

    Args:
        sides: Widget of each tab, by the tab's id, in order.
        titles: Title of each tab, by its id.
    """

    DEFAULT_CSS = """
    TabbedDetail { layout: vertical; background: $background; }
    TabbedDetail > #head { height: auto; max-height: 5; padding: 0 1; background: $surface; text-wrap: nowrap; text-overflow: ellipsis; }
    TabbedDetail > .side { height: 1fr; }
    TabbedDetail.-wide { layout: grid; grid-size: 2; grid-columns: 1fr 1fr; grid-rows: auto 1fr; }
    TabbedDetail.-wide > #head { height: 100%; }
    TabbedDetail.-wide > #tabs { height: 100%; border-left: solid $panel; }
    TabbedDetail.-wide > .later { border-left: solid $panel; }
    """

    wide: reactive[bool] = reactive(False)
    """Whether there is room for two columns."""

    def __init__(self, sides: Mapping[str, Widget], titles: Mapping[str, str]) -> None:
        super().__init__(id="detail")
        self.sides = dict(sides)
        self.first = next(iter(sides))
        self._titles = dict(titles)
        self._counts: dict[str, int] = {}
        for name, widget in self.sides.items():
            widget.set_class(True, "side")
            widget.set_class(name != self.first, "later")

    def compose(self) -> ComposeResult:
        """Head, tabs, and all sides; one or two of these are displayed."""
        yield Static("", id="head", markup=False)
        yield TabStrip(self._tabs(), id="tabs")
        yield from self.sides.values()

    @property
    def strip(self) -> TabStrip:
        """The tabs."""
        return self.query_one("#tabs", TabStrip)

    def on_mount(self) -> None:
        """Nothing is shown yet."""
        self._turned()

    def head(self, content: Content) -> None:
        """Say what is shown, in one line or a few."""
        self.query_one("#head", Static).update(content)

    def counts(self, counts: Mapping[str, int]) -> None:
        """How much there is on some tabs, shown after their titles."""
        self._counts = dict(counts)
        self.strip.tabs = self._tabs()

    def write(self, side: str, blocks: Sequence[Block], *, keep: bool = False) -> None:
        """Fill a side that is a document."""
        view = self.sides[side]
        if isinstance(view, DocumentView):
            view.show(blocks, keep=keep)

    def clear(self) -> None:
        """Show nothing: no head, and no text on the sides that are documents."""
        self.head(Content(""))
        for name in self.sides:
            self.write(name, ())

    def show_problem(self, problem: Problem) -> None:
        """Say in the place of the thing why it is not shown."""
        self.head(line(problem.what, "bold $bad"))
        said = [Text(line(text, style)) for text, style in _styled(problem)]
        for name in self.sides:
            self.write(name, (BLANK, *said))

    def body(self) -> Widget:
        """What the tab shows, for the focus."""
        return self._target(self.strip.active)

    def entrance(self) -> Widget:
        """Where one comes in from the list: the first side, where it is seen."""
        return self._target(self.first) if self.wide else self.body()

    def _target(self, name: str) -> Widget:
        side = self.sides[name]
        found: Widget = getattr(side, "target", side)
        return found

    def turn_to(self, side: str) -> None:
        """Show a side."""
        if self.wide and side == self.first:
            return
        self.strip.action_pick(side)

    def watch_wide(self, wide: bool) -> None:
        """Change between one column and two."""
        self.set_class(wide, "-wide")
        if self.is_mounted:
            self.strip.tabs = self._tabs()
            self._turned()

    def _tabs(self) -> tuple[Tab, ...]:
        return tuple(
            Tab(name, title, self._counts.get(name))
            for name, title in self._titles.items()
            if not (self.wide and name == self.first)
        )

    @on(TabStrip.Turned, "#tabs")
    def _on_turned(self, event: TabStrip.Turned) -> None:
        event.stop()
        self._turned()

    def _turned(self) -> None:
        active = self.strip.active
        had_focus = self.has_focus_within
        for name, widget in self.sides.items():
            widget.display = name == active or (self.wide and name == self.first)
        if had_focus:
            self.body().focus()
        self.screen.refresh_bindings()


def _styled(problem: Problem) -> list[tuple[str, str]]:
    said = [(problem.why, ""), (problem.hint, "$note")]
    for name, why, satisfy in problem.conditions:
        said += [(f"{name}: {why}", ""), (satisfy, "$note")]
    return [(text, style) for text, style in said if text]
