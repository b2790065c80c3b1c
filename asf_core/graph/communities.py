"""Communities of a graph: the same partition each run, and a name where one is earned."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asf_core.graph.code.facts import name_set

if TYPE_CHECKING:
    from networkx import Graph
    from numpy.random import RandomState


@dataclass(frozen=True, slots=True)
class Community:
    """A group of nodes."""

    members: tuple[str, ...]
    """Sorted."""
    name: str | None
    share: float
    """Part of the members that carry the label of the name."""
    ties: int
    """Links that count among the members."""


def partition(
    nodes: Iterable[str],
    edges: Mapping[tuple[str, str], float],
) -> tuple[tuple[str, ...], ...]:
    """Louvain communities.

    python-louvain gives another partition when nodes come in another order, whatever its seed; so
    nodes and edges go in sorted, as integers, and are visited in that order: on code that is three
    times faster than a shuffled order, as good in modularity, and does not depend on the version
    of numpy that shuffles.

    Args:
        nodes: All ids, in any order.
        edges: Weight by unordered pair, each pair once. Weights must be positive.

    Returns:
        Groups of sorted ids, largest first, then by their first id.
    """
    import community as louvain
    import networkx as nx

    ordered = sorted(set(nodes))
    number = {node: i for i, node in enumerate(ordered)}
    pairs = sorted(
        (min(number[a], number[b]), max(number[a], number[b]), weight)
        for (a, b), weight in edges.items()
        if a != b
    )
    graph: Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(ordered)))
    graph.add_weighted_edges_from(pairs)
    found = louvain.best_partition(graph, random_state=_in_order())
    groups: dict[int, list[str]] = {}
    for index, group in sorted(found.items()):
        groups.setdefault(group, []).append(ordered[index])
    return tuple(sorted((tuple(g) for g in groups.values()), key=lambda g: (-len(g), g)))


def _in_order() -> RandomState:
    """A source of randomness that leaves things in order."""
    import numpy as np

    class InOrder(np.random.RandomState):
        def shuffle(self, x: object) -> None:
            pass

    return InOrder(0)


def name_communities(
    groups: Sequence[tuple[str, ...]],
    labels: Mapping[str, Sequence[str]],
    ties: Iterable[tuple[str, str]],
    *,
    common: float,
) -> tuple[Community, ...]:
    """Name the groups whose members mostly share a label.

    Args:
        groups: As :func:`partition` gives them.
        labels: By node, ``kind:text``: its domains, capability type, directories, words.
        ties: Links that count.
        common: A label that more than this part of all nodes carry tells groups apart no more,
            and names none.

    Returns:
        One a group, in the order given. Of the labels that more than half of the members carry,
        the rarest names the group. A group without a link inside has no name: nothing holds it
        together. Two groups of one name are told apart by a number.
    """
    total = sum(len(g) for g in groups) or 1
    spread = Counter(label for g in groups for node in g for label in set(labels.get(node, ())))
    home = {node: i for i, g in enumerate(groups) for node in g}
    inside = Counter(home[a] for a, b in ties if home[a] == home[b])
    taken: Counter[str] = Counter()
    named = []
    for index, group in enumerate(groups):
        name, share = None, 0.0
        if inside[index] and len(group) > 1:
            held = Counter(label for node in group for label in set(labels.get(node, ())))
            fitting = [
                (spread[label], -count, label)
                for label, count in held.items()
                if 2 * count > len(group) and spread[label] <= common * total
            ]
            if fitting:
                _, count, label = min(fitting)
                name, share = label.partition(":")[2], -count / len(group)
                taken[name] += 1
                if taken[name] > 1:
                    name = f"{name} {taken[name]}"
        named.append(Community(group, name, share, inside[index]))
    return tuple(named)


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")
_DULL = name_set(
    "and the for from with get set has are not new all any add use test tests tool tools skill "
    "skills command commands base default main index init module type types impl util utils "
    "helper helpers common make create build run call name names value values key keys data item "
    "items list node nodes file files path props options config is to of in on by as at an or if "
    "do no it be"
)


def words(name: str) -> list[str]:
    """The telling words of a name, split at case and punctuation.

    >>> words("getHTTPClient"), words("azure-ai_search")
    (['http', 'client'], ['azure', 'search'])
    """
    found = (w.lower() for w in _WORD.findall(name))
    return [w for w in found if len(w) > 2 and w not in _DULL]
