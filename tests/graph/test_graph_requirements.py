"""What can never be planned, and why."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.domain.graph import EdgeKind
from asf_core.domain.routing import Link
from asf_core.graph.requirements import never_planned

CASES: dict[str, tuple[str, list[str], dict[str, str]]] = {
    "nothing": ("ab", [], {}),
    "met": ("ab", ["ab"], {}),
    "missing": ("ab", ["ax"], {"a": "needs x, which is not there"}),
    "missing further down": (
        "abc",
        ["ab", "bc", "cx"],
        {
            "a": "needs b, which can never be planned",
            "b": "needs c, which can never be planned",
            "c": "needs x, which is not there",
        },
    ),
    "a ring": ("ab", ["ab", "ba"], {"a": "needs itself: a -> b -> a", "b": "needs itself: a -> b -> a"}),
    "before a ring": (
        "abc",
        ["ab", "bc", "cb"],
        {
            "a": "needs b, which can never be planned",
            "b": "needs itself: b -> c -> b",
            "c": "needs itself: b -> c -> b",
        },
    ),
    "after a ring": (
        "abc",
        ["ab", "ba", "bc"],
        {"a": "needs itself: a -> b -> a", "b": "needs itself: a -> b -> a"},
    ),
    "itself alone is no requirement": ("a", ["aa"], {}),
    "from outside": ("a", ["xa"], {}),
}  # fmt: skip


def need(pair: str, confidence: float = 1.0, kind: EdgeKind = EdgeKind.DEPENDS_ON) -> Link:
    return Link(pair[0], pair[1], kind, confidence)


@pytest.mark.parametrize(("skills", "pairs", "reasons"), CASES.values(), ids=CASES)
def test_cases(skills: str, pairs: list[str], reasons: dict[str, str]) -> None:
    assert never_planned(set(skills), map(need, pairs)) == reasons


@pytest.mark.parametrize(
    "link",
    [need("ax", 0.7), need("ax", 0.3), need("ax", 1.0, EdgeKind.COMPLEMENTS)],
    ids=["told in prose", "ambiguous", "a companion"],
)
def test_what_binds_nobody(link: Link) -> None:
    assert never_planned({"a"}, [link]) == {}


def test_sub_skills_bind_too() -> None:
    link = need("ax", 1.0, EdgeKind.REQUIRED_SUB_SKILLS)
    assert list(never_planned({"a"}, [link])) == ["a"]


def test_a_long_ring_is_cut_and_a_long_chain_is_quick() -> None:
    names = [f"s{i:05}" for i in range(5_000)]
    chain = [
        Link(a, b, EdgeKind.DEPENDS_ON, 1.0)
        for a, b in zip(names, [*names[1:], "gone"], strict=True)
    ]
    assert len(never_planned(names, chain)) == 5_000
    ring = [*chain[:-1], Link(names[-1], names[0], EdgeKind.DEPENDS_ON, 1.0)]
    reasons = never_planned(names, ring)
    assert set(reasons.values()) == {"needs itself: s00000 -> s00001 -> s00002 -> s00003 -> s00004 -> …"}  # fmt: skip


@given(st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdefxy"))))
def test_networkx_agrees(pairs: set[tuple[str, str]]) -> None:
    """What reaches a missing end or a cycle, by networkx."""
    skills = set("abcdef")
    graph = nx.DiGraph(pair for pair in pairs if pair[0] != pair[1])
    bad = (set(graph) - skills) | {n for ring in nx.simple_cycles(graph) for n in ring}
    expected = {s for s in skills if s in graph and bad & (nx.descendants(graph, s) | {s})}
    found = never_planned(skills, [need(a + b) for a, b in sorted(pairs)])
    assert set(found) == expected
    assert found == never_planned(skills, [need(a + b) for a, b in sorted(pairs, reverse=True)])
