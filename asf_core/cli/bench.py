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
        list[Path] | None,
        typer.Option(
            "--queries", metavar="FILE", help="JSON Lines of queries with answers; repeatable."
        ),
    ] = None,
    registry: Annotated[
        list[str] | None,
        typer.Option(
            "--registry",
            metavar="DIR|NAME",
            help="Registry to pool; repeat for several. Default: all of the workspace.",
        ),
    ] = None,
    setting: Annotated[
        str,
        typer.Option(
            "--setting",
            metavar="NAME",
            help="The setting that is judged: fast, balanced, best, cross, cross@DEPTH, a baseline "
            "(bm25, dense, rrf, sum), or one without a part, as balanced-pairs.",
        ),
    ] = "balanced",
    baseline: Annotated[
        list[str] | None,
        typer.Option(
            "--baseline", metavar="NAME", help="A setting to compare with, in the same run."
        ),
    ] = None,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Drop one part of the setting at a time.")
    ] = False,
    fit: Annotated[
        bool,
        typer.Option(
            "--fit",
            help="Fit the setting's weights and its confidence on the queries, each source judged "
            "by a fit on the others; the program's own are printed beside, nothing is changed.",
        ),
    ] = False,
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate",
            help="Measure the settings on this machine, choose the workspace's and record it.",
        ),
    ] = False,
    scale: Annotated[
        list[int] | None,
        typer.Option(
            "--scale",
            metavar="N",
            min=100,
            help="Instead of judging queries: how time, size and memory grow to N synthetic skills, "
            "recombined from the registry's; repeat for several sizes.",
        ),
    ] = None,
    budget_ms: Annotated[
        float,
        typer.Option(
            "--budget-ms", metavar="MS", min=0.1, help="For --calibrate: most p50 milliseconds."
        ),
    ] = 65.0,
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
    from asf_core.cli.progress import sync_progress

    if sum((ablate, fit, calibrate, bool(scale))) > 1:
        raise typer.BadParameter("--ablate, --fit, --calibrate and --scale go one at a time")
    if not queries and not scale:
        raise typer.BadParameter("Which queries? Give a file of them with --queries FILE")
    queries = queries or []
    engine = session.engine
    with session.telling_what_is_made():
        names = [engine.registry_for(ref).name for ref in registry or []]
    engine.registries()  # where there is no workspace, none is made
    with sync_progress(session) as (progress, cancel):
        if engine.sync(names or None, progress=progress, cancel=cancel).cancelled:
            raise KeyboardInterrupt
    if scale:
        _scale(session, names, scale, setting)
    elif fit:
        _fit(session, names, queries, setting)
    elif calibrate:
        _calibrate(session, names, queries, budget_ms, limit)
    else:
        compared = baseline or []
        _bench(session, names, queries, setting, compared, ablate, not pooled_only, limit)


def _bench(
    session: Session,
    names: list[str],
    queries: list[Path],
    setting: str,
    baselines: list[str],
    ablate: bool,
    own: bool,
    limit: int,
) -> None:
    from asf_core.cli.bench_view import render
    from asf_core.services.benching import ablations
    from asf_core.services.benching import bench as run

    dropped = ablations(setting) if ablate else ()
    with _progress(session) as tell:
        result = run(
            session.engine,
            names,
            queries,
            setting=setting,
            baselines=[*baselines, *(name for name in dropped if name not in baselines)],
            own=own,
            limit=limit,
            progress=tell,
        )
    session.emit(result, lambda: render(result, ablated=dropped))


def _fit(session: Session, names: list[str], queries: list[Path], setting: str) -> None:
    from asf_core.cli.bench_fit_view import render
    from asf_core.services.fitting import fit

    with _progress(session) as tell:
        result = fit(session.engine, names, queries, setting=setting, progress=tell)
    session.emit(result, lambda: render(result))


def _calibrate(
    session: Session, names: list[str], queries: list[Path], budget_ms: float, limit: int
) -> None:
    from asf_core.cli.bench_fit_view import render_calibration
    from asf_core.services.calibrating import calibrate

    with _progress(session) as tell:
        result = calibrate(
            session.engine, names, queries, budget_ms=budget_ms, limit=limit, progress=tell
        )
    session.emit(result, lambda: render_calibration(result))


def _scale(session: Session, names: list[str], sizes: list[int], setting: str) -> None:
    from asf_core.cli.bench_fit_view import render_scale
    from asf_core.services.scaling import scale

    with _progress(session) as tell:
        result = scale(session.engine, names, sizes, setting=setting, progress=tell)
    session.emit(result, lambda: render_scale(result))


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
