"""From figures to the report that people and scripts read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asf_core.domain.measure import (
    RISK_BELOW,
    CommunityFigure,
    Counts,
    FailureMode,
    MeasureKind,
    MeasureReport,
    Metric,
    Mode,
    NodeFigure,
    Unread,
)
from asf_core.graph.communities import Community
from asf_core.graph.measure_words import explanations, published, repair
from asf_core.graph.metrics import CFI_BELOW, GNCI_BELOW, TLIS_BELOW, Figures, Node, terms

SHOWN = 20
"""Default length of lists of nodes and communities."""
_HUBS = 10
_LOW_RISK = 0.7
_DIGITS = 4
"""Figures are rounded: more digits would only show the order of floating-point sums."""


@dataclass(frozen=True, slots=True)
class Source:
    """What was measured, beside its graph."""

    kind: MeasureKind
    name: str
    files: int
    languages: dict[str, int]
    registrations: int
    unread: tuple[Unread, ...] = ()
    left_out: tuple[str, ...] = ()
    excluded: tuple[Unread, ...] = ()


def build_report(figures: Figures, source: Source, shown: int = SHOWN) -> MeasureReport:
    """Put a report together.

    Args:
        figures: Of the graph.
        source: Where the graph comes from.
        shown: Longest list of nodes or communities.
    """
    metrics = _metrics(figures)
    modes = _modes(figures, metrics, source.kind, shown)
    score = round(figures.rscore, _DIGITS)
    collapse = len(modes) == len(metrics)
    return MeasureReport(
        kind=source.kind,
        name=source.name,
        counts=_counts(figures, source),
        languages=source.languages,
        metrics=metrics,
        rscore=score,
        risk="HIGH" if score < RISK_BELOW else "LOW" if score >= _LOW_RISK else "MODERATE",
        verdict=_verdict(modes, collapse=collapse),
        collapse=collapse,
        modes=modes,
        hubs=tuple(
            _figure(figures, node, _reach(figures, node)) for node in _by_degree(figures, _HUBS)
        ),
        isolated=figures.isolated,
        communities=tuple(_community(figures, c) for c in figures.communities[:shown]),
        shown=shown,
        published=published(),
        explanations=explanations(source.kind),
        unread=source.unread,
        left_out=source.left_out,
        excluded=source.excluded,
    )


def _metrics(figures: Figures) -> tuple[Metric, Metric, Metric]:
    tlis, gnci, cfi = figures.tlis, figures.gnci, figures.cfi
    t, g, c = terms(tlis, gnci, cfi)
    highest = max(figures.degree.values(), default=0)
    return (
        Metric(
            key="tlis",
            title="Tool isolation",
            value=None if tlis is None else round(tlis, _DIGITS),
            threshold=TLIS_BELOW,
            term=None if t is None else round(t, _DIGITS),
            healthy=tlis is None or tlis < TLIS_BELOW,
            formula=f"{len(figures.isolated)} isolated / {figures.tools} tools",
        ),
        Metric(
            key="gnci",
            title="God-node concentration",
            value=round(gnci, _DIGITS),
            threshold=GNCI_BELOW,
            term=round(g, _DIGITS),
            healthy=gnci < GNCI_BELOW,
            formula=f"highest degree {highest} / mean {figures.mean_degree:.2f}",
        ),
        Metric(
            key="cfi",
            title="Fragmentation",
            value=round(cfi, _DIGITS),
            threshold=CFI_BELOW,
            term=round(c, _DIGITS),
            healthy=cfi < CFI_BELOW,
            formula=f"{len(figures.communities)} communities / {figures.named} named",
        ),
    )


def _modes(
    figures: Figures, metrics: tuple[Metric, Metric, Metric], kind: MeasureKind, shown: int
) -> tuple[Mode, ...]:
    causes = {
        FailureMode.ISOLATION: _isolated,
        FailureMode.COUPLING: _coupled,
        FailureMode.FRAGMENTATION: _fragments,
    }
    modes = []
    for metric, (mode, cause) in zip(metrics, causes.items(), strict=True):
        if metric.healthy:
            continue
        nodes = cause(figures)
        modes.append(
            Mode(
                mode=mode,
                because=f"{metric.key.upper()} {metric.value:.2f} is not below "
                f"{metric.threshold:g} ({metric.formula})",
                nodes=tuple(nodes[:shown]),
                total=len(nodes),
                repair=repair(kind, mode),
            )
        )
    return tuple(modes)


def _verdict(modes: Sequence[Mode], *, collapse: bool) -> str:
    names = " and ".join(mode.mode.value for mode in modes)
    if collapse:
        return f"Structural collapse: {', '.join(mode.mode.value for mode in modes)}"
    return names or "No failure mode"


def _node(figures: Figures, name: str) -> Node:
    return figures.by_id[name]


def _figure(figures: Figures, name: str, note: str, degree: int | None = None) -> NodeFigure:
    node = _node(figures, name)
    return NodeFigure(
        id=node.id,
        name=node.name,
        kind=node.kind,
        path=node.path,
        line=node.line,
        degree=figures.degree[name] if degree is None else degree,
        tool=node.tool,
        note=note,
    )


def _by_degree(figures: Figures, count: int | None = None) -> list[str]:
    linked = [node for node, degree in figures.degree.items() if degree]
    return sorted(linked, key=lambda n: (-figures.degree[n], n))[:count]


def _reach(figures: Figures, name: str) -> str:
    """How widely a node is joined: into how many communities its links go."""
    into = {figures.community_of[near] for near in figures.neighbours[name]}
    nodes = "node" if figures.degree[name] == 1 else "nodes"
    groups = "community" if len(into) == 1 else "communities"
    return f"joined to {figures.degree[name]} {nodes} in {len(into)} {groups}"


def _isolated(figures: Figures) -> list[NodeFigure]:
    order = sorted(figures.isolated, key=lambda n: (figures.tool_degree[n], n))
    return [_figure(figures, n, _node(figures, n).note, figures.tool_degree[n]) for n in order]


def _coupled(figures: Figures) -> list[NodeFigure]:
    over = GNCI_BELOW * figures.mean_degree
    return [
        _figure(figures, node, _reach(figures, node))
        for node in _by_degree(figures)
        if figures.degree[node] >= over
    ]


def _fragments(figures: Figures) -> list[NodeFigure]:
    """The best-joined member of each community without a name, large communities first."""
    nodes = []
    for group in figures.communities:
        if group.name is None:
            head = min(group.members, key=lambda n: (-figures.degree[n], n))
            alone = "stands alone" if len(group.members) == 1 else "loose: nothing links"
            note = (
                f"{alone} in a group of {len(group.members)}" if len(group.members) > 1 else alone
            )
            if group.ties:
                note = f"in a group of {len(group.members)} that share no domain"
            nodes.append(_figure(figures, head, note))
    return nodes


def _community(figures: Figures, group: Community) -> CommunityFigure:
    heads = sorted(group.members, key=lambda n: (-figures.degree[n], n))[:6]
    return CommunityFigure(
        name=group.name,
        size=len(group.members),
        share=round(group.share, _DIGITS),
        ties=group.ties,
        members=tuple(_node(figures, n).name for n in heads),
    )


def _counts(figures: Figures, source: Source) -> Counts:
    modules = sum(node.kind == "module" for node in figures.nodes)
    code = source.kind is MeasureKind.CODEBASE
    return Counts(
        files=source.files,
        modules=modules,
        definitions=len(figures.nodes) - modules if code else 0,
        nodes=len(figures.nodes),
        links=figures.links,
        registrations=source.registrations,
        tools=figures.tools,
        isolated=len(figures.isolated),
        communities=len(figures.communities),
        named=figures.named,
        fragments=sum(not group.ties for group in figures.communities),
    )
