"""The control plane's records as one transaction sees them.

Documents are read strictly: a record that this program could not have written is an error of the
store, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from pydantic import TypeAdapter
from sqlalchemy import Connection, Select, func, select

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.decision import Decision, Quarantine
from asf_core.domain.errors import StoreError
from asf_core.domain.event import ChainHead, Event, EventKind
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import ReceiptKind, StoredGrant, StoredReceipt
from asf_core.domain.refusal import Refusal
from asf_core.domain.skill import TreeEntry
from asf_core.domain.use import Authorisation, Feedback
from asf_core.store.event_log import chain_head
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
from asf_core.store.quarantine import quarantining, read_decisions
from asf_core.trust.chain import read_event
from asf_core.trust.content import read_content
from asf_core.trust.strictjson import MalformedError, read_model

_T = TypeVar("_T")
_TREE = TypeAdapter(tuple[TreeEntry, ...])
_REASONS = TypeAdapter(tuple[Refusal, ...])
_PAGE = 1_000


class LedgerReading:
    """One state of the ledger. Implements :class:`asf_core.governance.ports.Reading`.

    Args:
        connection: Inside a transaction.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def policy(self) -> TrustPolicy:
        """The trust policy in force."""
        query = select(policies.c.document).order_by(policies.c.number.desc()).limit(1)
        text = self._connection.scalar(query)
        return TrustPolicy() if text is None else _policy(text)

    def policies(self) -> tuple[TrustPolicy, ...]:
        """Every policy there was, oldest first."""
        found = self._connection.scalars(select(policies.c.document).order_by(policies.c.number))
        return tuple(_policy(text) for text in found)

    def version(self, content_hash: str) -> VersionRecord | None:
        """The version with this content."""
        query = _VERSIONS.where(versions.c.content_hash == content_hash)
        row = self._connection.execute(query).first()
        return None if row is None else _version(row)

    def versions(self, skill_id: str | None = None) -> tuple[VersionRecord, ...]:
        """All versions, or those of a skill, oldest first."""
        query = _VERSIONS.order_by(versions.c.number)
        if skill_id is not None:
            query = query.where(versions.c.skill_id == skill_id)
        return tuple(_version(row) for row in self._connection.execute(query))

    def with_files(self, tree_digest: str) -> tuple[VersionRecord, ...]:
        """The versions of any skill that have exactly these files, oldest first."""
        query = _VERSIONS.where(versions.c.tree_digest == tree_digest).order_by(versions.c.number)
        return tuple(_version(row) for row in self._connection.execute(query))

    def active(self, skill_id: str) -> str | None:
        """Content hash of the skill's active version."""
        query = select(pointers.c.content_hash).where(pointers.c.skill_id == skill_id)
        return self._connection.scalar(query)

    def pointers(self) -> dict[str, str]:
        """Content hash of the active version by skill id."""
        return {
            row.skill_id: row.content_hash for row in self._connection.execute(select(pointers))
        }

    def receipt(self, kind: ReceiptKind, id_: str) -> StoredReceipt | None:
        """The receipt of this kind and id."""
        query = select(receipts).where(receipts.c.kind == kind.value, receipts.c.id == id_)
        row = self._connection.execute(query).first()
        return None if row is None else _receipt(row)

    def receipts(self, content_hash: str) -> tuple[StoredReceipt, ...]:
        """Security, governance and rollback receipts about a content, oldest first."""
        query = _receipts(content_hash).where(receipts.c.kind != ReceiptKind.GRANT.value)
        return tuple(_receipt(row) for row in self._connection.execute(query))

    def all_receipts(self) -> tuple[StoredReceipt, ...]:
        """Receipts and grants of all kinds, in the order in which they were recorded."""
        return tuple(_receipt(row) for row in self._connection.execute(_receipts(None)))

    def grant(self, id_: str) -> StoredGrant | None:
        """The grant of this id."""
        receipt = self.receipt(ReceiptKind.GRANT, id_)
        return None if receipt is None else self._with_revocation(receipt)

    def grants(self, content_hash: str | None = None) -> tuple[StoredGrant, ...]:
        """All grants, or those for a content, oldest first."""
        query = _receipts(content_hash).where(receipts.c.kind == ReceiptKind.GRANT.value)
        found = [_receipt(row) for row in self._connection.execute(query)]
        return tuple(self._with_revocation(receipt) for receipt in found)

    def authorisation(self, id_: str) -> Authorisation | None:
        """The authorisation of this id."""
        query = select(authorisations.c.document).where(authorisations.c.id == id_)
        text = self._connection.scalar(query)
        return None if text is None else _authorisation(text)

    def authorisations(self, content_hash: str | None = None) -> tuple[Authorisation, ...]:
        """All authorisations, or those for a content, oldest first."""
        query = select(authorisations.c.document).order_by(authorisations.c.number)
        if content_hash is not None:
            query = query.where(authorisations.c.content_hash == content_hash)
        return tuple(_authorisation(text) for text in self._connection.scalars(query))

    def feedback(self, id_: str) -> Feedback | None:
        """The feedback of this id."""
        text = self._connection.scalar(select(feedback.c.document).where(feedback.c.id == id_))
        return None if text is None else _feedback(text)

    def feedback_on(self, content_hash: str | None = None) -> tuple[Feedback, ...]:
        """All feedback, or that on a content, oldest first."""
        query = select(feedback.c.document).order_by(feedback.c.number)
        if content_hash is not None:
            query = query.where(feedback.c.content_hash == content_hash)
        return tuple(_feedback(text) for text in self._connection.scalars(query))

    def quarantine(self, skill_id: str, tree_digest: str) -> Quarantine | None:
        """What keeps this skill, or these bytes under any name, in quarantine."""
        return quarantining(self._connection, skill_id, tree_digest)

    def all_decisions(self) -> tuple[Decision, ...]:
        """Curators' decisions about skills, oldest first."""
        return read_decisions(self._connection)

    def head(self) -> ChainHead:
        """How long the event chain is and what it ends in."""
        return chain_head(self._connection)

    def documents(self, start: int = 1) -> Iterator[bytes]:
        """The events from a number on, in order, as they are kept."""
        query = select(events.c.number, events.c.document).order_by(events.c.number).limit(_PAGE)
        while page := self._connection.execute(query.where(events.c.number >= start)).all():
            yield from (row[1].encode() for row in page)
            start = page[-1][0] + 1

    def events_on(self, content_hash: str, *kinds: EventKind) -> tuple[Event, ...]:
        """Events about a content, oldest first; of all kinds when none is named."""
        query = select(events.c.document).where(events.c.content_hash == content_hash)
        if kinds:
            query = query.where(events.c.kind.in_([kind.value for kind in kinds]))
        found = self._connection.scalars(query.order_by(events.c.number))
        return tuple(_event(text) for text in found)

    def blob(self, sha256: str) -> bytes | None:
        """Kept bytes by their digest."""
        return self._connection.scalar(select(blobs.c.data).where(blobs.c.sha256 == sha256))

    def next_number(self, column: Any) -> int:
        """The number after the highest in a column."""
        return (self._connection.scalar(select(func.max(column))) or 0) + 1

    def _with_revocation(self, receipt: StoredReceipt) -> StoredGrant:
        query = select(revocations).where(revocations.c.grant_id == receipt.id)
        row = self._connection.execute(query).first()
        if row is None:
            return StoredGrant(receipt)
        return StoredGrant(receipt, row.revoked_at, row.revoked_by, row.reason)


