"""Put every query to a router and keep what each metric needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from asf_core.bench.answer import Answer, Route
from asf_core.bench.metrics import first_right
from asf_core.bench.queries import Judged

Progress = Callable[[int, int], None]
"""(queries done, queries in all)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one query."""

    judged: Judged
    rank: int | None
    """Of the first right skill over all registries; ``None`` when it was not ranked."""
    own_rank: int | None
    """The same when only the query's own registries are routed over."""
    alone: bool
    """Whether they were."""
    recall_rank: int | None
    """Of the first right skill in what stage 1 kept."""
    planned: tuple[str, ...]
    confidence: float
    bundle_tokens: int
    token_savings: float
    """1 - bundle / naive, 0 to 1."""
    savings: float
    cost: float
    deadlocked: bool
    deadlocked_alone: bool
    milliseconds: float
    stage_ms: Mapping[str, float]

    @property
    def plan_whole(self) -> bool:
        """Whether the plan holds every step that the query asks for."""
        return all(step.intersection(self.planned) for step in self.judged.plan)

    @property
    def plan_ordered(self) -> bool:
        """Whether it is whole and its steps come in the order asked for."""
        places = [[i in step for i in self.planned] for step in self.judged.plan]
        firsts = [found.index(True) for found in places if True in found]
        return len(firsts) == len(places) and firsts == sorted(firsts)

    @property
    def abstained(self) -> bool:
        """Whether the query got no plan."""
        return not self.planned

    @property
    def group(self) -> str:
        """Queries with the same answers were written for the same skill."""
        return "\n".join(sorted(self.judged.relevant)) or self.judged.query.id


def evaluate(
    judged: Sequence[Judged],
    route: Route,
    *,
    own: bool = True,
    progress: Progress | None = None,
) -> tuple[Outcome, ...]:
    """Route every query.

    Args:
        judged: The queries, in the order in which they are put.
        route: The router. Its errors are not caught: a figure over a part of the queries would
            pass for one over all.
        own: Route each positive query over its own registries too, which doubles the work.
        progress: Called after each query.
    """
    return tuple(_outcomes(judged, route, own, progress))


def _outcomes(
    judged: Sequence[Judged], route: Route, own: bool, progress: Progress | None
) -> Iterator[Outcome]:
    for done, one in enumerate(judged, start=1):
        answer = route(one.query.query, ())
        alone = route(one.query.query, one.registries) if own and one.registries else None
        yield _outcome(one, answer, alone)
        if progress:
            progress(done, len(judged))


def _outcome(one: Judged, answer: Answer, alone: Answer | None) -> Outcome:
    return Outcome(
        judged=one,
        rank=first_right(answer.ranking, one.relevant),
        own_rank=first_right(alone.ranking, one.relevant) if alone else None,
        alone=alone is not None,
        recall_rank=first_right(answer.recalled, one.relevant),
        planned=tuple(answer.planned),
        confidence=answer.confidence,
        bundle_tokens=answer.bundle_tokens,
        token_savings=1 - answer.bundle_tokens / max(answer.naive_tokens, 1),
        savings=answer.savings,
        cost=answer.cost,
        deadlocked=answer.deadlocked,
        deadlocked_alone=answer.deadlocked_alone,
        milliseconds=answer.milliseconds,
        stage_ms=dict(answer.stage_ms),
    )
