"""``asf doctor``: is everything there that this program needs, and what to do where it is not."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import typer

from asf_core.cli.exits import Exit
from asf_core.cli.session import Session, command
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from asf_core.domain.doctor import HealthCheck, HealthReport
    from asf_core.services.doctor import TerminalFacts

_SIGNS = {
    "ok": ("✔", "green"),
    "note": ("▲", "yellow"),
    "optional": ("∘", "dim"),
    "missing": ("✘", "bold red"),
}
_LONGEST = 400
"""Characters of what is said of one part."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "doctor")(doctor)


def doctor(session: Session) -> None:
    """Check models, store, keys, git and terminal, and say what to do.

    Nothing is changed. Leaves with 4 when something needed is missing; notes are for you to judge.
    """
    from asf_core.services.doctor import examine

    report = examine(session.workspace, session.model_dir, _terminal())
    session.emit(report, lambda: _page(report))
    if report.missing:
        raise typer.Exit(Exit.MISSING)


def _terminal() -> TerminalFacts:
    from asf_core.services.doctor import TerminalFacts

    tty = sys.stdout.isatty()
    size = (0, 0)
    try:
        size = os.get_terminal_size(sys.stdout.fileno()) if tty else size
    except (OSError, ValueError):
        tty = False
    return TerminalFacts(tty, size[0], size[1], sys.stdout.encoding or "")


def _page(report: HealthReport) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1))
    for check in report.checks:
        sign, style = _SIGNS[check.health.value]
        name = check.area if check.area == check.name else f"{check.area} {check.name}"
        table.add_row(Text(f"{sign} {check.health.value}", style), Text(name), _said(check))
    notes = sum(check.health.value == "note" for check in report.checks)
    said = f"{report.missing} missing" if report.missing else "Nothing needed is missing"
    counted = f"{said}; {notes} note{'' if notes == 1 else 's'}"
    return Group(table, Text(), Text(counted, style="bold"))


def _said(check: HealthCheck) -> RenderableType:
    from rich.text import Text

    said = Text(one_line(check.found, _LONGEST))
    return said.append(f"\ndo: {one_line(check.hint, _LONGEST)}") if check.hint else said
