"""Dialogs that ask for more than a line: a form, a yes or no, a choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from asf_tui.commands import bindings
from asf_tui.commands.shared import CONFIRM, DIALOG, PICK
from asf_tui.screens.dialogs import FRAME
from asf_tui.text import block, line
from asf_tui.widgets.columns import Cell, Column, Piece
from asf_tui.widgets.filter_box import QuietInput
from asf_tui.widgets.virtual_table import VirtualTable

Answers = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Field:
    """One line of a form."""

    name: str
    """By which its answer is known."""
    label: str
    value: str = ""
    """What stands in it at first."""
    secret: bool = False
    """What is typed is not shown."""
    optional: bool = False
    hint: str = ""
    """Shown while it is empty."""


class FormDialog(ModalScreen[Answers | None]):
    """Asks for several lines; gives the answers back, or ``None`` when closed.

    Args:
        title: Hostile text is safe in it.
        text: What it is about; hostile text is safe in it.
        fields: At least one.
        check: Says what is wrong with the answers; empty when nothing is.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(DIALOG)
    CSS = f"""
    FormDialog {{ {FRAME} & Static {{ height: auto; }} & .label {{ margin-top: 1; color: $quiet; }}
    & Input, & Input:focus {{ background: $panel; }} & #text {{ max-height: 12; }} }}
    """

    def __init__(
        self,
        title: str,
        text: str,
        fields: Sequence[Field],
        check: Callable[[Answers], str] = lambda _: "",
    ) -> None:
        super().__init__()
        self._heading, self._text = title, text
        self._fields = tuple(fields)
        self._check = check

    def compose(self) -> ComposeResult:
        """Title, text, and a label over each line."""
        with VerticalScroll(id="dialog", can_focus=False):
            yield Static(line(self._heading, limit=200), id="title")
            yield Static(block(self._text, "$quiet"), id="text")
            for field in self._fields:
                word = f"{field.label} (may be left empty)" if field.optional else field.label
                yield Static(Content(word), classes="label")
                entry = QuietInput(field.hint, id=f"field-{field.name}")
                entry.password = field.secret
                entry.value = field.value
                yield entry
            yield Static(self._hint(), id="hint")

    def _hint(self) -> Content:
        more = "Tab goes to the next line   " if len(self._fields) > 1 else ""
        return Content(f"{more}Enter goes on   Esc closes without doing anything")

    def _entry(self, field: Field) -> QuietInput:
        return self.query_one(f"#field-{field.name}", QuietInput)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        answers = {field.name: self._entry(field).value for field in self._fields}
        for field in self._fields:
            text = answers[field.name]
            answers[field.name] = text if field.secret else text.strip()
            if not answers[field.name] and not field.optional:
                self._complain(f"Please give the {field.label.lower()}.")
                self.set_focus(self._entry(field))
                return
        if wrong := self._check(answers):
            self._complain(wrong)
        else:
            self.dismiss(answers)

    def _complain(self, words: str) -> None:
        self.query_one("#hint", Static).update(line(words, "$warn"))

    def action_close(self) -> None:
        """Close, with no answer."""
        self.dismiss(None)


class ConfirmDialog(ModalScreen[bool]):
    """Asks whether to do something; only ``y`` or Enter does it.

    Args:
        title: Hostile text is safe in it.
        text: What would be done; hostile text is safe in it.
        verb: What Enter does, as ``"trusts it"``.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(CONFIRM)
    CSS = f"ConfirmDialog {{ {FRAME} & Static {{ height: auto; }} }}"

    def __init__(self, title: str, text: str, verb: str) -> None:
        super().__init__()
        self._heading, self._text, self._verb = title, text, verb

    def compose(self) -> ComposeResult:
        """Title, text, the two ways out."""
        with VerticalScroll(id="dialog"):
            yield Static(line(self._heading, limit=200), id="title")
            yield Static(block(self._text))
            yield Static(
                f"y or Enter {self._verb}   n or Esc closes without doing anything", id="hint"
            )

    def action_yes(self) -> None:
        """Do it."""
        self.dismiss(True)

    def action_no(self) -> None:
        """Leave it."""
        self.dismiss(False)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several."""

    key: str
    title: str
    """Hostile text."""
    more: str = ""
    """Hostile text."""


class PickDialog(ModalScreen[str | None]):
    """Asks for one of several; gives back its key, or ``None`` when closed.

    Args:
        title: Safe text.
        choices: At least one.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(PICK)
    CSS = f"PickDialog {{ {FRAME} & VirtualTable {{ height: 12; margin-top: 1; background: $surface; }} }}"

    def __init__(self, title: str, choices: Sequence[Choice]) -> None:
        super().__init__()
        self._heading, self._choices = title, tuple(choices)

    def compose(self) -> ComposeResult:
        """Title and choices."""
        with Vertical(id="dialog"):
            yield Static(line(self._heading), id="title")
            yield VirtualTable[Choice](
                (Column("", _title, 12, 40), Column("", _more, 12, 60, rank=1)),
                key=lambda choice: choice.key,
                name_of=lambda choice: choice.title,
            )
            yield Static("Enter takes it   Esc closes without doing anything", id="hint")

    def on_mount(self) -> None:
        """Show the choices."""
        self.query_one(VirtualTable).show(self._choices)

    @on(VirtualTable.Chosen)
    def _chosen(self, event: VirtualTable.Chosen) -> None:
        event.stop()
        self.dismiss(event.row.key)

    def action_close(self) -> None:
        """Close, with no answer."""
        self.dismiss(None)


def _title(choice: Choice, width: int) -> Cell:
    return (Piece(line(choice.title).plain),)


def _more(choice: Choice, width: int) -> Cell:
    return (Piece(line(choice.more).plain, "quiet"),)
