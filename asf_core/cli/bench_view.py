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
    from asf_core.bench.published import Baseline
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
    shown = [r for r in result.reports if r.setting not in ablated]
    parts: list[RenderableType] = [
        heading("Ranking, queries that do not name their skill"),
        _scores({r.setting: r.overall for r in shown}),
        heading(f"By source ({one_line(first.setting)})"),
        _scores(first.by_source),
        heading(f"By registry of the answer ({one_line(first.setting)})"),
        _scores(first.by_registry),
        heading("Beside what was published, on other skills and queries"),
        _beside(result.published, shown),
        heading("Abstention, plans and time"),
        _conduct(shown),
        heading("Tokens, cost and deadlocks of the plans"),
        _plans(shown),
    ]
    if first.plans.asked:
        parts += [heading("Plans against those that the queries ask for"), _asked(shown)]
    if ablated:
        parts += [heading(f"What each part of {one_line(first.setting)} adds"), _parts(result)]
    for comparison in result.comparisons:
        if comparison.first in ablated:
            continue
        parts += [
            heading(f"{comparison.second} minus {comparison.first}"),
            _differences(comparison),
        ]
    parts += [
        Text(),
        Text(
            f"{result.skills} skills; first answer after {result.cold_start_ms:.0f} ms; "
            f"peak memory {result.peak_memory_mb:.0f} MB; "
            f"{first.unjudged} queries left out, their skills are not in the index"
        ),
    ]
    return Group(*parts)


def heading(text: str) -> Text:
    """A line in bold after an empty one."""
    return Text(f"\n{text}", style="bold")


def figures_table(*columns: str) -> Table:
    """A table without lines: names on the left, figures on the right."""
    table = Table(*columns, box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
        column.no_wrap = True
    return table


def _scores(rows: Mapping[str, Scores]) -> Table:
    table = figures_table("", *_COLUMNS)
    for name, row in rows.items():
        figures = (row.hit_1, row.hit_5, row.mrr, row.ndcg_10, row.recall_100)
        own = (row.own_hit_1, row.own_mrr)
        cells = [*(f"{f:.3f}" for f in figures), *("-" if f is None else f"{f:.3f}" for f in own)]
        table.add_row(one_line(name), str(row.queries), *cells)
    return table


def _plans(reports: Sequence[Report]) -> Table:
    table = figures_table(
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


def _beside(published: Baseline, reports: Sequence[Report]) -> Table:
    table = figures_table(
        "", "hit@1", "MRR", "skills", "tokens", "skills saved", "p50 ms", "p95 ms"
    )
    table.add_row(
        "published",
        f"{published.hit_1:.3f}",
        f"{published.mrr:.3f}",
        f"{published.mean_skills:.1f}",
        f"{published.mean_tokens:,.0f}",
        "-",
        f"{published.p50:.1f}",
        f"{published.p95:.1f}",
    )
    for row in reports:
        table.add_row(
            one_line(row.setting),
            f"{row.overall.hit_1:.3f}",
            f"{row.overall.mrr:.3f}",
            f"{row.plans.mean_skills:.1f}",
            f"{row.plans.mean_tokens:,.0f}",
            f"{row.plans.savings:.1%}",
            f"{row.latency.p50:.1f}",
            f"{row.latency.p95:.1f}",
        )
    return table


def _asked(reports: Sequence[Report]) -> Table:
    table = figures_table("", "queries", "every step", "in that order")
    for row in reports:
        plans = row.plans
        shares = ("-" if f is None else f"{f:.1%}" for f in (plans.whole, plans.ordered))
        table.add_row(one_line(row.setting), str(plans.asked), *shares)
    return table


def _parts(result: BenchResult) -> Table:
    table = figures_table("part", "hit@1", "95% interval", "MRR", "95% interval", "p50 ms")
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
    table = figures_table(
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
    table = figures_table("", "difference", "95% interval", "sure")
    for name, interval in comparison.differences.items():
        table.add_row(
            name,
            f"{interval.mean:+.3f}",
            f"[{interval.low:+.3f}, {interval.high:+.3f}]",
            "yes" if interval.sure else "no",
        )
    return table
