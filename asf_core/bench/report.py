"""Figures of a run, overall and by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from asf_core.bench.abstention import Curve, curve
from asf_core.bench.metrics import discounted, hit, mean, percentile, reciprocal
from asf_core.bench.run import Outcome
from asf_core.domain.base import Sha256, Value

RECALL_DEPTH = 100

_Figures = TypeVar("_Figures")


class Scores(Value):
    """How well the positive queries that do not name their skill are ranked. Means, 0 to 1."""

    queries: int
    hit_1: float
    hit_5: float
    mrr: float
    ndcg_10: float
    recall_100: float
    """Of stage 1."""
    own_hit_1: float | None
    """Over the query's own registries alone; ``None`` when that was not run."""
    own_mrr: float | None


class Abstention(Value):
    """Who gets a plan."""

    positives: int
    positives_lost: float
    """Share of the positive queries that get none, 0 to 1."""
    negatives: int
    negatives_planned: float
    """Share of the negative queries that get one, 0 to 1."""
    curve: Curve
    """What other thresholds would have done."""


class Latency(Value):
    """Milliseconds, by the router's own clock."""

    p50: float
    p95: float


class Plans(Value):
    """Size of the plans, over the queries that got one."""

    mean_skills: float
    mean_tokens: float
    savings: float
    """Mean of (N - k) / N, 0 to 1 (DESIGN 5)."""
    token_savings: float
    """Mean of 1 - bundle / naive tokens, 0 to 1."""
    mean_cost: float
    """USD, at the price of the request."""
    deadlocks: float
    """Share of plans with a skill that requires one that is not in it, 0 to 1."""
    deadlocks_without_walk: float
    """The same had the router's own choice been the plan."""
    asked: int
    """Queries that say which plan is right, those that got none included."""
    whole: float | None
    """Share of them whose plan holds every step asked for, 0 to 1; ``None`` for none."""
    ordered: float | None
    """Share of them whose plan does so in the order asked for; independent steps may come in any."""


class Report(Value):
    """All figures of one setting on one query set."""

    setting: str
    queries_digest: Sha256
    unjudged: int
    """Positive queries left out because none of their answers is in the index."""
    overall: Scores
    named: Scores
    """Of the queries that name their skill: easy ones, apart from the headline."""
    by_source: Mapping[str, Scores]
    by_registry: Mapping[str, Scores]
    """By the registries of the answers; a query with answers in several counts in each."""
    abstention: Abstention
    abstention_by_source: Mapping[str, Abstention]
    plans: Plans
    latency: Latency
    latency_by_stage: Mapping[str, Latency]


def report(
    outcomes: Sequence[Outcome], *, setting: str, queries_digest: Sha256, unjudged: int = 0
) -> Report:
    """Add up a run.

    Args:
        outcomes: Of every query.
        setting: Name of what was run.
        queries_digest: Of the query set.
        unjudged: How many positive queries could not be judged.
    """
    headline = headline_of(outcomes)
    stages = sorted({stage for o in outcomes for stage in o.stage_ms})
    return Report(
        setting=setting,
        queries_digest=queries_digest,
        unjudged=unjudged,
        overall=scores(headline),
        named=scores([o for o in outcomes if o.judged.relevant and o.judged.query.names_skill]),
        by_source=_by(headline, lambda o: (o.judged.query.source,), scores),
        by_registry=_by(headline, lambda o: o.judged.registries, scores),
        abstention=abstention(outcomes),
        abstention_by_source=_by(outcomes, lambda o: (o.judged.query.source,), abstention),
        plans=_plans([o for o in outcomes if o.planned], [o for o in outcomes if o.judged.plan]),
        latency=latency([o.milliseconds for o in outcomes]),
        latency_by_stage={
            stage: latency([o.stage_ms[stage] for o in outcomes if stage in o.stage_ms])
            for stage in stages
        },
    )


def _plans(planned: Sequence[Outcome], asked: Sequence[Outcome]) -> Plans:
    return Plans(
        mean_skills=mean(len(o.planned) for o in planned),
        mean_tokens=mean(o.bundle_tokens for o in planned),
        savings=mean(o.savings for o in planned),
        token_savings=mean(o.token_savings for o in planned),
        mean_cost=mean(o.cost for o in planned),
        deadlocks=mean(float(o.deadlocked) for o in planned),
        deadlocks_without_walk=mean(float(o.deadlocked_alone) for o in planned),
        asked=len(asked),
        whole=mean(float(o.plan_whole) for o in asked) if asked else None,
        ordered=mean(float(o.plan_ordered) for o in asked) if asked else None,
    )


def headline_of(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The positive queries that do not name their skill."""
    return [o for o in outcomes if o.judged.relevant and not o.judged.query.names_skill]


def scores(outcomes: Sequence[Outcome]) -> Scores:
    """Means over positive queries."""
    alone = [o for o in outcomes if o.alone]
    return Scores(
        queries=len(outcomes),
        hit_1=mean(hit(o.rank, 1) for o in outcomes),
        hit_5=mean(hit(o.rank, 5) for o in outcomes),
        mrr=mean(reciprocal(o.rank) for o in outcomes),
        ndcg_10=mean(discounted(o.rank, 10) for o in outcomes),
        recall_100=mean(hit(o.recall_rank, RECALL_DEPTH) for o in outcomes),
        own_hit_1=mean(hit(o.own_rank, 1) for o in alone) if alone else None,
        own_mrr=mean(reciprocal(o.own_rank) for o in alone) if alone else None,
    )


def abstention(outcomes: Sequence[Outcome]) -> Abstention:
    """Shares over positive and negative queries; queries that name their skill count too."""
    good = [o for o in outcomes if o.judged.relevant]
    bad = [o for o in outcomes if not o.judged.relevant]
    return Abstention(
        positives=len(good),
        positives_lost=mean(float(o.abstained) for o in good),
        negatives=len(bad),
        negatives_planned=mean(float(not o.abstained) for o in bad),
        curve=curve([o.confidence for o in good], [o.confidence for o in bad]),
    )


def latency(milliseconds: Sequence[float]) -> Latency:
    """Median and 95th percentile."""
    return Latency(p50=percentile(milliseconds, 0.5), p95=percentile(milliseconds, 0.95))


def _by(
    outcomes: Iterable[Outcome],
    keys: Callable[[Outcome], Iterable[str]],
    figures: Callable[[Sequence[Outcome]], _Figures],
) -> dict[str, _Figures]:
    parts: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        for key in keys(outcome):
            parts.setdefault(key, []).append(outcome)
    return {key: figures(parts[key]) for key in sorted(parts)}
