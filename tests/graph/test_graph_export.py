"""The exported graph as other programs read it back."""

from __future__ import annotations

import io
import json
import re

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.domain.graph import Edge, EdgeEvidence, EdgeKind, EdgeOrigin
from asf_core.domain.manifest import Risk
from asf_core.domain.skill import SkillState
from asf_core.domain.skill_graph import GraphCommunity, GraphNode, SkillGraph
from asf_core.domain.text import visible
from asf_core.graph.export import GraphFormat, export_graph, to_networkx


def node(ref: str, text: str = "", score: float | None = None) -> GraphNode:
    return GraphNode(
        id=ref,
        slug=ref.rpartition("/")[2],
        registry="r",
        path=ref.partition("/")[2],
        manifest_text=text,
        capability_type="writing",
        risk_tier=Risk.SAFE,
        state=SkillState.READY,
        slop_score=score,
        canonical_id=ref,
        community_id=0,
        degree=1,
    )


def edge(source: str, target: str, confidence: float = 0.7) -> Edge:
    said = EdgeEvidence(
        kind=EdgeKind.COMPLEMENTS,
        confidence=confidence,
        origin=EdgeOrigin.INFERRED,
        path="a/SKILL.md",
        line=3,
        text="x",
    )
    return Edge(
        source=source,
        target=target,
        kind=EdgeKind.COMPLEMENTS,
        confidence=confidence,
        origin=EdgeOrigin.INFERRED,
        evidence=(said,),
    )


def graph(*nodes: GraphNode, edges: tuple[Edge, ...] = ()) -> SkillGraph:
    members = tuple(sorted(n.id for n in nodes))
    group = GraphCommunity(id=0, name="writing", share=1.0, ties=len(edges), members=members)
    return SkillGraph(nodes=nodes, edges=edges, communities=(group,), dangling=())


SMALL = graph(node("r/a", "a: does it", 0.9), node("r/b"), edges=(edge("r/a", "r/b"),))
ATTRIBUTES = {
    "slug": "a",
    "manifest_text": "a: does it",
    "capability_type": "writing",
    "risk_tier": "safe",
    "state": "ready",
    "slop_score": 0.9,
    "canonical_id": "r/a",
    "community_id": 0,
    "community": "writing",
}
TIE = {"kind": "complements", "confidence": 0.7, "origin": "INFERRED", "evidence": "a/SKILL.md:3"}


def read_back(document: str, form: GraphFormat) -> nx.DiGraph:
    if form is GraphFormat.GRAPHML:
        return nx.read_graphml(io.BytesIO(document.encode()))
    return nx.node_link_graph(json.loads(document), edges="edges")


@pytest.mark.parametrize("form", [GraphFormat.GRAPHML, GraphFormat.JSON])
def test_networkx_reads_back_what_design_names(form: GraphFormat) -> None:
    read = read_back(export_graph(SMALL, form), form)
    assert read.is_directed()
    assert read.nodes["r/a"] == ATTRIBUTES
    assert "slop_score" not in read.nodes["r/b"]
    assert dict(read.edges) == {("r/a", "r/b"): TIE}


def test_dot_as_graphviz_takes_it() -> None:
    lines = export_graph(SMALL, GraphFormat.DOT).splitlines()
    assert lines[0] == "digraph skills {"
    assert lines[-1] == "}"
    assert '    "r/a" [label="a"];' in lines
    assert '  "r/a" -> "r/b" [label="complements 0.7", style=dashed];' in lines


STATEMENT = re.compile(
    r"digraph skills \{|\}|  \}|  node \[shape=box\]; edge \[fontsize=10\];"
    r"|  subgraph cluster_\d+ \{ label=Q;|    Q \[label=Q\];|  Q -> Q \[label=Q(, style=dashed)?\];"
)
QUOTED = re.compile(r'"(?:[^"\\]|\\["\\])*"')


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=30), st.text(max_size=30))
def test_hostile_text_breaks_no_format(name: str, text: str) -> None:
    made = graph(node(f"r/{name}x", text), node("r/b"), edges=(edge(f"r/{name}x", "r/b"),))
    whole = to_networkx(made)
    for form in (GraphFormat.GRAPHML, GraphFormat.JSON):
        document = export_graph(made, form)
        assert visible(document, keep="\n") == document
        read = read_back(document, form)
        assert set(read) == set(whole)
    document = export_graph(made, GraphFormat.DOT)
    assert visible(document, keep="\n") == document
    for line in document.splitlines():
        assert STATEMENT.fullmatch(QUOTED.sub("Q", line)), line


def test_the_same_graph_gives_the_same_document() -> None:
    for form in GraphFormat:
        assert export_graph(SMALL, form) == export_graph(SMALL, form)
