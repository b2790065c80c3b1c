"""Verifying the ledger: the chain, what the events say, and whether the records say the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from asf_core.domain.errors import ConditionsError
from asf_core.domain.event import ChainHead, Event
from asf_core.domain.policy import TrustedKey
from asf_core.domain.receipts import StoredReceipt
from asf_core.domain.refusal import Condition, Refusal
from asf_core.governance.checks import check_content, policy_digest
from asf_core.governance.ports import Reading
from asf_core.governance.replay import Replay
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.chain import EMPTY, get_chain_result
from asf_core.trust.strictjson import dump_canonical
from asf_core.trust.verify import Clock, get_receipt_result

# Whether a receipt was fresh was a question of the day it was used; now it is whether it is whole.
_ANY_TIME = Clock(datetime.max.replace(tzinfo=UTC), timedelta())


@dataclass(frozen=True, slots=True)
class LedgerResult:
    """What verifying found."""

    head: ChainHead
    """Of the part of the chain that holds."""
    versions: int
    receipts: int
    problems: tuple[str, ...]
    """One sentence each; empty when all agrees."""


def get_ledger_result(reading: Reading, expected: ChainHead = EMPTY) -> LedgerResult:
    """Verify the ledger, and say what is wrong.

    Args:
        reading: One state of it.
        expected: A head that the chain had before and must still contain.
    """
    chain = get_chain_result(reading.documents(), expected)
    replay = Replay().run(chain.events)
    problems = [chain.problem] if chain.problem else []
    problems += replay.problems
    for found in (
        _versions(reading, replay),
        _scopes(reading, chain.events),
        _receipts(reading, replay),
        _documents(reading, replay),
        _policies(reading, replay),
        _decisions(reading, replay),
    ):
        problems += found
    return LedgerResult(chain.head, len(replay.versions), len(replay.receipts), tuple(problems))


def verify_ledger(reading: Reading, expected: ChainHead = EMPTY) -> LedgerResult:
    """As :func:`get_ledger_result`, for enforcement.

    Raises:
        ConditionsError: Something does not agree.
    """
    result = get_ledger_result(reading, expected)
    if result.problems:
        raise ConditionsError("The ledger does not verify", ledger_refusals(result.problems))
    return result


def ledger_refusals(problems: tuple[str, ...]) -> list[Refusal]:
    """Problems of a ledger as refusals."""
    satisfy = (
        "Find out who wrote to it, then restore a snapshot that verifies: asf snapshot restore"
    )
    return [
        Refusal(condition=Condition.LEDGER_INTACT, why=problem, satisfy=satisfy)
        for problem in problems
    ]


def historical_keys(reading: Reading) -> tuple[TrustedKey, ...]:
    """Every key that was trusted at some time."""
    keys = {key.key_id: key for policy in reading.policies() for key in policy.keys}
    return tuple(keys.values())


def _versions(reading: Reading, replay: Replay) -> Iterator[str]:
    seen = set()
    for record in reading.versions():
        ref = f"{record.content.skill_id}@{record.content.version}"
        seen.add(record.content_hash)
        told = replay.versions.get(record.content_hash)
        if told is None or told.pin != record.pin:
            yield f"Version {ref} is there, and no event says so."
            continue
        if (told.state, told.terminal) != (record.state, record.terminal):
            yield f"Version {ref} is {record.state.value}; by the events it is {told.state.value}."
        if not (intact := check_content(reading, record)).holds:
            yield f"Version {ref}: {intact.detail}"
    for content_hash in replay.versions.keys() - seen:
        yield f"Version {replay.versions[content_hash].pin} was added and is gone."
    yield from _difference("Active pin", reading.pointers(), replay.active)


def _scopes(reading: Reading, events: Iterable[Event]) -> Iterator[str]:
    """Each event about a version names the scope that the version binds."""
    scopes = {record.content_hash: record.content.scope for record in reading.versions()}
    for event in events:
        if event.pin is not None and scopes.get(event.pin.content_hash) != event.scope:
            yield f"Event {event.number} names another scope than its version binds."


def _receipts(reading: Reading, replay: Replay) -> Iterator[str]:
    keys = historical_keys(reading)
    stored = reading.all_receipts()
    yield from _difference("Receipt", {r.key: r.content_hash for r in stored}, replay.receipts)
    for receipt in stored:
        yield from _receipt(receipt, keys)
    revoked = {grant.receipt.id for grant in reading.grants() if grant.revoked_at is not None}
    for grant_id in sorted(revoked ^ replay.revoked):
        yield f"Grant {grant_id} is revoked in one of events and records, and not in the other."


def _receipt(receipt: StoredReceipt, keys: tuple[TrustedKey, ...]) -> Iterator[str]:
    """Its signature, its key, and what it is about, from the bytes that were signed."""
    result = get_receipt_result(
        receipt.envelope,
        receipt.kind,
        keys,
        clock=_ANY_TIME,
        content_hash=receipt.content_hash,
    )
    if result.verified is None:
        yield f"Receipt {receipt.key}: {' '.join(r.why for r in result.refusals)}"
    elif (result.verified.key, result.verified.receipt.id) != (receipt.key, receipt.id):
        yield f"Receipt {receipt.key} is not the one that was recorded."


def _documents(reading: Reading, replay: Replay) -> Iterator[str]:
    used = {item.id: sha256_hex(dump_canonical(item)) for item in reading.authorisations()}
    yield from _difference("Authorisation", used, replay.authorisations)
    said = {item.id: sha256_hex(dump_canonical(item)) for item in reading.feedback_on()}
    yield from _difference("Feedback", said, replay.feedback)


def _policies(reading: Reading, replay: Replay) -> Iterator[str]:
    digests = [policy_digest(policy) for policy in reading.policies()]
    if digests != replay.policies:
        yield "The trust policies are not those that the events name."


def _decisions(reading: Reading, replay: Replay) -> Iterator[str]:
    made = [
        (d.kind.value, d.skill_id, d.digest or "", d.reason, d.actor, d.decided_at)
        for d in reading.all_decisions()
    ]
    if made != replay.decisions:
        yield "The decisions about skills are not those that the events name."


def _difference(what: str, records: Mapping[str, str], events: Mapping[str, str]) -> Iterator[str]:
    for name in sorted(records.keys() | events.keys()):
        if name not in events:
            yield f"{what} {name} is there, and no event says so."
        elif name not in records:
            yield f"{what} {name} is in the events and not in the records."
        elif records[name] != events[name]:
            yield f"{what} {name} is {records[name][:12]}; by the events {events[name][:12]}."
