"""The router over an index in memory, with encoders that know a text by its words."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from routing_memory import (
    SeedsOnly,
    Shelf,
    WordVectors,
    lexical_of,
    make_router,
    memory_view,
    skill,
)

from asf_core.domain.errors import InputError, ModelMissingError, StoreError
from asf_core.domain.routing import RouteRequest, RouteResult, StageName, StageTrace
from asf_core.retrieval.candidates import RAW
from asf_core.retrieval.config import BUDGET_MS, SETTINGS, droppable
from asf_core.retrieval.pipeline import Router

SKILLS = [
    skill("csv-tidy", "Tidy CSV files: headers, types, missing values."),
    skill("pdf-join", "Join PDF files into one document."),
    skill("go-idioms", "Check Go code for idioms in naming and errors."),
    skill("go-proverbs", "Check Go changes against the Go proverbs."),
    skill("check-all", "Run every check on recent changes."),
    skill("chart-maker", "Draw charts from tables of numbers."),
    skill("letter-mailer", "Write letters and mail them to a list of people."),
    skill("log-triage", "Find the first failure in application logs."),
    skill("secret-tool", "Tidy CSV files in secret.", invocable=False),
]


@pytest.fixture(scope="module")
def router() -> Router:
    return make_router(SKILLS)


def _ranked(result: RouteResult) -> list[str]:
    return [candidate.slug for candidate in result.stages[2].candidates]


def _planned(result: RouteResult) -> list[str]:
    return [step.slug for step in result.bundle.steps]


def _notes(result: RouteResult) -> str:
    return " | ".join(note for trace in result.stages for note in trace.notes)


def test_every_stage_is_on_record_and_told(router: Router) -> None:
    told: list[StageTrace] = []
    result = router.route("tidy a csv file with missing values", on_stage=told.append)
    assert [trace.stage for trace in result.stages] == list(StageName)
    assert tuple(told) == result.stages
    assert all(trace.budget_ms == BUDGET_MS[trace.stage] for trace in result.stages)
    assert all(trace.milliseconds >= 0 for trace in result.stages)
    assert _planned(result) == ["csv-tidy"]
    assert not result.abstained
    assert result.confidence >= result.threshold
    assert (result.setting, result.generation, result.degraded) == ("balanced", "g1", ())
    recall, rerank = result.stages[1:3]
    assert (recall.entered, recall.left) == (8, len(recall.candidates))
    assert (rerank.entered, rerank.left) == (recall.left, len(rerank.candidates))


def test_candidates_show_why_they_stand_where_they_stand(router: Router) -> None:
    result = router.route("check my go code for idioms")
    first, second = result.stages[2].candidates[:2]
    assert (first.slug, second.slug) == ("go-idioms", "go-proverbs")
    assert first.matched[:1] in (("idioms",), ("code",))
    assert set(second.matched) == {"go", "check"}
    for candidate in result.stages[2].candidates:
        parts = {k: v for k, v in candidate.evidence.items() if k not in RAW}
        assert sum(parts.values()) == pytest.approx(candidate.score, abs=1e-3)
        assert candidate.previous_rank is not None
    order = [c.skill_id for c in result.stages[1].candidates]
    assert order.index(first.skill_id) + 1 == first.previous_rank
    assert [c.rank for c in result.stages[2].candidates] == list(range(1, len(_ranked(result)) + 1))


@pytest.mark.parametrize("task", ["csv-tidy", "CSV tidy", "/csv_tidy", "csvTidy"])
def test_a_name_alone_is_found_first_and_for_sure(router: Router, task: str) -> None:
    result = router.route(task)
    first = result.stages[2].candidates[0]
    assert first.slug == "csv-tidy"
    assert first.evidence["exact_name"] == SETTINGS["balanced"].exact_name
    assert result.confidence == 1.0
    assert _planned(result) == ["csv-tidy"]


def test_an_exact_name_comes_before_any_better_text() -> None:
    texts = [
        skill(f"tidy-{i}", "Plan plan plan. The plan of plans.", "plan " * 50) for i in range(9)
    ]
    assert _ranked(make_router([*texts, skill("plan", "Nothing more.")]).route("plan"))[0] == "plan"


def test_equal_skills_come_in_order_of_id_and_the_copy_is_left_out() -> None:
    twins = [skill("csv-tidy", "Tidy CSV files.", registry=name) for name in ("b", "a")]
    router = make_router([*twins, *SKILLS[1:6]])
    for _ in range(2):
        result = router.route("please tidy these csv files")
        assert [c.skill_id for c in result.stages[2].candidates[:2]] == [
            "a/csv-tidy",
            "b/csv-tidy",
        ]
        assert [s.skill_id for s in result.bundle.steps] == ["a/csv-tidy"]
        (dropped,) = result.stages[2].dropped
        assert dropped.skill_id == "b/csv-tidy"
        assert "a/csv-tidy" in dropped.reason


def test_too_close_to_call_is_said_and_both_are_routed() -> None:
    near = replace(SETTINGS["balanced"], near=50.0, twin=2.0)
    result = make_router(SKILLS, find=lambda _: near).route("check go code and go changes")
    assert {"go-idioms", "go-proverbs"} <= set(_planned(result))
    assert "unsure" in _notes(result)


def test_a_task_with_clauses_brings_the_skill_of_each() -> None:
    result = make_router(SKILLS).route(
        "Tidy the csv headers and missing values, draw charts from the numbers "
        "and mail the letters to a list of people"
    )
    assert set(_planned(result)) == {"csv-tidy", "chart-maker", "letter-mailer"}
    assert result.stages[0].left == 3
    assert _notes(result).count("for the clause") == 2
    scores = [c.score for c in result.stages[2].candidates]
    assert scores == sorted(scores, reverse=True)


def test_no_more_seeds_than_asked_for() -> None:
    task = "Tidy the csv headers and missing values, draw charts from the numbers"
    result = make_router(SKILLS).route(task, RouteRequest(max_skills=1))
    assert len(result.bundle.steps) == 1
    assert result.near_misses


def test_what_no_skill_fits_gives_an_empty_plan_and_near_misses(router: Router) -> None:
    result = router.route("bake sourdough bread for breakfast")
    assert result.abstained
    assert result.bundle.steps == ()
    assert 0 < len(result.near_misses) <= SETTINGS["balanced"].near_misses
    assert result.confidence < result.threshold
    assert [trace.stage for trace in result.stages] == list(StageName)[:3]
    assert result.tokens.bundle_skills == 0


def test_what_is_excluded_is_left_out_before_recall_and_kept_from_the_walk() -> None:
    view = memory_view(SKILLS, Shelf())
    planning = SeedsOnly(view)
    router = Router(view, lexical_of(SKILLS), Shelf(), planning)
    result = router.route("tidy csv files", excluded=["reg/csv-tidy", "reg/unknown"])
    assert "csv-tidy" not in _ranked(result)
    assert result.stages[1].entered == 7
    assert "1 left out beforehand" in _notes(result)
    assert "csv-tidy" not in {miss.slug for miss in result.near_misses}
    router.route("join pdf files", excluded=["reg/csv-tidy"])
    _, budget, barred = planning.asked[-1]
    assert barred == {"reg/csv-tidy"}
    assert budget == RouteRequest().token_budget


def test_a_skill_not_for_models_is_not_recalled_but_may_be_required() -> None:
    view = memory_view(SKILLS, Shelf())
    planning = SeedsOnly(view)
    result = Router(view, lexical_of(SKILLS), Shelf(), planning).route("tidy csv files in secret")
    assert "secret-tool" not in _ranked(result)
    assert "not to be chosen by a model" in _notes(result)
    assert planning.asked[-1][2] == frozenset()


def test_only_the_registries_that_were_asked_for() -> None:
    other = [skill("csv-fixer", "Tidy CSV files.", registry="other")]
    result = make_router([*SKILLS, *other]).route(
        "tidy csv files", RouteRequest(registries=("other",))
    )
    assert _ranked(result) == ["csv-fixer"]
    assert result.tokens.registry_skills == 1


@pytest.mark.parametrize(
    ("task", "request_", "words"),
    [
        ("", RouteRequest(), "empty"),
        (" \n", RouteRequest(), "empty"),
        ("x", RouteRequest(registries=("nowhere",)), "nowhere"),
        ("x", RouteRequest(setting="turbo"), "turbo"),
    ],
)
def test_wrong_input_is_named(
    router: Router, task: str, request_: RouteRequest, words: str
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        router.route(task, request_)
    assert caught.value.hint


def test_an_empty_index_says_so() -> None:
    result = make_router([]).route("tidy csv files")
    assert result.abstained
    assert result.bundle.steps == result.near_misses == ()
    assert "hold no skill" in _notes(result)
    assert json.loads(result.model_dump_json())["tokens"]["savings"] == 0


def test_an_index_of_which_nothing_is_left_says_so() -> None:
    everything = [s.manifest.id for s in SKILLS]
    result = make_router(SKILLS).route("tidy csv files", excluded=everything)
    assert result.abstained
    assert "no skill left" in _notes(result)


def test_skills_without_words_break_nothing() -> None:
    router = make_router([skill("--", "-- --"), skill("...", "...")])
    for task in ("tidy csv files", "--"):
        result = router.route(task)
        assert result.abstained
        assert "NaN" not in result.model_dump_json()


@pytest.mark.parametrize(
    ("names", "task", "first"),
    [
        (("pdf-join",), "pdf", ["pdf-join"]),
        (("pdf-join", "csv-tidy"), "pdf", ["pdf-join", "csv-tidy"]),
    ],
)
def test_a_registry_of_one_or_two_is_routed(
    names: tuple[str, ...], task: str, first: list[str]
) -> None:
    router = make_router([s for s in SKILLS if s.manifest.slug in names])
    assert _ranked(router.route(task)) == first


class _Untouched:
    def encode_query(self, text: str) -> Any:
        raise AssertionError(f"asked for {text!r}")


@pytest.mark.parametrize(
    ("setting", "encoders", "parts"),
    [
        ("fast", Shelf(dense_encoder=_Untouched(), late_encoder=_Untouched()), {"words", "pairs"}),
        (
            "balanced",
            Shelf(late_encoder=_Untouched()),
            {"words", "pairs", "coverage", "dense"},
        ),
        ("best", Shelf(), {"words", "pairs", "coverage", "dense", "late"}),
    ],
)
def test_a_setting_opens_only_the_encoders_that_it_weighs(
    setting: str, encoders: Shelf, parts: set[str]
) -> None:
    view = memory_view(SKILLS, Shelf())
    router = Router(view, lexical_of(SKILLS), encoders, SeedsOnly(view))
    result = router.route("tidy csv files", RouteRequest(setting=setting))
    assert _planned(result) == ["csv-tidy"]
    assert result.stages[2].candidates[0].evidence.keys() - set(RAW) == parts


@pytest.mark.parametrize("part", droppable("balanced"))
def test_any_part_can_be_dropped(router: Router, part: str) -> None:
    result = router.route("tidy csv files with missing values", RouteRequest(setting=part))
    assert result.setting == part
    assert _ranked(result)[0] == "csv-tidy"
    assert part.partition("-")[2] not in result.stages[2].candidates[0].evidence


@pytest.mark.parametrize(
    "name", ["fastest", "balanced-nothing", "-words", "fast-", "cross@0", "balanced@4"]
)
def test_a_setting_that_is_none_is_refused(router: Router, name: str) -> None:
    with pytest.raises(InputError, match="no setting"):
        router.route("tidy csv files", RouteRequest(setting=name))


@pytest.mark.parametrize(
    ("setting", "parts"),
    [("bm25", {"bm25"}), ("dense", {"dense"}), ("rrf", {"ranks"}), ("sum", {"bm25", "dense"})],
)
def test_baselines_are_there_to_measure_against(
    router: Router, setting: str, parts: set[str]
) -> None:
    result = router.route("tidy csv files with missing values", RouteRequest(setting=setting))
    first = result.stages[2].candidates[0]
    assert first.slug == "csv-tidy"
    assert set(first.evidence) - set(RAW) == parts


def test_plain_bm25_needs_no_encoder() -> None:
    shelf = Shelf(dense_encoder=None, late_encoder=None)
    router = make_router(SKILLS, shelf, indexed_with=Shelf())
    result = router.route("tidy csv files", RouteRequest(setting="bm25"))
    assert _ranked(result)[0] == "csv-tidy"
    assert result.degraded == ()


def test_cross_lets_the_cross_encoder_judge_the_first() -> None:
    result = make_router(SKILLS).route("tidy csv files", RouteRequest(setting="cross"))
    evidence = [c.evidence["cross"] for c in result.stages[2].candidates]
    assert _ranked(result)[0] == "csv-tidy"
    assert evidence[0] > 0
    assert all(share >= 0 for share in evidence)


@pytest.mark.parametrize(
    ("missing", "label"),
    [
        ({"dense_encoder": None}, "dense encoder"),
        ({"late_encoder": None}, "token encoder"),
        ({"dense_encoder": None, "late_encoder": None}, "dense encoder"),
    ],
)
def test_a_missing_model_is_an_error_or_a_label(missing: dict[str, None], label: str) -> None:
    router = make_router(SKILLS, Shelf(**missing), indexed_with=Shelf())
    task, best = "tidy csv files with missing values", RouteRequest(setting="best")
    with pytest.raises(ModelMissingError):
        router.route(task, best)
    result = router.route(task, RouteRequest(setting="best", allow_degraded=True))
    assert any(label in text for text in result.degraded)
    assert len(result.degraded) == len(missing)
    assert _planned(result) == ["csv-tidy"]


def test_vectors_of_other_encoders_are_never_compared() -> None:
    router = make_router(SKILLS, Shelf(fingerprint="other"), indexed_with=Shelf())
    with pytest.raises(StoreError, match="other encoders") as caught:
        router.route("tidy csv files")
    assert "asf sync" in caught.value.hint
    result = router.route("tidy csv files with missing values", RouteRequest(allow_degraded=True))
    assert _planned(result) == ["csv-tidy"]
    assert result.degraded
    assert "cosine" not in result.stages[2].candidates[0].evidence


def test_an_index_without_vectors_is_routed_by_words_when_allowed() -> None:
    view = memory_view(SKILLS, Shelf())
    n = len(view.ids)
    bare = replace(
        view,
        model="",
        vectors=np.zeros((n, 0), np.float32),
        tokens=np.zeros((0, 0), np.int8),
        token_offsets=np.zeros(n + 1, np.int64),
        token_scales=np.zeros(0, np.float32),
    )
    router = Router(bare, lexical_of(SKILLS), Shelf(), SeedsOnly(bare))
    with pytest.raises(StoreError, match="no vectors"):
        router.route("tidy csv files")
    result = router.route("tidy csv files with missing values", RouteRequest(allow_degraded=True))
    assert _planned(result) == ["csv-tidy"]
    assert any("no vectors" in text for text in result.degraded)


def test_a_page_is_condensed_for_the_encoders_and_read_whole_by_words() -> None:
    dense = WordVectors()
    router = make_router(SKILLS, Shelf(dense_encoder=dense))
    page = "We talked about many things at length that day. " * 60
    page += "Join the pdf files into one document."
    dense.asked.clear()
    result = router.route(page)
    (read,) = dense.asked
    assert "pdf" in read
    assert len(read) < 0.2 * len(page)
    assert "condensed" in _notes(result) or "long task" in _notes(result)
    assert _ranked(result)[0] == "pdf-join"


@pytest.mark.parametrize(
    ("task", "first"),
    [("信太生硬了，写得柔和些", "zh-letter"), ("報告を短くまとめて", "ja-digest")],
)
def test_a_task_in_another_script_goes_by_its_words(task: str, first: str) -> None:
    others = [
        skill("zh-letter", "润色中文书信，让语气更柔和亲切。"),
        skill("ja-digest", "年次報告書を三行で要約する。"),
    ]
    result = make_router([*SKILLS, *others]).route(task)
    assert _planned(result) == [first]
    assert "Latin" in _notes(result)


@settings(max_examples=60)
@given(st.text(max_size=120))
def test_no_task_breaks_the_router_or_its_json(task: str) -> None:
    if not task.strip():
        return
    result = _ROUTER.route(task)
    assert 0 <= result.confidence <= 1
    for trace in result.stages:
        for candidate in trace.candidates:
            assert all(math.isfinite(v) for v in (candidate.score, *candidate.evidence.values()))
    assert result.abstained == (not result.bundle.steps)


_ROUTER = make_router(SKILLS)
