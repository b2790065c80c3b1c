"""The canonical index of a registry: the skills that a router can offer (DESIGN 6, "Metrics").

Out of it stay, each with its reason, in this order: what cannot be read as a skill (listed as not
read), what a curator or the gate holds in quarantine, what can never be planned because a declared
requirement is missing or leads back, and duplicates, whose relations count as those of the skill
that stands for them. A skill that breaks the format and is routed all the same counts like any other.

Where a workspace knows the registry, its decisions, its gate and its duplicates count. Elsewhere the
gate judges the files alone, without an encoder, so that the same content gives the same figures on
every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from asf_core.domain.graph import Edge, EdgeOrigin
from asf_core.domain.routing import Link
from asf_core.domain.skill import Skill, SkillState
from asf_core.graph.build import GraphResult

if TYPE_CHECKING:
    from asf_core.quality.facts import SkillFacts

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
    skills: Sequence[Skill], graph: GraphResult, standing: Standing, *, everything: bool = False
) -> CanonicalIndex:
    """Choose the skills that count.

    Args:
        skills: All that can be read.
        graph: Their relations.
        standing: Which are held in quarantine, and which are duplicates.
        everything: Merge duplicates and leave nothing out.
    """
    if everything:
        return CanonicalIndex(tuple(skills), standing.aliases)
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
        renamed = {row.id: f"{name}/{row.path}" for row in engine.skills() if row.registry in known}
        aliases = {
            renamed[alias]: renamed[canonical]
            for alias, canonical in engine.quality.aliases().items()
            if alias in renamed and canonical in renamed
        }
    return Standing(held, aliases)


def standing_alone(read: Sequence[tuple[Skill, SkillFacts]], graph: GraphResult) -> Standing:
    """What the gate says of the files themselves, without an encoder: the same on every machine.

    Args:
        read: All skills with their facts, broken ones too.
        graph: Their relations.
    """
    from asf_core.quality.gate import degrees, judge
    from asf_core.services.reading_quality import gate_input

    joined = degrees(graph.edges)
    inputs = [gate_input(s, facts, joined.get(s.manifest.id, 0)) for s, facts in read]
    found = judge(inputs, None).judgements
    return Standing(
        {one.skill_id: f"by the gate: {one.reason}" for one in found if one.gated},
        {one.skill_id: one.canonical_id for one in found if one.canonical_id is not None},
    )
