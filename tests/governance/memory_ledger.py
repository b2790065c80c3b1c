"""The ledger in memory: the rules' persistence without a database."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.event import Event, EventDraft
from asf_core.domain.pin import Pin
from asf_core.domain.policy import TrustPolicy
from asf_core.domain.receipts import StoredReceipt
from asf_core.domain.refusal import Refusal
from asf_core.domain.use import Authorisation, Feedback
from asf_core.governance.ledger_snapshot import LedgerSnapshot
from asf_core.trust.chain import chain_event, event_document


class MemoryLedger:
    """Implements the ports of :mod:`asf_core.governance.ports`.

    ``state`` is everything that is kept; tests may spoil it as an attacker would.
    """

    def __init__(self) -> None:
        self.state = MemoryDeciding()

    @contextmanager
    def reading(self) -> Iterator[MemoryDeciding]:
        yield self.state

    @contextmanager
    def deciding(self) -> Iterator[MemoryDeciding]:
        parts = {
            item.name: copy.copy(getattr(self.state, item.name)) for item in fields(self.state)
        }
        changed = MemoryDeciding(**parts)
        changed.told = _Lists(changed.told)
        changed.by_content = _Lists(changed.by_content)
        yield changed
        self.state = changed


class _Lists(dict):  # type: ignore[type-arg]
    """Lists by key that are copied before they grow, so that an older state keeps its own."""

    def setdefault(self, key: object, default: list[object] | None = None) -> list[object]:
        self[key] = list(self.get(key, default or []))
        return self[key]


class MemoryDeciding(LedgerSnapshot):
    """One state that may be written to."""

    def set_policy(self, policy: TrustPolicy) -> None:
        self.all_policies.append(policy)

    def add_version(  # type: ignore[override]
        self, record: VersionRecord, data: Mapping[str, bytes]
    ) -> None:
        assert record.content_hash not in self.records
        super().add_version(record)
        self.blobs.update(data)

    def set_state(
        self,
        pin: Pin,
        state: VersionState,
        *,
        terminal: bool = False,
        reasons: tuple[Refusal, ...] = (),
    ) -> None:
        record = self.records[pin.content_hash]
        super().add_version(replace(record, state=state, terminal=terminal, reasons=reasons))

    def point(self, pin: Pin) -> None:
        assert pin.skill_id not in self.active_pins
        self.active_pins[pin.skill_id] = pin.content_hash

    def unpoint(self, skill_id: str) -> None:
        self.active_pins.pop(skill_id, None)

    def add_receipt(self, receipt: StoredReceipt) -> None:
        assert (receipt.kind, receipt.id) not in self.kept_receipts
        super().add_receipt(receipt)

    def revoke_grant(self, id_: str, *, at: str, by: str, why: str) -> None:
        self.revoked[id_] = (at, by, why)

    def add_authorisation(self, authorisation: Authorisation) -> None:
        self.uses[authorisation.id] = authorisation

    def add_feedback(self, item: Feedback) -> None:
        self.said[item.id] = item

    def append(self, draft: EventDraft) -> Event:
        event = chain_event(draft, self.head())
        self.add_event(event, event_document(event))
        return event
