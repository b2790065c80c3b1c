"""Whether a snapshot may be restored: nothing in it is runnable before all of it was checked.

A snapshot is not authenticated as a whole. Its chain, its records and its receipts are verified as
in any ledger; it must go on from what this workspace has seen; and every active version must be
one that the policy *of this workspace* would let stand, since whoever wrote the file may have
written its policy too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from asf_core.domain.content import VersionRecord
from asf_core.domain.errors import ConditionsError
from asf_core.domain.event import ChainHead, EventKind
from asf_core.domain.instant import moment
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import ReceiptKind
from asf_core.domain.refusal import Condition, Refusal
from asf_core.governance.audit import LedgerResult, get_ledger_result
from asf_core.governance.checks import Check, check_source, check_tools, refusals
from asf_core.governance.evidence import Evidence, gather_under
from asf_core.governance.ledger_snapshot import LedgerSnapshot
from asf_core.governance.review_proof import check_reviews
from asf_core.governance.security_proof import check_security
from asf_core.trust.chain import event_digest


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What a look at a snapshot found."""

    ledger: LedgerResult
    active: int
    """Active versions in it."""
    refusals: tuple[Refusal, ...]
    """Why it may not be restored; empty when it may."""


def get_restore_result(
    snapshot: LedgerSnapshot, policy: TrustPolicy, here: ChainHead
) -> RestoreResult:
    """Look at a snapshot.

    Args:
        snapshot: As it was read.
        policy: That will be in force afterwards.
        here: Head of this workspace's chain, which the snapshot's must go on from.
    """
    ledger = get_ledger_result(snapshot)
    found = [
        Refusal(
            condition=Condition.SNAPSHOT,
            why=problem,
            satisfy="Take another snapshot; this one was changed, or its ledger did not verify",
        )
        for problem in (*ledger.problems, *_strays(snapshot))
    ]
    if not found:
        found += _continues(snapshot, here)
        for skill_id, content_hash in sorted(snapshot.active_pins.items()):
            found += _stands(snapshot, snapshot.records[content_hash], policy, skill_id)
    return RestoreResult(ledger, len(snapshot.active_pins), tuple(found))


def verify_restore(snapshot: LedgerSnapshot, policy: TrustPolicy, here: ChainHead) -> RestoreResult:
    """As :func:`get_restore_result`, for enforcement.

    Raises:
        ConditionsError: It may not be restored.
    """
    result = get_restore_result(snapshot, policy, here)
    if result.refusals:
        raise ConditionsError("The snapshot was not restored", result.refusals)
    return result


def _strays(snapshot: LedgerSnapshot) -> Iterator[str]:
    """What no other record speaks of: it would come in unseen, and go out of the next export."""
    bound = {r.content.instructions_sha256 for r in snapshot.records.values()}
    bound |= {entry.sha256 for record in snapshot.records.values() for entry in record.tree}
    for sha256 in sorted(snapshot.blobs.keys() - bound):
        yield f"Bytes {sha256[:12]} are there, and no version binds them."
    grants = {id_ for kind, id_ in snapshot.kept_receipts if kind is ReceiptKind.GRANT}
    for grant in sorted(snapshot.revoked.keys() - grants):
        yield f"Grant {grant} is revoked, and is not there."


def _continues(snapshot: LedgerSnapshot, here: ChainHead) -> Iterator[Refusal]:
    """The snapshot's chain holds this workspace's whole."""
    theirs = len(snapshot.log)
    if here.count > theirs:
        why = f"This workspace has {here.count} events, the snapshot {theirs}: it is older."
    elif here.count and event_digest(snapshot.log[here.count - 1]) != here.digest:
        why = f"Its first {here.count} events are not those of this workspace."
    else:
        return
    yield Refusal(
        condition=Condition.SNAPSHOT,
        why=why,
        satisfy="Restore it into a workspace of its own: asf init DIR, then --workspace DIR",
    )


def _stands(
    snapshot: LedgerSnapshot, record: VersionRecord, policy: TrustPolicy, skill_id: str
) -> Iterator[Refusal]:
    """An active version is one that a policy would let stand."""
    named = f"{skill_id}@{record.content.version}"
    for refusal in refusals(_checks(snapshot, record, policy)):
        yield Refusal(
            condition=refusal.condition,
            why=f"{named}: {refusal.why}",
            satisfy="Trust what it rests on first (asf trust ...), "
            "or take over the snapshot's policy: --adopt-policy",
        )


def _checks(
    snapshot: LedgerSnapshot, record: VersionRecord, policy: TrustPolicy
) -> tuple[Check, ...]:
    """Trust as of now; freshness as of the moment at which it became active."""
    event = snapshot.events_on(record.content_hash, EventKind.ACTIVATED, EventKind.ROLLED_BACK)[-1]
    back = event.kind is EventKind.ROLLED_BACK
    review = ReceiptKind.ROLLBACK if back else ReceiptKind.GOVERNANCE
    evidence = _as_of(snapshot, record, policy, moment(event.at), event.evidence)
    return (
        check_source(policy, record.content),
        check_tools(policy, record.content),
        check_security(evidence),
        check_reviews(evidence, review, event.facts.get("replaced") or None),
    )


def _as_of(
    snapshot: LedgerSnapshot,
    record: VersionRecord,
    policy: TrustPolicy,
    when: datetime,
    keys: tuple[str, ...],
) -> Evidence:
    """The receipts that an activation rested on, verified under another policy."""
    whole = gather_under(snapshot, record, policy, when)
    rested = tuple(status for status in whole.receipts if status.key in keys)
    return Evidence(record, policy, when, rested, whole.recorded)
