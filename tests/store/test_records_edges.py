from pathlib import Path

import pytest

from asf_core.domain.errors import StoreError
from asf_core.domain.findings import Finding, Severity, SkillFinding
from asf_core.domain.graph import Edge, EdgeEvidence, EdgeKind, EdgeOrigin
from asf_core.domain.routing import Link
from asf_core.store.records import Records

SURE, MAYBE = EdgeOrigin.EXTRACTED, EdgeOrigin.AMBIGUOUS


def _evidence(kind: EdgeKind, confidence: float, origin: EdgeOrigin = SURE) -> EdgeEvidence:
    return EdgeEvidence(
        kind=kind, confidence=confidence, origin=origin, path="a/SKILL.md", line=3, text="`b` \x1b["
    )


def _edge(source: str, target: str, *evidence: EdgeEvidence) -> Edge:
    best = evidence[0]
    return Edge(
        source=f"reg/{source}",
        target=f"reg/{target}",
        kind=best.kind,
        confidence=best.confidence,
        origin=best.origin,
        evidence=evidence,
    )


AB = _edge(
    "a",
    "b",
    _evidence(EdgeKind.DEPENDS_ON, 1.0),
    _evidence(EdgeKind.CONFLICTS_WITH, 0.7),
    _evidence(EdgeKind.DEPENDS_ON, 0.7),
    _evidence(EdgeKind.EXTENDS, 0.9, MAYBE),
)
CA = _edge("c", "a", _evidence(EdgeKind.COMPLEMENTS, 0.7))
BC = _edge("b", "c", _evidence(EdgeKind.DEPENDS_ON, 0.5, MAYBE))
LOST = Finding(rule="graph/dangling", severity=Severity.LOW, message="no `x`", path="a/SKILL.md")


LOST_A = SkillFinding(skill_id="reg/a", finding=LOST)
LOST_B = SkillFinding(skill_id="reg/b", finding=LOST)


@pytest.fixture
def graph(records: Records, make_record) -> Records:
    records.put_skills("reg", [make_record(name) for name in "abc"])
    records.replace_edges([CA, BC, AB], [LOST_A, LOST_B])
    return records


def test_edges_are_found_from_both_ends(graph: Records) -> None:
    assert graph.edges_of("reg/a") == (AB, CA)
    assert graph.edges_of("reg/b") == (AB, BC)
    assert graph.edges_of("reg/zzz") == ()
    assert graph.edges() == (AB, BC, CA)
    assert graph.dangling() == (LOST, LOST)
    assert graph.dangling("reg/a") == (LOST,)
    assert graph.dangling("reg/c") == ()


def test_links_are_one_a_pair_and_kind_without_the_ambiguous(graph: Records) -> None:
    assert graph.links() == (
        Link("reg/a", "reg/b", EdgeKind.CONFLICTS_WITH, 0.7),
        Link("reg/a", "reg/b", EdgeKind.DEPENDS_ON, 1.0),
        Link("reg/c", "reg/a", EdgeKind.COMPLEMENTS, 0.7),
    )


def test_a_graph_replaces_the_last_one(graph: Records) -> None:
    graph.replace_edges([CA], [])
    assert (graph.edges(), graph.dangling()) == ((CA,), ())
    graph.replace_edges([], [LOST_A])
    assert (graph.edges(), graph.dangling()) == ((), (LOST,))


def test_edges_go_with_their_skills_and_stay_when_these_change(graph: Records, make_record) -> None:
    graph.put_skills("reg", [make_record("a", body="New.\n")])
    assert graph.edges() == (AB, BC, CA)
    graph.drop_skills(["reg/a"])
    assert graph.edges() == (BC,)


@pytest.mark.parametrize(
    "edges",
    [[AB, AB], [_edge("a", "zzz", _evidence(EdgeKind.EXTENDS, 1.0))]],
    ids=["twice", "no end"],
)
def test_a_graph_that_does_not_fit_is_refused_whole(graph: Records, edges: list[Edge]) -> None:
    with pytest.raises(StoreError):
        graph.replace_edges([CA, *edges], [])
    assert graph.edges() == (AB, BC, CA)
    assert graph.dangling() == (LOST, LOST)


def test_edges_cross_registries(graph: Records, make_record) -> None:
    graph.add_registry("two", Path("/srv/two"))
    graph.put_skills("two", [make_record("x", registry="two")])
    across = CA.model_copy(update={"target": "two/x"})
    graph.replace_edges([across], [])
    assert graph.edges_of("two/x") == (across,)
    graph.remove_registry("two")
    assert graph.edges() == ()


def test_dangling_names_of_all_skills_say_whose_they_are(graph: Records) -> None:
    graph.replace_edges((), (LOST_B, LOST_A))
    assert graph.dangling_names() == (LOST_B, LOST_A)
    assert graph.dangling("reg/a") == (LOST,)


def test_marks_are_all_skills_with_their_digests(graph: Records) -> None:
    marks = graph.marks()
    assert [(mark.id, mark.registry, mark.path) for mark in marks] == [
        (f"reg/{name}", "reg", name) for name in "abc"
    ]
    assert [mark.digest for mark in marks] == [graph.skill(mark.id).digest for mark in marks]
