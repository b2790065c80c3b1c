"""A whole run with an in-memory router: outcomes, figures, comparison."""

from __future__ import annotations

from dataclasses import replace

import pytest

from asf_core.bench.answer import Answer, Route, answer_of
from asf_core.bench.compare import compare
from asf_core.bench.queries import BenchQuery, Judged
from asf_core.bench.report import report, scores
from asf_core.bench.run import Outcome, evaluate
from asf_core.domain.routing import (
    Bundle,
    Candidate,
    Dropped,
    PlanStep,
    RouteResult,
    StageName,
    StageTrace,
    TokenFigures,
)

DIGEST = "0" * 64


def judged(name: str, *relevant: str, source: str = "s", names_skill: bool = False) -> Judged:
    query = BenchQuery(
        id=name,
        query=f"query {name}",
        relevant=relevant,
        kind="positive" if relevant else "negative",
        names_skill=names_skill,
        source=source,
    )
    return Judged(query, frozenset(relevant), tuple(sorted({r.split("/")[0] for r in relevant})))


QUERIES = (
    judged("one", "lab/a"),
    judged("two", "lab/b", "copy/b", source="t"),
    judged("three", "lab/c"),
    judged("easy", "lab/d", names_skill=True),
    judged("nonsense"),
)
RANKINGS = {
    "query one": ("lab/a", "copy/x"),
    "query two": ("copy/x", "lab/z", "copy/b", "lab/b"),
    "query three": ("copy/x", "lab/z"),
    "query easy": ("lab/d",),
    "query nonsense": ("lab/z",),
}
UNSURE = {"query three", "query nonsense"}


def router(query: str, registries: tuple[str, ...]) -> Answer:
    kept = [i for i in RANKINGS[query] if not registries or i.split("/")[0] in registries]
    return Answer(
        ranking=kept,
        recalled=kept[::-1],
        planned=() if query in UNSURE else kept[:2],
        confidence=0.1 if query in UNSURE else 0.9,
        bundle_tokens=100 * len(kept[:2]),
        milliseconds=10.0 * len(query),
        stage_ms={"recall": 4.0},
    )


def run(route: Route = router, *, own: bool = True) -> tuple[Outcome, ...]:
    return evaluate(QUERIES, route, own=own)


def test_outcomes() -> None:
    found = {o.judged.query.id: (o.rank, o.own_rank, o.recall_rank, o.abstained) for o in run()}
    assert found == {
        "one": (1, 1, 2, False),
        "two": (3, 3, 1, False),
        "three": (None, None, None, True),
        "easy": (1, 1, 1, False),
        "nonsense": (None, None, None, True),
    }


def test_the_router_is_asked_once_more_for_each_positive_query() -> None:
    asked: list[tuple[str, tuple[str, ...]]] = []

    def recording(query: str, registries: tuple[str, ...]) -> Answer:
        asked.append((query, registries))
        return router(query, registries)

    run(recording)
    assert asked[:4] == [
        ("query one", ()),
        ("query one", ("lab",)),
        ("query two", ()),
        ("query two", ("copy", "lab")),
    ]
    assert asked[-1] == ("query nonsense", ())
    asked.clear()
    run(recording, own=False)
    assert [registries for _, registries in asked] == [()] * 5


def test_an_error_of_the_router_ends_the_run() -> None:
    def broken(query: str, registries: tuple[str, ...]) -> Answer:
        raise KeyError(query)

    with pytest.raises(KeyError, match="query one"):
        run(broken)


