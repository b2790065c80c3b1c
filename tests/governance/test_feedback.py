"""Feedback: only on what was authorised, once, and without effect."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from asf_core.domain.content import VersionState
from asf_core.domain.errors import ConditionsError
from asf_core.domain.instant import instant
from asf_core.domain.refusal import Condition
from asf_core.domain.use import Authorisation, Feedback, FeedbackOutcome
from asf_core.governance.feedback import record_feedback, summary
from tests.governance.test_candidates import refused
from tests.governance.world import World


def _used(world: World) -> Authorisation:
    return world.use(world.grant(world.activated())).authorisation


def _feedback(world: World, used: Authorisation, **fields: Any) -> Feedback:
    base: dict[str, Any] = {
        "id": world.id("feedback"),
        "authorisation_id": used.id,
        "pin": used.pin,
        "purpose": used.purpose,
        "channel": used.channel,
        "tools": used.tools,
        "outcome": FeedbackOutcome.HELPFUL,
        "score": 0.5,
        "evidence": "https://tracker.example/42",
        "at": instant(world.now),
    }
    return Feedback(**(base | fields))


def test_feedback_is_retained_and_counted(world: World) -> None:
    used = _used(world)
    record_feedback(world.ledger, _feedback(world, used), now=world.now)
    record_feedback(
        world.ledger,
        _feedback(world, used, outcome=FeedbackOutcome.HARMFUL, score=1.0, recommends_review=True),
        now=world.now,
    )
    with world.ledger.reading() as reading:
        counted = summary(reading, used.pin.content_hash)
    assert counted.outcomes == {
        FeedbackOutcome.HELPFUL: 1, FeedbackOutcome.NEUTRAL: 0,
        FeedbackOutcome.HARMFUL: 1, FeedbackOutcome.FAILED: 0,
        FeedbackOutcome.UNSAFE: 0, FeedbackOutcome.CORRECTED: 0,
    }  # fmt: skip
    assert (counted.mean_score, counted.recommends_review) == (0.75, 1)


def test_feedback_changes_nothing_itself(world: World) -> None:
    used = _used(world)
    before = world.record(used.pin)
    for _ in range(20):
        item = _feedback(
            world, used, outcome=FeedbackOutcome.HARMFUL, score=0.0, recommends_review=True
        )
        record_feedback(world.ledger, item, now=world.now)
    assert world.record(used.pin) == before
    assert before.state is VersionState.ACTIVE
    assert world.active() == used.pin.content_hash


@pytest.mark.parametrize(
    "change",
    [
        {"authorisation_id": "auth-of-nobody"},
        {"purpose": "sales"},
        {"channel": "ci"},
        {"tools": ("Read", "Write")},
    ],
)
def test_feedback_that_does_not_match_is_refused(world: World, change: dict[str, Any]) -> None:
    used = _used(world)
    with pytest.raises(ConditionsError) as error:
        record_feedback(world.ledger, _feedback(world, used, **change), now=world.now)
    assert refused(error) == {Condition.AUTHORISATION}
    with world.ledger.reading() as reading:
        assert reading.feedback_on() == ()


@pytest.mark.parametrize("field", ["skill_id", "version", "content_hash"])
def test_feedback_on_another_pin_is_refused(world: World, field: str) -> None:
    used = _used(world)
    other = {"skill_id": "reg/x", "version": "1.0.1", "content_hash": "0" * 64}[field]
    item = _feedback(world, used, pin=used.pin.model_copy(update={field: other}))
    with pytest.raises(ConditionsError) as error:
        record_feedback(world.ledger, item, now=world.now)
    assert refused(error) == {Condition.AUTHORISATION}


def test_feedback_on_a_refused_authorisation_is_refused(world: World) -> None:
    with pytest.raises(ConditionsError):
        world.use(world.grant(world.activated()), purpose="sales")
    with world.ledger.reading() as reading:
        (refusal,) = reading.authorisations()
    with pytest.raises(ConditionsError) as error:
        record_feedback(world.ledger, _feedback(world, refusal), now=world.now)
    assert refused(error) == {Condition.AUTHORISATION}


@pytest.mark.parametrize("away", [timedelta(microseconds=-1), timedelta(minutes=1)])
def test_feedback_from_before_the_use_or_from_the_future_is_refused(
    world: World, away: timedelta
) -> None:
    used = _used(world)
    item = _feedback(world, used, at=instant(world.now + away))
    with pytest.raises(ConditionsError) as error:
        record_feedback(world.ledger, item, now=world.now)
    assert refused(error) == {Condition.AUTHORISATION}


def test_a_repeated_id_counts_once_and_only_with_identical_content(world: World) -> None:
    used = _used(world)
    item = _feedback(world, used)
    assert record_feedback(world.ledger, item, now=world.now)
    assert not record_feedback(world.ledger, item, now=world.now)
    changed = item.model_copy(update={"score": 0.9})
    with pytest.raises(ConditionsError) as error:
        record_feedback(world.ledger, changed, now=world.now)
    assert refused(error) == {Condition.FEEDBACK_UNCHANGED}
    with world.ledger.reading() as reading:
        assert reading.feedback_on() == (item,)


@pytest.mark.parametrize(
    "change",
    [
        {"score": 1.01},
        {"score": -0.01},
        {"score": float("nan")},
        {"score": True},
        {"outcome": "great"},
        {"evidence": "the user said: it deleted my files"},
        {"evidence": "https://x.example/a b"},
        {"evidence": "sha256:short"},
        {"prompt": "what the user typed"},
        {"reply": "what the skill said"},
    ],
)
def test_feedback_has_no_room_for_text(world: World, change: dict[str, Any]) -> None:
    used = _used(world)
    with pytest.raises(ValidationError):
        _feedback(world, used, **change)
