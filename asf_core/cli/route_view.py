"""How a person reads a routed task on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rich.console import RenderableType

    from asf_core.domain.routing import (
        Candidate,
        PlanStep,
        RouteResult,
        StageTrace,
        TokenFigures,
    )

_BAR = 24
_COLD_MS = 5.0
"""Opening takes so long at least when anything is opened."""


def render(result: RouteResult, *, shown: int) -> RenderableType:
    """Lay out stages with milliseconds, the plan with its bindings, and the savings.

    Args:
        result: What the router answered.
        shown: How many candidates to list.
    """
    parts: list[RenderableType] = [_stages(result), Text()]
    if result.abstained:
        parts.append(
            Text(
                f"No skill fits (confidence {result.confidence:.2f}, "
                f"threshold {result.threshold:.2f}).",
                style="bold",
            )
        )
        parts += [Text(f"- {one_line(note)}") for note in _why_none(result)]
    else:
        parts += _plan(result)
    parts += [Text(f"✗ {one_line(p.message)}") for p in result.bundle.problems]
    parts += [
        Text(f"- left out {one_line(d.skill_id)}: {one_line(d.reason)}")
        for stage in result.stages
        for d in stage.dropped
    ]
    if result.near_misses and shown:
        parts += [
            Text(),
            Text("Near misses", style="bold"),
            _candidates(result.near_misses[:shown]),
        ]
    parts += [Text(f"degraded: {one_line(text)}", style="bold") for text in result.degraded]
    return Group(*parts)


def _why_none(result: RouteResult) -> tuple[str, ...]:
    """Why there was nothing to choose from, where that is so."""
    first = result.stages[0] if result.stages else None
    return first.notes if first is not None and not first.entered else ()


def _stages(result: RouteResult) -> RenderableType:
    table = Table("stage", "ms", "", "in", "out", "budget", box=None, pad_edge=False)
    longest = max((stage.milliseconds for stage in result.stages), default=0.0) or 1.0
    if result.opening_ms >= _COLD_MS:
        table.add_row("opening", f"{result.opening_ms:.1f}", "models and index", "", "", "")
    for stage in result.stages:
        table.add_row(*_stage_cells(stage, longest))
    table.add_row("total", f"{result.milliseconds:.1f}", "", "", "", "")
    for column in (1, 3, 4, 5):
        table.columns[column].justify = "right"
    return table


def _stage_cells(stage: StageTrace, longest: float) -> list[str]:
    bar = "█" * max(1, round(_BAR * stage.milliseconds / longest))
    budget = "" if stage.budget_ms is None else f"{stage.budget_ms:g} ms"
    return [
        stage.stage.value,
        f"{stage.milliseconds:.1f}",
        bar,
        str(stage.entered),
        str(stage.left),
        budget,
    ]


def _plan(result: RouteResult) -> list[RenderableType]:
    steps, tokens = result.bundle.steps, result.tokens
    pinned = ", active pins only" if result.active_only else ""
    lines: list[RenderableType] = [
        Text(f"Plan: {len(steps)} of {tokens.registry_skills} skills{pinned}", style="bold")
    ]
    slugs = {step.skill_id: one_line(step.slug) for step in steps}
    for step in steps:
        lines += _step(step, slugs)
    lines += [Text(), Text(_savings(tokens))]
    return lines


def _step(step: PlanStep, slugs: Mapping[str, str]) -> list[RenderableType]:
    head = Text(f"  {step.position}. ")
    head.append(slugs[step.skill_id], style="bold")
    head.append(f"  {step.tokens:,} tokens")
    if step.because_of is not None:
        head.append(f"  ({_WHY[step.reason]} {slugs.get(step.because_of, step.because_of)})")
    if not step.typed:
        head.append("  (untyped: placed by its edges)")
    where = Text(f"     {one_line(step.skill_id)}", style="dim")
    if step.pin is not None:
        where.append(f"  pinned {one_line(step.pin.version)} {step.pin.content_hash[:12]}")
    lines: list[RenderableType] = [head, where]
    for binding in step.bindings:
        origin = slugs[binding.from_skill] if binding.from_skill else "the task"
        wanted, offered = one_line(str(binding.input)), one_line(binding.output.name)
        lines.append(Text(f"     {wanted} <- {offered} of {origin}"))
    if step.outputs:
        lines.append(Text(f"     -> {', '.join(one_line(str(o)) for o in step.outputs)}"))
    return lines


_WHY = {
    "required": "required by",
    "complements": "complements",
    "co_used_with": "used together with",
}


def _savings(tokens: TokenFigures) -> str:
    return (
        f"Tokens: {tokens.bundle_tokens:,} instead of {tokens.naive_tokens:,} "
        f"({tokens.token_savings:.1%} saved; {tokens.disclosure_tokens:,} with progressive "
        f"disclosure).\nCost at ${tokens.price_per_million:g} a million tokens: "
        f"${tokens.bundle_cost:.4f} instead of ${tokens.naive_cost:.4f}."
    )


def _candidates(candidates: Iterable[Candidate]) -> RenderableType:
    table = Table("rank", "score", "confidence", "skill", box=None, pad_edge=False)
    for item in candidates:
        confidence = item.evidence.get("confidence")
        table.add_row(
            str(item.rank),
            f"{item.score:.2f}",
            "-" if confidence is None else f"{confidence:.2f}",
            Text(one_line(item.skill_id)),
        )
    return table
