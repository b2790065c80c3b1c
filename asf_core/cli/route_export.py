"""``asf route --format``: the plan as a host takes it, in place of the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.exits import Exit
from asf_core.cli.export import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from asf_core.cli.route_answer import RouteAsk, Sync
    from asf_core.export.bundle import ExportBundle
    from asf_core.services.engine import Engine

RouteFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="Give the plan's skills out as `asf export` does, instead of showing the plan: "
        f"{FORMATS}.",
    ),
]


def planned(
    engine: Engine,
    ask: RouteAsk,
    names: Sequence[str],
    sync: Sync,
    say: Callable[[str], None],
    *,
    allow_unreviewed: bool,
) -> ExportBundle:
    """Route a task and read what is planned, in the plan's order.

    Args:
        engine: Over the workspace.
        ask: What is asked.
        names: Of the registries to route over; empty for all.
        sync: How to bring the index up to date.
        say: Takes remarks.
        allow_unreviewed: Also skills without an active version.

    Raises:
        Exit: With 1 when no skill fits; nothing is printed then, since hosts refuse empty lists.
    """
    from asf_core.cli.route_answer import routed
    from asf_core.services.control.active import local_subject

    result = routed(engine, ask, names, sync, say)
    if not result.bundle.steps:
        say("0 exported: no skill fits")
        raise typer.Exit(Exit.FINDINGS)
    return engine.exporter.bundle(
        [step.skill_id for step in result.bundle.steps],
        subject=local_subject(ask.product, ask.tenant, ask.user),
        allow_unreviewed=allow_unreviewed,
    )
