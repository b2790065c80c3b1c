"""How a person reads a fit, a calibration and a run over several sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from asf_core.services.calibrating import Calibration
    from asf_core.services.fitting import ConfidenceFit, Figures, FitResult, WeightsFit
    from asf_core.services.scaling import ScaleResult


def render(result: FitResult) -> RenderableType:
    """Lay out fitted weights with their figures, and the fitted confidence."""
    weights = result.weights
    parts: list[RenderableType] = [
        _title(f"Weights of {one_line(result.setting)}, fitted on {weights.queries} queries"),
        _values(weights.weights),
        _title("How they rank"),
        _figures(weights),
        Text(f"The right skill is in the pool for {weights.in_pool:.1%} of the queries."),
    ]
    if result.confidence is None:
        parts.append(Text("No negative queries: the confidence was not fitted."))
    else:
        parts += _confidence(result.confidence)
    return Group(*parts)


def render_calibration(result: Calibration) -> RenderableType:
    """Lay out what was measured and say what was chosen."""
    table = _table("setting", "p50 ms", "p95 ms", "hit@1", "MRR", "")
    for row in result.measured:
        chosen = "chosen" if row.setting == result.setting else ""
        within = "" if row.p50_ms <= result.budget_ms else "over budget"
        cells = (f"{row.p50_ms:.1f}", f"{row.p95_ms:.1f}", f"{row.hit_1:.3f}", f"{row.mrr:.3f}")
        table.add_row(one_line(row.setting), *cells, chosen or within)
    why = (
        f"the quickest of the best within {result.budget_ms:g} ms"
        if result.within_budget
        else f"the quickest; none is within {result.budget_ms:g} ms"
    )
    return Group(
        table,
        Text(
            f"{result.setting} is {why}, on {result.queries} queries over {result.skills} skills, "
            f"{one_line(result.machine)}. Recorded: this workspace routes with it from now on."
        ),
    )


def render_scale(result: ScaleResult) -> RenderableType:
    """Lay out one row a size."""
    made = _table(
        "skills", "index s", "snapshot s", "index MB", "snapshot MB", "building MB", "routing MB"
    )
    served = _table(
        "skills", "open ms", "p50 ms", "p95 ms", "exact ms", "HNSW ms", "HNSW recall@100", "built s"
    )
    for size in result.sizes:
        built, routed, found = size.built, size.served, size.searched
        made.add_row(
            f"{size.skills:,}",
            *(f"{value:.1f}" for value in (built.index_s, built.snapshot_s)),
            *(f"{value:,.0f}" for value in (built.index_mb, built.snapshot_mb, built.peak_mb)),
            f"{routed.peak_mb:,.0f}",
        )
        served.add_row(
            f"{size.skills:,}",
            *(f"{value:.1f}" for value in (routed.open_ms, routed.p50_ms, routed.p95_ms)),
            f"{found.exact_ms:.2f}",
            f"{found.hnsw_ms:.2f}",
            f"{found.recall:.3f}",
            f"{found.build_s:.1f}",
        )
    return Group(
        _title("Building"),
        made,
        _title(f"Routing with {one_line(result.setting)}"),
        served,
        Text(
            f"\nSynthetic skills recombined from {result.originals:,} real ones; their vectors are "
            "perturbed, not encoded. Memory is each process's peak, mapped files included."
        ),
    )


def _figures(weights: WeightsFit) -> Table:
    table = _table("", "hit@1", "MRR", "hit@1, mean of sources")
    rows: list[tuple[str, Figures]] = [
        ("each source left out", weights.left_out),
        ("fitted on all", weights.fitted),
        *((f"left out, without {name}", row) for name, row in weights.left_out_without.items()),
    ]
    for name, row in rows:
        table.add_row(name, f"{row.hit_1:.3f}", f"{row.mrr:.3f}", f"{row.hit_1_by_source:.3f}")
    return table


def _confidence(fit: ConfidenceFit) -> list[RenderableType]:
    table = _table("answers", "number", "kept")
    for name, number in fit.examples.items():
        table.add_row(one_line(name), str(number), f"{fit.kept[name]:.1%}")
    return [
        _title("Confidence"),
        _values({**fit.coefficients, "bias": fit.bias}),
        _title(f"Kept at {fit.threshold:.3f}, the threshold that loses at most 5% of a source"),
        table,
        Text(f"Area under the curve {fit.area:.3f}, of answers that the fit did not see."),
    ]


def _values(values: Mapping[str, float]) -> Text:
    return Text("  ".join(f"{name} {value:g}" for name, value in values.items()))


def _title(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def _table(*columns: str) -> Table:
    table = Table(*columns, box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
        column.no_wrap = True
    return table
