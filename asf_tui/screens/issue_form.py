"""The dialog in which an issue is written: several lines a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static, TextArea

from asf_core.domain.text import visible
from asf_tui.commands import bindings
from asf_tui.commands.skillbook import ISSUE_FORM
from asf_tui.screens.dialogs import FRAME
from asf_tui.text import block, line
from asf_tui.widgets.filter_box import QuietInput

Answers = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """One text of the form."""

    name: str
    """By which its answer is known."""
    label: str
    value: str = ""
    """What stands in it at first; hostile text."""
    lines: int = 1
    """Its height; more than one takes line ends."""
    hint: str = ""
    """Shown after the label."""

    @property
    def shown(self) -> str:
        """The value as it stands in the form: nothing in it acts or hides."""
        return visible(self.value, keep="\n" if self.lines > 1 else "")


class TextEntry(TextArea):
    """A text of several lines, without a frame."""

    DEFAULT_CSS = """
    TextEntry, TextEntry:focus {
        border: none;
        padding: 0;
        background: $panel;
        color: $foreground;
        background-tint: transparent;
        scrollbar-size-vertical: 1;
        & .text-area--cursor-line { background: $panel; }
        & .text-area--selection { background: $cursor; }
        & .text-area--cursor { background: $foreground; color: $background; }
    }
    TextEntry:ansi, TextEntry:ansi:focus {
        border-left: outer ansi_default;
        & .text-area--cursor { text-style: reverse; background: ansi_default; color: ansi_default; }
    }
    """

    def __init__(self, text: str, *, id: str) -> None:  # noqa: A002 - Textual's own name
        super().__init__(text, id=id, theme="css", tab_behavior="focus", soft_wrap=True)
        self.cursor_blink = False


class IssueForm(ModalScreen[Answers | None]):
    """Asks for the texts of an issue; gives the answers back, or ``None`` when closed.

    Args:
        title: Safe text.
        text: What it is about; hostile text is safe in it.
        entries: At least one.
        check: Says what is wrong with the answers; empty when nothing is.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(ISSUE_FORM)
    CSS = f"""
    IssueForm {{ {FRAME} & > #dialog {{ width: 92; padding: 0 2; }} & Static {{ height: auto; }}
    & #text {{ max-height: 8; }} & .label {{ margin-top: 1; color: $quiet; }}
    & Input, & Input:focus {{ background: $panel; }} }}
    """

    def __init__(
        self, title: str, text: str, entries: Sequence[Entry], check: Callable[[Answers], str]
    ) -> None:
        super().__init__()
        self._heading, self._text = title, text
        self._entries = tuple(entries)
        self._check = check

    def compose(self) -> ComposeResult:
        """Title, text, and a label over each entry."""
        with VerticalScroll(id="dialog", can_focus=False):
            yield Static(line(self._heading, limit=200), id="title")
            if self._text:
                yield Static(block(self._text, "$quiet"), id="text")
            for entry in self._entries:
                hint = f"  {entry.hint}" if entry.hint else ""
                yield Static(Content(f"{entry.label}{hint}"), classes="label")
                yield self._widget(entry)
            yield Static(
                "Ctrl-S saves   Tab goes on   Esc closes without doing anything", id="hint"
            )

    def _widget(self, entry: Entry) -> TextEntry | QuietInput:
        name = f"entry-{entry.name}"
        if entry.lines > 1:
            area = TextEntry(entry.shown, id=name)
            area.styles.height = entry.lines
            return area
        made = QuietInput("", id=name)
        made.value = entry.shown
        return made

    def on_mount(self) -> None:
        """Begin at the first entry, behind what stands in it."""
        first = self.query_one(f"#entry-{self._entries[0].name}")
        self.set_focus(first)
        if isinstance(first, TextEntry):
            first.move_cursor(first.document.end)

    def _answers(self) -> dict[str, str]:
        found = {}
        for entry in self._entries:
            widget = self.query_one(f"#entry-{entry.name}")
            text = widget.text if isinstance(widget, TextEntry) else ""
            text = widget.value if isinstance(widget, QuietInput) else text
            # What was not touched is as it was, whatever is hidden in it.
            found[entry.name] = entry.value if text == entry.shown else visible(text, keep="\n")
        return found

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_save()

    def action_save(self) -> None:
        """Take what is typed, if it can be taken."""
        answers = self._answers()
        if wrong := self._check(answers):
            hint = self.query_one("#hint", Static)
            hint.update(line(wrong, "$warn"))
            self.call_after_refresh(hint.scroll_visible, animate=False)
        else:
            self.dismiss(answers)

    def action_close(self) -> None:
        """Close, with no answer."""
        self.dismiss(None)
