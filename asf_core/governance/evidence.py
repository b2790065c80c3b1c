"""What a version's receipts prove now, each verified again under the policy in force.

Leaving a receipt out of account must never turn a no into a yes. So a finding stands until the same
scanner finds otherwise, and a rejection until the same reviewer decides otherwise, however old they
are; only what speaks *for* a version grows stale. And the event chain names every receipt that was
recorded, so that one which was taken away is missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from asf_core.domain.content import VersionRecord
from asf_core.domain.event import EventKind
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import ReceiptKind
from asf_core.domain.refusal import Condition
from asf_core.governance.checks import Check, clock_of
from asf_core.governance.ports import Reading
from asf_core.trust.verify import VerifiedReceipt, get_receipt_result, issued_at


@dataclass(frozen=True, slots=True)
class ReceiptStatus:
    """One receipt of a version, and what it is worth now."""

    key: str
    kind: ReceiptKind
    verified: VerifiedReceipt | None
    problem: str
    """Why it does not count; empty when it is authentic."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All receipts of a version under one policy at one time."""

    record: VersionRecord
    policy: TrustPolicy
    now: datetime
    receipts: tuple[ReceiptStatus, ...]
    recorded: Check
    """Whether the receipts are those that the event chain names."""

    def of(self, kind: ReceiptKind) -> list[VerifiedReceipt]:
        """Authentic receipts of a kind, oldest first by their signers' clocks."""
        found = [item.verified for item in self.receipts if item.verified is not None]
        return sorted((item for item in found if item.kind is kind), key=age)

    def problems(self, *kinds: ReceiptKind) -> str:
        """Why receipts of these kinds do not count, for a refusal."""
        said = [i.problem for i in self.receipts if i.kind in kinds and i.problem]
        return " ".join(dict.fromkeys(said))


def age(found: VerifiedReceipt) -> datetime:
    """When a receipt was made."""
    return issued_at(found.receipt)


def gather(reading: Reading, record: VersionRecord, now: datetime) -> Evidence:
    """Verify all receipts of a version again, under the policy in force."""
    return gather_under(reading, record, reading.policy(), now)


def gather_under(
    reading: Reading, record: VersionRecord, policy: TrustPolicy, now: datetime
) -> Evidence:
    """Verify all receipts of a version again, under a policy."""
    statuses = []
    for stored in reading.receipts(record.content_hash):
        result = get_receipt_result(
            stored.envelope,
            stored.kind,
            policy.keys,
            clock=clock_of(policy, now),
            content_hash=record.content_hash,
        )
        verified, problem = result.verified, " ".join(r.why for r in result.refusals)
        if verified is not None and verified.key != stored.key:
            verified, problem = None, f"Receipt {stored.id} is not the one that was recorded."
        statuses.append(ReceiptStatus(stored.key, stored.kind, verified, problem))
    keys = {status.key for status in statuses}
    return Evidence(record, policy, now, tuple(statuses), _recorded(reading, record, keys))


def _recorded(reading: Reading, record: VersionRecord, keys: set[str]) -> Check:
    events = reading.events_on(record.content_hash, EventKind.RECEIPT_RECORDED)
    named = {key for event in events for key in event.evidence}
    if named == keys:
        return Check(Condition.LEDGER_INTACT, f"The event chain names its {len(keys)} receipts.")
    missing, unknown = sorted(named - keys), sorted(keys - named)
    why = f"Receipt {missing[0]} was recorded and is gone." if missing else ""
    return Check(
        Condition.LEDGER_INTACT,
        why or f"Receipt {unknown[0]} is there and was never recorded.",
        "Find out who wrote to the ledger: asf events --verify",
    )


def too_old(found: VerifiedReceipt, now: datetime, hours: int, since: datetime | None) -> str:
    """Why a receipt is no longer, or not yet, fresh; empty when it is."""
    made = age(found)
    if now - made > timedelta(hours=hours):
        return f"The {found.kind.value} receipt of {made.isoformat()} is older than {hours} hours."
    if since is not None and made < since:
        return f"The {found.kind.value} receipt of {made.isoformat()} is from before it retired."
    return ""


def security_keys(statuses: Sequence[ReceiptStatus]) -> tuple[str, ...]:
    """Keys of the authentic security receipts: what a reviewer had to decide on."""
    return tuple(s.key for s in statuses if s.kind is ReceiptKind.SECURITY and s.verified)
