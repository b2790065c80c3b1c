"""The canonical index of a registry: the skills that a router can offer (DESIGN 6, "Metrics").

Out of it stay, each with its reason, in this order: what cannot be read as a skill (listed as not
read), what a curator or the gate holds in quarantine in the workspace that knows the registry, what
can never be planned because a declared requirement is missing or leads back, and duplicates, whose
relations count as those of the skill that stands for them. A skill that breaks the format and is
routed all the same counts like any other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from asf_core.domain.graph import Edge, EdgeOrigin
from asf_core.domain.routing import Link
from asf_core.domain.skill import Skill, SkillState
from asf_core.graph.build import GraphResult

QUARANTINED = "in quarantine"
UNPLANNED = "with a requirement that cannot be met"


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a registry's skills beyond their relations."""

    quarantined: Mapping[str, str]
    """Reason by id."""
    aliases: Mapping[str, str]
    """Duplicate to canonical id."""


@dataclass(frozen=True, slots=True)
class CanonicalIndex:
    """What is measured of a registry."""

    skills: tuple[Skill, ...]
    """Duplicates among them: they are merged, see ``aliases``."""
    aliases: Mapping[str, str]
    """Duplicate to canonical id."""
    left_out: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By :data:`QUARANTINED` or :data:`UNPLANNED`: reason by id."""


def canonical_index(
    skills: Sequence[Skill], graph: GraphResult, standing: Standing
) -> CanonicalIndex:
    """Choose the skills that count.

    Args:
        skills: All that can be read.
        graph: Their relations.
        standing: Which are held in quarantine, and which are duplicates.
    """
    from asf_core.graph.requirements import never_planned

    ids = {skill.manifest.id for skill in skills}
    held = {i: why for i, why in standing.quarantined.items() if i in ids}
    unplanned = never_planned(ids - held.keys(), (*map(_link, graph.edges), *graph.unmet))
    out = held.keys() | unplanned.keys()
    return CanonicalIndex(
        skills=tuple(skill for skill in skills if skill.manifest.id not in out),
        aliases=standing.aliases,
        left_out={QUARANTINED: held, UNPLANNED: unplanned},
    )


def _link(edge: Edge) -> Link:
    sure = edge.confidence if edge.origin is not EdgeOrigin.AMBIGUOUS else 0.0
    return Link(edge.source, edge.target, edge.kind, sure)


def standing_in(workspace: Path | None, root: Path, name: str) -> Standing | None:
    """What a workspace knows of a registry; nothing is written, and none is made.

    Args:
        workspace: As in ``Engine.open``.
        root: The registry's directory, resolved.
        name: What its skills' ids are to begin with.

    Returns:
        ``None`` where there is no workspace, or the registry is not of it.
    """
    from asf_core.services.engine import Engine
    from asf_core.store.workspace import Workspace

    if not Workspace.find(workspace).exists:
        return None
    with Engine.open(workspace) as engine:
        known = [row.name for row in engine.registries() if row.path == str(root)]
        if not known:
            return None
        held = {
            f"{name}/{row.path}": row.state_reason
            for row in engine.skills()
            if row.registry in known and row.state is SkillState.QUARANTINED
        }
        graph = engine.graph(known[0])
        renamed = {node.id: f"{name}/{node.path}" for node in graph.nodes}
        aliases = {
            renamed[node.id]: renamed.get(node.canonical_id, node.canonical_id)
            for node in graph.nodes
            if node.canonical_id != node.id
        }
    return Standing(held, aliases)


def standing_alone(skills: Iterable[Skill]) -> Standing:
    """What the files themselves say: skills whose instructions are word for word the same.

    Each stands for the one of smallest id.
    """
    first: dict[bytes, str] = {}
    aliases: dict[str, str] = {}
    for skill in sorted(skills, key=lambda s: s.manifest.id):
        body = " ".join(skill.body.split())
        if not body:
            continue
        key = hashlib.sha256(body.encode("utf-8", "surrogatepass")).digest()
        canonical = first.setdefault(key, skill.manifest.id)
        if canonical != skill.manifest.id:
            aliases[skill.manifest.id] = canonical
    return Standing({}, aliases)
