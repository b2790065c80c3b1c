"""How a person reads the graph on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from asf_core.domain.graph import EdgeOrigin
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from asf_core.domain.findings import SkillFinding
    from asf_core.domain.graph import Edge
    from asf_core.domain.skill_graph import (
        GraphCommunity,
        GraphNode,
        Neighbourhood,
        SkillGraph,
    )

_PLACES = 3
"""Most places shown of one relation."""


def render_neighbourhood(near: Neighbourhood, top: int) -> RenderableType:
    """One skill's relations with the places that say so, its community, its dangling names.

    Args:
        near: The skill and what it is joined to.
        top: How many members and dangling names to show.
    """
    known = {node.id for node in near.neighbours}
    away = [edge for edge in near.edges if edge.source == near.skill.id]
    back = [edge for edge in near.edges if edge.source != near.skill.id]
    parts: list[RenderableType] = [*_head(near.skill), _belongs(near.community, top)]
    for title, edges, outward in (
        ("It says of others", away, True),
        ("Others say of it", back, False),
    ):
        if edges:
            parts.append(Text(f"\n{title}", style="bold"))
            for edge in _surest(edges):
                parts += _relation(edge, known, outward=outward)
    if not near.edges:
        parts.append(Text("\nNothing joins it to another skill."))
    parts += _dangling(near.dangling, top)
    return Group(*parts)


def render_graph(graph: SkillGraph, top: int) -> RenderableType:
    """The whole graph in figures: relations by kind and origin, hubs, communities, dangling names.

    Args:
        graph: What to show.
        top: Longest list.
    """
    if not graph.nodes:
        return Text("No skills. Sync a registry with: asf sync PATH")
    alone = sum(node.degree == 0 for node in graph.nodes)
    named = sum(group.name is not None for group in graph.communities)
    parts: list[RenderableType] = [
        Text(
            f"{len(graph.nodes):,} skills, {len(graph.edges):,} relations, {alone:,} skills without "
            f"any; {len(graph.communities):,} communities, {named:,} named"
        )
    ]
    if graph.edges:
        parts += [Text("\nRelations", style="bold"), _kinds(graph.edges)]
        parts += [Text("\nBest joined", style="bold"), *_hubs(graph, top)]
    if named:
        parts += [Text("\nCommunities", style="bold"), *_communities(graph, top)]
    parts += _dangling(graph.dangling, top)
    return Group(*parts)


def _head(node: GraphNode) -> Iterator[RenderableType]:
    yield Text(one_line(node.id), style="bold", overflow="fold")
    quality = "" if node.slop_score is None else f", quality {node.slop_score:.2f}"
    yield _indented(
        Text(
            f"{node.state.value}, {one_line(node.capability_type, 40)}, risk {node.risk_tier.value}"
            f"{quality}, joined to {node.degree:,}"
        ),
        2,
    )
    if node.canonical_id != node.id:
        yield _indented(Text(f"duplicate of {one_line(node.canonical_id)}", overflow="fold"), 2)


def _belongs(group: GraphCommunity, top: int) -> RenderableType:
    if len(group.members) == 1:
        return _indented(Text("in no community", style="dim"), 2)
    name = "without a name" if group.name is None else f"{one_line(group.name, 40)!r}"
    names = [one_line(member.rpartition("/")[2], 40) for member in group.members[:top]]
    more = f" and {len(group.members) - top:,} more" if len(group.members) > top else ""
    line = Text(f"community {name} of {len(group.members):,}: ", overflow="fold")
    return _indented(line.append(f"{', '.join(names)}{more}", style="dim"), 2)


def _surest(edges: Sequence[Edge]) -> list[Edge]:
    return sorted(edges, key=lambda e: (-e.confidence, e.kind, e.source, e.target))


def _relation(edge: Edge, known: Container[str], *, outward: bool) -> Iterator[RenderableType]:
    other = edge.target if outward else edge.source
    head = Text(f"{'->' if outward else '<-'} {edge.kind.value}", style="bold")
    head.append(f" {edge.confidence:.1f} {edge.origin.value}", style="not bold")
    far = Text(one_line(other), overflow="fold")
    yield _row(head, far if other in known else far.append("  broken", style="bold red"))
    for said in edge.evidence[:_PLACES]:
        kind = "" if said.kind is edge.kind else f" {said.kind.value}"
        place = Text(f"{one_line(said.path)}:{said.line}{kind}  ", overflow="fold")
        yield _indented(place.append(one_line(said.text, 120), style="dim"), 5)
    if len(edge.evidence) > _PLACES:
        more = f"and {len(edge.evidence) - _PLACES} more places"
        yield _indented(Text(more, style="dim"), 5)


def _row(head: Text, rest: Text) -> RenderableType:
    """Two columns: what is long goes on below itself, not below the first."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(head, rest)
    return _indented(table, 2)


def _indented(body: RenderableType, by: int) -> RenderableType:
    return Padding(body, (0, 0, 0, by), expand=False)


def _kinds(edges: Sequence[Edge]) -> Table:
    table = Table("kind", *(origin.value for origin in EdgeOrigin), box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    counts = Counter((edge.kind, edge.origin) for edge in edges)
    for kind in sorted({edge.kind for edge in edges}):
        cells = (f"{counts[kind, origin]:,}" for origin in EdgeOrigin)
        table.add_row(kind.value, *cells)
    return table


def _hubs(graph: SkillGraph, top: int) -> Iterator[RenderableType]:
    for node in sorted(graph.nodes, key=lambda n: (-n.degree, n.id))[:top]:
        if node.degree:
            yield _row(Text(f"{node.degree:>4,}"), Text(one_line(node.id), overflow="fold"))


def _communities(graph: SkillGraph, top: int) -> Iterator[RenderableType]:
    degree = {node.id: node.degree for node in graph.nodes}
    named = [group for group in graph.communities if group.name is not None]
    for group in named[:top]:
        heads = sorted(group.members, key=lambda m: (-degree[m], m))[:5]
        line = Text(f"{one_line(group.name or '', 40)} ({group.share:.0%})  ", overflow="fold")
        names = ", ".join(one_line(head.rpartition("/")[2], 30) for head in heads)
        yield _row(Text(f"{len(group.members):>4,}"), line.append(names, style="dim"))
    if len(named) > top:
        yield _indented(Text(f"and {len(named) - top:,} more", style="dim"), 8)


def _dangling(findings: Sequence[SkillFinding], top: int) -> Iterator[RenderableType]:
    if not findings:
        return
    yield Text(f"\nNames that lead nowhere, or not to one skill: {len(findings):,}", style="bold")
    for about in findings[:top]:
        found = about.finding
        line = Text(f"{one_line(found.path)}:{found.line}  ", overflow="fold")
        yield _indented(line.append(one_line(found.message), style="dim"), 2)
    if len(findings) > top:
        yield _indented(Text(f"and {len(findings) - top:,} more", style="dim"), 2)
