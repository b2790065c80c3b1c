"""What the rules ask of a store; :mod:`asf_core.store.ledger` keeps it, tests keep it in memory.

An operation is one transaction: ``deciding`` holds the write lock from its start, so what was read
in it still holds when it writes, and either all of it is kept or nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.decision import Decision, Quarantine
from asf_core.domain.event import ChainHead, Event, EventDraft, EventKind
from asf_core.domain.pin import Pin
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import ReceiptKind, StoredGrant, StoredReceipt
from asf_core.domain.refusal import Refusal
from asf_core.domain.use import Authorisation, Feedback


class Reading(Protocol):
    """One state of the ledger."""

    def policy(self) -> TrustPolicy:
        """The trust policy in force; the empty one before the first change."""
        ...

    def policies(self) -> tuple[TrustPolicy, ...]:
        """Every policy there was, oldest first; the last one is in force."""
        ...

    def version(self, content_hash: str) -> VersionRecord | None:
        """The version with this content."""
        ...

    def versions(self, skill_id: str | None = None) -> tuple[VersionRecord, ...]:
        """All versions, or those of a skill, oldest first."""
        ...

    def with_files(self, tree_digest: str) -> tuple[VersionRecord, ...]:
        """The versions of any skill that have exactly these files, oldest first."""
        ...

    def active(self, skill_id: str) -> str | None:
        """Content hash of the skill's active version."""
        ...

    def pointers(self) -> dict[str, str]:
        """Content hash of the active version by skill id."""
        ...

    def receipt(self, kind: ReceiptKind, id_: str) -> StoredReceipt | None:
        """The receipt of this kind and id."""
        ...

    def receipts(self, content_hash: str) -> tuple[StoredReceipt, ...]:
        """Security, governance and rollback receipts about a content, oldest first."""
        ...

    def all_receipts(self) -> tuple[StoredReceipt, ...]:
        """Receipts and grants of all kinds, in the order in which they were recorded."""
        ...

    def grant(self, id_: str) -> StoredGrant | None:
        """The grant of this id."""
        ...

    def grants(self, content_hash: str | None = None) -> tuple[StoredGrant, ...]:
        """All grants, or those for a content, oldest first."""
        ...

    def authorisation(self, id_: str) -> Authorisation | None:
        """The authorisation of this id."""
        ...

    def authorisations(self, content_hash: str | None = None) -> tuple[Authorisation, ...]:
        """All authorisations, or those for a content, oldest first."""
        ...

    def feedback(self, id_: str) -> Feedback | None:
        """The feedback of this id."""
        ...

    def feedback_on(self, content_hash: str | None = None) -> tuple[Feedback, ...]:
        """All feedback, or that on a content, oldest first."""
        ...

    def quarantine(self, skill_id: str, tree_digest: str) -> Quarantine | None:
        """What keeps this skill, or these bytes under any name, in quarantine."""
        ...

    def all_decisions(self) -> tuple[Decision, ...]:
        """Curators' decisions about skills, oldest first."""
        ...

    def head(self) -> ChainHead:
        """How long the event chain is and what it ends in."""
        ...

    def documents(self, start: int = 1) -> Iterator[bytes]:
        """The events from a number on, in order, as they are kept."""
        ...

    def events_on(self, content_hash: str, *kinds: EventKind) -> tuple[Event, ...]:
        """Events about a content, oldest first; of all kinds when none is named."""
        ...

    def blob(self, sha256: str) -> bytes | None:
        """Kept bytes by their digest, as they are: the caller computes it again."""
        ...


class Deciding(Reading, Protocol):
    """The ledger inside one writing transaction."""

    def set_policy(self, policy: TrustPolicy) -> None:
        """Add a policy; it is in force from now on."""
        ...

    def add_version(self, record: VersionRecord, data: Mapping[str, bytes]) -> None:
        """Add a version and keep its bytes.

        Args:
            record: Its id and version are not in use.
            data: By SHA-256; those that are kept already are passed over.
        """
        ...

    def set_state(
        self,
        pin: Pin,
        state: VersionState,
        *,
        terminal: bool = False,
        reasons: tuple[Refusal, ...] = (),
    ) -> None:
        """Move a version to another state; its content never changes."""
        ...

    def point(self, pin: Pin) -> None:
        """Make a version the active one of its skill, which has none."""
        ...

    def unpoint(self, skill_id: str) -> None:
        """Take away the skill's pointer, if there is one."""
        ...

    def add_receipt(self, receipt: StoredReceipt) -> None:
        """Keep a receipt; its kind and id are not in use."""
        ...

    def revoke_grant(self, id_: str, *, at: str, by: str, why: str) -> None:
        """Take back a grant for good."""
        ...

    def add_authorisation(self, authorisation: Authorisation) -> None:
        """Retain an authorisation."""
        ...

    def add_feedback(self, item: Feedback) -> None:
        """Retain a feedback."""
        ...

    def append(self, draft: EventDraft) -> Event:
        """Append an event to the chain."""
        ...


class Ledger(Protocol):
    """Where the control plane keeps what it knows."""

    def reading(self) -> AbstractContextManager[Reading]:
        """A transaction that sees one state."""
        ...

    def deciding(self) -> AbstractContextManager[Deciding]:
        """A transaction that holds the write lock from its start.

        Raises:
            BusyError: Another process wrote for longer than the wait.
        """
        ...
