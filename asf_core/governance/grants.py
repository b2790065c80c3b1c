"""Execution grants: taken back, and checked again at every use (DESIGN 8)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from asf_core.domain.base import Value
from asf_core.domain.content import VersionRecord
from asf_core.domain.errors import ConditionsError, InputError
from asf_core.domain.event import EventDraft, EventKind
from asf_core.domain.instant import instant, moment
from asf_core.domain.pin import Pin, Subject, Word
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import Grant, ReceiptId, ReceiptKind, StoredGrant
from asf_core.domain.refusal import Condition
from asf_core.domain.text import shell_word
from asf_core.domain.use import Authorisation, AuthorisationOutcome
from asf_core.governance.checks import (
    Check,
    check_content,
    check_source,
    clock_of,
    policy_digest,
    refusals,
    refuse,
)
from asf_core.governance.clamp import effective_tools
from asf_core.governance.discovery import visibility
from asf_core.governance.ports import Deciding, Ledger, Reading
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.strictjson import dump_canonical
from asf_core.trust.verify import get_receipt_result

_ASK = "Have a trusted grantor give one: asf grant issue "


class UseRequest(Value):
    """Who wants to run exactly what, for what, where."""

    grant_id: ReceiptId
    pin: Pin
    subject: Subject
    purpose: Word
    channel: Word


@dataclass(frozen=True, slots=True)
class AuthorisedUse:
    """Instructions, and what may be used in following them."""

    authorisation: Authorisation
    instructions: str


def authorise(
    ledger: Ledger, request: UseRequest, *, authorisation_id: str, now: datetime
) -> AuthorisedUse:
    """Hand out the instructions of an active pin, if a grant says so.

    Everything is checked here and now, whatever was checked before. Both outcomes are retained,
    without any text.

    Args:
        ledger: Where the authorisation is retained.
        request: What is wanted.
        authorisation_id: Not used before.
        now: The reference time.

    Raises:
        ConditionsError: Conditions do not hold. No other version is ever given instead.
    """
    what = f"The instructions of {request.pin} were not given"
    with ledger.deciding() as deciding:
        record = deciding.version(request.pin.content_hash)
        if record is None or record.pin != request.pin:
            why = f"There is no version {request.pin}."
            raise refuse(what, Condition.KNOWN_VERSION, why, "Resolve the skill anew: asf resolve")
        grant, checks = _look(deciding, request, record, now)
        failed = refusals(checks)
        tools = () if failed or grant is None else _tools(deciding.policy(), record, grant)
        authorisation = Authorisation(
            id=authorisation_id,
            grant_id=request.grant_id,
            pin=request.pin,
            tenant=request.subject.tenant,
            user=request.subject.user,
            purpose=request.purpose,
            channel=request.channel,
            tools=tools,
            outcome=AuthorisationOutcome.REFUSED if failed else AuthorisationOutcome.ALLOWED,
            failed=tuple(dict.fromkeys(refusal.condition for refusal in failed)),
            at=instant(now),
        )
        _retain(deciding, authorisation, record)
        data = deciding.blob(record.content.instructions_sha256)
    if failed or data is None:
        raise ConditionsError(what, failed)
    return AuthorisedUse(authorisation, data.decode("utf-8"))


def get_use_result(reading: Reading, request: UseRequest, now: datetime) -> tuple[Check, ...]:
    """Every condition of a use, and how it stands, without using anything.

    Raises:
        ConditionsError: There is no such version.
    """
    record = reading.version(request.pin.content_hash)
    if record is None or record.pin != request.pin:
        why = f"There is no version {request.pin}."
        raise refuse("Nothing to look at", Condition.KNOWN_VERSION, why, "Resolve the skill anew")
    return _look(reading, request, record, now)[1]


def revoke(ledger: Ledger, grant_id: str, *, reason: str, actor: str, now: datetime) -> None:
    """Take a grant back for good.

    Raises:
        InputError: There is no such grant, or it was taken back before.
    """
    with ledger.deciding() as deciding:
        stored = deciding.grant(grant_id)
        if stored is None:
            raise InputError(f"There is no grant {grant_id!r}", hint="List them: asf grant list")
        if stored.revoked_at is not None:
            raise InputError(
                f"Grant {grant_id} was revoked already",
                why=f"{stored.revoked_by} did so at {stored.revoked_at}: {stored.revoked_why}",
            )
        deciding.revoke_grant(grant_id, at=instant(now), by=actor, why=reason)
        record = deciding.version(stored.receipt.content_hash)
        deciding.append(
            EventDraft(
                at=instant(now),
                actor=actor,
                kind=EventKind.GRANT_REVOKED,
                pin=None if record is None else record.pin,
                scope=None if record is None else record.content.scope,
                evidence=(stored.receipt.key,),
                reason=reason,
                facts={"grant": grant_id},
            )
        )


def _look(
    reading: Reading, request: UseRequest, record: VersionRecord, now: datetime
) -> tuple[Grant | None, tuple[Check, ...]]:
    policy = reading.policy()
    standing = (
        _check_active(reading, record),
        *visibility(reading, record, request.subject),
        check_source(policy, record.content),
        check_content(reading, record),
        _check_channel(policy, request.channel),
    )
    stored = reading.grant(request.grant_id)
    grant, authentic = _read_grant(policy, stored, request, now)
    if stored is None or grant is None:
        return None, (*standing, authentic)
    return grant, (
        *standing,
        authentic,
        _check_match(grant, request),
        _check_time(grant, now),
        _check_revocation(stored),
    )


def _check_active(reading: Reading, record: VersionRecord) -> Check:
    active = reading.active(record.content.skill_id)
    if active == record.content_hash:
        return Check(Condition.ACTIVE_PIN, "It is the active version.")
    now_active = f"{active[:12]} is" if active else "none is"
    return Check(
        Condition.ACTIVE_PIN,
        f"It is {record.state.value}; {now_active} active.",
        f"Resolve the skill anew: asf resolve {shell_word(record.content.skill_id)}",
    )


def _check_channel(policy: TrustPolicy, name: str) -> Check:
    if any(channel.name == name for channel in policy.channels):
        return Check(Condition.CHANNEL_KNOWN, f"Channel {name} is known.")
    return Check(
        Condition.CHANNEL_KNOWN,
        f"Channel {name} is not in the trust policy.",
        f"Say what it allows: asf trust set-channel {name} --tool TOOL",
    )


def _read_grant(
    policy: TrustPolicy, stored: StoredGrant | None, request: UseRequest, now: datetime
) -> tuple[Grant | None, Check]:
    satisfy = _ASK + _ref(request.pin)
    if stored is None:
        why = f"There is no grant {request.grant_id}."
        return None, Check(Condition.GRANT, why, satisfy)
    result = get_receipt_result(
        stored.receipt.envelope, ReceiptKind.GRANT, policy.keys, clock=clock_of(policy, now)
    )
    if result.verified is None:
        return None, Check(Condition.GRANT, " ".join(r.why for r in result.refusals), satisfy)
    if result.verified.key != stored.receipt.key:
        return None, Check(Condition.GRANT, "It is not the grant that was recorded.", satisfy)
    grant = result.verified.receipt
    assert isinstance(grant, Grant)  # noqa: S101 - by its kind
    signer = result.verified.signers[0].name
    return grant, Check(Condition.GRANT, f"Given by {signer}.", evidence=(stored.receipt.key,))


def _check_match(grant: Grant, request: UseRequest) -> Check:
    wanted = {
        "id": (grant.pin.skill_id, request.pin.skill_id),
        "version": (grant.pin.version, request.pin.version),
        "hash": (grant.pin.content_hash, request.pin.content_hash),
        "tenant": (grant.tenant, request.subject.tenant),
        "user": (grant.user, request.subject.user),
        "purpose": (grant.purpose, request.purpose),
        "channel": (grant.channel, request.channel),
    }
    other = [f"{name} is {one}, not {two}" for name, (one, two) in wanted.items() if one != two]
    if not other:
        return Check(Condition.GRANT_MATCHES, f"It is for {request.pin} and this use.")
    return Check(
        Condition.GRANT_MATCHES,
        f"The grant's {'; its '.join(other)}.",
        _ASK + _ref(request.pin) + " with these",
    )


def _check_time(grant: Grant, now: datetime) -> Check:
    if moment(grant.not_before) <= now < moment(grant.expires_at):
        return Check(Condition.GRANT_IN_TIME, f"It holds until {grant.expires_at}.")
    return Check(
        Condition.GRANT_IN_TIME,
        f"It holds from {grant.not_before} until {grant.expires_at}.",
        _ASK + _ref(grant.pin) + " for this time",
    )


def _check_revocation(stored: StoredGrant) -> Check:
    if stored.revoked_at is None:
        return Check(Condition.GRANT_NOT_REVOKED, "It was not revoked.")
    return Check(
        Condition.GRANT_NOT_REVOKED,
        f"{stored.revoked_by} revoked it at {stored.revoked_at}: {stored.revoked_why}",
        _ASK + "anew; a revoked one never comes back",
    )


def _ref(pin: Pin) -> str:
    return shell_word(f"{pin.skill_id}@{pin.version}")


def _tools(policy: TrustPolicy, record: VersionRecord, grant: Grant) -> tuple[str, ...]:
    allowed = next((c.tools for c in policy.channels if c.name == grant.channel), None)
    return effective_tools(record.content.tools, grant.tools, allowed, policy.tools)


def _retain(deciding: Deciding, authorisation: Authorisation, record: VersionRecord) -> None:
    deciding.add_authorisation(authorisation)
    allowed = authorisation.outcome is AuthorisationOutcome.ALLOWED
    facts = {
        "authorisation": authorisation.id,
        "sha256": sha256_hex(dump_canonical(authorisation)),
        "grant": authorisation.grant_id,
        "policy": policy_digest(deciding.policy()),
    }
    if not allowed:
        facts["failed"] = " ".join(authorisation.failed)
    deciding.append(
        EventDraft(
            at=authorisation.at,
            actor=f"{authorisation.tenant}/{authorisation.user}",
            kind=EventKind.AUTHORISED if allowed else EventKind.AUTHORISATION_REFUSED,
            pin=record.pin,
            scope=record.content.scope,
            facts=facts,
        )
    )
