"""Scores, and how they are taken apart."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.domain.errors import StoreError
from asf_core.domain.graph import Edge, EdgeKind, EdgeOrigin
from asf_core.domain.quality import GATE_BELOW
from asf_core.quality import model as gate_model
from asf_core.quality.gate import GateInput, degrees, judge
from asf_core.quality.model import GateModel, fitted
from asf_core.quality.packing import pack, unpack
from asf_core.quality.signals import DESIGNED, SIGNALS
from tests.quality.writing import GOOD, facts, skill

SLOP = """You are an expert in {0} with many years of experience.

- {0} fundamentals
- {0} best practices
- {0} security
- Modern {0} strategies
"""


def _one(*skills: GateInput, vectors=None):
    return judge(skills, vectors).judgements[0]


def test_a_good_skill_passes_and_slop_does_not() -> None:
    good = _one(skill("restic-care"))
    bad = _one(skill("kafka-pro", "Expert guidance for Kafka.", SLOP.format("Kafka")))
    assert good.slop_score > 0.7
    assert not good.gated
    assert good.reason == ""
    assert bad.slop_score < 0.2
    assert bad.gated
    assert "bare lists (4 of 5 lines are bare list items)" in bad.reason


def test_the_design_names_six_signals_and_each_can_be_explained() -> None:
    assert set(DESIGNED) == {
        "description_uniqueness", "graph_isolation", "description_template_match",
        "name_collision", "ast_duplicate", "empty_content",
    }  # fmt: skip
    for signal in SIGNALS:
        assert signal.explanation.count(".") == 1
        assert signal.explanation.endswith(".")
        assert signal.advice[0].isupper()


def test_the_coefficients_are_of_these_signals_and_none_rewards() -> None:
    model = fitted()
    assert set(model.coefficients) == {signal.id for signal in SIGNALS}
    assert all(one.weight <= 0 for one in model.coefficients.values())
    assert min(model.labels) > 20
    assert len(model.data_sha256) == 64
    assert model.figures["registry.auc_slop_or_keep"] > 0.95


def test_the_readme_gives_the_figures_of_the_fit() -> None:
    model = fitted()
    figures = {
        name.partition(".")[2]: v for name, v in model.figures.items() if "registry." in name
    }
    slop, borderline, good = (int(figures[f"under_of_grade_{grade}"]) for grade in range(3))
    readme = " ".join((Path(__file__).parents[2] / "README.md").read_text("utf-8").split())
    for said in (
        f"fitted on {sum(model.labels)} skills",
        "{} of them slop, {} borderline, {} worth keeping".format(*model.labels),
        f"is {figures['auc_slop_or_keep']:.2f} for slop against skills worth keeping",
        f"and {figures['auc_slop_or_rest']:.2f} for slop against all others",
        f"takes out {slop} slop, {borderline} borderline and {good} skills worth keeping",
    ):
        assert said in readme
    assert good <= 0.05 * model.labels[2]


@pytest.mark.parametrize("text", ["", "{}", "not json", '{"format": "asf-gate/0"}'])
def test_damaged_coefficients_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"valid|coefficients"):
        GateModel.read(text)


def test_missing_coefficients_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate_model, "FILE", "no-such-file.json")
    fitted.cache_clear()
    with pytest.raises(StoreError):
        fitted()
    monkeypatch.undo()
    fitted.cache_clear()


TEXT = st.text(alphabet=st.sampled_from("ab cdIf never fail\n-#`*1. 備份§"), max_size=400)


@settings(max_examples=60, deadline=None)
@given(TEXT, TEXT, st.integers(0, 4))
def test_a_score_is_the_sum_of_its_parts(description: str, body: str, degree: int) -> None:
    found = _one(skill("some-name", description, body, degree=degree))
    log_odds = found.bias + sum(signal.contribution for signal in found.signals)
    assert found.slop_score == pytest.approx(1 / (1 + math.exp(-log_odds)), abs=2e-4)
    assert all(s.strength is None or 0 <= s.strength <= 1 for s in found.signals)
    assert all(lift.score > found.slop_score for lift in found.lifts)
    assert unpack(found.skill_id, pack(found)) == found


def test_what_would_lift_it_does() -> None:
    before = _one(skill("restic-care", "Checks restic repositories and snapshots of servers."))
    advice = {lift.signal: lift.score for lift in before.lifts}
    assert "description_occasion" in advice
    after = _one(skill("restic-care", "Checks restic repositories. Use when a server is full."))
    assert after.slop_score == pytest.approx(advice["description_occasion"], abs=0.03)


def test_a_near_namesake_and_a_near_description_count() -> None:
    own = skill("flaky-test-hunter", body=GOOD)
    other = skill("flaky-tests-hunter", "Hunt tests that fail at random.", "Retry until green.")
    unit = np.eye(2, dtype=np.float32)
    apart = {own.facts.description.key: unit[0], other.facts.description.key: unit[1]}
    close = {
        own.facts.description.key: unit[0],
        other.facts.description.key: np.array([0.9, 0.43588989], np.float32),
    }
    alone = judge([own], apart).judgements[0]
    far, near = (judge([own, other], v).judgements[0] for v in (apart, close))
    assert far.signals[3].contribution < alone.signals[3].contribution
    assert near.nearest is not None
    assert near.nearest.skill_id == other.id
    assert near.nearest.cosine == pytest.approx(0.9)
    assert near.description_uniqueness == pytest.approx(0.2)
    assert near.slop_score < far.slop_score < alone.slop_score


def test_without_an_encoder_uniqueness_has_no_say() -> None:
    found = _one(skill("restic-care"), skill("other", "Bake bread. Use when hungry."))
    assert found.description_uniqueness is None
    assert found.signals[0].strength is None
    assert found.signals[0].contribution == 0.0


def test_standing_alone_counts_beside_linked_skills_only() -> None:
    peers = [
        skill(f"peer{i}", f"Peer number {i} of ten. Use when asked.", degree=3) for i in range(10)
    ]
    loose = [skill(f"peer{i}", f"Peer number {i} of ten. Use when asked.") for i in range(10)]
    elsewhere = skill("restic-care", path="other/restic-care")
    among = {j.skill_id: j for j in judge([*peers, skill("restic-care")], None).judgements}
    free = {j.skill_id: j for j in judge([*loose, skill("restic-care")], None).judgements}
    aside = {j.skill_id: j for j in judge([*peers, elsewhere], None).judgements}
    assert among["reg/skills/restic-care"].signals[1].strength == pytest.approx(10 / 15, abs=1e-3)
    assert free["reg/skills/restic-care"].signals[1].strength == 0.0
    assert aside["reg/other/restic-care"].signals[1].strength == 0.0


def test_a_copy_of_a_good_skill_is_an_alias_and_no_slop() -> None:
    found = judge(
        [skill("restic-care", path="a/restic"), skill("restic-care", path="b/restic")], None
    )
    first, second = found.judgements
    assert second.canonical_id == first.skill_id
    assert first.canonical_id is None
    assert second.slop_score < first.slop_score
    assert not second.gated
    assert [c.canonical for c in found.clusters] == [first.skill_id]


def test_a_broken_skill_is_scored_and_stands_for_nothing() -> None:
    found = judge(
        [skill("restic-care", path="a/restic", broken=True), skill("restic-care", path="b/restic")],
        None,
    )
    assert [j.canonical_id for j in found.judgements] == [None, None]
    assert all(j.slop_score > GATE_BELOW for j in found.judgements)


def test_an_empty_workspace_and_an_empty_skill() -> None:
    assert judge([], None).judgements == ()
    assert judge([], {}).judgements == ()
    assert _one(skill("x", "", "")).gated


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(6)))
def test_judging_does_not_depend_on_the_order(order: list[int]) -> None:
    skills = [
        skill("restic-care", path="a/restic"),
        skill("restic-care", path="b/restic", version="2.0"),
        skill("restic-cares", "Care for restic."),
        skill("kafka-pro", "Expert guidance for Kafka.", SLOP.format("Kafka")),
        skill("redis-pro", "Expert guidance for Redis.", SLOP.format("Redis")),
        skill("empty", "", ""),
    ]
    vectors = {
        s.facts.description.key: np.random.default_rng(i).normal(size=8).astype("f4")
        for i, s in enumerate(skills)
    }
    vectors = {k: v / np.linalg.norm(v) for k, v in vectors.items()}
    assert judge([skills[i] for i in order], vectors) == judge(skills, vectors)


def test_degrees_count_other_skills_once() -> None:
    def edge(a: str, b: str, kind: EdgeKind = EdgeKind.COMPLEMENTS) -> Edge:
        return Edge(source=a, target=b, kind=kind, confidence=1.0, origin=EdgeOrigin.EXTRACTED, evidence=())  # fmt: skip

    edges = [edge("a", "b"), edge("b", "a"), edge("a", "c"), edge("a", "d", EdgeKind.DUPLICATE_OF)]
    assert degrees(edges) == {"a": 2, "b": 1, "c": 1}


def test_facts_are_all_that_the_gate_needs() -> None:
    again = type(facts()).load(facts().dump())
    assert again == facts()
