"""``asf models``: which encoders are there, and are they what they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.exits import Exit
from asf_core.cli.session import Session, command
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from asf_core.domain.models import ModelStatus
    from asf_core.services.speed import SpeedResult


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "models")(models)


def models(
    session: Session,
    speed: Annotated[
        bool,
        typer.Option(
            "--speed", help="Measure the encoders on this machine, over the workspace's skills."
        ),
    ] = False,
) -> None:
    """Show the encoders and check their files against their SHA-256."""
    if speed:
        from asf_core.services.speed import measure_speed

        found = measure_speed(session.engine)
        session.emit(found, lambda: _speed(found))
        return
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


def _speed(found: SpeedResult) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    lengths = list(found.encoders[0].text_ms)
    table = Table("role", box=None, pad_edge=False)
    for title in (*(f"{n} words ms" for n in lengths), "skills/s", "GFLOP/s", "of fp32 peak"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in found.encoders:
        table.add_row(
            row.role,
            *(f"{row.text_ms[n]:.1f}" for n in lengths),
            f"{row.skills_per_second:.0f}",
            "-" if row.gflops is None else f"{row.gflops:.0f}",
            "-" if row.share_of_peak is None else f"{row.share_of_peak:.0%}",
        )
    note = (
        f"One text in one thread; {found.texts} skills on {found.cores} cores. Peak: "
        f"{found.peak_gflops:.0f} GFLOP/s, a 32-bit matrix product measured on the same cores."
    )
    return Group(table, Text(note))
