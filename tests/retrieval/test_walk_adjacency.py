"""What the graph answers to the walk and the plan."""

from __future__ import annotations

from asf_core.domain.graph import EdgeKind
from asf_core.domain.routing import Link
from asf_core.retrieval.adjacency import Adjacency

NEED, SUB = EdgeKind.DEPENDS_ON, EdgeKind.REQUIRED_SUB_SKILLS


def test_hard_and_likely_needs_are_told_apart() -> None:
    links = Adjacency(
        [
            Link("a", "z", NEED, 1.0),
            Link("a", "b", SUB, 0.9),
            Link("a", "c", NEED, 0.89),
            Link("a", "d", NEED, 0.6),
            Link("a", "e", NEED, 0.5),
        ]
    )
    assert links.needs("a") == ("b", "z")
    assert [link.target for link in links.likely_needs("a")] == ["c", "d"]


def test_a_pair_with_two_kinds_counts_once_by_the_surer() -> None:
    links = Adjacency([Link("a", "b", NEED, 0.7), Link("a", "b", SUB, 1.0)])
    assert links.needs("a") == ("b",)
    assert links.likely_needs("a") == ()


def test_conflicts_hold_both_ways() -> None:
    links = Adjacency([Link("a", "b", EdgeKind.CONFLICTS_WITH, 0.3)])
    assert links.conflicts("a") == {"b"}
    assert links.conflicts("b") == {"a"}


def test_companions_come_surest_first_one_a_target() -> None:
    links = Adjacency(
        [
            Link("a", "b", EdgeKind.COMPLEMENTS, 0.7),
            Link("a", "c", EdgeKind.COMPLEMENTS, 0.9),
            Link("b", "a", EdgeKind.CO_USED_WITH, 1.0),
        ]
    )
    assert [(link.target, link.kind.value) for link in links.companions("a")] == [
        ("b", "co_used_with"),
        ("c", "complements"),
    ]
    assert [link.target for link in links.companions("b")] == ["a"]


def test_unknown_skills_have_nothing() -> None:
    links = Adjacency()
    assert links.needs("x") == ()
    assert links.likely_needs("x") == ()
    assert links.companions("x") == ()
    assert links.conflicts("x") == frozenset()
