"""The graph in formats that other programs read: GraphML, DOT, node-link JSON.

Text from skills is shown as it would be on a terminal: a control character is no legal XML, and a
DOT file ends up in one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from asf_core.domain.graph import Edge
from asf_core.domain.skill_graph import GraphNode, SkillGraph
from asf_core.domain.text import visible

if TYPE_CHECKING:
    from networkx import DiGraph


class GraphFormat(StrEnum):
    """What to write."""

    GRAPHML = "graphml"
    DOT = "dot"
    JSON = "json"


def export_graph(graph: SkillGraph, form: GraphFormat) -> str:
    """Write a graph.

    Args:
        graph: Any part of the whole.
        form: GraphML and node-link JSON are those of networkx, which reads them back; DOT is that
            of Graphviz, without layout.

    Returns:
        A whole document that ends in a line feed; the same for the same graph.
    """
    if form is GraphFormat.DOT:
        return "\n".join(_dot(graph)) + "\n"
    if form is GraphFormat.GRAPHML:
        import networkx as nx

        return "\n".join(nx.generate_graphml(to_networkx(graph))) + "\n"
    import json

    from networkx import node_link_data

    return json.dumps(node_link_data(to_networkx(graph), edges="edges"), indent=1) + "\n"


def to_networkx(graph: SkillGraph) -> DiGraph[str]:
    """The graph as DESIGN 6 names its attributes.

    Returns:
        Nodes with ``slug``, ``manifest_text``, ``capability_type``, ``risk_tier``, ``state``,
        ``slop_score`` (left out where unknown), ``canonical_id``, ``community_id``, ``community``;
        edges with ``kind``, ``confidence``, ``origin``, ``evidence`` (``path:line`` of the surest).
    """
    import networkx as nx

    made: nx.DiGraph[str] = nx.DiGraph()
    names = [community.name or "" for community in graph.communities]
    for node in graph.nodes:
        made.add_node(_shown(node.id), **_node(node, names))
    for edge in graph.edges:
        made.add_edge(_shown(edge.source), _shown(edge.target), **_edge(edge))
    return made


def _node(node: GraphNode, names: Sequence[str]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "slug": _shown(node.slug),
        "manifest_text": _shown(node.manifest_text),
        "capability_type": _shown(node.capability_type),
        "risk_tier": node.risk_tier.value,
        "state": node.state.value,
        "canonical_id": _shown(node.canonical_id),
        "community_id": node.community_id,
        "community": _shown(names[node.community_id]),
    }
    if node.slop_score is not None:
        told["slop_score"] = node.slop_score
    return told


def _edge(edge: Edge) -> dict[str, Any]:
    first = edge.evidence[0] if edge.evidence else None
    return {
        "kind": edge.kind.value,
        "confidence": edge.confidence,
        "origin": edge.origin.value,
        "evidence": _shown(f"{first.path}:{first.line}") if first else "",
    }


def _dot(graph: SkillGraph) -> Iterator[str]:
    yield "digraph skills {"
    yield "  node [shape=box]; edge [fontsize=10];"
    inside: dict[int, list[GraphNode]] = defaultdict(list)
    for node in graph.nodes:
        inside[node.community_id].append(node)
    for community in graph.communities:
        if community.id in inside:
            yield f"  subgraph cluster_{community.id} {{ label={_quoted(community.name or '')};"
            for node in inside[community.id]:
                yield f"    {_quoted(node.id)} [label={_quoted(node.slug)}];"
            yield "  }"
    for edge in graph.edges:
        style = "" if edge.confidence >= _SURE else ", style=dashed"
        label = f"{edge.kind.value} {edge.confidence:g}"
        yield f"  {_quoted(edge.source)} -> {_quoted(edge.target)} [label={_quoted(label)}{style}];"
    yield "}"


_SURE = 0.9


def _shown(text: str) -> str:
    """Text without what acts, hides, or has no place in XML."""
    return visible(text).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")


def _quoted(text: str) -> str:
    r"""A DOT string: only the quote and the backslash have a meaning in it."""
    plain = _shown(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'
