"""Registries as plain nodes and ties, one for each way to fail, and a good one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from asf_core.domain.graph import Edge, EdgeKind, EdgeOrigin
from asf_core.graph.measure import SkillNode
from asf_core.graph.metrics import Node, Tie

Graph = tuple[list[Node], list[Tie]]


def skill(name: str, *labels: str) -> Node:
    """A skill of some domains."""
    return Node(id=name, name=name, kind="skill", tool=name, labels=tuple(labels))


def ties(pairs: Iterable[tuple[str, str]]) -> list[Tie]:
    """Relations."""
    return [Tie(a, b) for a, b in pairs]


def good(domains: int = 6, size: int = 10) -> Graph:
    """Domains of skills that follow one another, joined to the next domain by one relation."""
    nodes, pairs = [], []
    for d in range(domains):
        names = [f"d{d}s{i}" for i in range(size)]
        nodes += [skill(name, f"type:domain-{d}") for name in names]
        for i, name in enumerate(names):
            pairs += [(name, names[(i + 1) % size]), (name, names[(i + 2) % size])]
        pairs.append((names[0], f"d{(d + 1) % domains}s0"))
    return nodes, ties(pairs)


def isolated(count: int = 60) -> Graph:
    """Pairs of a domain each, and nothing between them."""
    nodes = [skill(f"s{i:03}", f"type:domain-{i // 2}") for i in range(count)]
    return nodes, ties((f"s{i:03}", f"s{i + 1:03}") for i in range(0, count, 2))


def coupled(count: int = 120) -> Graph:
    """Domains of skills that know their neighbours, and one skill that all name."""
    nodes = [skill("hub", "type:core")]
    pairs = []
    for i in range(count):
        nodes.append(skill(f"s{i:03}", f"type:domain-{i // 20}"))
        pairs += [(f"s{i:03}", "hub"), (f"s{i:03}", f"s{i // 20 * 20 + (i + 1) % 20:03}")]
    return nodes, ties(pairs)


def fragmented(groups: int = 24, size: int = 5) -> Graph:
    """Groups that hang together and share nothing, each skill of a domain of its own."""
    nodes, pairs = [], []
    for g in range(groups):
        names = [f"g{g:02}s{i}" for i in range(size)]
        nodes += [skill(name, f"type:odd-{name}") for name in names]
        pairs += [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return nodes, ties(pairs)


def as_skills(graph: Graph) -> tuple[list[SkillNode], list[Edge]]:
    """The same graph as skills with relations."""
    nodes, edges = graph
    return [
        SkillNode(
            id=n.id, slug=n.name, path=f"skills/{n.id}", capability=n.labels[0].partition(":")[2]
        )
        for n in nodes
    ], [
        Edge(
            source=t.source,
            target=t.target,
            kind=EdgeKind.COMPLEMENTS,
            confidence=1.0,
            origin=EdgeOrigin.EXTRACTED,
            evidence=(),
        )
        for t in edges
    ]


def write_registry(root: Path, graph: Graph) -> Path:
    """The same graph as a registry on disk: one SKILL.md a node, its relations in the frontmatter."""
    nodes, edges = graph
    for node in nodes:
        named = sorted({tie.target for tie in edges if tie.source == node.id})
        related = "".join(f"    - {name}\n" for name in named)
        text = (
            f"---\nname: {node.id}\n"
            f"description: Does the work of {node.id}. Use when {node.id} is asked for.\n"
            f"metadata:\n  capability:\n    type: {node.labels[0].partition(':')[2]}\n"
            + (f"  complements:\n{related}" if related else "")
            + f"---\n\n# {node.id}\n\nDo step {node.id}.\n"
        )
        directory = root / "skills" / node.id
        directory.mkdir(parents=True)
        (directory / "SKILL.md").write_text(text, encoding="utf-8")
    return root
