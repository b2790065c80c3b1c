"""The line above the list: the filter, and how much it leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from asf_core.domain.text import visible
from asf_tui.commands import bindings
from asf_tui.commands.skills import FILTER
from asf_tui.widgets.virtual_table import VirtualTable


class QuietInput(Input):
    """A one-line input without a frame and without a blinking cursor."""

    DEFAULT_CSS = """
    QuietInput, QuietInput:focus {
        border: none;
        width: 1fr;
        height: 1;
        padding: 0;
        background: $surface;
        background-tint: transparent;
    }
    QuietInput > .input--placeholder { color: $quiet; }
    """

    def __init__(self, placeholder: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(placeholder=placeholder, id=id, select_on_focus=False)
        self.cursor_blink = False

    def validate_value(self, value: str) -> str:
        """What is pasted is made visible, as all that is shown; a secret is not shown."""
        return value if self.password else visible(value)


class FilterInput(QuietInput):
    """Where the filter is typed."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(FILTER)

    def action_done(self) -> None:
        """To the list."""
        self._to_the_list()
        self.post_message(FilterBox.Left(clear=False))

    def action_leave(self) -> None:
        """Clear, then to the list."""
        self._to_the_list()
        self.post_message(FilterBox.Left(clear=True))

    def _to_the_list(self) -> None:
        """At once: the next key is for the list."""
        for table in self.screen.query(VirtualTable).results():
            self.screen.set_focus(table)
            break


class FilterBox(Horizontal):
    """The filter and the count of what it leaves.

    Args:
        placeholder: Stands in the line while nothing is typed.
    """

    DEFAULT_CSS = """
    FilterBox { height: 1; background: $surface; }
    FilterBox #sign { width: 3; color: $quiet; background: $surface; }
    FilterBox:focus-within #sign { color: $note; text-style: bold; }
    FilterBox #count { width: auto; padding: 0 1; color: $quiet; background: $surface; }
    """

    @dataclass
    class Changed(Message):
        """Another filter."""

        text: str

    @dataclass
    class Left(Message):
        """The person is done with the filter."""

        clear: bool

    def __init__(
        self, placeholder: str = "filter: words, state: risk: registry: type: has:"
    ) -> None:
        super().__init__()
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        """Sign, input, count."""
        yield Static(" / ", id="sign", markup=False)
        yield FilterInput(self._placeholder, id="filter")
        yield Static("", id="count", markup=False)

    @property
    def text(self) -> str:
        """What is typed."""
        return self.query_one(FilterInput).value

    def clear(self) -> None:
        """Empty the filter, without a word: who does it knows."""
        self.put("")

    def put(self, text: str) -> None:
        """Put a filter into the line, without a word: who does it knows."""
        box = self.query_one(FilterInput)
        with box.prevent(Input.Changed):
            box.value = text

    def focus_input(self) -> None:
        """Go and type."""
        self.screen.set_focus(self.query_one(FilterInput))  # at once: the next key is for it

    def tell(self, count: Content) -> None:
        """Say how much the filter leaves."""
        self.query_one("#count", Static).update(count)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Changed(event.value))
