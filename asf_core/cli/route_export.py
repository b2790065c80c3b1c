"""``asf route --format``: the plan as a host takes it, in place of the answer."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asf_core.cli.exits import Exit
from asf_core.cli.export import check_format, give_out
from asf_core.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

RouteFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="Give the plan's skills out as `asf export` does, instead of showing the plan: "
        "anthropic, openai, gemini, gemini-activate, mcp, skill-md.",
    ),
]


def give_plan(
    session: Session,
    ask: dict[str, Any],
    format_: str,
    output: Path | None,
    sync: Callable[..., bool],
    *,
    allow_unreviewed: bool,
    overwrite: bool,
) -> None:
    """Route a task and export what is planned, in the plan's order.

    Raises:
        Exit: With 1 when no skill fits; nothing is printed then, since hosts refuse empty lists.
    """
    from asf_core.cli.route_answer import RouteAsk
    from asf_core.services.control.active import local_subject

    check_format(format_, output)
    engine = session.engine
    engine.prepare()
    wanted = RouteAsk.model_validate(ask)
    with session.telling_what_is_made():
        names = [engine.registry_for(ref).name for ref in wanted.registries]
    if not wanted.no_sync:
        partial(sync, session)(names, wanted.degraded)
    result = engine.route(wanted.task, wanted.request(names))
    if not result.bundle.steps:
        session.remark("0 exported: no skill fits")
        raise typer.Exit(Exit.FINDINGS)
    bundle = engine.exporter.bundle(
        [step.skill_id for step in result.bundle.steps],
        subject=local_subject(wanted.product, wanted.tenant, wanted.user),
        allow_unreviewed=allow_unreviewed,
    )
    give_out(session, bundle, format_, output, overwrite=overwrite)
