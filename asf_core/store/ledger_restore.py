"""Writing a whole ledger at once, inside the transaction of a restore.

What is there already stays: it is the beginning of what is restored, which the caller has checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from sqlalchemy import Column, Connection, Table, bindparam, delete, func, insert, select, update

from asf_core.domain.content import VersionRecord
from asf_core.domain.decision import Decision
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import StoredGrant, StoredReceipt
from asf_core.domain.use import Authorisation, Feedback
from asf_core.store.ledger_tables import (
    authorisations,
    blobs,
    events,
    feedback,
    pointers,
    policies,
    receipts,
    revocations,
    versions,
)
from asf_core.store.tables import decisions
from asf_core.store.version_rows import reasons_text, version_row
from asf_core.trust.chain import event_digest, read_event
from asf_core.trust.strictjson import dump_canonical

_BATCH = 500


class WholeLedger(Protocol):
    """What a restore writes."""

    @property
    def blobs(self) -> Mapping[str, bytes]:
        """Kept bytes by their digest."""
        ...

    def policies(self) -> tuple[TrustPolicy, ...]:
        """Every policy, oldest first."""
        ...

    def versions(self) -> tuple[VersionRecord, ...]:
        """Every version, oldest first."""
        ...

    def pointers(self) -> dict[str, str]:
        """Content hash of the active version by skill id."""
        ...

    def all_receipts(self) -> tuple[StoredReceipt, ...]:
        """Every receipt and grant, oldest first."""
        ...

    def grants(self) -> tuple[StoredGrant, ...]:
        """Every grant, oldest first."""
        ...

    def authorisations(self) -> tuple[Authorisation, ...]:
        """Every authorisation, oldest first."""
        ...

    def feedback_on(self) -> tuple[Feedback, ...]:
        """Every feedback, oldest first."""
        ...

    def all_decisions(self) -> tuple[Decision, ...]:
        """Every decision about a skill, oldest first."""
        ...

    def documents(self) -> Iterator[bytes]:
        """Every event, in order."""
        ...


def write_ledger(connection: Connection, whole: WholeLedger) -> None:
    """Write what is not there yet, and bring states and pointers up to it."""
    known = set(connection.scalars(select(blobs.c.sha256)))
    _insert(
        connection,
        blobs,
        ({"sha256": k, "data": v} for k, v in whole.blobs.items() if k not in known),
    )
    _tail(connection, policies, policies.c.number, map(_policy_row, whole.policies()))
    _versions(connection, whole.versions())
    _tail(connection, receipts, receipts.c.number, map(_receipt_row, whole.all_receipts()))
    _revocations(connection, whole.grants())
    _tail(connection, authorisations, authorisations.c.number, map(_used, whole.authorisations()))
    _tail(connection, feedback, feedback.c.number, map(_said, whole.feedback_on()))
    _tail(connection, decisions, None, map(_decision_row, whole.all_decisions()))
    _tail(connection, events, events.c.number, map(_event_row, whole.documents()))
    connection.execute(delete(pointers))
    _insert(
        connection,
        pointers,
        ({"skill_id": k, "content_hash": v} for k, v in whole.pointers().items()),
    )


def _tail(
    connection: Connection, table: Table, number: Column[Any] | None, rows: Iterable[dict[str, Any]]
) -> None:
    """Insert the rows after those that are there.

    Args:
        connection: Inside a writing transaction.
        table: In which rows are only added.
        number: The n-th row has n in it; ``None`` where the database counts.
        rows: All rows, oldest first.
    """
    there = connection.scalar(select(func.count()).select_from(table)) or 0
    _insert(
        connection,
        table,
        (
            row if number is None else {**row, number.name: at}
            for at, row in enumerate(rows, start=1)
            if at > there
        ),
    )


def _insert(connection: Connection, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _BATCH:
            connection.execute(insert(table), batch)
            batch = []
    if batch:
        connection.execute(insert(table), batch)


def _versions(connection: Connection, records: Sequence[VersionRecord]) -> None:
    there = connection.scalar(select(func.count()).select_from(versions)) or 0
    _tail(connection, versions, versions.c.number, map(version_row, records))
    states = [
        {
            "which": record.content_hash,
            "now": record.state.value,
            "ended": record.terminal,
            "why": reasons_text(record.reasons),
        }
        for record in records[:there]
    ]
    if states:
        connection.execute(
            update(versions)
            .where(versions.c.content_hash == bindparam("which"))
            .values(state=bindparam("now"), terminal=bindparam("ended"), reasons=bindparam("why")),
            states,
        )


def _revocations(connection: Connection, grants: Sequence[StoredGrant]) -> None:
    known = set(connection.scalars(select(revocations.c.grant_id)))
    _insert(
        connection,
        revocations,
        (
            {
                "grant_id": grant.receipt.id,
                "revoked_at": grant.revoked_at,
                "revoked_by": grant.revoked_by,
                "reason": grant.revoked_why,
            }
            for grant in grants
            if grant.revoked_at is not None and grant.receipt.id not in known
        ),
    )


def _policy_row(policy: TrustPolicy) -> dict[str, Any]:
    return {"document": dump_canonical(policy).decode()}


def _receipt_row(receipt: StoredReceipt) -> dict[str, Any]:
    return {
        "kind": receipt.kind.value,
        "id": receipt.id,
        "key": receipt.key,
        "content_hash": receipt.content_hash,
        "envelope": receipt.envelope,
        "recorded_at": receipt.recorded_at,
    }


def _used(item: Authorisation) -> dict[str, Any]:
    return _document_row(item.id, item.pin.content_hash, dump_canonical(item))


def _said(item: Feedback) -> dict[str, Any]:
    return _document_row(item.id, item.pin.content_hash, dump_canonical(item))


def _document_row(id_: str, content_hash: str, document: bytes) -> dict[str, Any]:
    return {"id": id_, "content_hash": content_hash, "document": document.decode()}


def _decision_row(made: Decision) -> dict[str, Any]:
    return {
        "skill_id": made.skill_id,
        "kind": made.kind.value,
        "digest": made.digest,
        "reason": made.reason,
        "actor": made.actor,
        "decided_at": made.decided_at,
    }


def _event_row(document: bytes) -> dict[str, Any]:
    event = read_event(document)
    return {
        "digest": event_digest(document),
        "kind": event.kind.value,
        "content_hash": None if event.pin is None else event.pin.content_hash,
        "document": document.decode(),
    }
