"""The control plane's records in the workspace's database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import delete, insert, select, update

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.event import Event, EventDraft
from asf_core.domain.pin import Pin
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import StoredReceipt
from asf_core.domain.refusal import Refusal
from asf_core.domain.use import Authorisation, Feedback
from asf_core.store.database import upsert
from asf_core.store.event_log import append_event
from asf_core.store.group import RecordGroup, chunks
from asf_core.store.ledger_reading import LedgerReading
from asf_core.store.ledger_restore import WholeLedger, write_ledger
from asf_core.store.ledger_tables import (
    authorisations,
    blobs,
    feedback,
    pointers,
    policies,
    receipts,
    revocations,
    versions,
)
from asf_core.store.schema_check import strange_objects
from asf_core.store.tables import meta
from asf_core.store.version_rows import reasons_text, version_row
from asf_core.trust.strictjson import dump_canonical


class LedgerRecords(RecordGroup):
    """The ledger of one database. Implements :class:`asf_core.governance.ports.Ledger`."""

    @contextmanager
    def reading(self) -> Iterator[LedgerReading]:
        """A transaction that sees one state."""
        with self._database.read() as connection:
            yield LedgerReading(connection)

    @contextmanager
    def deciding(self) -> Iterator[LedgerDeciding]:
        """A transaction that holds the write lock from its start.

        Raises:
            BusyError: Another process wrote for longer than the wait.
            StoreError: The disk is full, the database is read-only or damaged; nothing is kept.
        """
        with self._database.write() as connection:
            yield LedgerDeciding(connection)

    def active_only(self) -> bool:
        """Whether the policy routes over active pins only."""
        with self._database.read() as connection:
            return LedgerReading(connection).policy().active_only

    def workspace_id(self) -> str | None:
        """By what the user's notes know this workspace; ``None`` for one that nobody took yet."""
        query = select(meta.c.value).where(meta.c.key == _WORKSPACE_ID)
        with self._database.read() as connection:
            return connection.scalar(query)

    def set_workspace_id(self, workspace_id: str) -> None:
        """Give the workspace an id, in place of the one that it had."""
        with self._database.write() as connection:
            upsert(connection, meta, [{"key": _WORKSPACE_ID, "value": workspace_id}])

    def strange_schema(self) -> tuple[str, ...]:
        """Triggers and views that this program does not make; they could write along with it."""
        with self._database.read() as connection:
            return strange_objects(connection)


_WORKSPACE_ID = "workspace_id"


class LedgerDeciding(LedgerReading):
    """The ledger inside one writing transaction.

    Implements :class:`asf_core.governance.ports.Deciding`.
    """

    def set_policy(self, policy: TrustPolicy) -> None:
        """Add a policy; it is in force from now on."""
        number = self.next_number(policies.c.number)
        document = dump_canonical(policy).decode()
        self._connection.execute(insert(policies).values(number=number, document=document))

    def add_version(self, record: VersionRecord, data: Mapping[str, bytes]) -> None:
        """Add a version and keep its bytes."""
        self._keep(data)
        number = self.next_number(versions.c.number)
        row = version_row(record) | {"number": number}
        self._connection.execute(insert(versions).values(row))

    def set_state(
        self,
        pin: Pin,
        state: VersionState,
        *,
        terminal: bool = False,
        reasons: tuple[Refusal, ...] = (),
    ) -> None:
        """Move a version to another state."""
        self._connection.execute(
            update(versions)
            .where(versions.c.content_hash == pin.content_hash)
            .values(state=state.value, terminal=terminal, reasons=reasons_text(reasons))
        )

    def point(self, pin: Pin) -> None:
        """Make a version the active one of its skill."""
        self._connection.execute(
            insert(pointers).values(skill_id=pin.skill_id, content_hash=pin.content_hash)
        )

    def unpoint(self, skill_id: str) -> None:
        """Take away the skill's pointer, if there is one."""
        self._connection.execute(delete(pointers).where(pointers.c.skill_id == skill_id))

    def add_receipt(self, receipt: StoredReceipt) -> None:
        """Keep a receipt."""
        self._connection.execute(
            insert(receipts).values(
                kind=receipt.kind.value,
                id=receipt.id,
                number=self.next_number(receipts.c.number),
                key=receipt.key,
                content_hash=receipt.content_hash,
                envelope=receipt.envelope,
                recorded_at=receipt.recorded_at,
            )
        )

    def revoke_grant(self, id_: str, *, at: str, by: str, why: str) -> None:
        """Take back a grant for good."""
        self._connection.execute(
            insert(revocations).values(grant_id=id_, revoked_at=at, revoked_by=by, reason=why)
        )

    def add_authorisation(self, authorisation: Authorisation) -> None:
        """Retain an authorisation."""
        self._connection.execute(
            insert(authorisations).values(
                id=authorisation.id,
                number=self.next_number(authorisations.c.number),
                content_hash=authorisation.pin.content_hash,
                document=dump_canonical(authorisation).decode(),
            )
        )

    def add_feedback(self, item: Feedback) -> None:
        """Retain a feedback."""
        self._connection.execute(
            insert(feedback).values(
                id=item.id,
                number=self.next_number(feedback.c.number),
                content_hash=item.pin.content_hash,
                document=dump_canonical(item).decode(),
            )
        )

    def append(self, draft: EventDraft) -> Event:
        """Append an event to the chain."""
        return append_event(self._connection, draft)

    def restore(self, whole: WholeLedger) -> None:
        """Write a whole ledger, of which the one that is here is the beginning."""
        write_ledger(self._connection, whole)

    def _keep(self, data: Mapping[str, bytes]) -> None:
        """Keep bytes by their digest; those that are kept already are passed over."""
        for names in chunks(sorted(data)):
            found = select(blobs.c.sha256).where(blobs.c.sha256.in_(names))
            known = set(self._connection.scalars(found))
            for name in names:
                if name not in known:
                    row = insert(blobs).values(sha256=name, data=data[name])
                    self._connection.execute(row)
