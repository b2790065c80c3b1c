"""The ledger in memory: the rules' persistence without a database, in plain dictionaries."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.decision import Decision, DecisionKind, Quarantine
from asf_core.domain.event import ChainHead, Event, EventDraft, EventKind
from asf_core.domain.pin import Pin
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import ReceiptKind, StoredGrant, StoredReceipt
from asf_core.domain.refusal import Refusal
from asf_core.domain.use import Authorisation, Feedback
from asf_core.trust.chain import EMPTY, chain_event, event_digest, event_document, read_event


@dataclass
class State:
    """Everything that is kept; tests may spoil it as an attacker would."""

    policies: list[TrustPolicy] = field(default_factory=list)
    versions: dict[str, VersionRecord] = field(default_factory=dict)
    pointers: dict[str, str] = field(default_factory=dict)
    receipts: dict[tuple[ReceiptKind, str], StoredReceipt] = field(default_factory=dict)
    revocations: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    authorisations: dict[str, Authorisation] = field(default_factory=dict)
    feedback: dict[str, Feedback] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    documents: list[bytes] = field(default_factory=list)
    blobs: dict[str, bytes] = field(default_factory=dict)


class MemoryLedger:
    """Implements the ports of :mod:`asf_core.governance.ports`."""

    def __init__(self) -> None:
        self.state = State()

    @contextmanager
    def reading(self) -> Iterator[MemoryDeciding]:
        yield MemoryDeciding(self.state)

    @contextmanager
    def deciding(self) -> Iterator[MemoryDeciding]:
        changed = State(**{name: copy.copy(value) for name, value in vars(self.state).items()})
        yield MemoryDeciding(changed)
        self.state = changed


class MemoryDeciding:
    """One state."""

    def __init__(self, state: State) -> None:
        self._state = state

    def policy(self) -> TrustPolicy:
        return self._state.policies[-1] if self._state.policies else TrustPolicy()

    def policies(self) -> tuple[TrustPolicy, ...]:
        return tuple(self._state.policies)

    def version(self, content_hash: str) -> VersionRecord | None:
        return self._state.versions.get(content_hash)

    def versions(self, skill_id: str | None = None) -> tuple[VersionRecord, ...]:
        found = self._state.versions.values()
        return tuple(r for r in found if skill_id in {None, r.content.skill_id})

    def active(self, skill_id: str) -> str | None:
        return self._state.pointers.get(skill_id)

    def pointers(self) -> dict[str, str]:
        return dict(self._state.pointers)

    def receipt(self, kind: ReceiptKind, id_: str) -> StoredReceipt | None:
        return self._state.receipts.get((kind, id_))

    def receipts(self, content_hash: str) -> tuple[StoredReceipt, ...]:
        return tuple(
            r
            for r in self._state.receipts.values()
            if r.content_hash == content_hash and r.kind is not ReceiptKind.GRANT
        )

    def all_receipts(self) -> tuple[StoredReceipt, ...]:
        return tuple(self._state.receipts.values())

    def grant(self, id_: str) -> StoredGrant | None:
        found = self.receipt(ReceiptKind.GRANT, id_)
        if found is None:
            return None
        return StoredGrant(found, *self._state.revocations.get(id_, ()))

    def grants(self, content_hash: str | None = None) -> tuple[StoredGrant, ...]:
        found = [self.grant(id_) for kind, id_ in self._state.receipts if kind is ReceiptKind.GRANT]
        return tuple(g for g in found if g and content_hash in {None, g.receipt.content_hash})

    def authorisation(self, id_: str) -> Authorisation | None:
        return self._state.authorisations.get(id_)

    def authorisations(self, content_hash: str | None = None) -> tuple[Authorisation, ...]:
        found = self._state.authorisations.values()
        return tuple(a for a in found if content_hash in {None, a.pin.content_hash})

    def feedback(self, id_: str) -> Feedback | None:
        return self._state.feedback.get(id_)

    def feedback_on(self, content_hash: str | None = None) -> tuple[Feedback, ...]:
        found = self._state.feedback.values()
        return tuple(f for f in found if content_hash in {None, f.pin.content_hash})

    def quarantine(self, skill_id: str, tree_digest: str) -> Quarantine | None:
        for record in self._state.versions.values():
            if record.terminal and record.content.tree_digest == tree_digest:
                about = f"{record.content.skill_id}@{record.content.version}"
                return Quarantine(about, record.reasons[0].why, "?", "?", terminal=True)
        for same in (lambda d: d.skill_id == skill_id, lambda d: d.digest == tree_digest):
            last = next((d for d in reversed(self._state.decisions) if same(d)), None)
            if last is not None and last.kind is DecisionKind.QUARANTINE:
                return Quarantine(last.skill_id, last.reason, last.actor, last.decided_at, False)
        return None

    def all_decisions(self) -> tuple[Decision, ...]:
        return tuple(self._state.decisions)

    def head(self) -> ChainHead:
        documents = self._state.documents
        return ChainHead(len(documents), event_digest(documents[-1])) if documents else EMPTY

    def documents(self, start: int = 1) -> Iterator[bytes]:
        yield from self._state.documents[start - 1 :]

    def events_on(self, content_hash: str, *kinds: EventKind) -> tuple[Event, ...]:
        found = map(read_event, self._state.documents)
        return tuple(
            e
            for e in found
            if e.pin and e.pin.content_hash == content_hash and (not kinds or e.kind in kinds)
        )

    def blob(self, sha256: str) -> bytes | None:
        return self._state.blobs.get(sha256)

    def set_policy(self, policy: TrustPolicy) -> None:
        self._state.policies.append(policy)

    def add_version(self, record: VersionRecord, data: Mapping[str, bytes]) -> None:
        assert record.content_hash not in self._state.versions
        self._state.versions[record.content_hash] = record
        self._state.blobs.update(data)

    def set_state(
        self,
        pin: Pin,
        state: VersionState,
        *,
        terminal: bool = False,
        reasons: tuple[Refusal, ...] = (),
    ) -> None:
        record = self._state.versions[pin.content_hash]
        self._state.versions[pin.content_hash] = replace(
            record, state=state, terminal=terminal, reasons=reasons
        )

    def point(self, pin: Pin) -> None:
        assert pin.skill_id not in self._state.pointers
        self._state.pointers[pin.skill_id] = pin.content_hash

    def unpoint(self, skill_id: str) -> None:
        self._state.pointers.pop(skill_id, None)

    def add_receipt(self, receipt: StoredReceipt) -> None:
        assert (receipt.kind, receipt.id) not in self._state.receipts
        self._state.receipts[receipt.kind, receipt.id] = receipt

    def revoke_grant(self, id_: str, *, at: str, by: str, why: str) -> None:
        self._state.revocations[id_] = (at, by, why)

    def add_authorisation(self, authorisation: Authorisation) -> None:
        self._state.authorisations[authorisation.id] = authorisation

    def add_feedback(self, item: Feedback) -> None:
        self._state.feedback[item.id] = item

    def append(self, draft: EventDraft) -> Event:
        event = chain_event(draft, self.head())
        self._state.documents.append(event_document(event))
        return event
