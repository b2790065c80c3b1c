"""Which skills can never be planned: a requirement that is not there, or that leads back.

The closure over what a skill declares that it needs is complete or the skill is not kept (DESIGN 5).
So a skill that declares a requirement which no skill answers to, directly or through another, has
no place in a plan, nor has one that waits for itself. What prose calls for binds nobody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Set

from asf_core.domain.graph import EdgeKind
from asf_core.domain.routing import Link

BINDING = 0.9
"""Confidence from which a requirement binds: what is declared or imported stands at 1.0."""
REQUIREMENTS = (EdgeKind.DEPENDS_ON, EdgeKind.REQUIRED_SUB_SKILLS)
_SHOWN = 5
_Needs = Mapping[str, Set[str]]


def never_planned(skills: Collection[str], links: Iterable[Link]) -> dict[str, str]:
    """Find the skills that no plan can hold.

    Args:
        skills: Ids of all that may be planned.
        links: The graph, with ``GraphResult.unmet`` among it: a link whose end is none of
            ``skills`` is a requirement that is not there.

    Returns:
        Reason by id, as ``needs x, which is not there``; ids sorted.
    """
    known = frozenset(skills)
    needs = _needs(known, links)
    reasons = {skill: f"needs {gone[0]}, which is not there" for skill, gone in _gone(known, needs)}
    for ring in _rings(needs):
        shown = " -> ".join([*ring[:_SHOWN], "…"] if len(ring) > _SHOWN else [*ring, ring[0]])
        for skill in ring:
            reasons.setdefault(skill, f"needs itself: {shown}")
    _spread(reasons, needs)
    return dict(sorted(reasons.items()))


def _needs(known: Set[str], links: Iterable[Link]) -> _Needs:
    needs: dict[str, set[str]] = defaultdict(set)
    for link in links:
        binds = link.kind in REQUIREMENTS and link.confidence >= BINDING
        if binds and link.source in known and link.source != link.target:
            needs[link.source].add(link.target)
    return needs


def _gone(known: Set[str], needs: _Needs) -> Iterator[tuple[str, list[str]]]:
    for skill, wanted in needs.items():
        if gone := sorted(wanted - known):
            yield skill, gone


def _rings(needs: _Needs) -> Iterator[list[str]]:
    """Groups of skills each of which needs all others, in the order of the needs."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edges_from((a, b) for a in sorted(needs) for b in sorted(needs[a]))
    for component in nx.strongly_connected_components(graph):
        if len(component) > 1:
            first = min(component)
            inside = graph.subgraph(component)
            yield [first, *(b for _, b in nx.bfs_edges(inside, first, sort_neighbors=sorted))]


def _spread(reasons: dict[str, str], needs: _Needs) -> None:
    """What waits for one that cannot be planned cannot be planned either."""
    above: dict[str, list[str]] = defaultdict(list)
    for skill in sorted(needs):
        for needed in needs[skill]:
            above[needed].append(skill)
    queue = sorted(reasons)
    for skill in queue:
        for waiting in above[skill]:
            if waiting not in reasons:
                reasons[waiting] = f"needs {skill}, which can never be planned"
                queue.append(waiting)