def test_progress() -> None:
    seen: list[tuple[int, int]] = []
    evaluate(QUERIES, router, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_report_by_hand() -> None:
    found = report(run(), setting="balanced", queries_digest=DIGEST, unjudged=2)
    whole = found.overall
    assert whole.queries == 3
    assert whole.hit_1 == pytest.approx(1 / 3)
    assert whole.hit_5 == pytest.approx(2 / 3)
    assert whole.mrr == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert whole.ndcg_10 == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert whole.recall_100 == pytest.approx(2 / 3)
    assert whole.own_hit_1 == pytest.approx(1 / 3)
    assert whole.own_mrr == pytest.approx((1 + 1 / 3) / 3)
    assert (found.named.queries, found.named.hit_1) == (1, 1.0)
    assert {k: v.queries for k, v in found.by_source.items()} == {"s": 2, "t": 1}
    assert {k: v.queries for k, v in found.by_registry.items()} == {"copy": 1, "lab": 3}
    assert found.unjudged == 2


def test_abstention_plans_and_latency() -> None:
    found = report(run(), setting="balanced", queries_digest=DIGEST)
    assert (found.abstention.positives, found.abstention.negatives) == (4, 1)
    assert found.abstention.positives_lost == pytest.approx(1 / 4)
    assert found.abstention.negatives_planned == 0
    # 0.9, 0.9, 0.1, 0.9 against 0.1: three wins and one draw.
    assert found.abstention.curve.area == pytest.approx(3.5 / 4)
    assert found.plans.mean_skills == pytest.approx((2 + 2 + 1) / 3)
    assert found.plans.mean_tokens == pytest.approx((200 + 200 + 100) / 3)
    assert found.latency.p50 == 100.0
    assert found.latency_by_stage["recall"].p95 == 4.0
    assert report([], setting="none", queries_digest=DIGEST).overall == scores([])


def test_plans_are_held_against_those_that_queries_ask_for() -> None:
    def asking(name: str, *plan: str) -> Judged:
        return replace(
            judged(name, "lab/a"), plan=tuple(frozenset(step.split("|")) for step in plan)
        )

    asked = (
        asking("whole", "lab/a", "lab/b|copy/b", "lab/c"),
        asking("other order", "lab/b", "lab/a"),
        asking("a step lacks", "lab/a", "lab/z"),
        asking("no plan", "lab/a"),
        judged("asks for none", "lab/a"),
    )
    plans = {
        "query whole": ("lab/a", "lab/x", "copy/b", "lab/c"),
        "query other order": ("lab/a", "lab/b"),
        "query a step lacks": ("lab/a",),
        "query no plan": (),
        "query asks for none": ("lab/a",),
    }

    def planning(query: str, registries: tuple[str, ...]) -> Answer:
        return Answer(ranking=("lab/a",), recalled=("lab/a",), planned=plans[query])

    found = report(evaluate(asked, planning), setting="s", queries_digest=DIGEST).plans
    assert (found.asked, found.whole, found.ordered) == (4, 2 / 4, 1 / 4)
    none = report(evaluate(asked[-1:], planning), setting="s", queries_digest=DIGEST).plans
    assert (none.asked, none.whole, none.ordered) == (0, None, None)


def test_own_scores_are_absent_when_not_run() -> None:
    whole = report(run(own=False), setting="fast", queries_digest=DIGEST).overall
    assert whole.own_hit_1 is None
    assert whole.own_mrr is None
    assert scores([]).own_hit_1 is None


def test_compare() -> None:
    def better(query: str, registries: tuple[str, ...]) -> Answer:
        if query == "query one":
            return Answer(ranking=("copy/x", "lab/a"), recalled=())
        right = {"query two": "copy/b", "query three": "lab/c"}
        return Answer(ranking=(right.get(query, "lab/d"),), recalled=())

    found = compare(run(), run(better), names=("floor", "balanced"))
    assert found.queries == 3
    assert found.differences["hit_1"].mean == pytest.approx(1 / 3)
    assert found.differences["mrr"].mean == pytest.approx((-1 / 2 + 2 / 3 + 1) / 3)
    assert found.by_source["t"]["hit_1"].mean == 1.0
    assert [(c.query_id, c.first, c.second) for c in found.won] == [
        ("two", 3, 1),
        ("three", None, 1),
    ]
    assert [(c.query_id, c.first, c.second) for c in found.lost] == [("one", 1, 2)]


def test_compare_refuses_other_queries() -> None:
    with pytest.raises(ValueError, match="zip"):
        compare(run(), run()[1:], names=("a", "b"))
    with pytest.raises(ValueError, match="same queries"):
        compare(run(), run()[::-1], names=("a", "b"))


def trace(stage: StageName, *ids: str, ms: float) -> StageTrace:
    candidates = tuple(
        Candidate(skill_id=i, slug=i, rank=n, score=1.0 / n) for n, i in enumerate(ids, start=1)
    )
    return StageTrace(
        stage=stage,
        entered=9,
        left=len(ids),
        milliseconds=ms,
        budget_ms=None,
        candidates=candidates,
    )


def _result(*traces: StageTrace) -> RouteResult:
    step = PlanStep(
        position=1, skill_id="lab/b", slug="b", description="", reason="routed", tokens=40
    )
    figures = TokenFigures(
        registry_skills=3,
        bundle_skills=1,
        naive_tokens=100,
        bundle_tokens=40,
        disclosure_tokens=50,
        savings=2 / 3,
        token_savings=0.6,
        price_per_million=3.0,
        naive_cost=0.0,
        bundle_cost=0.0,
    )
    return RouteResult(
        query="q",
        bundle=Bundle(steps=(step,)),
        stages=traces,
        abstained=False,
        confidence=0.8,
        threshold=0.25,
        tokens=figures,
        milliseconds=12.0,
        setting="balanced",
        generation="g",
    )


def test_answer_of_a_route_result() -> None:
    result = _result(
        trace(StageName.RECALL, "lab/a", "lab/b", "lab/c", ms=3.0),
        trace(StageName.RERANK, "lab/b", "lab/a", ms=7.0),
    )
    needs = {"lab/b": ["lab/z"]}
    found = answer_of(result, lambda ids: [n for i in ids for n in needs[i] if n not in ids])
    assert found == Answer(
        ranking=("lab/b", "lab/a", "lab/c"),
        recalled=("lab/a", "lab/b", "lab/c"),
        planned=("lab/b",),
        confidence=0.8,
        bundle_tokens=40,
        naive_tokens=100,
        savings=2 / 3,
        deadlocked=True,
        deadlocked_alone=True,
        milliseconds=12.0,
        stage_ms={"recall": 3.0, "rerank": 7.0},
    )
    assert not answer_of(result).deadlocked


def test_a_skill_that_the_walk_dropped_counts_for_the_deadlocks_without_it() -> None:
    """The router chose a skill whose requirement is gone: alone it would have been a deadlock."""
    walk = trace(StageName.WALK, ms=0.1).model_copy(
        update={"dropped": (Dropped(skill_id="lab/c", reason="needs lab/z"),)}
    )
    result = _result(walk)
    found = answer_of(result, lambda ids: ["lab/z"] if "lab/c" in ids else [])
    assert (found.deadlocked, found.deadlocked_alone) == (False, True)
