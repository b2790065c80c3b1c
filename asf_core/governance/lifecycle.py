"""Activating, rolling back, quarantining: each one transaction, each an event."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.errors import ConditionsError
from asf_core.domain.event import EventDraft, EventKind
from asf_core.domain.instant import instant
from asf_core.domain.pin import Pin
from asf_core.domain.refusal import Condition, Refusal
from asf_core.governance.admission import (
    AdmissionResult,
    get_admission_result,
    get_rollback_result,
)
from asf_core.governance.checks import policy_digest, refuse
from asf_core.governance.ports import Deciding, Ledger, Reading


@dataclass(frozen=True, slots=True)
class Change:
    """What became active, and in whose place."""

    active: Pin
    retired: Pin | None
    """``None`` when the skill had no active version."""
    evidence: tuple[str, ...]
    """Keys of the receipts that it was decided on."""


def activate(ledger: Ledger, content_hash: str, *, actor: str, now: datetime) -> Change:
    """Make a candidate the active version of its skill.

    What was active is retired and kept. A candidate that is refused stays, in quarantine, with its
    reasons, and may be tried again.

    Raises:
        ConditionsError: Conditions do not hold; the refusal is on record.
    """
    with ledger.deciding() as deciding:
        record = version_of(deciding, content_hash)
        result = get_admission_result(deciding, record, now)
        if not result.refusals:
            return _switch(deciding, result, EventKind.ACTIVATED, actor, now)
        if all(refusal.condition is not Condition.STATE for refusal in result.refusals):
            deciding.set_state(record.pin, VersionState.QUARANTINED, reasons=result.refusals)
        deciding.append(_refused(record, result, EventKind.ADMISSION_REFUSED, actor, now))
    raise ConditionsError(f"{_ref(record)} was not activated", result.refusals)


def roll_back(ledger: Ledger, content_hash: str, *, actor: str, now: datetime) -> Change:
    """Make a retired version the active one again.

    Raises:
        ConditionsError: Conditions do not hold; the refusal is on record, nothing else changed.
    """
    with ledger.deciding() as deciding:
        record = version_of(deciding, content_hash)
        result = get_rollback_result(deciding, record, now)
        if not result.refusals:
            return _switch(deciding, result, EventKind.ROLLED_BACK, actor, now)
        deciding.append(_refused(record, result, EventKind.ROLLBACK_REFUSED, actor, now))
    raise ConditionsError(f"{_ref(record)} was not rolled back to", result.refusals)


def quarantine_version(
    ledger: Ledger, content_hash: str, *, reason: str, actor: str, now: datetime
) -> tuple[VersionRecord, ...]:
    """End a version for good: its pointer goes at once, and its files come back under no name.

    An active version of another skill that has the same files ends with it.

    Returns:
        What ended, the version itself first.

    Raises:
        ConditionsError: It is in quarantine for good already.
    """
    with ledger.deciding() as deciding:
        record = version_of(deciding, content_hash)
        if record.terminal:
            raise refuse(
                f"{_ref(record)} was not quarantined",
                Condition.STATE,
                "It is in quarantine for good already.",
                "Nothing is to be done",
            )
        copies = [
            twin
            for twin in deciding.with_files(record.content.tree_digest)
            if twin.state is VersionState.ACTIVE and twin.content_hash != content_hash
        ]
        ended = (record, *copies)
        for one in ended:
            _end(
                deciding,
                one,
                reason if one is record else f"{reason} (as {_ref(record)})",
                actor,
                now,
            )
        return tuple(version_of(deciding, one.content_hash) for one in ended)


def _end(deciding: Deciding, record: VersionRecord, reason: str, actor: str, now: datetime) -> None:
    if deciding.active(record.content.skill_id) == record.content_hash:
        deciding.unpoint(record.content.skill_id)
    why = Refusal(
        condition=Condition.NOT_QUARANTINED,
        why=f"{actor} quarantined it: {reason}",
        satisfy="Change the files and add them as a new version",
    )
    deciding.set_state(record.pin, VersionState.QUARANTINED, terminal=True, reasons=(why,))
    deciding.append(
        EventDraft(
            at=instant(now),
            actor=actor,
            kind=EventKind.VERSION_QUARANTINED,
            pin=record.pin,
            scope=record.content.scope,
            reason=reason,
            facts={"was": record.state.value, "tree": record.content.tree_digest},
        )
    )


def version_of(reading: Reading, content_hash: str) -> VersionRecord:
    """The version with this content.

    Raises:
        ConditionsError: There is none.
    """
    record = reading.version(content_hash)
    if record is None:
        raise refuse(
            f"There is no version {content_hash[:12]}",
            Condition.KNOWN_VERSION,
            "No candidate with this content was ever added.",
            "List the versions with: asf candidate list",
        )
    return record


def _switch(
    deciding: Deciding, result: AdmissionResult, kind: EventKind, actor: str, now: datetime
) -> Change:
    """Move the skill's pointer, all in the caller's transaction."""
    record, at = result.record, instant(now)
    retired = _retire(deciding, result, actor, at)
    deciding.point(record.pin)
    deciding.set_state(record.pin, VersionState.ACTIVE)
    deciding.append(
        EventDraft(
            at=at,
            actor=actor,
            kind=kind,
            pin=record.pin,
            scope=record.content.scope,
            evidence=result.evidence,
            facts={
                "policy": policy_digest(deciding.policy()),
                "replaced": retired.content_hash if retired else "",
            },
        )
    )
    return Change(record.pin, retired, result.evidence)


def _retire(deciding: Deciding, result: AdmissionResult, actor: str, at: str) -> Pin | None:
    if result.active is None:
        return None
    previous = version_of(deciding, result.active)
    deciding.unpoint(previous.content.skill_id)
    deciding.set_state(previous.pin, VersionState.RETIRED)
    deciding.append(
        EventDraft(
            at=at,
            actor=actor,
            kind=EventKind.RETIRED,
            pin=previous.pin,
            scope=previous.content.scope,
            facts={"by": result.record.content_hash},
        )
    )
    return previous.pin


def _refused(
    record: VersionRecord, result: AdmissionResult, kind: EventKind, actor: str, now: datetime
) -> EventDraft:
    failed = [refusal.condition.value for refusal in result.refusals]
    return EventDraft(
        at=instant(now),
        actor=actor,
        kind=kind,
        pin=record.pin,
        scope=record.content.scope,
        evidence=result.evidence,
        facts={"failed": " ".join(dict.fromkeys(failed))},
    )


def _ref(record: VersionRecord) -> str:
    return f"{record.content.skill_id}@{record.content.version}"
