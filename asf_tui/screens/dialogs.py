"""Dialogs: something went wrong, a question with one line for an answer, a text to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from asf_tui.blocks import Block
from asf_tui.commands import bindings
from asf_tui.commands.shared import DIALOG
from asf_tui.problems import Problem
from asf_tui.text import block, line
from asf_tui.widgets.document import DocumentView
from asf_tui.widgets.filter_box import QuietInput

FRAME = """
    align: center middle;
    & > #dialog {
        width: 76;
        max-width: 96%;
        height: auto;
        max-height: 96%;
        padding: 1 2;
        background: $surface;
        border: round $border;
    }
    & #title { height: auto; text-style: bold; }
    & #hint { height: auto; color: $quiet; margin-top: 1; }
"""


class ProblemDialog(ModalScreen[None]):
    """What went wrong, why, and what to do.

    Args:
        problem: Safe to show.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(DIALOG)
    CSS = f"ProblemDialog {{ {FRAME} & > #dialog {{ border: round $bad; }} & #title {{ color: $bad; }} & Static {{ height: auto; }} & .apart {{ margin-top: 1; }} }}"

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        self.problem = problem

    def compose(self) -> ComposeResult:
        """What, why, hint, and how to close."""
        problem = self.problem
        with VerticalScroll(id="dialog"):
            yield Static(line(problem.what), id="title")
            if problem.why:
                yield Static(line(problem.why), id="why")
            if problem.hint:
                yield Static(line(problem.hint, "$note"), id="what-to-do")
            for name, why, satisfy in problem.conditions:
                yield Static(Content.assemble(line(name, "bold"), ": ", line(why)), classes="apart")
                yield Static(line(satisfy, "$note"))
            yield Static("Esc closes", id="hint")

    def action_close(self) -> None:
        """Close."""
        self.dismiss(None)


class AskDialog(ModalScreen[str | None]):
    """Asks for one line; gives it back, or ``None`` when closed.

    Args:
        title: Hostile text is safe in it.
        text: What it is about; hostile text is safe in it.
        what: What the line is, as ``reason``.
        value: What stands in the line at first.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(DIALOG)
    CSS = f"AskDialog {{ {FRAME} & Static {{ height: auto; }} & Input {{ margin-top: 1; background: $panel; }} }}"

    def __init__(self, title: str, text: str, what: str, value: str = "") -> None:
        super().__init__()
        self._heading = title
        self._text = text
        self._what = what
        self._value = value

    def compose(self) -> ComposeResult:
        """Title, text, line."""
        with Vertical(id="dialog"):
            yield Static(line(self._heading, limit=200), id="title")
            yield Static(block(self._text, "$quiet"))
            line_ = QuietInput(f"the {self._what}", id="answer")
            line_.value = self._value
            yield line_
            yield Static("Enter goes on   Esc closes without doing anything", id="hint")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        answer = event.value.strip()
        if answer:
            self.dismiss(answer)
        else:
            text = f"Please give the {self._what}."
            self.query_one("#hint", Static).update(Content.styled(text, "$warn"))

    def action_close(self) -> None:
        """Close, with no answer."""
        self.dismiss(None)


class TextDialog(ModalScreen[None]):
    """A text to read.

    Args:
        title: Safe text.
        blocks: The text.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(DIALOG)
    CSS = f"TextDialog {{ {FRAME} & > #dialog {{ width: 92; height: 96%; padding: 0 1; }} & #title {{ margin-bottom: 1; }} & DocumentView {{ height: 1fr; padding: 0; background: $surface; scrollbar-background: $surface; }} & #hint {{ margin-top: 0; }} }}"

    def __init__(self, title: str, blocks: Sequence[Block]) -> None:
        super().__init__()
        self._heading = title
        self._blocks = blocks

    def compose(self) -> ComposeResult:
        """Title, text, how to close."""
        with Vertical(id="dialog"):
            yield Static(line(self._heading), id="title")
            yield DocumentView("text")
            yield Static("Up and Down scroll   Esc closes", id="hint")

    def on_mount(self) -> None:
        """Show the text."""
        self.query_one(DocumentView).show(self._blocks)

    def action_close(self) -> None:
        """Close."""
        self.dismiss(None)
