"""``asf bench``: is routing right, and how fast."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asf_core.cli.printing import error_console
from asf_core.cli.session import Session, command

if TYPE_CHECKING:
    from collections.abc import Callable


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "bench")(bench)


def bench(
    session: Session,
    queries: Annotated[
        list[Path],
        typer.Option(
            "--queries", metavar="FILE", help="JSON Lines of queries with answers; repeatable."
        ),
    ],
    registry: Annotated[
        list[str] | None,
        typer.Option(
            "--registry",
            metavar="DIR|NAME",
            help="Registry to pool; repeat for several. Default: all of the workspace.",
        ),
    ] = None,
    setting: Annotated[
        str, typer.Option("--setting", metavar="NAME", help="The setting that is judged.")
    ] = "balanced",
    baseline: Annotated[
        list[str] | None,
        typer.Option(
            "--baseline", metavar="NAME", help="A setting to compare with, in the same run."
        ),
    ] = None,
    pooled_only: Annotated[
        bool,
        typer.Option("--pooled-only", help="Leave out the scores over a query's own registry."),
    ] = False,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=0, help="Only so many queries; 0 for all.")
    ] = 0,
) -> None:
    """Measure routing on queries with known answers.

    hit@1, hit@5, MRR, nDCG@10, recall@100, abstention, plan size and latency, overall, by source
    and by registry; with --baseline the differences with their 95% bootstrap intervals.
    """
    from asf_core.cli.bench_view import render
    from asf_core.cli.progress import sync_progress
    from asf_core.services.benching import bench as run

    engine = session.engine
    with session.telling_what_is_made():
        names = [engine.registry_for(ref).name for ref in registry or []]
    engine.registries()  # where there is no workspace, none is made
    with sync_progress(session) as (progress, cancel):
        if engine.sync(names or None, progress=progress, cancel=cancel).cancelled:
            raise KeyboardInterrupt
    with _progress(session) as tell:
        result = run(
            engine,
            names,
            queries,
            setting=setting,
            baselines=baseline or [],
            own=not pooled_only,
            limit=limit,
            progress=tell,
        )
    session.emit(result, lambda: render(result))


@contextmanager
def _progress(session: Session) -> Iterator[Callable[[str, int, int], None]]:
    if not session.interactive:
        yield lambda *_: None
        return
    from rich.progress import Progress

    with Progress(console=error_console(), transient=True) as bars:
        tasks: dict[str, Any] = {}

        def tell(setting: str, done: int, total: int) -> None:
            if setting not in tasks:
                tasks[setting] = bars.add_task(setting, total=total)
            bars.update(tasks[setting], completed=done)

        yield tell
