"""Metrics and communities against networkx, and partitions under any order of nodes and edges."""

from __future__ import annotations

import community as louvain
import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.graph.communities import partition
from asf_core.graph.metrics import Node, Tie, measure_graph

NAMES = [f"n{i:02}" for i in range(14)]
pairs = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=40)


def made(links: list[tuple[str, str]], tools: set[str]) -> tuple[list[Node], list[Tie]]:
    nodes = [
        Node(id=name, name=name, kind="skill", tool=name if name in tools else "", labels=(f"type:{int(name[1:]) % 3}",))
        for name in NAMES
    ]  # fmt: skip
    return nodes, [Tie(a, b) for a, b in links]


def oracle(links: list[tuple[str, str]]) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(NAMES)
    graph.add_edges_from((a, b) for a, b in links if a != b)
    return graph


@settings(max_examples=150, deadline=None)
@given(pairs, st.sets(st.sampled_from(NAMES)))
def test_tlis_gnci_and_degrees_as_networkx_counts_them(
    links: list[tuple[str, str]], tools: set[str]
) -> None:
    figures = measure_graph(*made(links, tools))
    graph = oracle(links)
    degree = dict(graph.degree)
    assert figures.degree == degree
    assert figures.links == graph.number_of_edges()
    alone = [name for name in tools if degree[name] <= 1]
    assert figures.isolated == tuple(sorted(alone))
    assert figures.tlis == (len(alone) / len(tools) if tools else None)
    joined = [d for d in degree.values() if d]
    assert figures.gnci == pytest.approx(max(joined) / (sum(joined) / len(joined)) if joined else 0)


@settings(max_examples=100, deadline=None)
@given(pairs)
def test_cfi_from_the_groups_themselves(links: list[tuple[str, str]]) -> None:
    figures = measure_graph(*made(links, set(NAMES)))
    graph = oracle(links)
    assert sorted(m for group in figures.communities for m in group.members) == NAMES
    named = 0
    for group in figures.communities:
        inner = graph.subgraph(group.members)
        assert group.ties == inner.number_of_edges()
        kinds = [int(member[1:]) % 3 for member in group.members]
        most = max(kinds.count(kind) for kind in kinds)
        earned = inner.number_of_edges() > 0 and 2 * most > len(kinds)
        assert (group.name is not None) is earned
        named += earned
    assert figures.cfi == len(figures.communities) / max(named, 1)


@settings(max_examples=60, deadline=None)
@given(pairs)
def test_communities_stay_within_components_and_gain_modularity(
    links: list[tuple[str, str]],
) -> None:
    graph = oracle(links)
    groups = partition(NAMES, {tuple(sorted(e)): 1.0 for e in graph.edges})
    components = list(nx.connected_components(graph))
    assert all(any(set(group) <= component for component in components) for group in groups)
    if graph.number_of_edges():
        ours = nx.community.modularity(graph, groups)
        # Each step of Louvain only gains: never worse than every node alone.
        assert ours >= nx.community.modularity(graph, [{name} for name in NAMES]) - 1e-9
        whole = {name: number for number, group in enumerate(groups) for name in group}
        assert ours == pytest.approx(louvain.modularity(whole, graph))


@settings(max_examples=80, deadline=None)
@given(pairs, st.data())
def test_any_order_of_nodes_and_edges_gives_one_partition(
    links: list[tuple[str, str]], data: st.DataObject
) -> None:
    weights = {}
    for number, (a, b) in enumerate(links):
        if a != b:
            weights[min(a, b), max(a, b)] = 0.3 + number % 5 / 10
    first = partition(NAMES, weights)
    nodes = data.draw(st.permutations(NAMES))
    ordered = data.draw(st.permutations(sorted(weights)))
    turned = {(b, a) if data.draw(st.booleans()) else (a, b): weights[a, b] for a, b in ordered}
    assert partition(nodes, turned) == first
    assert partition(reversed(nodes), dict(reversed(list(turned.items())))) == first
