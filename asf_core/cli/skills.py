"""``asf skills``, ``asf show``, ``asf quarantine`` and ``asf release``."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.session import Session, command
from asf_core.domain.text import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from asf_core.domain.findings import Finding
    from asf_core.domain.graph import Edge
    from asf_core.domain.quality import DuplicateCluster
    from asf_core.domain.skill import Skill, SkillRow

SkillArgument = Annotated[str, typer.Argument(metavar="SKILL", help="Id, or slug where unique.")]
ReasonOption = Annotated[
    str, typer.Option("--reason", metavar="TEXT", help="Why; kept with the decision.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    command(app, "skills")(list_)
    command(app, "show")(show)
    command(app, "quarantine")(quarantine)
    command(app, "release")(release)


def list_(
    session: Session,
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORDS", help="Words that id or description must hold."),
    ] = None,
    registry: Annotated[
        str | None, typer.Option("--registry", metavar="NAME", help="Name of one registry.")
    ] = None,
    state: Annotated[
        str | None, typer.Option("--state", metavar="STATE", help="ready, broken or quarantined.")
    ] = None,
) -> None:
    """List the synced skills, broken and quarantined ones too."""
    _check_state(state)
    words = " ".join(text or ()).lower().split()
    check_registry(session, registry)
    rows = [
        row
        for row in session.engine.skills()
        if (registry is None or row.registry == registry)
        and (state is None or row.state == state)
        and all(word in f"{row.id} {row.description}".lower() for word in words)
    ]
    session.emit([dataclasses.asdict(row) for row in rows], lambda: _table(rows))


def show(session: Session, skill: SkillArgument) -> None:
    """Show one skill: manifest, findings, relations, provenance."""
    found = session.engine.skill(skill)
    edges = session.engine.edges_of(found.manifest.id)
    dangling = session.engine.dangling_of(found.manifest.id)
    cluster = session.engine.quality.cluster_of(found.manifest.id)
    value = {
        "skill": found.model_dump(mode="json"),
        "edges": [edge.model_dump(mode="json") for edge in edges],
        "dangling": [finding.model_dump(mode="json") for finding in dangling],
        "duplicates": cluster.model_dump(mode="json") if cluster else None,
    }
    session.emit(value, lambda: _page(found, edges, dangling, cluster))


def quarantine(session: Session, skill: SkillArgument, reason: ReasonOption) -> None:
    """Take a skill out of routing at once. It stays listed, with the reason."""
    ref = session.engine.quarantine(skill, reason)
    session.emit(
        {"quarantined": ref, "reason": reason},
        lambda: f"Quarantined {one_line(ref)}: never routed.",
    )


def release(session: Session, skill: SkillArgument, reason: ReasonOption) -> None:
    """Let a quarantined skill back into routing.

    Against the gate a release stands until the skill's content changes; then it is judged anew.
    """
    ref = session.engine.release(skill, reason)
    session.emit({"released": ref, "reason": reason}, lambda: f"Released {one_line(ref)}.")


def check_registry(session: Session, name: str | None) -> None:
    """Refuse the name of a registry that is not in the workspace."""
    from asf_core.domain.errors import InputError

    known = [row.name for row in session.engine.registries()]
    if name is not None and name not in known:
        raise InputError(
            f"There is no registry {name!r}", hint=f"Use one of: {', '.join(known) or 'none yet'}"
        )


def _check_state(state: str | None) -> None:
    from asf_core.domain.errors import InputError
    from asf_core.domain.skill import SkillState

    if state is not None and state not in {item.value for item in SkillState}:
        raise InputError(
            f"There is no state {state!r}", hint=f"Use one of: {', '.join(SkillState)}"
        )


def _table(rows: Sequence[SkillRow]) -> RenderableType:
    """Two lines a skill: an id is never cut, whatever the width."""
    from rich.console import Group
    from rich.text import Text

    if not rows:
        return Text("No skills match. Sync a registry with: asf sync PATH")
    lines: list[Text] = []
    for row in rows:
        head = Text(f"{row.state.value:12}")
        head.append(one_line(row.id), style="bold")
        head.append(f"  {one_line(row.version, 16)}" if row.version else "")
        head.append(f"  {row.findings} findings, worst {row.worst}" if row.worst else "")
        head.append("  alias" if row.is_duplicate else "")
        said = row.state_reason or row.description
        lines += [
            head,
            Text(f"{'':12}{one_line(said, 160)}", "dim", no_wrap=True, overflow="ellipsis"),
        ]
    return Group(*lines)


def _page(
    skill: Skill,
    edges: Sequence[Edge],
    dangling: Sequence[Finding],
    cluster: DuplicateCluster | None,
) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    facts = Table.grid(padding=(0, 2))
    for label, value in _facts(skill, cluster):
        facts.add_row(Text(label, style="bold"), Text(value))
    parts: list[RenderableType] = [facts]
    for title, findings in (("Findings", skill.findings), ("Names that lead nowhere", dangling)):
        if findings:
            parts.append(Text(f"\n{title}", style="bold"))
            parts += [_finding(item) for item in findings]
    if edges:
        parts.append(Text("\nRelations", style="bold"))
        parts += [_relation(skill.manifest.id, edge) for edge in edges]
    return Group(*parts)


def _finding(item: Finding) -> RenderableType:
    from rich.text import Text

    where = f"{one_line(item.path)}:{item.line}:{item.column}"
    line = Text(f"  {item.severity.value:8} {where}  {one_line(item.message)}")
    return line.append(f"  {item.rule}", style="dim")


def _relation(own: str, edge: Edge) -> RenderableType:
    from rich.text import Text

    outward = edge.source == own
    other = one_line(edge.target if outward else edge.source)
    line = Text(f"  {'->' if outward else '<-'} {edge.kind.value:19} {other}")
    line.append(f"  {edge.origin.value} {edge.confidence:.1f}", style="dim")
    return line


def _facts(skill: Skill, cluster: DuplicateCluster | None) -> list[tuple[str, str]]:
    manifest, origin = skill.manifest, skill.provenance
    tools = manifest.allowed_tools
    commit, score = origin.last_commit, manifest.quality.slop_score
    rows = [
        ("skill", manifest.id),
        ("state", f"{skill.state.value} {skill.state_reason}".strip()),
        ("slop score", "not judged yet" if score is None else f"{score:.2f} of 1"),
        *_standing(manifest.id, cluster),
        ("version", manifest.version or "not declared"),
        ("description", manifest.description),
        ("capability", manifest.capability.type + _mark(skill, "capability.type")),
        ("inputs", ", ".join(map(str, manifest.capability.inputs)) or "not declared"),
        ("outputs", ", ".join(map(str, manifest.capability.outputs)) or "not declared"),
        ("risk", manifest.risk.value + _mark(skill, "risk")),
        ("tools", "not declared" if tools is None else ", ".join(tools) or "declares none"),
        ("license", manifest.license or "not declared"),
        ("digest", skill.digest or "refused: see findings"),
        ("source", f"{origin.kind} {origin.remote or origin.repository or ''}".strip()),
        ("revision", manifest.source.revision or "none"),
        ("last commit", f"{commit.sha[:12]} {commit.when} {commit.author}" if commit else "none"),
        ("work tree", {True: "dirty", False: "clean", None: "unknown"}[origin.dirty]),
    ]
    if origin.note:
        rows.append(("note", origin.note))
    return [(label, visible(" ".join(value.split()))) for label, value in rows]


def _standing(skill_id: str, cluster: DuplicateCluster | None) -> list[tuple[str, str]]:
    if cluster is None:
        return []
    if cluster.canonical != skill_id:
        return [("alias of", cluster.canonical)]
    return [("stands for", ", ".join(member.skill_id for member in cluster.aliases))]


def _mark(skill: Skill, field: str) -> str:
    return " (inferred)" if field in skill.manifest.inferred else ""
