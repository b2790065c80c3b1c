"""``asf route``: from a task to an ordered plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.exits import Exit
from asf_core.cli.session import Session, command
from asf_core.cli.use import ProductOption, TenantOption, UserOption
from asf_core.cli.values import finite
from asf_core.domain.limits import MOST_DOLLARS, MOST_TOKENS
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from asf_core.domain.routing import RouteRequest

_PATIENCE = 2.0
"""Seconds that a route waits for another process to end its sync."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "route")(route)


def route(
    session: Session,
    task: Annotated[
        str, typer.Argument(metavar="TASK", help="What is to be done, in plain words.")
    ],
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
        int, typer.Option("--candidates", metavar="N", min=0, help="How many candidates to show.")
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
) -> None:
    """Route a task: recall, rerank, walk, plan, each with its time.

    Syncs first what changed in the registries it routes over. Leaves with 1 when no skill fits.
    """
    from asf_core.cli.route_view import render

    engine = session.engine
    engine.prepare()
    with session.telling_what_is_made():
        names = tuple(engine.registry_for(ref).name for ref in registry or [])
    engine.registries()  # where there is no workspace, none is made
    if not no_sync and not engine.workspace.writable:
        session.remark("The workspace may only be read: answered from it as it was last synced")
    elif not no_sync:
        _sync(session, names, degraded)
    request = _request(names, inputs, budget, setting, price, degraded)
    if active_only or product or tenant or user:
        from asf_core.services.control.active import local_subject

        subject = local_subject(product, tenant, user)
        request = request.model_copy(update={"active_only": active_only, "subject": subject})
    result = engine.route(task, request)
    session.emit(result, lambda: render(result, shown=candidates))
    if result.abstained or not result.bundle.steps:
        raise typer.Exit(Exit.FINDINGS)


def _sync(session: Session, names: tuple[str, ...], degraded: bool) -> None:
    """Bring the index up to date, unless somebody else is doing just that."""
    from asf_core.cli.progress import sync_progress
    from asf_core.domain.errors import BusyError

    with sync_progress(session) as (progress, cancel):
        try:
            report = session.engine.sync(
                list(names) or None,
                progress=progress,
                cancel=cancel,
                degraded=degraded,
                wait=_PATIENCE,
            )
        except BusyError as error:
            session.remark(f"{one_line(error.why)}: answered from it as it was last synced")
            return
    if report.cancelled:
        raise KeyboardInterrupt


def _request(
    names: tuple[str, ...],
    inputs: list[str] | None,
    budget: int,
    setting: str,
    price: float,
    degraded: bool,
) -> RouteRequest:
    from asf_core.domain.errors import InputError
    from asf_core.domain.iotype import IOType
    from asf_core.domain.routing import RouteRequest

    try:
        types = tuple(IOType.parse(text) for text in inputs or ["query:string"])
    except ValueError as error:
        raise InputError(
            "--input is not understood", why=str(error), hint="For example: --input query:string"
        ) from error
    return RouteRequest(
        registries=names,
        task_inputs=types,
        token_budget=budget,
        setting=setting,
        price_per_million=price,
        allow_degraded=degraded,
    )
