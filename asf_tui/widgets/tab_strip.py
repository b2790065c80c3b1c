"""One line of tabs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from asf_tui.text import cut


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab."""

    id: str
    title: str
    count: int | None = None
    """Shown after the title; ``None`` for none."""

    @property
    def label(self) -> str:
        """Title and count."""
        return self.title if self.count is None else f"{self.title} {self.count}"


class TabStrip(Widget):
    """Shows tabs and which is active; turning is up to the screen's keys and the mouse.

    Args:
        tabs: In order.
        id: Its id.
    """

    ALLOW_SELECT: ClassVar[bool] = False
    DEFAULT_CSS = """
    TabStrip { height: 1; background: $surface; color: $quiet; }
    """

    tabs: reactive[tuple[Tab, ...]] = reactive(())
    active: reactive[str] = reactive("")

    @dataclass
    class Turned(Message):
        """Another tab is active."""

        strip: TabStrip
        tab: str

        @property
        def control(self) -> TabStrip:
            """The strip."""
            return self.strip

    def __init__(self, tabs: Sequence[Tab], *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.auto_links = False
        self.set_reactive(TabStrip.tabs, tuple(tabs))
        self.set_reactive(TabStrip.active, tabs[0].id)

    def turn(self, step: int) -> None:
        """Go on by tabs, round the ends."""
        ids = [tab.id for tab in self.tabs]
        here = ids.index(self.active) if self.active in ids else 0
        self.action_pick(ids[(here + step) % len(ids)])

    def first(self) -> None:
        """Back to the first tab."""
        self.action_pick(self.tabs[0].id)

    def action_pick(self, tab: str) -> None:
        """Make a tab active."""
        if tab in {known.id for known in self.tabs}:
            self.active = tab

    def validate_active(self, tab: str) -> str:
        """Never a tab that is not there."""
        ids = [known.id for known in self.tabs]
        return tab if tab in ids else ids[0]

    def watch_tabs(self) -> None:
        """The active tab may have gone."""
        self.active = self.validate_active(self.active)

    def watch_active(self, old: str, new: str) -> None:
        """Tell."""
        if old != new:
            self.post_message(self.Turned(self, new))

    def render(self) -> Content:
        """The labels, cut where there is no room, the active one whole."""
        return Content("").join(
            self._draw(tab, label) for tab, label in zip(self.tabs, self._labels(), strict=True)
        )

    def _labels(self) -> list[str]:
        labels = [tab.label for tab in self.tabs]
        others = [i for i, tab in enumerate(self.tabs) if tab.id != self.active]
        while sum(cell_len(label) + 2 for label in labels) > self.size.width and others:
            longest = max(others, key=lambda i: cell_len(labels[i]))
            length = cell_len(labels[longest])
            if length <= 3:
                break
            labels[longest] = cut(labels[longest].removesuffix("…"), length - 1)
        return labels

    def _draw(self, tab: Tab, label: str) -> Content:
        active = tab.id == self.active
        style = "bold $foreground on $panel" if active else ""
        if active and self.app.native_ansi_color:
            style = "bold reverse"
        click = Style.from_meta({"@click": f"pick('{tab.id}')"})
        return Content.styled(f" {label} ", style).stylize(click)
