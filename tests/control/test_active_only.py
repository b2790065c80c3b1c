"""Routing over active pins only: exact, and checked again when it is used."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import Any

import pytest

from asf_core.domain.errors import ConditionsError
from asf_core.domain.pin import Scope
from asf_core.domain.refusal import Condition
from asf_core.domain.routing import (
    Bundle,
    PlanStep,
    RouteRequest,
    RouteResult,
    StageName,
    StageTrace,
    TokenFigures,
)
from asf_core.services.control.active import active_skills, local_subject, with_pins
from tests.control.conftest import SKILL, Desk, skill_text
from tests.governance.test_candidates import refused

_FIGURES = TokenFigures(
    registry_skills=1, bundle_skills=1, naive_tokens=1, bundle_tokens=1, disclosure_tokens=1,
    savings=0.0, token_savings=0.0, price_per_million=0.0, naive_cost=0.0, bundle_cost=0.0,
)  # fmt: skip


def _answer(*ids: str) -> RouteResult:
    steps = tuple(
        PlanStep(position=n, skill_id=i, slug=i, description="", reason="routed", tokens=1)
        for n, i in enumerate(ids, start=1)
    )
    recall = StageTrace(stage=StageName.RECALL, entered=1, left=1, milliseconds=0.0, budget_ms=None)
    return RouteResult(
        query="q", bundle=Bundle(steps=steps), stages=(recall,), abstained=False, confidence=1.0,
        threshold=0.5, tokens=_FIGURES, milliseconds=0.0, setting="balanced", generation="g",
    )  # fmt: skip


def _allowed(desk: Desk, **subject: str) -> tuple[list[str], dict[str, str]]:
    found = active_skills(desk.control.session, local_subject(**subject))
    return sorted(found.pins), {item.skill_id: item.reason for item in found.left_out}


def test_only_what_is_active_may_appear(desk: Desk) -> None:
    desk.write("saw/SKILL.md", skill_text(name="saw"))
    desk.write("plane/SKILL.md", skill_text(name="plane"))
    desk.make_active()
    desk.control.versions.add_skill("reg/saw", scope=Scope.parse("product:default"))
    desk.admit("reg/saw@1.0.0")
    assert _allowed(desk) == ([SKILL], {})
    desk.control.versions.activate("reg/saw@1.0.0")
    assert _allowed(desk) == ([SKILL, "reg/saw"], {})


def test_a_skill_that_differs_from_its_pin_by_a_byte_is_left_out_and_named(desk: Desk) -> None:
    desk.make_active()
    desk.write("carver/SKILL.md", skill_text("1.0.0", "Carve it!"), commit=False)
    allowed, left_out = _allowed(desk)
    assert allowed == []
    assert left_out == {SKILL: "its files are not those of active version 1.0.0"}
    desk.write("carver/SKILL.md", skill_text(), commit=False)
    assert _allowed(desk) == ([SKILL], {})


def test_other_subjects_do_not_get_it(desk: Desk) -> None:
    desk.make_active()
    allowed, left_out = _allowed(desk, product="bank")
    assert allowed == []
    assert "product bank" in left_out[SKILL]


def test_neither_does_anyone_once_its_source_or_skill_is_no_longer_trusted(desk: Desk) -> None:
    named = desk.make_active()
    desk.control.trust.remove("source", SKILL)
    allowed, left_out = _allowed(desk)
    assert allowed == []
    assert "not on the trusted list" in left_out[SKILL]
    desk.control.trust.allow_sources([named])
    desk.engine.quarantine(SKILL, "slop")
    assert "quarantine" in _allowed(desk)[1][SKILL]
    desk.engine.release(SKILL, "fine")
    desk.control.versions.quarantine(named, "leaks")
    assert _allowed(desk) == ([], {})


def test_each_step_carries_its_pin_and_the_trace_what_was_left_out(desk: Desk) -> None:
    desk.write("saw/SKILL.md", skill_text(name="saw"))
    desk.make_active()
    desk.make_active("reg/saw")
    desk.write("saw/SKILL.md", skill_text(name="saw", body="Other."), commit=False)
    session = desk.control.session
    allowed = active_skills(session, local_subject())
    result = with_pins(session, _answer(SKILL), allowed)
    (step,) = result.bundle.steps
    assert step.pin == allowed.pins[SKILL]
    assert result.active_only
    assert [item.skill_id for item in result.stages[0].dropped] == ["reg/saw"]


def test_a_decision_made_while_the_task_was_routed_refuses(desk: Desk) -> None:
    named = desk.make_active()
    session = desk.control.session
    allowed = active_skills(session, local_subject())
    desk.control.versions.quarantine(named, "leaks")
    with pytest.raises(ConditionsError) as error:
        with_pins(session, _answer(SKILL), allowed)
    assert refused(error) == {Condition.ACTIVE_PIN}


def test_kept_bytes_that_were_changed_refuse(desk: Desk) -> None:
    desk.make_active()
    session = desk.control.session
    allowed = active_skills(session, local_subject())
    with sqlite3.connect(desk.engine.workspace.database) as raw:
        raw.execute("DROP TRIGGER blobs_no_update")
        raw.execute("UPDATE blobs SET data = x'00'")
    with pytest.raises(ConditionsError) as error:
        with_pins(session, _answer(SKILL), allowed)
    assert refused(error) == {Condition.CONTENT_INTACT}


def test_the_policy_of_the_workspace_makes_every_route_keep_to_active_pins(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.make_active()
    asked: list[Collection[str] | None] = []

    def route(*_: object, only: Collection[str] | None = None) -> Any:
        asked.append(None if only is None else sorted(only))
        return _answer(SKILL)

    monkeypatch.setattr(desk.engine._router, "route", route)
    plain = desk.engine.route("carve")
    wanted = desk.engine.route("carve", RouteRequest(active_only=True))
    desk.control.trust.set_limits(active_only=True)
    by_policy = desk.engine.route("carve")
    desk.control.trust.set_limits(active_only=False)
    desk.engine.route("carve")
    assert asked == [None, [SKILL], [SKILL], None]
    assert (plain.active_only, wanted.active_only, by_policy.active_only) == (False, True, True)
