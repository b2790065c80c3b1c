"""What may be known of active skills: metadata and exact pins, for whoever is in scope."""

from __future__ import annotations

from asf_core.domain.content import VersionRecord
from asf_core.domain.errors import ConditionsError
from asf_core.domain.event import EventKind
from asf_core.domain.pin import Pin, Subject
from asf_core.domain.refusal import Condition, Refusal
from asf_core.domain.text import shell_word
from asf_core.domain.use import Discovery
from asf_core.governance.checks import Check, check_not_quarantined, refusals, refuse
from asf_core.governance.ports import Reading


def discover(
    reading: Reading, skill_id: str, subject: Subject, *, exactly: Pin | None = None
) -> Discovery:
    """Find the exact pin of a skill for a subject; never its instructions, never another version.

    Args:
        reading: One state of the ledger.
        skill_id: Of the skill.
        subject: Who asks.
        exactly: The version that is meant; ``None`` for whichever is active.

    Raises:
        ConditionsError: The skill has no active pin, the subject is not in its scope, or it is in
            quarantine.
    """
    what = f"{skill_id} was not resolved"
    record = active_record(reading, skill_id)
    if record is None:
        raise ConditionsError(what, [no_active_pin(skill_id)])
    if exactly is not None and exactly != record.pin:
        why = f"Active is {record.pin}, not {exactly}; no version is given in place of another."
        satisfy = f"Ask for the active one: asf resolve {shell_word(skill_id)}"
        raise refuse(what, Condition.ACTIVE_PIN, why, satisfy)
    if found := refusals(visibility(reading, record, subject)):
        raise ConditionsError(what, found)
    return describe(reading, record)


def catalogue(reading: Reading, subject: Subject) -> tuple[Discovery, ...]:
    """All active skills that a subject may see, by id."""
    found = []
    for record in reading.versions():
        content = record.content
        if reading.active(content.skill_id) != record.content_hash:
            continue
        if not refusals(visibility(reading, record, subject)):
            found.append(describe(reading, record))
    return tuple(sorted(found, key=lambda item: item.pin.skill_id))


def active_record(reading: Reading, skill_id: str) -> VersionRecord | None:
    """The active version of a skill."""
    active = reading.active(skill_id)
    return None if active is None else reading.version(active)


def no_active_pin(skill_id: str) -> Refusal:
    """Why a skill without an active version is not served."""
    return Refusal(
        condition=Condition.ACTIVE_PIN,
        why=f"{skill_id} has no active version; retired and candidate ones are never served.",
        satisfy="Activate a reviewed candidate: asf activate VERSION",
    )


def visibility(reading: Reading, record: VersionRecord, subject: Subject) -> tuple[Check, ...]:
    """Whether a subject may see a version."""
    return check_scope(record, subject), check_not_quarantined(reading, record.content)


def check_scope(record: VersionRecord, subject: Subject) -> Check:
    """The version is for this subject, exactly."""
    scope = record.content.scope
    if scope.admits(subject):
        return Check(Condition.SCOPE, f"It is for {scope}.")
    asked = f"product {subject.product}, tenant {subject.tenant}, user {subject.user}"
    return Check(
        Condition.SCOPE,
        f"It is not for {asked}.",
        "Ask as the product, tenant or user that it is for, or have a version reviewed for this one",
    )


def describe(reading: Reading, record: VersionRecord) -> Discovery:
    """What a version lets be known of itself."""
    content = record.content
    since = reading.events_on(record.content_hash, EventKind.ACTIVATED, EventKind.ROLLED_BACK)
    return Discovery(
        pin=record.pin,
        mode=content.mode,
        label=content.mode.label,
        scope=content.scope,
        retrieval=content.retrieval,
        tools=content.tools,
        active_since=since[-1].at if since else content.imported_at,
    )
