"""Whether a version may become active, by everything that is known of it now (DESIGN 8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.errors import ConditionsError
from asf_core.domain.event import EventKind
from asf_core.domain.instant import moment
from asf_core.domain.receipts import ReceiptKind
from asf_core.domain.refusal import Condition, Refusal
from asf_core.governance.checks import (
    Check,
    check_content,
    check_not_quarantined,
    check_source,
    check_tools,
    ref_of,
    refusals,
)
from asf_core.governance.evidence import Evidence, ReceiptStatus, gather
from asf_core.governance.ports import Reading
from asf_core.governance.review_proof import check_reviews
from asf_core.governance.security_proof import check_security
from asf_core.governance.worth import Worth, weigh


@dataclass(frozen=True, slots=True)
class AdmissionResult:
    """Every condition of a step or of staying, and how it stands."""

    record: VersionRecord
    checks: tuple[Check, ...]
    receipts: tuple[ReceiptStatus, ...]
    """All receipts of the version, also those that count for nothing."""
    active: str | None
    """Content hash of what is active now."""
    worth: tuple[Worth, ...] = ()
    """What each receipt proves for the step, and lacks; in the order of ``receipts``."""

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """The conditions that do not hold; empty when the version may become active."""
        return refusals(self.checks)

    @property
    def evidence(self) -> tuple[str, ...]:
        """Keys of the receipts that it holds by."""
        return tuple(key for check in self.checks for key in check.evidence)


def get_admission_result(reading: Reading, record: VersionRecord, now: datetime) -> AdmissionResult:
    """Look at all conditions under which a candidate may become active."""
    active = reading.active(record.content.skill_id)
    evidence = gather(reading, record, now)
    checks = (
        _check_waiting(record),
        *_standing(reading, evidence),
        check_security(evidence),
        check_reviews(evidence, ReceiptKind.GOVERNANCE, active),
    )
    worth = weigh(evidence, ReceiptKind.GOVERNANCE, active)
    return AdmissionResult(record, checks, evidence.receipts, active, worth)


def get_rollback_result(reading: Reading, record: VersionRecord, now: datetime) -> AdmissionResult:
    """Look at all conditions under which a retired version may become active again.

    Its receipts must be newer than its retirement: what was said of it before is why it was active
    then.
    """
    active = reading.active(record.content.skill_id)
    evidence = gather(reading, record, now)
    retired = _retired_at(reading, record)
    checks = (
        _check_retired(reading, record),
        *_standing(reading, evidence),
        check_security(evidence, since=retired),
        check_reviews(evidence, ReceiptKind.ROLLBACK, active, since=retired),
    )
    worth = weigh(evidence, ReceiptKind.ROLLBACK, active, retired)
    return AdmissionResult(record, checks, evidence.receipts, active, worth)


def get_standing_result(reading: Reading, record: VersionRecord, now: datetime) -> AdmissionResult:
    """Look at the conditions under which an active version keeps being served."""
    evidence = gather(reading, record, now)
    checks = _standing(reading, evidence)
    active = reading.active(record.content.skill_id)
    # What was said before it became active was about a change from another one: it did its work.
    worth = tuple(
        replace(one, lacks=one.status.problem)
        for one in weigh(evidence, ReceiptKind.GOVERNANCE, None)
    )
    return AdmissionResult(record, checks, evidence.receipts, active, worth)


def verify_admission(reading: Reading, record: VersionRecord, now: datetime) -> AdmissionResult:
    """As :func:`get_admission_result`, for enforcement.

    Raises:
        ConditionsError: A condition does not hold.
    """
    return _enforce(get_admission_result(reading, record, now), "was not activated")


def verify_rollback(reading: Reading, record: VersionRecord, now: datetime) -> AdmissionResult:
    """As :func:`get_rollback_result`, for enforcement.

    Raises:
        ConditionsError: A condition does not hold.
    """
    return _enforce(get_rollback_result(reading, record, now), "was not rolled back to")


def _enforce(result: AdmissionResult, what: str) -> AdmissionResult:
    if result.refusals:
        content = result.record.content
        raise ConditionsError(f"{content.skill_id}@{content.version} {what}", result.refusals)
    return result


def _standing(reading: Reading, evidence: Evidence) -> tuple[Check, ...]:
    """What must hold of every version that is or becomes active."""
    record, policy = evidence.record, evidence.policy
    return (
        check_not_quarantined(reading, record.content),
        check_content(reading, record),
        evidence.recorded,
        check_source(policy, record.content),
        check_tools(policy, record.content),
    )


def _check_waiting(record: VersionRecord) -> Check:
    state, ref = record.state, ref_of(record)
    waits = state is VersionState.CANDIDATE or (
        state is VersionState.QUARANTINED and not record.terminal
    )
    if waits:
        return Check(Condition.STATE, "It is a candidate.")
    satisfy = {
        VersionState.ACTIVE: "Nothing is to be done: it is the active version",
        VersionState.RETIRED: f"It was active before; go back to it with: asf rollback {ref}",
        VersionState.QUARANTINED: "Add a new version; this one is in quarantine for good",
    }[state]
    return Check(Condition.STATE, f"It is {state.value}, not a candidate.", satisfy)


def _check_retired(reading: Reading, record: VersionRecord) -> Check:
    was = reading.events_on(record.content_hash, EventKind.ACTIVATED, EventKind.ROLLED_BACK)
    if record.state is VersionState.RETIRED and was:
        return Check(Condition.PREVIOUSLY_ACTIVE, f"It was active since {was[-1].at}, and retired.")
    return Check(
        Condition.PREVIOUSLY_ACTIVE,
        f"It is {record.state.value}{'' if was else ', and was never active'}.",
        "Choose a retired version: asf candidate list --state retired",
    )


def _retired_at(reading: Reading, record: VersionRecord) -> datetime | None:
    retired = reading.events_on(record.content_hash, EventKind.RETIRED)
    return moment(retired[-1].at) if retired else None
