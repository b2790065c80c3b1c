"""What a bench needs to know of a router's answer, and how a route result says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from asf_core.domain.routing import RouteResult, StageName, StageTrace


@dataclass(frozen=True, slots=True)
class Answer:
    """A router's answer to one query."""

    ranking: Sequence[str]
    """Skill ids, best first, of all that it ranked: whether it abstained or not."""
    recalled: Sequence[str]
    """Skill ids that stage 1 kept, best first."""
    planned: Sequence[str] = ()
    """Skill ids in the plan, in order; empty when it abstained."""
    confidence: float = 0.0
    """Of the best one: the router abstains below its threshold."""
    bundle_tokens: int = 0
    milliseconds: float = 0.0
    """Whole, by the router's own clock."""
    stage_ms: Mapping[str, float] = field(default_factory=dict)


Route = Callable[[str, tuple[str, ...]], Answer]
"""(query, names of the registries to route over; empty for all) -> its answer."""


def answer_of(result: RouteResult) -> Answer:
    """Read a route result.

    What rerank put in order comes first, then what recall had beyond that, so that a skill that
    rerank threw out counts as ranked low rather than as lost.
    """
    stages = {trace.stage: trace for trace in result.stages}
    recalled = _ids(stages, StageName.RECALL)
    reranked = _ids(stages, StageName.RERANK)
    return Answer(
        ranking=tuple(dict.fromkeys((*reranked, *recalled))),
        recalled=recalled,
        planned=tuple(step.skill_id for step in result.bundle.steps),
        confidence=result.confidence,
        bundle_tokens=result.tokens.bundle_tokens,
        milliseconds=result.milliseconds,
        stage_ms={trace.stage.value: trace.milliseconds for trace in result.stages},
    )


def _ids(stages: Mapping[StageName, StageTrace], name: StageName) -> tuple[str, ...]:
    trace = stages.get(name)
    return tuple(candidate.skill_id for candidate in trace.candidates) if trace else ()
