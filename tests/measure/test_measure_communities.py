"""Communities: the same each run, and named where a name is earned."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from asf_core.graph.communities import name_communities, partition, words


def _edges(graph: nx.Graph) -> dict[tuple[str, str], float]:
    return {(f"s{a:03}", f"s{b:03}"): 1.0 for a, b in graph.edges}


RING = nx.cycle_graph(20)
CLUB = nx.karate_club_graph()
CAVES = nx.connected_caveman_graph(8, 6)


@pytest.mark.parametrize("graph", [RING, CLUB, CAVES])
def test_twelve_shuffles_give_the_same_groups(graph: nx.Graph) -> None:
    edges = list(_edges(graph).items())
    nodes = sorted({end for pair, _ in edges for end in pair})
    first = partition(nodes, dict(edges))
    for seed in range(12):
        rng = random.Random(seed)
        rng.shuffle(edges)
        rng.shuffle(nodes)
        turned = {(pair if rng.random() < 0.5 else pair[::-1]): w for pair, w in edges}
        assert partition(nodes, turned) == first


def test_caves_are_found() -> None:
    groups = partition((), {}) + partition({f"s{i:03}" for i in range(48)}, _edges(CAVES))
    assert [len(g) for g in groups] == [6] * 8


@pytest.mark.parametrize("graph", [CLUB, CAVES])
def test_modularity_is_that_of_the_reference_within_a_little(graph: nx.Graph) -> None:
    edges = _edges(graph)
    built = nx.Graph(list(edges))
    ours = partition(set(built), edges)
    reference = max(
        nx.community.modularity(built, nx.community.louvain_communities(built, seed=s))
        for s in range(5)
    )
    assert nx.community.modularity(built, ours) >= 0.9 * reference


def test_nodes_without_links_stand_alone() -> None:
    assert partition(["b", "a", "c"], {}) == (("a",), ("b",), ("c",))


def _named(
    labels: dict[str, list[str]], ties: list[tuple[str, str]], common: float = 1.0
) -> list[str | None]:
    found = name_communities((tuple(sorted(labels)),), labels, ties, common=common)
    return [c.name for c in found]


def test_more_than_half_must_share_the_label() -> None:
    ties = [("a", "b")]
    assert _named({"a": ["t:x"], "b": ["t:x"], "c": ["t:y"]}, ties) == ["x"]
    assert _named({"a": ["t:x"], "b": ["t:x"], "c": ["t:y"], "d": ["t:y"]}, ties) == [None]


def test_a_group_without_a_link_inside_has_no_name() -> None:
    assert _named({"a": ["t:x"], "b": ["t:x"]}, []) == [None]


def test_a_label_that_most_nodes_carry_names_nothing() -> None:
    labels = {"a": ["in:src"], "b": ["in:src"]}
    assert _named(labels, [("a", "b")], common=0.5) == [None]


def test_the_rarest_fitting_label_names() -> None:
    groups = (("a", "b"), ("c", "d"))
    labels = {"a": ["in:src", "in:src/x"], "b": ["in:src", "in:src/x"], "c": ["in:src"], "d": []}
    found = name_communities(groups, labels, [("a", "b"), ("c", "d")], common=1.0)
    assert [c.name for c in found] == ["src/x", None]


def test_two_groups_of_one_name_are_told_apart() -> None:
    groups = (("a", "b"), ("c", "d"))
    labels = {node: ["t:x"] for node in "abcd"}
    found = name_communities(groups, labels, [("a", "b"), ("c", "d")], common=1.0)
    assert [c.name for c in found] == ["x", "x 2"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("getHTTPClient", ["http", "client"]),
        ("azure-ai_search", ["azure", "search"]),
        ("XMLParser2", ["xml", "parser"]),
        ("", []),
        ("日本語", ["日本語"]),
    ],
)
def test_words(name: str, expected: list[str]) -> None:
    assert words(name) == expected
