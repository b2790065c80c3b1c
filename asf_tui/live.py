"""What keeps the workbench true: decisions on their way, and changes that others made."""

from __future__ import annotations

from textual import on
from textual.app import App
from textual.reactive import var

from asf_core.domain.text import one_line
from asf_tui import messages
from asf_tui.screens.dialogs import ProblemDialog
from asf_tui.widgets.top_bar import Activity
from asf_tui.work import Work

PULSE = 2.0
"""Seconds between two looks at whether somebody else changed the workspace."""


class LiveApp(App[int]):
    """An app over a workspace that others work in as well."""

    work: Work
    revision: var[str] = var("", init=False)
    """Of the workspace; another one means that something was synced or decided, here or elsewhere."""

    def start_pulse(self) -> None:
        """Look now and every so often for what changed."""
        self.look()
        self.set_interval(PULSE, self.look)

    def look(self) -> None:
        """Look for what changed, unless a look is under way."""
        if not any(w.group == "pulse" and w.is_running for w in self.workers):
            self.work.look()

    @on(messages.Revised)
    def _revised(self, message: messages.Revised) -> None:
        first, changed = not self.revision, message.revision != self.revision
        self.revision = message.revision
        self.work.deaf = False
        if changed and not first and self.work.syncing is None:
            self.work.read()

    @on(messages.PulseFailed)
    def _pulse_failed(self, message: messages.PulseFailed) -> None:
        """Said once, not every other second."""
        if not self.work.deaf and self.work.syncing is None:
            self.work.deaf = True
            self.push_screen(ProblemDialog(message.problem))

    @on(messages.Written)
    def _written(self, message: messages.Written) -> None:
        self.work.pending.remove(message.doing)
        self.settle()
        if message.problem is not None:
            self.push_screen(ProblemDialog(message.problem))
        else:
            self.notify(one_line(message.done, 200), markup=False)
        if not message.waiting.done():
            message.waiting.set_result(message.outcome)
        self.work.read()
        self.look()

    def settle(self) -> None:
        """Say what is going on when nothing in particular is."""
        raise NotImplementedError

    def writing(self) -> Activity | None:
        """The decisions on their way; ``None`` when there are none."""
        pending = self.work.pending
        if not pending:
            return None
        more = f" and {len(pending) - 1} more" if len(pending) > 1 else ""
        return Activity(f"{one_line(pending[0], 60)}{more}…")
