"""The audit log: what happened, appended and hash-chained (DESIGN 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from asf_core.domain.base import Sha256, Value
from asf_core.domain.instant import Instant
from asf_core.domain.pin import Identifier, Pin, Scope

GENESIS = "0" * 64
"""What stands before the first event."""


class EventKind(StrEnum):
    """What happened; closed."""

    POLICY_CHANGED = "policy_changed"
    CANDIDATE_ADDED = "candidate_added"
    RECEIPT_RECORDED = "receipt_recorded"
    ADMISSION_REFUSED = "admission_refused"
    ACTIVATED = "activated"
    RETIRED = "retired"
    """Another version took its place."""
    ROLLBACK_REFUSED = "rollback_refused"
    ROLLED_BACK = "rolled_back"
    """A retired version became active again."""
    VERSION_QUARANTINED = "version_quarantined"
    SKILL_QUARANTINED = "skill_quarantined"
    """A curator keeps a skill, and its bytes under any name, out of routing."""
    SKILL_RELEASED = "skill_released"
    GRANT_ISSUED = "grant_issued"
    GRANT_REVOKED = "grant_revoked"
    AUTHORISED = "authorised"
    AUTHORISATION_REFUSED = "authorisation_refused"
    FEEDBACK_RECORDED = "feedback_recorded"
    SNAPSHOT_RESTORED = "snapshot_restored"


class EventDraft(Value):
    """An event before it has its place in the chain."""

    at: Instant
    actor: Annotated[str, Field(min_length=1)]
    """Who did it."""
    kind: EventKind
    pin: Pin | None = None
    """What version it is about; ``None`` for a policy change or a skill without a version."""
    scope: Scope | None = None
    """Of that version."""
    evidence: tuple[Identifier, ...] = ()
    """Keys of the receipts that it rests on."""
    reason: str = ""
    facts: Mapping[str, str] = Field(default_factory=dict)
    """What else makes the event whole, by name: ``policy`` (digest), ``skill_id``, ``digest``."""


class Event(EventDraft):
    """An event in its place."""

    number: Annotated[int, Field(ge=1)]
    """From 1, without a gap."""
    previous: Sha256
    """Digest of the event before; zeros for the first."""


@dataclass(frozen=True, slots=True)
class ChainHead:
    """How long a chain is and what it ends in; kept in a second place, it shows a cut tail."""

    count: int
    digest: str
    """Of the last event; zeros for an empty chain."""
