"""Superseding, rolling back, ending: one pointer a skill, nothing deleted, nothing relabelled."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from asf_core.domain.content import VersionState
from asf_core.domain.errors import ConditionsError
from asf_core.domain.event import EventKind
from asf_core.domain.pin import Pin
from asf_core.domain.receipts import ReceiptKind, Verdict
from asf_core.domain.refusal import Condition
from tests.governance.test_candidates import refused
from tests.governance.world import ADA, POLICY, World, finding

S, G = Condition.SECURITY_RECEIPT, Condition.GOVERNANCE_RECEIPT


def test_activating_retires_the_version_before_and_keeps_it(world: World) -> None:
    first, second = world.retired()
    assert world.active() == second.content_hash
    record = world.record(first)
    assert record.state is VersionState.RETIRED
    with world.ledger.reading() as reading:
        assert all(reading.blob(entry.sha256) is not None for entry in record.tree)
        (event,) = reading.events_on(first.content_hash, EventKind.RETIRED)
    assert event.facts == {"by": second.content_hash}


def test_a_rollback_makes_the_retired_version_active_again(world: World) -> None:
    first, second = world.ready_to_roll_back()
    change = world.roll_back(first)
    assert (change.active, change.retired) == (first, second)
    assert world.active() == first.content_hash
    assert world.record(second).state is VersionState.RETIRED


def test_and_forth_again(world: World) -> None:
    first, second = world.ready_to_roll_back()
    world.roll_back(first)
    world.later(hours=1)
    world.scan(second)
    world.approve(second, kind=ReceiptKind.ROLLBACK)
    world.roll_back(second)
    assert world.active() == second.content_hash


def _candidate(world: World) -> Pin:
    world.activated("1.0.0")
    pin = world.admitted("2.0.0", body="Two.\n")
    world.approve(pin, kind=ReceiptKind.ROLLBACK)
    return pin


def _refused_candidate(world: World) -> Pin:
    pin = world.add().pin
    with pytest.raises(ConditionsError):
        world.activate(pin)
    world.scan(pin)
    world.approve(pin, kind=ReceiptKind.ROLLBACK)
    return pin


def _active(world: World) -> Pin:
    pin = world.activated()
    world.approve(pin, kind=ReceiptKind.ROLLBACK)
    return pin


def _ended(world: World) -> Pin:
    first, _ = world.ready_to_roll_back()
    world.quarantine(first)
    return first


@pytest.mark.parametrize(
    ("prepare", "also"),
    [
        (_candidate, set()),
        (_refused_candidate, set()),
        (_active, set()),
        (_ended, {Condition.NOT_QUARANTINED}),
    ],
)
def test_a_rollback_goes_only_to_what_was_active_and_is_retired(
    world: World, prepare: Callable[[World], Pin], also: set[Condition]
) -> None:
    pin = prepare(world)
    before = world.active()
    with pytest.raises(ConditionsError) as error:
        world.roll_back(pin)
    assert refused(error) == {Condition.PREVIOUSLY_ACTIVE} | also
    assert world.active() == before


def _with_old_receipts(world: World) -> Pin:
    return world.retired()[0]


def _with_an_old_scan(world: World) -> Pin:
    first, _ = world.retired()
    world.approve(first, kind=ReceiptKind.ROLLBACK)
    return first


def _with_an_old_approval(world: World) -> Pin:
    first = world.activated("1.0.0")
    world.approve(first, kind=ReceiptKind.ROLLBACK)
    world.later(hours=1)
    world.activated("1.1.0", body="Carve it well.\n")
    world.scan(first)
    return first


def _with_an_approval_given_beforehand(world: World) -> Pin:
    """Signed before the retirement, though against the version that was to come."""
    first = world.activated("1.0.0")
    second = world.admitted("1.1.0", body="Carve it well.\n")
    world.approve(first, kind=ReceiptKind.ROLLBACK, compared_with=second.content_hash)
    world.later(hours=1)
    world.activate(second)
    world.scan(first)
    return first


def _with_approval_of_an_admission(world: World) -> Pin:
    first, _ = world.retired()
    world.scan(first)
    world.approve(first)
    return first


def _rejected(world: World) -> Pin:
    first, _ = world.retired()
    world.scan(first)
    world.approve(first, kind=ReceiptKind.ROLLBACK, verdict=Verdict.REJECT)
    return first


def _dirty(world: World) -> Pin:
    first, _ = world.retired()
    world.scan(first, findings=(finding(),))
    world.approve(first, kind=ReceiptKind.ROLLBACK)
    return first


def _stale(world: World) -> Pin:
    first, _ = world.ready_to_roll_back()
    world.later(hours=POLICY.review_max_age_hours + 1)
    return first


def _untrusted(**fields: object) -> Callable[[World], Pin]:
    def prepare(world: World) -> Pin:
        first, _ = world.ready_to_roll_back()
        world.policy(**fields)
        return first

    return prepare


def _overtaken(world: World) -> Pin:
    """Approved against version 1.1.0; by now 1.2.0 is active."""
    first, _ = world.ready_to_roll_back()
    world.activated("1.2.0", body="Three.\n")
    return first


@pytest.mark.parametrize(
    ("prepare", "missing"),
    [
        pytest.param(_with_old_receipts, {S, G}, id="receipts of its first admission"),
        pytest.param(_with_an_old_scan, {S}, id="scanned before it retired"),
        pytest.param(_with_an_old_approval, {G}, id="approved before it retired"),
        pytest.param(_with_an_approval_given_beforehand, {G}, id="approved beforehand"),
        pytest.param(_with_approval_of_an_admission, {G}, id="an admission approved, no rollback"),
        pytest.param(_rejected, {G}, id="rejected"),
        pytest.param(_dirty, {S}, id="a finding since"),
        pytest.param(_stale, {S, G}, id="stale by now"),
        pytest.param(_overtaken, {G}, id="another version is active now"),
        pytest.param(
            _untrusted(sources=()), {Condition.SOURCE_TRUSTED}, id="source no longer trusted"
        ),
        pytest.param(
            _untrusted(tools=("Read",)), {Condition.TOOLS_REGISTERED}, id="tool not registered"
        ),
    ],
)
def test_a_rollback_needs_fresh_receipts_and_standing_trust(
    world: World, prepare: Callable[[World], Pin], missing: set[Condition]
) -> None:
    pin = prepare(world)
    before = world.active()
    with pytest.raises(ConditionsError) as error:
        world.roll_back(pin)
    assert refused(error) == missing
    assert world.active() == before
    assert world.record(pin).state is VersionState.RETIRED
    with world.ledger.reading() as reading:
        assert reading.events_on(pin.content_hash, EventKind.ROLLBACK_REFUSED)


def test_quarantine_takes_the_pointer_at_once(world: World) -> None:
    pin = world.activated()
    record = world.quarantine(pin, "leaks")
    assert world.active() is None
    assert (record.state, record.terminal) == (VersionState.QUARANTINED, True)
    assert "leaks" in record.reasons[0].why


def test_quarantine_is_for_good(world: World) -> None:
    pin = world.activated()
    world.quarantine(pin)
    world.later(minutes=1)
    world.scan(pin)
    world.approve(pin)
    with pytest.raises(ConditionsError) as error:
        world.activate(pin)
    assert refused(error) == {Condition.STATE, Condition.NOT_QUARANTINED}
    with pytest.raises(ConditionsError) as error:
        world.quarantine(pin)
    assert refused(error) == {Condition.STATE}
    assert world.record(pin).terminal


def test_the_files_of_an_ended_version_come_back_under_no_name(world: World) -> None:
    pin = world.activated()
    world.quarantine(pin)
    copy = world.admitted("1.0.0", skill_id="reg/tools/copy")
    with pytest.raises(ConditionsError) as error:
        world.activate(copy)
    assert refused(error) == {Condition.NOT_QUARANTINED}
    assert f"{pin.skill_id}@{pin.version}" in error.value.refusals[0].why
    again = world.admitted("1.0.1")  # the same files under another version
    with pytest.raises(ConditionsError) as error:
        world.activate(again)
    assert refused(error) == {Condition.NOT_QUARANTINED}


def test_an_active_copy_under_another_name_ends_with_it(world: World) -> None:
    pin = world.activated()
    copy = world.activated("1.0.0", skill_id="reg/tools/copy")
    other = world.activated("1.0.0", skill_id="reg/tools/other", body="Other.\n")
    world.quarantine(pin, "leaks")
    assert world.active(pin.skill_id) is None
    assert world.active(copy.skill_id) is None
    assert world.active(other.skill_id) == other.content_hash
    record = world.record(copy)
    assert record.terminal
    assert f"leaks (as {pin.skill_id}@{pin.version})" in record.reasons[0].why


def test_a_mended_version_takes_the_place_of_an_ended_one(world: World) -> None:
    world.quarantine(world.activated("1.0.0"))
    mended = world.activated("1.0.1", body="Carve it safely.\n")
    assert world.active() == mended.content_hash


def test_the_mend_approved_against_the_ended_version_is_let_in(world: World) -> None:
    bad = world.activated("1.0.0")
    mended = world.admitted("1.0.1", body="Carve it safely.\n")
    world.quarantine(bad)
    world.activate(mended)
    assert world.active() == mended.content_hash


def test_after_a_quarantine_one_may_roll_back(world: World) -> None:
    first, second = world.ready_to_roll_back()
    world.quarantine(second)
    assert world.active() is None
    world.roll_back(first)
    assert world.active() == first.content_hash


def test_a_candidate_may_be_ended_without_ever_being_active(world: World) -> None:
    pin = world.admitted()
    world.quarantine(pin)
    with pytest.raises(ConditionsError):
        world.activate(pin)


def test_a_rejected_candidate_is_quarantined_at_once_and_an_active_one_stays(world: World) -> None:
    waiting = world.add("1.0.0").pin
    world.approve(waiting, verdict=Verdict.REJECT)
    assert world.record(waiting).state is VersionState.QUARANTINED
    active = world.activated("1.1.0", body="Other.\n")
    world.approve(active, verdict=Verdict.REJECT)
    assert world.active() == active.content_hash


def test_an_unknown_version_is_refused(world: World) -> None:
    pin = world.add().pin.model_copy(update={"content_hash": "0" * 64})
    for act in (world.activate, world.roll_back, world.quarantine):
        with pytest.raises(ConditionsError) as error:
            act(pin)
        assert refused(error) == {Condition.KNOWN_VERSION}


def test_events_say_who_what_on_which_evidence_and_when(world: World) -> None:
    pin = world.add().pin
    scan = world.scan(pin)
    review = world.approve(pin, ADA)
    world.later(minutes=5)
    world.activate(pin)
    with world.ledger.reading() as reading:
        (event,) = reading.events_on(pin.content_hash, EventKind.ACTIVATED)
    assert (event.actor, event.pin, event.evidence) == ("kim", pin, (scan.key, review.key))
    assert event.at == "2026-11-30T12:05:00.000000Z"
    assert len(event.facts["policy"]) == 64
