"""A measurement as rows and blocks. Values in, values out; no widget in here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from textual.content import Content

from asf_core.domain.measure import (
    RISK_BELOW,
    MeasureKind,
    MeasurePhase,
    MeasureProgress,
    MeasureReport,
    Metric,
    Mode,
    NodeFigure,
)
from asf_tui.blocks import BLANK, Block, Grid, Pairs, Rule, Text
from asf_tui.glyphs import Glyphs
from asf_tui.text import amount, fit, line
from asf_tui.widgets.stage_bars import gauge

_DOING = {
    MeasurePhase.FIND: "Looking for skills and code",
    MeasurePhase.READ: "Reading",
    MeasurePhase.LINK: "Relating",
    MeasurePhase.GROUP: "Grouping",
}

MARK = 2 / 3
"""Where on a gauge its threshold stands, for figures without an upper end."""


@dataclass(frozen=True, slots=True)
class ModeRow:
    """A failure mode, or one of the nodes that cause it."""

    mode: Mode
    node: NodeFigure | None
    """``None`` for the mode's own row."""

    @property
    def key(self) -> str:
        """Unique among the rows."""
        return f"{self.mode.mode} {self.node.id if self.node else ''}"


def mode_rows(report: MeasureReport) -> tuple[ModeRow, ...]:
    """Each failure mode, then the nodes behind it, the worst first."""
    return tuple(ModeRow(mode, node) for mode in report.modes for node in (None, *mode.nodes))


def progress(value: MeasureProgress) -> str:
    """How far a measurement is."""
    text = _DOING[value.phase]
    return f"{text} {amount(value.done)}/{amount(value.total)}" if value.total else f"{text}…"


def verdict(report: MeasureReport, glyphs: Glyphs) -> Content:
    """What came of it, in a sentence with its sign."""
    sign, tone = {
        "LOW": (glyphs.ready, "$good"),
        "MODERATE": (glyphs.severities[2], "$warn"),
        "HIGH": (glyphs.broken, "$bad"),
    }["MODERATE" if report.modes and report.risk == "LOW" else report.risk]
    return Content.assemble((f"{sign} ", f"bold {tone}"), line(report.verdict, f"bold {tone}"))


def gauges(report: MeasureReport, width: int, glyphs: Glyphs) -> Content:
    """RScore, TLIS, GNCI and CFI against their thresholds, one line each."""
    room = max(6, min(40, width - 40))
    lines = [_score(report, room, glyphs)]
    lines += [_metric(metric, room, width, glyphs) for metric in report.metrics]
    return Content("\n").join(lines)


def _score(report: MeasureReport, room: int, glyphs: Glyphs) -> Content:
    healthy = report.rscore >= RISK_BELOW
    tone = "$good" if healthy else "$bad"
    word = f"{glyphs.ready} healthy" if healthy else f"{glyphs.broken} risk"
    return Content.assemble(
        (fit("RScore", 7), "bold"),
        gauge(report.rscore, RISK_BELOW, room, tone, glyphs),
        (f" {report.rscore:6.2f}", "bold"),
        (f" {fit(f'at least {RISK_BELOW:g}', 13)}", "$quiet"),
        (word, tone),
    )


def _metric(metric: Metric, room: int, width: int, glyphs: Glyphs) -> Content:
    tone = "$good" if metric.healthy else "$bad"
    if metric.value is None:
        bar, figure = Content.styled(glyphs.trough * room, "$panel"), "  none"
        word, tone = "nothing to measure", "$quiet"
    else:
        share = metric.value / metric.threshold * MARK
        bar, figure = gauge(share, MARK, room, tone, glyphs), f"{metric.value:6.2f}"
        word = f"{glyphs.ready} healthy" if metric.healthy else f"{glyphs.broken} fails"
    told = Content.assemble(
        fit(metric.key.upper(), 7),
        bar,
        f" {figure}",
        (f" {fit(f'below {metric.threshold:g}', 13)}", "$quiet"),
        (fit(word, 11), tone),
    )
    spare = width - told.cell_length
    return told + line(metric.formula, "$quiet", spare) if spare > 20 else told


def about(report: MeasureReport, glyphs: Glyphs) -> Iterator[Block]:
    """Sizes, published figures beside ours, what the words mean, what was left out."""
    counts = report.counts
    sizes = {
        "what": Content(report.kind.value),
        "nodes": Content(amount(counts.nodes)),
        "links": Content(amount(counts.links)),
        "tools": Content(f"{amount(counts.tools)}, {amount(counts.isolated)} isolated"),
        "communities": Content(f"{amount(counts.communities)}, {amount(counts.named)} named"),
    }
    yield Pairs(list(sizes.items()))
    yield BLANK
    yield Rule("Beside published figures")
    head = [Content(word) for word in ("", "TLIS", "GNCI", "CFI", "RScore", "by our formula")]
    rows = [
        [
            line(row.name),
            *(Content(f"{v:.2f}") for v in (row.tlis, row.gnci, row.cfi, row.rscore)),
            Content(f"{row.by_our_formula:.2f}"),
        ]
        for row in report.published
    ]
    ours = [Content("-" if m.value is None else f"{m.value:.2f}") for m in report.metrics]
    score = Content(f"{report.rscore:.2f}")
    yield Grid(head, [[line(report.name, "bold"), *ours, score, score], *rows])
    yield BLANK
    yield Rule("What the words mean")
    yield Pairs([(line(e.term).plain, line(e.text)) for e in report.explanations])
    for title, lines in (
        ("Left out on purpose", [line(text) for text in report.left_out]),
        ("Could not be read", [line(f"{u.path}: {u.reason}") for u in report.unread]),
    ):
        if lines:
            yield BLANK
            yield Rule(title)
            yield from (Text(text, f"{glyphs.bullet} ", "  ") for text in lines)


def repair(row: ModeRow | None) -> Content:
    """Why a mode was found and what to do about it."""
    if row is None:
        return Content("")
    mode = row.mode
    text = [line(mode.because, "bold"), Content.assemble(("Repair: ", "$good"), line(mode.repair))]
    if row.node is not None and row.node.note:
        text.insert(1, line(f"{row.node.name}: {row.node.note}", "$quiet"))
    return Content("\n").join(text)


def skill_id(
    node: str, report: MeasureReport, registry: str, known: Mapping[str, int]
) -> str | None:
    """The id of the skill that a node is; ``None`` where it is none of the workspace's.

    Args:
        node: Id of the node, as ``<directory's name>/<path>``.
        report: The report that it is from.
        registry: Name of the registry that was measured; empty for another directory.
        known: Ids of the skills that are listed.
    """
    if report.kind is not MeasureKind.REGISTRY or not registry:
        return None
    found = f"{registry}/{node.partition('/')[2]}"
    return found if found in known else None
