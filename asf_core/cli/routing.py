"""``asf route``: from a task to an ordered plan."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asf_core.cli import client
from asf_core.cli.asking import MOST_CANDIDATES, default_ask
from asf_core.cli.exits import debug_asked
from asf_core.cli.export import (
    OutputOption,
    OverwriteOption,
    UnreviewedOption,
    check_format,
    give_out,
)
from asf_core.cli.route_export import RouteFormat, planned
from asf_core.cli.session import Session, command
from asf_core.cli.terminal import terminal
from asf_core.cli.use import ProductOption, TenantOption, UserOption
from asf_core.cli.values import finite
from asf_core.domain.limits import MOST_DOLLARS, MOST_TOKENS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asf_core.cli.route_answer import RouteAsk
    from asf_core.services.engine import Engine

PATIENCE = 2.0
"""Seconds that a route waits for another process to end its sync."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "route")(route)


def route(
    session: Session,
    task: Annotated[
        str | None, typer.Argument(metavar="TASK", help="What is to be done, in plain words.")
    ] = None,
    registry: Annotated[
        list[str] | None,
        typer.Option(
            "--registry",
            metavar="DIR|NAME",
            help="Directory or name of a registry to route over; repeat for several. "
            "Default: all of the workspace.",
        ),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="NAME:TYPE",
            help="What the task brings; repeat for several. Default: query:string.",
        ),
    ] = None,
    budget: Annotated[
        int,
        typer.Option(
            "--budget",
            metavar="N",
            min=1,
            max=MOST_TOKENS,
            help="Most tokens of instructions in the plan.",
        ),
    ] = 12_000,
    setting: Annotated[
        str,
        typer.Option(
            "--setting",
            metavar="NAME",
            help="fast (words alone), balanced, best (late interaction), cross (cross-encoder). "
            "Default: what asf bench --calibrate recorded, else balanced.",
        ),
    ] = "",
    price: Annotated[
        float,
        typer.Option(
            "--price",
            metavar="USD",
            min=0.0,
            max=MOST_DOLLARS,
            callback=finite,
            help="USD a million input tokens, for the cost.",
        ),
    ] = 3.0,
    candidates: Annotated[
        int,
        typer.Option(
            "--candidates",
            metavar="N",
            min=0,
            max=MOST_CANDIDATES,
            help="How many candidates to show.",
        ),
    ] = 5,
    no_sync: Annotated[
        bool, typer.Option("--no-sync", help="Use the index as it is; do not look for changes.")
    ] = False,
    active_only: Annotated[
        bool,
        typer.Option("--active-only", help="Only skills whose files are those of an active pin."),
    ] = False,
    product: ProductOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    degraded: Annotated[
        bool, typer.Option("--degraded", help="Answer without a missing model, and say so.")
    ] = False,
    stdin: Annotated[
        bool,
        typer.Option(
            "--stdin",
            help="Answer many tasks: each line of standard input is one, in plain words or as JSON; "
            "each answer a line of JSON.",
        ),
    ] = False,
    no_server: Annotated[
        bool,
        typer.Option("--no-server", help="Do not let a server answer that `asf serve` started."),
    ] = False,
    format_: RouteFormat = None,
    output: OutputOption = None,
    allow_unreviewed: UnreviewedOption = False,
    overwrite: OverwriteOption = False,
) -> None:
    """Route a task: recall, rerank, walk, plan, each with its time.

    Syncs first what changed in the registries it routes over. Leaves with 1 when no skill fits.
    A server that was started by `asf serve` answers in its place, the same and at once.
    """
    if (task is None) != stdin:
        raise typer.BadParameter(
            "give a TASK, or --stdin for tasks on standard input", param_hint="TASK"
        )
    ask = _ask(session, task, registry, inputs, budget, setting, price, candidates)
    ask |= {"no_sync": no_sync, "degraded": degraded, "debug": debug_asked(sys.argv)}
    ask |= {"active_only": active_only, "product": product, "tenant": tenant, "user": user}
    if format_ is not None:
        if stdin:
            raise typer.BadParameter("answers one task", param_hint="--format")
        chosen = check_format(format_, output)
        engine, wanted, names = _opened(session, ask)
        bundle = planned(
            engine, wanted, names, partial(_sync, session), session.remark,
            allow_unreviewed=allow_unreviewed,
        )  # fmt: skip
        give_out(session, bundle, chosen, output, overwrite=overwrite)
        return
    if output or overwrite or allow_unreviewed:
        raise typer.BadParameter("is needed by these options", param_hint="--format")
    if stdin:
        _answer_lines(session, ask)
        return
    if not no_server:
        code = client.answer_ask(ask)
        if code is not None:
            raise typer.Exit(code)
    _answer_here(session, ask)


def _ask(
    session: Session,
    task: str | None,
    registry: list[str] | None,
    inputs: list[str] | None,
    budget: int,
    setting: str,
    price: float,
    candidates: int,
) -> dict[str, Any]:
    return {
        **default_ask(),
        "task": task or "",
        "registries": registry or [],
        "inputs": inputs or [],
        "budget": budget,
        "setting": setting,
        "price": price,
        "candidates": candidates,
        "as_json": session.as_json,
        "quiet": session.quiet,
        "workspace": None if session.workspace is None else str(session.workspace),
        "model_dir": None if session.model_dir is None else str(session.model_dir),
    }


def _opened(session: Session, ask: dict[str, Any]) -> tuple[Engine, RouteAsk, list[str]]:
    """The engine, what is asked, and the names of the registries that are meant."""
    from asf_core.cli.route_answer import RouteAsk

    engine = session.engine
    engine.prepare()
    wanted = RouteAsk.model_validate(ask)
    with session.telling_what_is_made():
        return engine, wanted, [engine.registry_for(ref).name for ref in wanted.registries]


def _answer_here(session: Session, ask: dict[str, Any]) -> None:
    from asf_core.cli.route_answer import answer

    engine, wanted, names = _opened(session, ask)
    where = terminal(sys.stdout)
    found = answer(engine, wanted, names, where, partial(_sync, session), session.remark)
    sys.stdout.write(found.text)
    raise typer.Exit(found.code)


def _answer_lines(session: Session, ask: dict[str, Any]) -> None:
    from asf_core.cli.route_lines import LineRouter, answer_stream

    engine, wanted, names = _opened(session, ask)
    engine.registries()
    if not wanted.no_sync and engine.workspace.writable:
        _sync(session, names, wanted.degraded)
    answer_stream(LineRouter(engine, wanted, names), sys.stdin.buffer, sys.stdout)


def _sync(session: Session, names: Sequence[str], degraded: bool) -> bool:
    """Bring the index up to date, with progress, unless the curator stops it."""
    from asf_core.cli.progress import sync_progress

    with sync_progress(session) as (progress, cancel):
        report = session.engine.sync(
            list(names) or None,
            progress=progress,
            cancel=cancel,
            degraded=degraded,
            wait=PATIENCE,
        )
    if report.cancelled:
        raise KeyboardInterrupt
    return True
