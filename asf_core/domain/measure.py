"""How routable a registry or a codebase is (DESIGN 6, "Metrics")."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from asf_core.domain.base import Value

FORMAT: Literal["asf-measure/1"] = "asf-measure/1"

RISK_BELOW = 0.4
"""RScore under which the routing risk is high."""


class MeasureKind(StrEnum):
    """What was measured."""

    CODEBASE = "codebase"
    REGISTRY = "registry"


class FailureMode(StrEnum):
    """How routing fails, by the metric that is over its threshold."""

    ISOLATION = "Tool Isolation"
    COUPLING = "Coupling Lock"
    FRAGMENTATION = "Fragmentation Collapse"


class MeasurePhase(StrEnum):
    """The steps of a measurement, in order."""

    FIND = "find"
    READ = "read"
    LINK = "link"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class MeasureProgress:
    """How far a measurement is."""

    phase: MeasurePhase
    done: int
    total: int
    """0 where it is not known."""


class Metric(Value):
    """One of TLIS, GNCI and CFI."""

    key: Literal["tlis", "gnci", "cfi"]
    title: str
    value: float | None
    """``None`` where there is nothing to measure: no tools."""
    threshold: float
    """Healthy below it."""
    term: float | None
    """What it takes from the RScore: 0 (nothing) to 1; ``None`` leaves it out of the mean."""
    healthy: bool
    formula: str
    """With the numbers put in, as ``12 isolated tools / 40 tools``."""


class NodeFigure(Value):
    """A node that matters, and why."""

    id: str
    name: str
    """Hostile text, as all names are."""
    kind: str
    """``module``, ``class``, ``function``, …, ``skill``."""
    path: str
    line: int
    degree: int
    """Distinct nodes that it is joined to."""
    tool: str = ""
    """The tool's own name where it is one."""
    note: str = ""
    """What makes it a tool, or what makes it matter."""


class Mode(Value):
    """A failure mode that was found."""

    mode: FailureMode
    because: str
    """The metric against its threshold, in words."""
    nodes: tuple[NodeFigure, ...]
    """Those that cause it, worst first, cut to :attr:`MeasureReport.shown`."""
    total: int
    """How many cause it."""
    repair: str
    """What to do about it."""


class CommunityFigure(Value):
    """A group of nodes that hang together."""

    name: str | None
    """``None``: its members share no domain."""
    size: int
    share: float
    """Part of its members that carry the name's label, 0 to 1."""
    ties: int
    """Links among its members; a group without one is a fragment and has no name."""
    members: tuple[str, ...]
    """Names of the members of highest degree, six at most."""


class Counts(Value):
    """Sizes of the graph."""

    files: int
    modules: int
    definitions: int
    nodes: int
    links: int
    """Pairs of nodes that are joined, registrations left out."""
    registrations: int
    """Pairs joined only because one registers the other; in no metric."""
    tools: int
    isolated: int
    communities: int
    named: int
    fragments: int
    """Communities without a link inside."""


class Published(Value):
    """Figures that others published, beside what our formula makes of them."""

    name: str
    tlis: float
    gnci: float
    cfi: float
    rscore: float
    by_our_formula: float
    """The RScore that our normalisation gives their three figures."""
    verdict: str


class Unread(Value):
    """A file, directory or skill that could not be taken in, or was left out, and why."""

    path: str
    reason: str


class Explanation(Value):
    """A word of the report and what it means."""

    term: str
    text: str


class MetricChange(Value):
    """One figure in two runs."""

    key: str
    before: float | None
    after: float | None
    better: bool | None
    """``None``: unchanged, or not comparable."""


class Comparison(Value):
    """This run against an earlier one."""

    changes: tuple[MetricChange, ...]
    modes_gone: tuple[FailureMode, ...]
    modes_new: tuple[FailureMode, ...]
    newly_isolated: tuple[str, ...]
    """Ids of tools that are isolated now and were not."""
    no_longer_isolated: tuple[str, ...]
    """Ids of tools that were isolated and are not (or are gone)."""


class MeasureReport(Value):
    """All of a measurement; the same for the same content, whatever the order and the machine."""

    format: Literal["asf-measure/1"] = FORMAT
    kind: MeasureKind
    name: str
    """Name of the directory."""
    counts: Counts
    languages: dict[str, int]
    """Files read by language."""
    metrics: tuple[Metric, Metric, Metric]
    """TLIS, GNCI, CFI."""
    rscore: float
    risk: Literal["HIGH", "MODERATE", "LOW"]
    verdict: str
    """One sentence."""
    collapse: bool
    """All three metrics fail."""
    modes: tuple[Mode, ...]
    hubs: tuple[NodeFigure, ...]
    """Nodes of highest degree, whether or not they are a problem."""
    isolated: tuple[str, ...]
    """Ids of all isolated tools, sorted."""
    communities: tuple[CommunityFigure, ...]
    """Largest first, cut to :attr:`shown`."""
    shown: int
    """Longest list of nodes or communities in this report."""
    published: tuple[Published, ...]
    explanations: tuple[Explanation, ...]
    unread: tuple[Unread, ...]
    left_out: tuple[str, ...]
    """What was left out on purpose, one sentence each."""
    excluded: tuple[Unread, ...] = ()
    """Registries: skills that can be read and are no part of the canonical index, by path."""
    comparison: Comparison | None = None

    @property
    def tlis(self) -> Metric:
        """Tool isolation."""
        return self.metrics[0]

    @property
    def gnci(self) -> Metric:
        """Concentration on one node."""
        return self.metrics[1]

    @property
    def cfi(self) -> Metric:
        """Fragmentation."""
        return self.metrics[2]
