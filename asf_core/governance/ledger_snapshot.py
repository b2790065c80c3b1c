"""A ledger in memory, as a snapshot holds it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from asf_core.domain.content import VersionRecord
from asf_core.domain.decision import Decision, DecisionKind, Quarantine
from asf_core.domain.event import ChainHead, Event, EventKind
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import ReceiptKind, StoredGrant, StoredReceipt
from asf_core.domain.use import Authorisation, Feedback
from asf_core.trust.chain import EMPTY, event_digest


@dataclass(slots=True)
class LedgerSnapshot:
    """A ledger in memory. Implements :class:`asf_core.governance.ports.Reading`."""

    all_policies: list[TrustPolicy] = field(default_factory=list)
    records: dict[str, VersionRecord] = field(default_factory=dict)
    """By content hash, in the order in which they were added."""
    active_pins: dict[str, str] = field(default_factory=dict)
    kept_receipts: dict[tuple[ReceiptKind, str], StoredReceipt] = field(default_factory=dict)
    revoked: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    """By grant id: when, by whom, why."""
    uses: dict[str, Authorisation] = field(default_factory=dict)
    said: dict[str, Feedback] = field(default_factory=dict)
    decided: list[Decision] = field(default_factory=list)
    log: list[bytes] = field(default_factory=list)
    blobs: dict[str, bytes] = field(default_factory=dict)
    by_content: dict[str, list[StoredReceipt]] = field(default_factory=dict)
    told: dict[str, list[Event]] = field(default_factory=dict)
    """Events by content hash."""
    ended: dict[str, VersionRecord] = field(default_factory=dict)
    """A version that ended, by tree digest."""
    last_words: dict[str, Decision] = field(default_factory=dict)
    """The last decision by skill id, and by tree digest: neither can be taken for the other."""

    def add_version(self, record: VersionRecord) -> None:
        """Add a version."""
        self.records[record.content_hash] = record
        if record.terminal:
            self.ended[record.content.tree_digest] = record

    def add_receipt(self, receipt: StoredReceipt) -> None:
        """Add a receipt."""
        self.kept_receipts[receipt.kind, receipt.id] = receipt
        self.by_content.setdefault(receipt.content_hash, []).append(receipt)

    def add_decision(self, decision: Decision) -> None:
        """Add a decision about a skill."""
        self.decided.append(decision)
        self.last_words[f"id {decision.skill_id}"] = decision
        if decision.digest is not None:
            self.last_words[f"digest {decision.digest}"] = decision

    def add_event(self, event: Event, document: bytes) -> None:
        """Add an event and its document."""
        self.log.append(document)
        if event.pin is not None:
            self.told.setdefault(event.pin.content_hash, []).append(event)

    def policy(self) -> TrustPolicy:
        """The trust policy in force."""
        return self.all_policies[-1] if self.all_policies else TrustPolicy()

    def policies(self) -> tuple[TrustPolicy, ...]:
        """Every policy there was, oldest first."""
        return tuple(self.all_policies)

    def version(self, content_hash: str) -> VersionRecord | None:
        """The version with this content."""
        return self.records.get(content_hash)

    def versions(self, skill_id: str | None = None) -> tuple[VersionRecord, ...]:
        """All versions, or those of a skill, oldest first."""
        found = self.records.values()
        return tuple(r for r in found if skill_id is None or r.content.skill_id == skill_id)

    def with_files(self, tree_digest: str) -> tuple[VersionRecord, ...]:
        """The versions of any skill that have exactly these files, oldest first."""
        return tuple(r for r in self.records.values() if r.content.tree_digest == tree_digest)

    def active(self, skill_id: str) -> str | None:
        """Content hash of the skill's active version."""
        return self.active_pins.get(skill_id)

    def pointers(self) -> dict[str, str]:
        """Content hash of the active version by skill id."""
        return dict(self.active_pins)

    def receipt(self, kind: ReceiptKind, id_: str) -> StoredReceipt | None:
        """The receipt of this kind and id."""
        return self.kept_receipts.get((kind, id_))

    def receipts(self, content_hash: str) -> tuple[StoredReceipt, ...]:
        """Security, governance and rollback receipts about a content, oldest first."""
        found = self.by_content.get(content_hash, [])
        return tuple(r for r in found if r.kind is not ReceiptKind.GRANT)

    def all_receipts(self) -> tuple[StoredReceipt, ...]:
        """Receipts and grants of all kinds, in the order in which they were recorded."""
        return tuple(self.kept_receipts.values())

    def grant(self, id_: str) -> StoredGrant | None:
        """The grant of this id."""
        found = self.kept_receipts.get((ReceiptKind.GRANT, id_))
        return None if found is None else StoredGrant(found, *self.revoked.get(id_, ()))

    def grants(self, content_hash: str | None = None) -> tuple[StoredGrant, ...]:
        """All grants, or those for a content, oldest first."""
        return tuple(
            StoredGrant(receipt, *self.revoked.get(receipt.id, ()))
            for receipt in self.kept_receipts.values()
            if receipt.kind is ReceiptKind.GRANT and content_hash in {None, receipt.content_hash}
        )

    def authorisation(self, id_: str) -> Authorisation | None:
        """The authorisation of this id."""
        return self.uses.get(id_)

    def authorisations(self, content_hash: str | None = None) -> tuple[Authorisation, ...]:
        """All authorisations, or those for a content, oldest first."""
        found = self.uses.values()
        return tuple(a for a in found if content_hash in {None, a.pin.content_hash})

    def feedback(self, id_: str) -> Feedback | None:
        """The feedback of this id."""
        return self.said.get(id_)

    def feedback_on(self, content_hash: str | None = None) -> tuple[Feedback, ...]:
        """All feedback, or that on a content, oldest first."""
        found = self.said.values()
        return tuple(f for f in found if content_hash in {None, f.pin.content_hash})

    def quarantine(self, skill_id: str, tree_digest: str) -> Quarantine | None:
        """What keeps this skill, or these bytes under any name, in quarantine."""
        if tree_digest in self.ended:
            record = self.ended[tree_digest]
            return _ended(record, self.events_on(record.content_hash))
        for name in (f"id {skill_id}", f"digest {tree_digest}"):
            last = self.last_words.get(name)
            if last is not None and last.kind is DecisionKind.QUARANTINE:
                said = (last.skill_id, last.reason, last.actor, last.decided_at)
                return Quarantine(*said, terminal=False)
        return None

    def all_decisions(self) -> tuple[Decision, ...]:
        """Curators' decisions about skills, oldest first."""
        return tuple(self.decided)

    def head(self) -> ChainHead:
        """How long the event chain is and what it ends in."""
        return ChainHead(len(self.log), event_digest(self.log[-1])) if self.log else EMPTY

    def documents(self, start: int = 1) -> Iterator[bytes]:
        """The events from a number on, in order."""
        yield from self.log[start - 1 :]

    def events_on(self, content_hash: str, *kinds: EventKind) -> tuple[Event, ...]:
        """Events about a content, oldest first; of all kinds when none is named."""
        found = self.told.get(content_hash, ())
        return tuple(event for event in found if not kinds or event.kind in kinds)

    def blob(self, sha256: str) -> bytes | None:
        """Kept bytes by their digest."""
        return self.blobs.get(sha256)


def _ended(record: VersionRecord, events: Iterable[Event]) -> Quarantine:
    content = record.content
    about = f"{content.skill_id}@{content.version}"
    for event in events:
        if event.kind is EventKind.VERSION_QUARANTINED:
            return Quarantine(about, event.reason, event.actor, event.at, terminal=True)
    return Quarantine(about, "it has ended", "", "", terminal=True)
