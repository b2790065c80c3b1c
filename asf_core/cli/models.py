"""``asf models``: which encoders are there, and are they what they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from asf_core.cli.exits import Exit
from asf_core.cli.session import Session, command
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from asf_core.domain.models import ModelStatus


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "models")(models)


def models(session: Session) -> None:
    """Show the encoders and check their files against their SHA-256."""
    rows = session.engine.models()
    session.emit([row.model_dump(mode="json") for row in rows], lambda: _table(rows))
    if not all(row.ok for row in rows):
        raise typer.Exit(Exit.MISSING)


def _table(rows: Sequence[ModelStatus]) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table("role", "model", "licence", "checksum", "file", box=None, pad_edge=False)
    for row in rows:
        verdict = "✓ ok" if row.ok else f"✗ {row.problem}"
        cells = (row.role, row.name, row.licence, verdict, row.path or "-")
        table.add_row(*(Text(one_line(cell)) for cell in cells))
    return table
