"""Taking in receipts: authenticated first, then known by everything that they say."""

from __future__ import annotations

from datetime import datetime

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.event import EventDraft, EventKind
from asf_core.domain.instant import instant
from asf_core.domain.receipts import (
    Grant,
    ReceiptKind,
    ReviewReceipt,
    SecurityReceipt,
    StoredReceipt,
    Verdict,
)
from asf_core.domain.refusal import Condition, Refusal
from asf_core.governance.checks import clock_of, refuse
from asf_core.governance.ports import Deciding, Ledger
from asf_core.trust.verify import VerifiedReceipt, verify_receipt


def record_receipt(
    ledger: Ledger, envelope: bytes, kind: ReceiptKind, *, now: datetime
) -> VerifiedReceipt:
    """Take in a receipt or a grant.

    A receipt that is known already is taken again without effect. A rejection puts a candidate into
    quarantine at once.

    Args:
        ledger: Where it is kept, as the bytes that came.
        envelope: DSSE.
        kind: What it must be.
        now: The reference time.

    Raises:
        ConditionsError: It is not authentic under the policy in force, is about no known version,
            or has the id of another receipt.
    """
    with ledger.deciding() as deciding:
        policy = deciding.policy()
        found = verify_receipt(envelope, kind, policy.keys, clock=clock_of(policy, now))
        record = deciding.version(found.content_hash)
        if record is None:
            raise refuse(
                f"The {kind.value} receipt was not taken in",
                Condition.KNOWN_VERSION,
                f"It is about content {found.content_hash[:12]}, which is no version here.",
                "Add the skill first: asf candidate add SKILL",
            )
        if isinstance(found.receipt, Grant) and found.receipt.pin != record.pin:
            raise refuse(
                "The grant was not taken in",
                Condition.GRANT,
                f"Its pin is {found.receipt.pin}, and its content that of {record.pin}.",
                "Give one for the exact version: asf grant issue",
            )
        known = deciding.receipt(kind, found.receipt.id)
        if known is None:
            _keep(deciding, found, record, envelope, instant(now))
        elif known.key != found.key:
            raise refuse(
                f"The {kind.value} receipt was not taken in",
                Condition.RECEIPT_UNCHANGED,
                f"Its id {found.receipt.id} is that of another receipt, which says otherwise.",
                "Give each receipt an id of its own; a receipt that is known never changes",
            )
        return found


def _keep(
    deciding: Deciding, found: VerifiedReceipt, record: VersionRecord, envelope: bytes, at: str
) -> None:
    receipt = found.receipt
    deciding.add_receipt(
        StoredReceipt(found.kind, receipt.id, found.key, found.content_hash, envelope, at)
    )
    is_grant = found.kind is ReceiptKind.GRANT
    deciding.append(
        EventDraft(
            at=at,
            actor=found.signers[0].name,
            kind=EventKind.GRANT_ISSUED if is_grant else EventKind.RECEIPT_RECORDED,
            pin=record.pin,
            scope=record.content.scope,
            evidence=(found.key,),
            reason=receipt.reason if isinstance(receipt, ReviewReceipt) else "",
            facts={"signer": found.signers[0].key_id, **_facts(found)},
        )
    )
    if isinstance(receipt, ReviewReceipt) and receipt.verdict is Verdict.REJECT:
        _reject(deciding, record, receipt)


def _facts(found: VerifiedReceipt) -> dict[str, str]:
    receipt = found.receipt
    if isinstance(receipt, SecurityReceipt):
        scanner = f"{receipt.scanner.name} {receipt.scanner.version}"
        return {"scanner": scanner, "findings": str(len(receipt.findings))}
    if isinstance(receipt, ReviewReceipt):
        return {"verdict": receipt.verdict.value}
    return grant_facts(receipt)


def grant_facts(grant: Grant) -> dict[str, str]:
    """What an event says of a grant."""
    return {
        "tenant": grant.tenant,
        "user": grant.user,
        "purpose": grant.purpose,
        "channel": grant.channel,
        "until": grant.expires_at,
    }


def _reject(deciding: Deciding, record: VersionRecord, receipt: ReviewReceipt) -> None:
    """A rejected candidate is quarantined; what is active or retired stays until decided on."""
    waiting = record.state is VersionState.CANDIDATE or (
        record.state is VersionState.QUARANTINED and not record.terminal
    )
    if waiting:
        reason = Refusal(
            condition=Condition.GOVERNANCE_RECEIPT,
            why=f"{receipt.reviewer} rejected it: {receipt.reason}",
            satisfy="Answer the reason with a new version, or have the reviewer decide anew",
        )
        deciding.set_state(record.pin, VersionState.QUARANTINED, reasons=(reason,))