_VERSIONS = select(
    versions.c.content_hash,
    versions.c.content,
    versions.c.tree,
    versions.c.state,
    versions.c.terminal,
    versions.c.reasons,
)


def _receipts(content_hash: str | None) -> Select[Any]:
    query = select(receipts).order_by(receipts.c.number)
    return query if content_hash is None else query.where(receipts.c.content_hash == content_hash)


def _version(row: Any) -> VersionRecord:
    return _decoded(
        f"version {row.content_hash[:12]}",
        lambda: VersionRecord(
            content=read_content(row.content.encode()),
            content_hash=row.content_hash,
            tree=_TREE.validate_json(row.tree),
            state=VersionState(row.state),
            terminal=row.terminal,
            reasons=_REASONS.validate_json(row.reasons),
        ),
    )


def _receipt(row: Any) -> StoredReceipt:
    return StoredReceipt(
        kind=_decoded("a receipt", lambda: ReceiptKind(row.kind)),
        id=row.id,
        key=row.key,
        content_hash=row.content_hash,
        envelope=bytes(row.envelope),
        recorded_at=row.recorded_at,
    )


def _event(text: str) -> Event:
    return _decoded("an event", lambda: read_event(text.encode()))


def _policy(text: str) -> TrustPolicy:
    return _decoded("a trust policy", lambda: read_model(TrustPolicy, text.encode()))


def _authorisation(text: str) -> Authorisation:
    return _decoded("an authorisation", lambda: read_model(Authorisation, text.encode()))


def _feedback(text: str) -> Feedback:
    return _decoded("a feedback", lambda: read_model(Feedback, text.encode()))


def _decoded(what: str, decode: Callable[[], _T]) -> _T:
    try:
        return decode()
    except (MalformedError, ValueError) as error:
        raise StoreError(
            f"The ledger holds {what} that this program did not write",
            why=" ".join(str(error).split())[:300],
            hint="Restore the workspace from a snapshot: asf snapshot restore FILE",
        ) from error
