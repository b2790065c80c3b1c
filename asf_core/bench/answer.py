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
    naive_tokens: int = 0
    """Of all skills that could have been given."""
    savings: float = 0.0
    """(N - k) / N of the skills that could have been given, 0 to 1."""
    cost: float = 0.0
    """USD for the bundle's tokens."""
    deadlocked: bool = False
    """Whether a skill of the plan requires one that is not in it."""
    deadlocked_alone: bool = False
    """Whether that would be so without the walk: with the skills that the router chose alone."""
    milliseconds: float = 0.0
    """Whole, by the router's own clock."""
    stage_ms: Mapping[str, float] = field(default_factory=dict)


Route = Callable[[str, tuple[str, ...]], Answer]
"""(query, names of the registries to route over; empty for all) -> its answer."""


Lacking = Callable[[Sequence[str]], Sequence[str]]
"""Skill ids -> what they require, directly, and do not hold."""


def answer_of(result: RouteResult, lacking: Lacking = lambda _: ()) -> Answer:
    """Read a route result.

    What rerank put in order comes first, then what recall had beyond that, so that a skill that
    rerank threw out counts as ranked low rather than as lost.

    Args:
        result: The router's.
        lacking: Asked for the plan, and for what the walk was given.
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
        naive_tokens=result.tokens.naive_tokens,
        savings=result.tokens.savings,
        cost=result.tokens.bundle_cost,
        deadlocked=bool(lacking([step.skill_id for step in result.bundle.steps])),
        deadlocked_alone=bool(lacking(_chosen(result, stages))),
        milliseconds=result.milliseconds,
        stage_ms={trace.stage.value: trace.milliseconds for trace in result.stages},
    )


def _chosen(result: RouteResult, stages: Mapping[StageName, StageTrace]) -> list[str]:
    """What the router chose by itself, whether the walk kept it or not."""
    walk = stages.get(StageName.WALK)
    dropped = [skill.skill_id for skill in walk.dropped] if walk else []
    return [s.skill_id for s in result.bundle.steps if s.reason == "routed"] + dropped


def _ids(stages: Mapping[StageName, StageTrace], name: StageName) -> tuple[str, ...]:
    trace = stages.get(name)
    return tuple(candidate.skill_id for candidate in trace.candidates) if trace else ()
