"""How a person reads the bench's figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from asf_core.bench.compare import Comparison
    from asf_core.bench.report import Report, Scores
    from asf_core.services.benching import BenchResult

_COLUMNS = ("queries", "hit@1", "hit@5", "MRR", "nDCG@10", "recall@100", "own hit@1", "own MRR")


def render(result: BenchResult) -> RenderableType:
    """Lay out the figures: settings, sources, registries, abstention, time, differences."""
    first = result.reports[0]
    parts: list[RenderableType] = [
        _title("Ranking, queries that do not name their skill"),
        _scores({r.setting: r.overall for r in result.reports}),
        _title(f"By source ({one_line(first.setting)})"),
        _scores(first.by_source),
        _title(f"By registry of the answer ({one_line(first.setting)})"),
        _scores(first.by_registry),
        _title("Abstention, plans and time"),
        _conduct(result.reports),
    ]
    for comparison in result.comparisons:
        parts += [_title(f"{comparison.second} minus {comparison.first}"), _differences(comparison)]
    parts += [
        Text(),
        Text(
            f"{result.skills} skills; first answer after {result.cold_start_ms:.0f} ms; "
            f"peak memory {result.peak_memory_mb:.0f} MB; "
            f"{first.unjudged} queries left out, their skills are not in the index"
        ),
    ]
    return Group(*parts)


def _title(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def _table(*columns: str) -> Table:
    table = Table(*columns, box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
        column.no_wrap = True
    return table


def _scores(rows: Mapping[str, Scores]) -> Table:
    table = _table("", *_COLUMNS)
    for name, row in rows.items():
        figures = (row.hit_1, row.hit_5, row.mrr, row.ndcg_10, row.recall_100)
        own = (row.own_hit_1, row.own_mrr)
        cells = [*(f"{f:.3f}" for f in figures), *("-" if f is None else f"{f:.3f}" for f in own)]
        table.add_row(one_line(name), str(row.queries), *cells)
    return table


def _conduct(reports: tuple[Report, ...]) -> Table:
    table = _table(
        "", "negatives planned", "positives lost", "skills", "tokens", "p50 ms", "p95 ms"
    )
    for row in reports:
        no = row.abstention
        table.add_row(
            one_line(row.setting),
            f"{no.negatives_planned:.1%} of {no.negatives}",
            f"{no.positives_lost:.1%} of {no.positives}",
            f"{row.plans.mean_skills:.1f}",
            f"{row.plans.mean_tokens:,.0f}",
            f"{row.latency.p50:.1f}",
            f"{row.latency.p95:.1f}",
        )
        for stage, time in row.latency_by_stage.items():
            table.add_row(f"  {stage}", "", "", "", "", f"{time.p50:.1f}", f"{time.p95:.1f}")
    return table


def _differences(comparison: Comparison) -> Table:
    table = _table("", "difference", "95% interval", "sure")
    for name, interval in comparison.differences.items():
        table.add_row(
            name,
            f"{interval.mean:+.3f}",
            f"[{interval.low:+.3f}, {interval.high:+.3f}]",
            "yes" if interval.sure else "no",
        )
    return table
