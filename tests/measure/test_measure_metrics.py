"""TLIS, GNCI, CFI and RScore on graphs of plain values."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measure_graphs import Graph, as_skills, coupled, fragmented, good, isolated, skill, ties

from asf_core.domain.graph import EdgeKind
from asf_core.domain.measure import FailureMode
from asf_core.graph.measure import measure_registry
from asf_core.graph.measure_words import published
from asf_core.graph.metrics import Figures, Node, Tie, measure_graph, rscore


@pytest.mark.parametrize(
    ("graph", "mode"),
    [
        (isolated(), FailureMode.ISOLATION),
        (coupled(), FailureMode.COUPLING),
        (fragmented(), FailureMode.FRAGMENTATION),
    ],
)
def test_each_bad_registry_fails_in_exactly_its_own_mode(graph: Graph, mode: FailureMode) -> None:
    report = measure_registry(*as_skills(graph), name="bad")
    assert [found.mode for found in report.modes] == [mode]
    assert report.verdict == mode.value
    assert not report.collapse
    assert report.modes[0].nodes
    assert report.modes[0].total >= len(report.modes[0].nodes)
    assert report.modes[0].repair


def test_a_good_registry_scores_high() -> None:
    report = measure_registry(*as_skills(good()), name="good")
    assert report.rscore >= 0.85
    assert report.modes == ()
    assert report.risk == "LOW"
    assert report.verdict == "No failure mode"


def test_the_hub_is_the_node_named_for_coupling() -> None:
    report = measure_registry(*as_skills(coupled()), name="bad")
    assert report.modes[0].nodes[0].id == "hub"
    assert report.hubs[0].degree == 120


def test_all_three_failing_is_structural_collapse() -> None:
    nodes, edges = coupled(200)
    nodes += [skill(f"x{i:04}") for i in range(2000)]
    report = measure_registry(*as_skills(([n for n in nodes if n.labels], edges)), name="x")
    assert not report.collapse
    # Figures of the whole: 2,000 loose skills more.
    figures = measure_graph(nodes, edges)
    assert figures.tlis is not None
    assert figures.tlis >= 0.5
    assert figures.gnci >= 20
    assert figures.cfi >= 10
    assert figures.rscore < 0.4


def test_collapse_is_said() -> None:
    nodes, edges = coupled(200)
    loose = [skill(f"x{i:04}", "type:x") for i in range(2000)]
    report = measure_registry(*as_skills((nodes + loose, edges)), name="x")
    assert report.collapse
    assert report.risk == "HIGH"
    assert report.verdict.startswith("Structural collapse")
    assert len(report.modes) == 3


@pytest.mark.parametrize(
    ("tlis", "gnci", "cfi", "expected"),
    [
        (0.0, 0.0, 0.0, 1.0),
        (1.0, 20.0, 10.0, 0.0),
        (1.0, 900.0, 900.0, 0.0),
        (0.3, 10.0, 5.0, 1 - 1.3 / 3),
        (None, 10.0, 5.0, 0.5),
    ],
)
def test_rscore(tlis: float | None, gnci: float, cfi: float, expected: float) -> None:
    assert rscore(tlis, gnci, cfi) == pytest.approx(expected)


def test_published_figures_stand_beside_what_our_formula_makes_of_them() -> None:
    by_name = {p.name: p for p in published()}
    assert by_name["gemini-cli"].rscore == 0.31
    assert by_name["gemini-cli"].by_our_formula == pytest.approx(0.31, abs=0.02)
    assert by_name["opencode"].by_our_formula == pytest.approx(0.26, abs=0.02)


def test_small_graphs_by_hand() -> None:
    # a - b - c, d alone: degrees 1 2 1 0.
    figures = measure_graph([skill(n) for n in "abcd"], ties([("a", "b"), ("c", "b")]))
    assert figures.isolated == ("a", "c", "d")
    assert figures.tlis == 0.75
    assert figures.mean_degree == pytest.approx(4 / 3)
    assert figures.gnci == pytest.approx(1.5)
    assert figures.cfi == 2.0  # {a b c} and {d}, neither named


def test_no_nodes_and_no_links() -> None:
    assert measure_graph([], []).gnci == 0.0
    alone = measure_graph([skill("a")], [])
    assert (alone.tlis, alone.gnci, alone.cfi) == (1.0, 0.0, 1.0)


def test_a_link_counts_once_whatever_its_direction_and_number() -> None:
    figures = measure_graph(
        [skill("a"), skill("b")], ties([("a", "b"), ("b", "a"), ("a", "b"), ("a", "a")])
    )
    assert figures.links == 1
    assert figures.degree == {"a": 1, "b": 1}


def test_ends_that_are_no_nodes_are_ignored() -> None:
    assert measure_graph([skill("a")], ties([("a", "ghost")])).links == 0


def test_belonging_is_no_link() -> None:
    figures = measure_graph([skill("a"), skill("b")], [Tie("a", "b", weight=0.01, counts=False)])
    assert figures.degree == {"a": 0, "b": 0}
    assert len(figures.communities) == 1
    assert figures.communities[0].ties == 0


def test_what_only_a_tool_uses_is_part_of_it() -> None:
    tool = Node("t", "t", "function", tool="t")
    helpers = [Node(h, h, "function", part_of="t") for h in ("h1", "h2")]
    other = Node("o", "o", "function")
    pairs = [("t", "h1"), ("t", "h2"), ("h1", "h2"), ("h2", "o")]
    assert measure_graph([tool, *helpers, other], ties(pairs)).tool_degree == {"t": 1}


def test_duplicates_count_as_their_canonical_skill() -> None:
    nodes = [skill(n, "type:x") for n in ("a", "b", "copy", "copy2")]
    edges = ties([("a", "copy"), ("copy2", "b")])
    figures = measure_graph(nodes, edges, aliases={"copy2": "copy", "copy": "b"})
    assert [n.id for n in figures.nodes] == ["a", "b"]
    assert figures.degree == {"a": 1, "b": 1}
    assert figures.tools == 2


@pytest.mark.parametrize(
    ("aliases", "kept"),
    [
        ({"a": "a"}, ["a", "b", "c"]),
        ({"a": "gone"}, ["a", "b", "c"]),
        ({"a": "b", "b": "a"}, ["a", "c"]),
        ({"c": "b", "b": "a", "a": "b"}, ["a"]),
        ({"gone": "a"}, ["a", "b", "c"]),
    ],
)
def test_odd_alias_maps(aliases: dict[str, str], kept: list[str]) -> None:
    figures = measure_graph([skill(n) for n in "abc"], [], aliases=aliases)
    assert [n.id for n in figures.nodes] == kept


def test_a_duplicate_relation_joins_nothing() -> None:
    skills, edges = as_skills(good())
    copied = [e.model_copy(update={"kind": EdgeKind.DUPLICATE_OF}) for e in edges]
    assert measure_registry(skills, copied, name="x").counts.links == 0


GRAPHS = st.integers(1, 14).flatmap(
    lambda n: st.tuples(
        st.lists(st.sampled_from(["", "type:a", "type:b", "in:c"]), min_size=n, max_size=n),
        st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=40),
    )
)


def _graph(labels: list[str], pairs: list[tuple[int, int]]) -> Graph:
    nodes = [skill(f"n{i:02}", label) for i, label in enumerate(labels)]
    return nodes, ties((f"n{a:02}", f"n{b:02}") for a, b in pairs)


@given(GRAPHS, st.integers(0, 2**32))
def test_figures_do_not_depend_on_order(
    drawn: tuple[list[str], list[tuple[int, int]]], seed: int
) -> None:
    nodes, edges = _graph(*drawn)
    first = measure_graph(nodes, edges)
    rng = random.Random(seed)
    rng.shuffle(nodes)
    rng.shuffle(edges)
    assert _plain(measure_graph(nodes, edges)) == _plain(first)


def _plain(figures: Figures) -> tuple[object, ...]:
    return (
        figures.tlis, figures.gnci, figures.cfi, figures.isolated, figures.communities,
        figures.degree, figures.rscore,
    )  # fmt: skip


@given(GRAPHS)
def test_figures_stay_in_their_ranges(drawn: tuple[list[str], list[tuple[int, int]]]) -> None:
    figures = measure_graph(*_graph(*drawn))
    assert figures.tlis is not None
    assert 0 <= figures.tlis <= 1
    assert figures.gnci == 0 or figures.gnci >= 1
    assert figures.cfi >= 1
    assert 0 <= figures.rscore <= 1
    members = [m for c in figures.communities for m in c.members]
    assert sorted(members) == [n.id for n in figures.nodes]
    assert all(c.ties > 0 for c in figures.communities if c.name)
