"""How a person reads a measurement on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from asf_core.domain.measure import RISK_BELOW, MeasureKind
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from asf_core.domain.measure import (
        Comparison,
        MeasureReport,
        Metric,
        Mode,
        NodeFigure,
    )

_GOOD, _BAD = "green", "bold red"
_LABEL = 8
"""Width of the names of the metrics, with the space after them."""
_WIDEST = 72
_NAMES = {"tlis": "TLIS", "gnci": "GNCI", "cfi": "CFI", "rscore": "RScore"}


class Bar:
    """A bar with its threshold marked, as wide as there is room.

    Args:
        label: In front of it.
        value: What it shows.
        threshold: Where the mark stands.
        full: Value of the whole width; more is cut.
        words: After it: the figure and the verdict.
        healthy: Whether the verdict is good.
    """

    def __init__(
        self, label: str, value: float, threshold: float, full: float, words: str, *, healthy: bool
    ) -> None:
        self._label, self._words = label, words
        self._value, self._threshold, self._full = value, threshold, full
        self._healthy = healthy

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it: words beside the bar, or on a line of their own where it is narrow."""
        beside = len(self._words) + 2
        room = min(options.max_width, _LABEL + _WIDEST) - _LABEL
        wide = room - beside >= 16
        width = max(room - beside if wide else room, 4)
        fill, rest, mark = ("#", "-", "|") if options.ascii_only else ("█", "░", "┃")
        filled = round(width * min(self._value / self._full, 1.0))
        at = min(round(width * min(self._threshold / self._full, 1.0)), width - 1)
        style = _GOOD if self._healthy else _BAD
        line = Text(self._label.ljust(_LABEL), style="bold", no_wrap=True, end="")
        line.append(
            "".join(self._cell(i, filled, at, fill, rest, mark) for i in range(width)), style
        )
        yield line
        if wide:
            yield Text(f"  {self._words}", style=style)
        else:
            yield Text()
            yield _indented(Text(self._words, style=style, overflow="fold"), _LABEL)

    @staticmethod
    def _cell(i: int, filled: int, at: int, fill: str, rest: str, mark: str) -> str:
        if i == at:
            return mark
        return fill if i < filled else rest


def render(report: MeasureReport) -> RenderableType:
    """Lay out figures, failure modes, hubs, communities, comparison and definitions.

    Args:
        report: What was measured.
    """
    return Group(*_parts(report))


def _parts(report: MeasureReport) -> Iterator[RenderableType]:
    yield _head(report)
    yield Text()
    for metric in report.metrics:
        yield _metric(metric)
    yield _score(report)
    yield Text()
    yield _verdict(report)
    for mode in report.modes:
        yield from _mode(mode)
    if report.comparison is not None:
        yield from _comparison(report.comparison)
    yield from _section("Best-joined nodes", _nodes(report.hubs))
    yield from _section("Communities", _communities(report))
    yield from _section("Published figures beside ours", _published(report))
    yield from _section("What the words mean", _explanations(report))
    yield from _rest(report)


def _head(report: MeasureReport) -> Text:
    counts = report.counts
    line = Text(one_line(report.name, 60), style="bold")
    if report.kind is MeasureKind.REGISTRY:
        return line.append(
            f"  registry: {counts.nodes:,} canonical skills of {counts.files:,} that can be read, "
            f"{counts.links:,} links",
            style="not bold",
        )
    languages = ", ".join(f"{name} {number:,}" for name, number in report.languages.items())
    return line.append(
        f"  codebase: {counts.files:,} files ({languages}), {counts.modules:,} modules, "
        f"{counts.definitions:,} definitions, {counts.links:,} links, {counts.tools:,} tools",
        style="not bold",
    )


def _metric(metric: Metric) -> RenderableType:
    if metric.value is None:
        text = f"{_NAMES[metric.key].ljust(_LABEL)}not measured: {metric.formula}"
        return Text(text, overflow="fold")
    state = "✔ healthy" if metric.healthy else "✘ failing"
    words = f"{metric.value:.2f}  {state} (below {metric.threshold:g})"
    full = 1.0 if metric.key == "tlis" else 2 * metric.threshold
    return Group(
        Bar(
            _NAMES[metric.key], metric.value, metric.threshold, full, words, healthy=metric.healthy
        ),
        _indented(Text(f"{metric.title}: {metric.formula}", style="dim"), _LABEL),
    )


def _score(report: MeasureReport) -> RenderableType:
    healthy = report.rscore >= RISK_BELOW
    sign = "✔" if healthy else "✘"
    words = f"{report.rscore:.2f}  {sign} risk {report.risk} (high below {RISK_BELOW:g})"
    return Bar("RScore", report.rscore, RISK_BELOW, 1.0, words, healthy=healthy)


def _verdict(report: MeasureReport) -> Text:
    style = _BAD if report.modes else _GOOD
    sign = "✘" if report.modes else "✔"
    line = Text(f"{sign} {report.verdict}", style=style)
    if report.risk == "HIGH":
        line.append("\n✘ ROUTING RISK HIGH", style=_BAD)
    return line


