"""What a sync did."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from asf_core.domain.base import Value
from asf_core.domain.findings import Finding


class SyncPhase(StrEnum):
    """The steps of a sync, in order."""

    DISCOVER = "discover"
    READ = "read"
    ENCODE = "encode"
    GRAPH = "graph"
    INDEX = "index"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """How far a sync is."""

    registry: str
    phase: SyncPhase
    done: int
    total: int
    """0 where it is not known yet."""


@dataclass(frozen=True, slots=True)
class RegistryRow:
    """A registry of the workspace."""

    name: str
    path: str
    """Absolute path of its root."""
    added_at: str
    """RFC 3339."""
    synced_at: str | None
    """RFC 3339 of the last whole sync; ``None`` before the first."""
    skills: int


class RegistrySync(Value):
    """What a sync did in one registry."""

    registry: str
    listed: int
    """Skills found on disk."""
    added: int
    changed: int
    removed: int
    unchanged: int
    encoded: int
    """Skills whose text went through the encoders; the rest was known by digest."""
    broken: tuple[str, ...]
    """Ids of skills that are listed and cannot be routed."""
    unread: tuple[Finding, ...]
    """Files that could not be read at all, with reasons."""
    seconds: float
    """To discover and read them; encoding and indexing serve all registries together."""


class SyncReport(Value):
    """What a sync did."""

    registries: tuple[RegistrySync, ...]
    generation: str
    """Of the index afterwards."""
    gated: int = 0
    """Skills of the workspace that the gate takes out of routing and nobody released."""
    aliases: int = 0
    """Skills of the workspace that another one stands for."""
    cancelled: bool
    """True when it was stopped; what was done is kept and the next sync goes on from there."""
    seconds: float
