"""The skill knowledge graph as a person or a program looks at it (DESIGN 6)."""

from __future__ import annotations

from asf_core.domain.base import Value
from asf_core.domain.findings import SkillFinding
from asf_core.domain.graph import Edge
from asf_core.domain.manifest import Risk
from asf_core.domain.skill import SkillState


class GraphNode(Value):
    """A skill in the graph. All text is hostile."""

    id: str
    slug: str
    registry: str
    path: str
    """POSIX path of its directory inside the registry."""
    manifest_text: str
    """Name and description, as a host lists it."""
    capability_type: str
    risk_tier: Risk
    state: SkillState
    slop_score: float | None
    """``None`` until the gate has judged it."""
    canonical_id: str
    """The skill that stands for it; its own id where it is no duplicate."""
    community_id: int
    """Place in :attr:`SkillGraph.communities`."""
    degree: int
    """Distinct skills that it is joined to, in either direction."""


class GraphCommunity(Value):
    """Skills that hang together."""

    id: int
    name: str | None
    """What most members share: capability type, directory or word; ``None`` where they share none,
    or nothing joins them."""
    share: float
    """Part of the members that share it, 0 to 1."""
    ties: int
    """Pairs of members that are joined."""
    members: tuple[str, ...]
    """Ids, sorted."""


class SkillGraph(Value):
    """All skills of a workspace, or of one registry, and what joins them."""

    nodes: tuple[GraphNode, ...]
    """By id; broken skills are none."""
    edges: tuple[Edge, ...]
    """By source and target, both among the nodes."""
    communities: tuple[GraphCommunity, ...]
    """Largest first; the same each run."""
    dangling: tuple[SkillFinding, ...]
    """Names that mean no skill or several, and contradictions, by skill and line."""


class Neighbourhood(Value):
    """One skill and what it is joined to."""

    skill: GraphNode
    community: GraphCommunity
    edges: tuple[Edge, ...]
    """From it and to it, by source and target."""
    neighbours: tuple[GraphNode, ...]
    """The other ends that are nodes, by id; a broken skill is none."""
    dangling: tuple[SkillFinding, ...]
