"""Values that go into and come out of the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from asf_core.domain.skill import Skill

Outcome = Literal["done", "cancelled", "failed", "interrupted"]
"""How a sync run ended; ``interrupted``: the process died without saying."""


@dataclass(frozen=True, slots=True)
class SkillRecord:
    """A skill with what the sync needs in order to do nothing next time."""

    skill: Skill
    fingerprint: str
    """The cheap fingerprint of its files; equal means nothing to read."""
    view_digest: str
    """Of the text that is encoded; empty for a skill that is not (a broken one)."""
    tokens: int
    """Of name, description and body."""
    listing_tokens: int
    """Of name and description."""
    facts: str = ""
    """What the gate reads of it; only on the way in, records come out without."""


@dataclass(frozen=True, slots=True)
class SkillMarkRow:
    """A skill without its content, with the digest that says whether that changed."""

    id: str
    slug: str
    registry: str
    path: str
    digest: str | None
    """Of its tree; ``None`` where the tree was refused."""


@dataclass(frozen=True, slots=True)
class SyncRun:
    """One sync of one registry."""

    number: int
    registry: str
    started_at: str
    """RFC 3339, in UTC."""
    finished_at: str | None
    """``None`` while it runs, and for ``interrupted``."""
    outcome: Outcome | None
    """``None`` while it runs."""
    report: str
    """JSON, as given to ``finish_run``."""
