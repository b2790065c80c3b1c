"""``asf quality`` and ``asf dedup``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.exits import Exit
from asf_core.cli.session import Session, command

if TYPE_CHECKING:
    from asf_core.domain.quality import Canonicalisation

RegistryOption = Annotated[
    str | None, typer.Option("--registry", metavar="NAME", help="One registry only.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    command(app, "quality")(quality)
    command(app, "dedup")(dedup)


def quality(
    session: Session,
    skill: Annotated[
        str | None, typer.Argument(metavar="SKILL", help="Id, or slug where unique.")
    ] = None,
    registry: RegistryOption = None,
    everything: Annotated[
        bool, typer.Option("--all", help="List every skill, not only the worst.")
    ] = False,
    top: Annotated[
        int, typer.Option("--top", metavar="N", min=1, help="How many of the worst to list.")
    ] = 20,
    fail_under: Annotated[
        float | None,
        typer.Option(
            "--fail-under",
            min=0.0,
            max=1.0,
            help="Leave with 1 if a skill that may be routed scores below.",
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            "--host", metavar="NAME", help="Check the listing budget of claude-code or codex."
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget", metavar="CHARS", help="Check names and descriptions against a budget."
        ),
    ] = None,
    collisions: Annotated[
        bool, typer.Option("--collisions", help="List descriptions that run into each other.")
    ] = False,
    alike: Annotated[
        float,
        typer.Option("--alike", min=0.5, max=1.0, help="Cosine from which descriptions do."),
    ] = 0.92,
) -> None:
    """Explain slop scores, from the last sync.

    Without SKILL the worst skills; with it the score taken apart and what would lift it. --host or
    --budget: which skills a host's list cuts off (leaves with 1 when it does). --collisions: which
    skills a router can take for one another.
    """
    asked = [skill is not None, host is not None or budget is not None, collisions]
    if sum(asked) > 1:
        from asf_core.domain.errors import InputError

        raise InputError(
            "One question at a time", hint="Give SKILL, --host or --budget, or --collisions"
        )
    _check_registry(session, registry)
    if skill is not None:
        _explain(session, skill)
    elif host is not None or budget is not None:
        _listing(session, host, budget, registry)
    elif collisions:
        _collisions(session, registry, alike)
    else:
        _scores(session, registry, 0 if everything else top, fail_under)


def dedup(
    session: Session,
    skill: Annotated[
        str | None, typer.Argument(metavar="SKILL", help="Only the cluster of this skill.")
    ] = None,
    registry: RegistryOption = None,
    by: Annotated[
        str | None,
        typer.Option("--pass", metavar="PASS", help="Only what semantic or structural found."),
    ] = None,
) -> None:
    """Show which skills are one: clusters with evidence, canonical and aliases.

    Nothing is deleted. An alias still resolves and can be read; a route offers one of a cluster.
    """
    from asf_core.cli.quality_view import canonicalisation

    _check_registry(session, registry)
    found = _narrowed(session, skill, registry, by)
    session.emit(found, lambda: canonicalisation(found))


def _explain(session: Session, ref: str) -> None:
    from asf_core.cli.quality_view import judgement

    skill = session.engine.skill(ref)
    found = session.engine.quality.judgement(skill.manifest.id)
    session.emit(found, lambda: judgement(found, skill))


def _scores(session: Session, registry: str | None, top: int, fail_under: float | None) -> None:
    from asf_core.cli.quality_view import scores

    states = {row.id: row for row in session.engine.skills()}
    rows = [
        row
        for row in session.engine.quality.rows()
        if registry is None or states[row.skill_id].registry == registry
    ]
    value = [row.model_dump(mode="json") for row in rows]
    session.emit(value, lambda: scores(rows, states, top))
    if fail_under is None:
        return
    low = [r for r in rows if states[r.skill_id].state == "ready" and r.slop_score < fail_under]
    if low:
        session.remark(f"{len(low)} skills that may be routed score under {fail_under:g}")
        raise typer.Exit(Exit.FINDINGS)


def _listing(session: Session, host: str | None, budget: int | None, registry: str | None) -> None:
    from asf_core.cli.quality_view import listing

    check = session.engine.quality.listing(host=host, budget=budget, registry=registry)
    session.emit(check, lambda: listing(check))
    if not check.fits:
        raise typer.Exit(Exit.FINDINGS)


def _collisions(session: Session, registry: str | None, alike: float) -> None:
    from asf_core.cli.quality_view import colliding

    found = session.engine.quality.collisions(registry=registry, alike=alike)
    session.emit([one.model_dump(mode="json") for one in found], lambda: colliding(found))


def _narrowed(
    session: Session, skill: str | None, registry: str | None, by: str | None
) -> Canonicalisation:
    from asf_core.domain.errors import InputError
    from asf_core.domain.quality import DuplicatePass

    if by is not None and by not in set(DuplicatePass):
        raise InputError(f"There is no pass {by!r}", hint=f"Use one of: {', '.join(DuplicatePass)}")
    found = session.engine.quality.canonicalisation()
    own = session.engine.resolve(skill) if skill is not None else None
    clusters = tuple(
        cluster
        for cluster in found.clusters
        if (own is None or own in cluster.members)
        and (by is None or by in cluster.passes)
        and (registry is None or any(m.startswith(f"{registry}/") for m in cluster.members))
    )
    folds = tuple(f for f in found.registries if registry in (None, f.registry))
    apart = tuple(
        pair
        for pair in found.unconfirmed
        if (own is None or own in (pair.first, pair.second))
        and (registry is None or pair.first.startswith(f"{registry}/"))
    )
    update = {"clusters": clusters, "registries": folds, "unconfirmed": apart}
    return found.model_copy(update=update)


def _check_registry(session: Session, name: str | None) -> None:
    from asf_core.cli.skills import check_registry

    check_registry(session, name)