def _mode(mode: Mode) -> Iterator[RenderableType]:
    yield Text(f"\n{mode.mode.value}", style="bold")
    yield _indented(Text(mode.because))
    yield _indented(_nodes(mode.nodes))
    if mode.total > len(mode.nodes):
        yield Text(f"  and {mode.total - len(mode.nodes):,} more", style="dim")
    yield _indented(Text(f"Repair: {mode.repair}"))


def _nodes(nodes: Sequence[NodeFigure]) -> RenderableType:
    lines = []
    for node in nodes:
        line = Text(f"{node.degree:>5,}  ", overflow="fold")
        line.append(one_line(node.tool or node.name, 60), style="bold")
        place = f"{node.path}:{node.line}" if node.kind not in ("module", "skill") else node.path
        line.append(f"  {node.kind} {one_line(place)}")
        if node.note:
            line.append(f"  {one_line(node.note)}", style="dim")
        lines.append(line)
    return Group(*lines)


def _section(title: str, body: RenderableType | None) -> Iterator[RenderableType]:
    if body is not None:
        yield Text(f"\n{title}", style="bold")
        yield _indented(body)


def _indented(body: RenderableType, by: int = 2) -> RenderableType:
    return Padding(body, (0, 0, 0, by), expand=False)


def _communities(report: MeasureReport) -> RenderableType:
    table = Table("size", "name", "members", box=None, pad_edge=False)
    table.columns[0].justify = "right"
    table.columns[1].overflow = table.columns[2].overflow = "fold"
    for group in report.communities:
        name = "no shared domain" if group.ties else "loose: no link inside"
        if group.name is not None:
            name = f"{one_line(group.name, 40)} ({group.share:.0%})"
        members = ", ".join(one_line(member, 30) for member in group.members)
        table.add_row(Text(str(group.size)), Text(name), Text(members, style="dim"))
    return table


def _published(report: MeasureReport) -> RenderableType:
    titles = ("", "TLIS", "GNCI", "CFI", "RScore", "by our formula", "verdict")
    table = Table(*titles, box=None, pad_edge=False)
    for column in table.columns[1:6]:
        column.justify = "right"
    tlis, gnci, cfi = (
        "-" if metric.value is None else f"{metric.value:.2f}" for metric in report.metrics
    )
    ours = (one_line(report.name, 24), tlis, gnci, cfi, "", f"{report.rscore:.2f}", report.verdict)
    table.add_row(*(Text(cell, style="bold", overflow="fold") for cell in ours))
    for other in report.published:
        cells = (
            other.name,
            f"{other.tlis:.2f}",
            f"{other.gnci:.1f}",
            f"{other.cfi:.1f}",
            f"{other.rscore:.2f}",
            f"{other.by_our_formula:.2f}",
            other.verdict,
        )
        table.add_row(*(Text(cell, overflow="fold") for cell in cells))
    return table


def _comparison(comparison: Comparison) -> Iterator[RenderableType]:
    yield Text("\nAgainst the earlier run", style="bold")
    for change in comparison.changes:
        before, after = (
            "-" if value is None else f"{value:.2f}" for value in (change.before, change.after)
        )
        word = {None: "unchanged", True: "✔ better", False: "✘ worse"}[change.better]
        style = {None: "", True: _GOOD, False: _BAD}[change.better]
        yield Text(f"  {_NAMES[change.key].ljust(_LABEL)}{before} -> {after}  {word}", style=style)
    yield from _listed("failing now", (mode.value for mode in comparison.modes_new))
    yield from _listed("healed", (mode.value for mode in comparison.modes_gone))
    yield from _listed("newly isolated", comparison.newly_isolated)
    yield from _listed("no longer isolated", comparison.no_longer_isolated)


def _listed(title: str, names: Iterable[str]) -> Iterator[Text]:
    found = [one_line(name, 80) for name in names]
    if found:
        more = f" and {len(found) - 10:,} more" if len(found) > 10 else ""
        yield Text(f"  {title}: {', '.join(found[:10])}{more}")


def _explanations(report: MeasureReport) -> RenderableType:
    return Group(
        *(
            Text.assemble((f"{item.term}: ", "bold"), (item.text, "dim"))
            for item in report.explanations
        )
    )


def _rest(report: MeasureReport) -> Iterator[RenderableType]:
    if report.left_out:
        yield Text(f"\nLeft out: {one_line('; '.join(report.left_out))}", style="dim")
    if report.unread:
        yield Text(f"\nNot read: {len(report.unread):,}", style="bold")
        for item in report.unread[: report.shown]:
            yield Text(f"  {one_line(item.path)}: {one_line(item.reason)}")
        if len(report.unread) > report.shown:
            yield Text(f"  and {len(report.unread) - report.shown:,} more", style="dim")
