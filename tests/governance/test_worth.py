"""What each receipt proves and lacks agrees with what the checks made of all of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from asf_core.domain.pin import Pin
from asf_core.domain.receipts import ReceiptKind, Verdict
from asf_core.domain.refusal import Condition
from asf_core.governance.admission import (
    AdmissionResult,
    get_admission_result,
    get_rollback_result,
    get_standing_result,
)
from asf_core.governance.worth import Worth
from tests.governance import test_admission as admission
from tests.governance.world import ADA, BOB, EVE, World, finding

_CHECKED = {Condition.SECURITY_RECEIPT, Condition.GOVERNANCE_RECEIPT}
Look = Callable[..., AdmissionResult]


def weighed(world: World, pin: Pin, look: Look = get_admission_result) -> AdmissionResult:
    with world.ledger.reading() as reading:
        return look(reading, world.record(pin), world.now)


def counting(result: AdmissionResult) -> set[str]:
    return {worth.status.key for worth in result.worth if not worth.lacks}


def only(result: AdmissionResult, kind: ReceiptKind) -> Worth:
    (found,) = [worth for worth in result.worth if worth.status.kind is kind]
    return found


@pytest.mark.parametrize(
    "prepare",
    [
        lambda w: w.admitted(),
        admission._unscanned,
        admission._unreviewed,
        admission._stale_scan,
        admission._stale_review,
        admission._review_without_scan,
        admission._later_finding,
        admission._later_rejection,
        admission._other_reviewer_rejects,
        admission._old_finding_of_another_scanner,
        admission._at_one_moment,
        admission._clean_first_at_one_moment,
        admission._approved_and_rejected_at_one_moment,
        admission._compared_with_another,
        admission._policy_with(keys=()),
        admission._policy_with(scanners=()),
        admission._policy_with(reviewers_needed=2),
    ],
)
def test_a_condition_holds_by_receipts_that_lack_nothing(
    memory: World, prepare: Callable[[World], Pin]
) -> None:
    result = weighed(memory, prepare(memory))
    assert len(result.worth) == len(result.receipts)
    used = {key for check in result.checks if check.condition in _CHECKED for key in check.evidence}
    assert used <= counting(result)
    # Nothing that counts, and a condition that fails all the same: only where others speak against
    # the version, or too few speak for it.
    failed = {check.condition for check in result.checks if not check.holds} & _CHECKED
    for condition, kind in (
        (Condition.SECURITY_RECEIPT, ReceiptKind.SECURITY),
        (Condition.GOVERNANCE_RECEIPT, ReceiptKind.GOVERNANCE),
    ):
        own = [worth for worth in result.worth if worth.status.kind is kind]
        if condition not in failed:
            assert any(not worth.lacks for worth in own)


@pytest.mark.parametrize(
    ("prepare", "kind", "says"),
    [
        (admission._stale_scan, ReceiptKind.SECURITY, "older than"),
        (admission._stale_review, ReceiptKind.GOVERNANCE, "older than"),
        (admission._review_without_scan, ReceiptKind.GOVERNANCE, "without a security receipt"),
        (admission._scan_with(findings=(finding(),)), ReceiptKind.SECURITY, "that block"),
        (admission._scan_with(complete=False), ReceiptKind.SECURITY, "not complete"),
        (
            admission._review_with(verdict=Verdict.REJECT),
            ReceiptKind.GOVERNANCE,
            "speaks against",
        ),
        (admission._compared_with_another, ReceiptKind.GOVERNANCE, "is active now"),
        (admission._policy_with(scanners=()), ReceiptKind.SECURITY, "not trusted"),
        (admission._policy_with(keys=()), ReceiptKind.GOVERNANCE, "not trusted"),
    ],
)
def test_what_a_receipt_lacks_is_said_of_it(
    memory: World, prepare: Callable[[World], Pin], kind: ReceiptKind, says: str
) -> None:
    worth = only(weighed(memory, prepare(memory)), kind)
    assert says in worth.lacks


def test_what_a_receipt_proves_is_said_of_it(memory: World) -> None:
    result = weighed(memory, memory.admitted())
    assert (
        "asf-scan 1.0.0 found it clean at 2026-11-30T12:00"
        in only(result, ReceiptKind.SECURITY).proves
    )
    review = only(result, ReceiptKind.GOVERNANCE)
    assert review.proves.startswith("ada (key ")
    assert review.proves.endswith("reads well")


def test_nothing_is_proved_by_what_is_not_authentic(memory: World) -> None:
    result = weighed(memory, admission._policy_with(keys=())(memory))
    assert {worth.proves for worth in result.worth} == {""}


def test_each_reviewer_has_a_last_word_of_its_own(memory: World) -> None:
    pin = memory.admitted()
    memory.later(minutes=1)
    memory.approve(pin, ADA, reason="looked again")
    memory.approve(pin, BOB)
    lacks = [worth.lacks for worth in weighed(memory, pin).worth]
    assert lacks == ["", "A later decision of the same reviewer stands in its place.", "", ""]


def test_a_rollback_counts_only_what_is_newer_than_the_retirement(memory: World) -> None:
    first, _ = memory.retired()
    old = weighed(memory, first, get_rollback_result)
    assert counting(old) == set()
    assert "before it retired" in only(old, ReceiptKind.SECURITY).lacks
    assert only(old, ReceiptKind.GOVERNANCE).lacks == (
        "It is about admission, not about a rollback."
    )
    memory.scan(first)
    memory.approve(first, kind=ReceiptKind.ROLLBACK)
    new = weighed(memory, first, get_rollback_result)
    assert not new.refusals
    assert counting(new) == set(new.evidence)


def test_what_made_a_version_active_keeps_its_worth(memory: World) -> None:
    pin = memory.activated()
    memory.later(days=60)
    result = weighed(memory, pin, get_standing_result)
    assert len(counting(result)) == 2
    assert EVE.public.key_id not in str(result.worth)
