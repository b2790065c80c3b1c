"""How a person reads the bench's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def render(result: BenchResult, ablated: Sequence[str] = ()) -> RenderableType:
    """Lay out the figures: settings, sources, registries, abstention, time, differences.

    Args:
        result: The run.
        ablated: Those of its settings that lack one part: they get a table of their own.
    """
    first = result.reports[0]
    parts: list[RenderableType] = [
        _title("Ranking, queries that do not name their skill"),
        _scores({r.setting: r.overall for r in result.reports if r.setting not in ablated}),
        _title(f"By source ({one_line(first.setting)})"),
        _scores(first.by_source),
        _title(f"By registry of the answer ({one_line(first.setting)})"),
        _scores(first.by_registry),
        _title("Abstention, plans and time"),
        _conduct([r for r in result.reports if r.setting not in ablated]),
        _title("Tokens, cost and deadlocks of the plans"),
        _plans([r for r in result.reports if r.setting not in ablated]),
    ]
    if ablated:
        parts += [_title(f"What each part of {one_line(first.setting)} adds"), _parts(result)]
    for comparison in result.comparisons:
        if comparison.first in ablated:
            continue
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


def _plans(reports: Sequence[Report]) -> Table:
    table = _table(
        "", "skills saved", "tokens saved", "USD a plan", "deadlocks", "without the walk"
    )
    for row in reports:
        plans = row.plans
        table.add_row(
            one_line(row.setting),
            f"{plans.savings:.1%}",
            f"{plans.token_savings:.1%}",
            f"{plans.mean_cost:.4f}",
            f"{plans.deadlocks:.1%}",
            f"{plans.deadlocks_without_walk:.1%}",
        )
    return table


def _parts(result: BenchResult) -> Table:
    table = _table("part", "hit@1", "95% interval", "MRR", "95% interval", "p50 ms")
    whole = result.reports[0]
    reports = {report.setting: report for report in result.reports}
    for comparison in result.comparisons:
        name = comparison.first.removeprefix(f"{whole.setting}-")
        if name == comparison.first:
            continue
        cells = []
        for measure in ("hit_1", "mrr"):
            found = comparison.differences[measure]
            cells += [f"{found.mean:+.3f}", f"[{found.low:+.3f}, {found.high:+.3f}]"]
        took = whole.latency.p50 - reports[comparison.first].latency.p50
        table.add_row(one_line(name), *cells, f"{took:+.1f}")
    return table


def _conduct(reports: Sequence[Report]) -> Table:
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
