"""Admission: each condition, alone, keeps a version out; nothing that is left out lets one in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from asf_core.domain.content import VersionState
from asf_core.domain.decision import Decision, DecisionKind
from asf_core.domain.errors import ConditionsError
from asf_core.domain.event import EventKind
from asf_core.domain.findings import FindingCode, Severity
from asf_core.domain.instant import instant
from asf_core.domain.pin import Pin
from asf_core.domain.policy import Role
from asf_core.domain.receipts import ScannerIdentity, Verdict, Waiver
from asf_core.domain.refusal import Condition
from asf_core.governance.admission import get_admission_result, verify_admission
from tests.governance.memory_ledger import MemoryLedger
from tests.governance.test_candidates import refused
from tests.governance.world import (
    ADA,
    BOB,
    BOT,
    POLICY,
    SCANNER,
    World,
    finding,
    trusted,
)

S, G = Condition.SECURITY_RECEIPT, Condition.GOVERNANCE_RECEIPT


def test_with_everything_it_needs_a_version_becomes_active(world: World) -> None:
    pin = world.admitted()
    change = world.activate(pin)
    assert (change.active, change.retired) == (pin, None)
    assert world.active() == pin.content_hash
    assert world.record(pin).state is VersionState.ACTIVE
    assert [key.partition(":")[0] for key in change.evidence] == ["security", "governance"]


def _unscanned(world: World) -> Pin:
    pin = world.add().pin
    world.approve(pin)
    return pin


def _unreviewed(world: World) -> Pin:
    pin = world.add().pin
    world.scan(pin)
    return pin


def _scan_with(**fields: object) -> Callable[[World], Pin]:
    def prepare(world: World) -> Pin:
        pin = world.add().pin
        world.scan(pin, **fields)
        world.approve(pin)
        return pin

    return prepare


def _review_with(**fields: object) -> Callable[[World], Pin]:
    def prepare(world: World) -> Pin:
        pin = world.add().pin
        world.scan(pin)
        world.approve(pin, **fields)
        return pin

    return prepare


def _policy_with(**fields: object) -> Callable[[World], Pin]:
    def prepare(world: World) -> Pin:
        pin = world.admitted()
        world.policy(**fields)
        return pin

    return prepare


def _after(**span: float) -> Callable[[World], Pin]:
    def prepare(world: World) -> Pin:
        pin = world.admitted()
        world.later(**span)
        return pin

    return prepare


def _stale_scan(world: World) -> Pin:
    pin = world.add().pin
    world.scan(pin)
    world.later(hours=POLICY.security_max_age_hours, seconds=1)
    world.approve(pin)
    return pin


def _stale_review(world: World) -> Pin:
    pin = world.add().pin
    world.scan(pin)
    world.approve(pin)
    world.later(hours=POLICY.review_max_age_hours, seconds=1)
    world.scan(pin)
    return pin


def _review_without_scan(world: World) -> Pin:
    pin = world.add().pin
    world.approve(pin)
    world.scan(pin)
    return pin


def _later_finding(world: World) -> Pin:
    pin = world.admitted()
    world.later(minutes=1)
    world.scan(pin, findings=(finding(),))
    return pin


def _later_rejection(world: World) -> Pin:
    pin = world.admitted()
    world.later(minutes=1)
    world.approve(pin, verdict=Verdict.REJECT)
    return pin


def _other_reviewer_rejects(world: World) -> Pin:
    pin = world.admitted()
    world.approve(pin, BOB, verdict=Verdict.REJECT)
    return pin


def _old_finding_of_another_scanner(world: World) -> Pin:
    """What spoke against it does not grow stale."""
    pin = world.add().pin
    other = ScannerIdentity(name="other", version="1.0.0", policy="6" * 64)
    world.scan(pin, scanner=other, findings=(finding(),))
    world.later(days=300)
    world.scan(pin)
    world.approve(pin)
    return pin


def _at_one_moment(world: World) -> Pin:
    """Of two scans at one moment the one that objects is the last word."""
    pin = world.add().pin
    world.scan(pin, findings=(finding(),))
    world.scan(pin)
    world.approve(pin)
    return pin


def _clean_first_at_one_moment(world: World) -> Pin:
    pin = world.add().pin
    world.scan(pin)
    world.scan(pin, findings=(finding(),))
    world.approve(pin)
    return pin


def _approved_and_rejected_at_one_moment(world: World) -> Pin:
    pin = world.admitted()
    world.approve(pin, verdict=Verdict.REJECT)
    return pin


def _rejected_and_approved_at_one_moment(world: World) -> Pin:
    pin = world.add().pin
    world.scan(pin)
    world.approve(pin, verdict=Verdict.REJECT)
    world.approve(pin)
    return pin


def _compared_with_another(world: World) -> Pin:
    """Approved against what was active then; another version is active now."""
    world.activated("1.0.0")
    mine = world.admitted("1.2.0", body="Mine.\n")
    other = world.admitted("1.1.0", body="Other.\n")
    world.activate(other)
    return mine


@pytest.mark.parametrize(
    ("prepare", "missing"),
    [
        pytest.param(_unscanned, {S, G}, id="no security receipt"),
        pytest.param(_unreviewed, {G}, id="no governance receipt"),
        pytest.param(lambda w: w.add().pin, {S, G}, id="nothing"),
        pytest.param(_scan_with(findings=(finding(),)), {S}, id="a finding that blocks"),
        pytest.param(
            _scan_with(findings=(finding(FindingCode.UNKNOWN, severity=Severity.INFO),)),
            {S},
            id="an unknown finding of any severity",
        ),
        pytest.param(_scan_with(complete=False), {S}, id="a scan that was not complete"),
        pytest.param(
            _scan_with(scanner=SCANNER.model_copy(update={"version": "0.9.0"})),
            {S},
            id="another version of the scanner",
        ),
        pytest.param(
            _scan_with(scanner=SCANNER.model_copy(update={"name": "other"})),
            {S},
            id="another scanner",
        ),
        pytest.param(_review_with(verdict=Verdict.REJECT), {G}, id="rejected"),
        pytest.param(_review_without_scan, {G}, id="approved before it was scanned"),
        pytest.param(_stale_scan, {S}, id="a stale security receipt"),
        pytest.param(_stale_review, {G}, id="a stale governance receipt"),
        pytest.param(_after(days=60), {S, G}, id="both stale"),
        pytest.param(_later_finding, {S}, id="a later scan finds something"),
        pytest.param(_later_rejection, {G}, id="the reviewer thinks again"),
        pytest.param(_other_reviewer_rejects, {G}, id="another reviewer rejects"),
        pytest.param(_old_finding_of_another_scanner, {S}, id="an old finding still stands"),
        pytest.param(_at_one_moment, {S}, id="clean and not clean at one moment"),
        pytest.param(_clean_first_at_one_moment, {S}, id="the same, the other way round"),
        pytest.param(_approved_and_rejected_at_one_moment, {G}, id="approved and rejected at once"),
        pytest.param(_rejected_and_approved_at_one_moment, {G}, id="rejected and approved at once"),
        pytest.param(_compared_with_another, {G}, id="compared with another version"),
        pytest.param(
            _policy_with(sources=()), {Condition.SOURCE_TRUSTED}, id="source no longer trusted"
        ),
        pytest.param(
            _policy_with(tools=("Read",)),
            {Condition.TOOLS_REGISTERED},
            id="tool no longer registered",
        ),
        pytest.param(_policy_with(scanners=()), {S}, id="scanner no longer trusted"),
        pytest.param(
            _policy_with(keys=(trusted(BOT, Role.SCANNER),)), {G}, id="reviewer no longer trusted"
        ),
        pytest.param(
            _policy_with(keys=(trusted(ADA, Role.REVIEWER),)),
            {S},
            id="scanner's key no longer trusted",
        ),
        pytest.param(_policy_with(reviewers_needed=2), {G}, id="two reviewers needed"),
        pytest.param(
            _policy_with(keys=(), scanners=(), sources=(), tools=(), channels=()),
            {S, G, Condition.SOURCE_TRUSTED, Condition.TOOLS_REGISTERED},
            id="the empty policy refuses everything",
        ),
    ],
)
def test_what_is_missing_refuses(
    world: World, prepare: Callable[[World], Pin], missing: set[Condition]
) -> None:
    pin = prepare(world)
    before = world.active()
    with pytest.raises(ConditionsError) as error:
        world.activate(pin)
    assert refused(error) == missing
    assert world.active() == before
    record = world.record(pin)
    assert record.state is VersionState.QUARANTINED
    assert not record.terminal
    assert {reason.condition for reason in record.reasons} == missing


def test_a_refused_candidate_may_be_tried_again(world: World) -> None:
    pin = _unreviewed(world)
    with pytest.raises(ConditionsError):
        world.activate(pin)
    world.approve(pin)
    world.activate(pin)
    assert world.active() == pin.content_hash
    assert world.record(pin).reasons == ()


def test_the_refusal_is_on_record(world: World) -> None:
    pin = _unreviewed(world)
    with pytest.raises(ConditionsError):
        world.activate(pin)
    with world.ledger.reading() as reading:
        (event,) = reading.events_on(pin.content_hash, EventKind.ADMISSION_REFUSED)
    assert event.facts["failed"] == "governance_receipt"
    assert event.actor == "kim"


@pytest.mark.parametrize(
    ("severity", "lets_in"),
    [(Severity.LOW, True), (Severity.MEDIUM, False), (Severity.CRITICAL, False)],
)
def test_the_policy_says_what_blocks(world: World, severity: Severity, lets_in: bool) -> None:
    pin = _scan_with(findings=(finding(severity=severity),))(world)
    if lets_in:
        world.activate(pin)
        return
    with pytest.raises(ConditionsError) as error:
        world.activate(pin)
    assert refused(error) == {S}


def test_a_waived_finding_lets_in_until_the_waiver_ends(world: World) -> None:
    ends = world.now + timedelta(days=1)
    waiver = Waiver(reason="teaches, does not act", by="ada", expires_at=instant(ends))
    pin = _scan_with(findings=(finding(waiver=waiver),))(world)
    world.now = ends
    with pytest.raises(ConditionsError) as error:
        world.activate(pin)
    assert refused(error) == {S}
    world.now = ends - timedelta(microseconds=1)
    world.activate(pin)


def test_a_reviewer_who_thinks_again_may_let_it_in(world: World) -> None:
    pin = _later_rejection(world)
    assert world.record(pin).state is VersionState.QUARANTINED
    world.later(minutes=1)
    world.approve(pin)
    world.activate(pin)


def test_two_reviewers_are_two_keys(world: World) -> None:
    world.policy(reviewers_needed=2)
    pin = world.admitted()
    world.approve(pin, ADA)
    with pytest.raises(ConditionsError) as error:
        world.activate(pin)
    assert "1 of the 2" in error.value.refusals[0].why
    world.approve(pin, BOB)
    world.activate(pin)


def test_one_receipt_signed_by_two_reviewers_counts_for_both(world: World) -> None:
    world.policy(reviewers_needed=2)
    pin = world.add().pin
    world.scan(pin)
    world.take(pin, world.review(pin), ADA, BOB)
    world.activate(pin)


@pytest.mark.parametrize("by_bytes", [False, True], ids=["the skill", "the same bytes elsewhere"])
def test_what_a_curator_quarantined_is_not_admitted(memory: World, by_bytes: bool) -> None:
    pin = memory.admitted()
    record = memory.record(pin)
    ledger = memory.ledger
    assert isinstance(ledger, MemoryLedger)
    about = ("elsewhere/copy", record.content.tree_digest) if by_bytes else (pin.skill_id, None)
    ledger.state.add_decision(
        Decision(1, about[0], DecisionKind.QUARANTINE, about[1], "slop", "kim", "t")
    )
    with pytest.raises(ConditionsError) as error:
        memory.activate(pin)
    assert refused(error) == {Condition.NOT_QUARANTINED}
    assert ("elsewhere/copy" in error.value.refusals[0].why) is by_bytes


def test_an_active_version_is_not_activated_again(world: World) -> None:
    pin = world.activated()
    with pytest.raises(ConditionsError) as error:
        world.activate(pin)
    assert Condition.STATE in refused(error)
    assert world.record(pin).state is VersionState.ACTIVE


def test_the_result_for_display_says_what_the_enforcement_does(world: World) -> None:
    pin = _unreviewed(world)
    with world.ledger.reading() as reading:
        record = world.record(pin)
        result = get_admission_result(reading, record, world.now)
        with pytest.raises(ConditionsError) as error:
            verify_admission(reading, record, world.now)
    assert error.value.refusals == result.refusals
    assert {check.condition for check in result.checks if check.holds} == {
        Condition.STATE,
        Condition.NOT_QUARANTINED,
        Condition.CONTENT_INTACT,
        Condition.LEDGER_INTACT,
        Condition.SOURCE_TRUSTED,
        Condition.TOOLS_REGISTERED,
        Condition.SECURITY_RECEIPT,
    }
