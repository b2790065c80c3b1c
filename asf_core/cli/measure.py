"""``asf measure``: how routable a registry or a codebase is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.exits import Exit
from asf_core.cli.printing import error_console
from asf_core.cli.session import Session, command
from asf_core.cli.values import finite

if TYPE_CHECKING:
    from asf_core.domain.measure import MeasureKind, MeasureProgress


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "measure")(measure)


def measure(
    session: Session,
    path: Annotated[Path, typer.Argument(help="A registry of skills, or any codebase.")],
    kind: Annotated[
        str, typer.Option("--as", help="What it is: registry, codebase, or auto to look.")
    ] = "auto",
    against: Annotated[
        Path | None,
        typer.Option("--against", help="An earlier report (--json) to compare with."),
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(
            "--fail-under",
            min=0.0,
            max=1.0,
            callback=finite,
            help="Leave with 1 below this RScore.",
        ),
    ] = None,
    tests: Annotated[
        bool, typer.Option("--tests", help="Take the test files of a codebase in.")
    ] = False,
    top: Annotated[
        int, typer.Option("--top", min=1, help="How many nodes and communities to list at most.")
    ] = 10,
) -> None:
    """Measure routability: TLIS, GNCI, CFI and RScore, with causes and repairs.

    Reads Python, JavaScript, TypeScript and Go, or a directory of skills. Nothing in it is run.
    """
    from asf_core.cli.measure_view import render
    from asf_core.graph.measure_compare import compare, load_report
    from asf_core.services.measuring import measure_path

    wanted = _kind(kind)
    earlier = load_report(against) if against is not None else None
    with _progress(session) as tell:
        report = measure_path(
            path,
            wanted,
            tests=tests,
            shown=top,
            progress=tell,
            workspace=session.workspace,
        )
    if earlier is not None:
        report = compare(report, earlier)
    session.emit(report, lambda: render(report))
    if fail_under is not None and report.rscore < fail_under:
        session.remark(f"RScore {report.rscore:.3f} is under {fail_under:g}")
        raise typer.Exit(Exit.FINDINGS)


def _kind(text: str) -> MeasureKind | None:
    from asf_core.domain.errors import InputError
    from asf_core.domain.measure import MeasureKind

    if text == "auto":
        return None
    try:
        return MeasureKind(text)
    except ValueError as error:
        raise InputError(
            f"--as {text!r} is not known", hint="Take registry, codebase or auto"
        ) from error


_LABELS = {"find": "finding files", "read": "reading", "link": "linking", "group": "grouping"}


@contextmanager
def _progress(session: Session) -> Iterator[Callable[[MeasureProgress], None] | None]:
    """Draw progress on stderr where it is a terminal."""
    if not session.interactive:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=error_console(), transient=True) as bars:
        task = bars.add_task(_LABELS["find"], total=None)

        def show(now: MeasureProgress) -> None:
            label = _LABELS[now.phase.value]
            bars.update(task, description=label, completed=now.done, total=now.total or None)

        yield show
