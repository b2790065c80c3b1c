"""The graph of a workspace, put together from its records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from asf_core.domain.graph import Edge, EdgeKind
from asf_core.domain.skill import SkillRow, SkillState
from asf_core.domain.skill_graph import GraphCommunity, GraphNode, Neighbourhood, SkillGraph

if TYPE_CHECKING:
    from asf_core.graph.metrics import Figures
    from asf_core.store.records import Records


def skill_graph(records: Records, registry: str | None = None) -> SkillGraph:
    """The graph of all skills that can be read.

    Args:
        records: Of the workspace.
        registry: Only skills of this one; ``None`` for all.
    """
    rows = [row for row in records.rows(registry) if row.state is not SkillState.BROKEN]
    known = {row.id for row in rows}
    edges = tuple(e for e in records.edges() if e.source in known and e.target in known)
    figures = _figures(rows, edges)
    communities = tuple(
        GraphCommunity(
            id=number,
            name=group.name,
            share=round(group.share, 4),
            ties=group.ties,
            members=group.members,
        )
        for number, group in enumerate(figures.communities)
    )
    canonical = {e.source: e.target for e in edges if e.kind is EdgeKind.DUPLICATE_OF}
    return SkillGraph(
        nodes=tuple(_node(row, figures, canonical) for row in rows),
        edges=edges,
        communities=communities,
        dangling=tuple(f for f in records.dangling_names() if f.skill_id in known),
    )


def neighbourhood(graph: SkillGraph, edges: Sequence[Edge], skill_id: str) -> Neighbourhood:
    """What one skill is joined to.

    Args:
        graph: All of it.
        edges: The skill's own, also to broken skills.
        skill_id: A node of the graph.
    """
    nodes = {node.id: node for node in graph.nodes}
    others = {end for edge in edges for end in (edge.source, edge.target)} - {skill_id}
    skill = nodes[skill_id]
    return Neighbourhood(
        skill=skill,
        community=graph.communities[skill.community_id],
        edges=tuple(edges),
        neighbours=tuple(nodes[other] for other in sorted(others) if other in nodes),
        dangling=tuple(f for f in graph.dangling if f.skill_id == skill_id),
    )


def around(graph: SkillGraph, skill_id: str) -> SkillGraph:
    """The part of a graph that one skill and its neighbours make up, with what joins them."""
    joined = [e for e in graph.edges if skill_id in (e.source, e.target)]
    kept = {skill_id} | {end for e in joined for end in (e.source, e.target)}
    return SkillGraph(
        nodes=tuple(node for node in graph.nodes if node.id in kept),
        edges=tuple(e for e in graph.edges if e.source in kept and e.target in kept),
        communities=graph.communities,
        dangling=tuple(f for f in graph.dangling if f.skill_id in kept),
    )


def _figures(rows: Iterable[SkillRow], edges: Iterable[Edge]) -> Figures:
    """Communities and degrees as ``asf measure`` finds them, duplicates kept apart."""
    from asf_core.graph.measure import SkillNode, skill_node, skill_ties
    from asf_core.graph.metrics import measure_graph

    nodes = [skill_node(SkillNode(row.id, row.slug, row.path, row.capability)) for row in rows]
    return measure_graph(nodes, skill_ties(edges))


def _node(row: SkillRow, figures: Figures, canonical: Mapping[str, str]) -> GraphNode:
    return GraphNode(
        id=row.id,
        slug=row.slug,
        registry=row.registry,
        path=row.path,
        manifest_text=f"{row.slug}: {row.description}",
        capability_type=row.capability,
        risk_tier=row.risk,
        state=row.state,
        slop_score=row.slop_score,
        canonical_id=canonical.get(row.id, row.id),
        community_id=figures.community_of[row.id],
        degree=figures.degree[row.id],
    )
