"""What a curator decided about a skill, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class DecisionKind(StrEnum):
    """What was decided."""

    QUARANTINE = "quarantine"
    """Keep it out of routing from now on."""
    RELEASE = "release"
    """Let it be routed again."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, as it was recorded; decisions are added and never changed."""

    number: int
    """Grows with each decision of the workspace; the highest of a skill is the one in force."""
    skill_id: str
    """The skill may be gone from its registry since."""
    kind: DecisionKind
    digest: str | None
    """Tree digest of what was looked at; ``None`` when it had none."""
    reason: str
    """In the curator's words, never empty."""
    actor: str
    """Who decided."""
    decided_at: str
    """RFC 3339, in UTC."""


@dataclass(frozen=True, slots=True)
class Quarantine:
    """What keeps a skill or its bytes in quarantine."""

    about: str
    """Id of the skill, or the version, that it was decided about; another one has the same files."""
    reason: str
    actor: str
    decided_at: str
    """RFC 3339, in UTC."""
    terminal: bool
    """True for the quarantine of a version: these files are never let in again."""
