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

from asf_core.domain.graph import Edge, EdgeOrigin
from asf_core.domain.routing import Link
from asf_core.domain.skill import Skill
from asf_core.graph.build import GraphResult

QUARANTINED = "in quarantine"
UNPLANNED = "with a requirement that cannot be met"


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
    skills: Sequence[Skill], graph: GraphResult, quarantined: Mapping[str, str]
) -> CanonicalIndex:
    """Choose the skills that count.

    Args:
        skills: All that can be read.
        graph: Their relations.
        quarantined: Reason by id of those that are held in quarantine.
    """
    from asf_core.graph.requirements import never_planned

    open_ids = {s.manifest.id for s in skills} - quarantined.keys()
    unplanned = never_planned(open_ids, (*map(_link, graph.edges), *graph.unmet))
    kept = tuple(s for s in skills if s.manifest.id in open_ids - unplanned.keys())
    held = {
        s.manifest.id: quarantined[s.manifest.id] for s in skills if s.manifest.id in quarantined
    }
    return CanonicalIndex(
        skills=kept,
        aliases=duplicates(kept),
        left_out={QUARANTINED: held, UNPLANNED: unplanned},
    )


def _link(edge: Edge) -> Link:
    sure = edge.confidence if edge.origin is not EdgeOrigin.AMBIGUOUS else 0.0
    return Link(edge.source, edge.target, edge.kind, sure)


def duplicates(skills: Iterable[Skill]) -> dict[str, str]:
    """Skills whose instructions are the same word for word: each to the one of smallest id.

    Until the canonical index is kept in the store, this is its strictest part.
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
    return aliases
