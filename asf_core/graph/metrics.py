"""TLIS, GNCI, CFI and RScore over any graph of plain values.

Our definitions, where the published text leaves them open:

* The *degree* of a node is the number of distinct other nodes that a link joins it to, in either
  direction. Links that only register a tool are no links.
* A tool is *isolated* when its degree is at most one. What only that tool uses counts as part of
  it (``part_of``), so a tool does not stop being isolated by having helpers of its own.
* TLIS is isolated tools / tools. Without tools there is nothing to measure: the value is ``None``
  and the RScore is the mean of the other two.
* GNCI is the highest degree / the mean degree of the nodes that have a link. Nodes without one are
  left out of the mean: TLIS already counts them, and each would otherwise make the largest hub
  look larger.
* CFI is communities / named communities, at least one taken as named. A community is named when
  more than half of its members share a label and a link holds members together; a node without
  links is a community of its own.
* RScore is 1 - (TLIS + n(GNCI) + n(CFI)) / 3, n(x) = min(x / threshold, 1).
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from asf_core.graph.communities import Community, name_communities, partition

TLIS_BELOW, GNCI_BELOW, CFI_BELOW = 0.5, 20.0, 10.0
ISOLATED_AT = 1
"""Highest degree of an isolated tool."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a graph to measure."""

    id: str
    name: str
    kind: str
    path: str = ""
    line: int = 1
    tool: str = ""
    """The tool's own name; empty where it is none."""
    note: str = ""
    """What makes it a tool."""
    labels: tuple[str, ...] = ()
    """``kind:text``; what may name its community."""
    part_of: str = ""
    """Id of the one tool that uses it, if only one does."""


@dataclass(frozen=True, slots=True)
class Tie:
    """An edge, in either direction."""

    source: str
    target: str
    weight: float = 1.0
    """Pull in the communities; 0 to 1."""
    counts: bool = True
    """False for mere belonging: it pulls in the communities and is no link."""


@dataclass(frozen=True)
class Figures:
    """What was measured."""

    nodes: tuple[Node, ...]
    """Canonical ones, sorted by id."""
    degree: Mapping[str, int]
    tool_degree: Mapping[str, int]
    """By tool, with its parts taken in."""
    links: int
    tools: int
    isolated: tuple[str, ...]
    """Sorted ids."""
    communities: tuple[Community, ...]
    tlis: float | None
    gnci: float
    cfi: float
    mean_degree: float
    """Of nodes that have a link."""
    neighbours: Mapping[str, Set[str]]

    @functools.cached_property
    def by_id(self) -> dict[str, Node]:
        """The nodes by id."""
        return {node.id: node for node in self.nodes}

    @functools.cached_property
    def community_of(self) -> dict[str, int]:
        """Index of each node's community."""
        return {node: i for i, group in enumerate(self.communities) for node in group.members}

    @property
    def named(self) -> int:
        """Communities that have a name."""
        return sum(c.name is not None for c in self.communities)

    @property
    def rscore(self) -> float:
        """Routability, 0 to 1."""
        return rscore(self.tlis, self.gnci, self.cfi)


def terms(tlis: float | None, gnci: float, cfi: float) -> tuple[float | None, float, float]:
    """What each metric takes from the RScore."""
    return tlis, min(gnci / GNCI_BELOW, 1.0), min(cfi / CFI_BELOW, 1.0)


def rscore(tlis: float | None, gnci: float, cfi: float) -> float:
    """1 minus the mean of the terms that could be measured.

    >>> round(rscore(0.71, 51.1, 3.2), 2), round(rscore(None, 10.0, 1.0), 2)
    (0.32, 0.7)
    """
    known = [t for t in terms(tlis, gnci, cfi) if t is not None]
    return 1.0 - sum(known) / len(known)


def measure_graph(
    nodes: Sequence[Node],
    edges: Iterable[Tie],
    *,
    aliases: Mapping[str, str] | None = None,
    common: float = 1.0,
    on_group: Callable[[], None] | None = None,
) -> Figures:
    """Measure a graph.

    Args:
        nodes: In any order; of equal ids the first is taken.
        edges: In any order; ends that are no nodes are ignored, as are loops.
        aliases: Duplicate to canonical id. An alias is no node: its edges are the canonical's.
            One whose canonical is no node of the graph stays itself.
        common: See :func:`asf_core.graph.communities.name_communities`.
        on_group: Called before the communities are sought.

    Returns:
        The figures; the same for any order of nodes and edges.
    """
    canonical = _canonical(aliases or {}, {node.id for node in nodes})
    kept: dict[str, Node] = {}
    for node in nodes:
        if canonical(node.id) == node.id:
            kept.setdefault(node.id, node)
    links: set[tuple[str, str]] = set()
    pull: dict[tuple[str, str], float] = defaultdict(float)
    for edge in edges:
        a, b = sorted((canonical(edge.source), canonical(edge.target)))
        if a == b or a not in kept or b not in kept:
            continue
        pull[a, b] = max(pull[a, b], edge.weight)
        if edge.counts:
            links.add((a, b))
    neighbours: dict[str, set[str]] = {node: set() for node in kept}
    for a, b in links:
        neighbours[a].add(b)
        neighbours[b].add(a)
    if on_group is not None:
        on_group()
    return _figures(kept, neighbours, links, {p: w for p, w in pull.items() if w > 0}, common)


def _canonical(aliases: Mapping[str, str], nodes: Set[str]) -> Callable[[str], str]:
    def follow(node: str) -> str:
        trail = [node]
        while (after := aliases.get(trail[-1], trail[-1])) in nodes and after not in trail:
            trail.append(after)
        # A ring of aliases has no head of its own: its smallest id stands for it.
        return min(trail[trail.index(after) :]) if after in trail else trail[-1]

    return follow


def _figures(
    kept: dict[str, Node],
    neighbours: dict[str, set[str]],
    links: set[tuple[str, str]],
    pull: Mapping[tuple[str, str], float],
    common: float,
) -> Figures:
    degree = {node: len(near) for node, near in neighbours.items()}
    tool_degree = _tool_degrees(kept, neighbours)
    isolated = tuple(sorted(t for t, d in tool_degree.items() if d <= ISOLATED_AT))
    linked = [d for d in degree.values() if d]
    mean = sum(linked) / len(linked) if linked else 0.0
    labels = {node: kept[node].labels for node in kept}
    groups = name_communities(partition(kept, pull), labels, links, common=common)
    named = sum(g.name is not None for g in groups)
    return Figures(
        nodes=tuple(kept[node] for node in sorted(kept)),
        degree=degree,
        tool_degree=tool_degree,
        links=len(links),
        tools=len(tool_degree),
        isolated=isolated,
        communities=groups,
        tlis=len(isolated) / len(tool_degree) if tool_degree else None,
        gnci=max(linked) / mean if linked else 0.0,
        cfi=len(groups) / max(named, 1),
        mean_degree=mean,
        neighbours=neighbours,
    )


def _tool_degrees(kept: dict[str, Node], neighbours: dict[str, set[str]]) -> dict[str, int]:
    parts: dict[str, set[str]] = {node.id: {node.id} for node in kept.values() if node.tool}
    for node in kept.values():
        if node.part_of in parts:
            parts[node.part_of].add(node.id)
    return {
        tool: len(set().union(*(neighbours[p] for p in own)) - own) for tool, own in parts.items()
    }
