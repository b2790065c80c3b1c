"""What goes out, and what became of it on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from asf_core.domain.exporting import ExportFormat
from asf_core.domain.iotype import IOType
from asf_core.domain.manifest import Compatibility
from asf_core.domain.pin import Pin
from asf_core.domain.skill import TreeEntry


@dataclass(frozen=True, slots=True)
class ExportSkill:
    """One skill on its way out."""

    id: str
    slug: str
    description: str
    instructions: str
    """Text after the frontmatter."""
    inputs: tuple[IOType, ...] = ()
    version: str | None = None
    compatibility: Compatibility = field(default_factory=Compatibility)
    pin: Pin | None = None
    """The exact version that was reviewed and is active; ``None``: nobody has reviewed it."""
    digest: str | None = None
    """Tree digest of ``files``."""
    revision: str | None = None
    """Commit that the bytes were read at, where there is one."""
    tree: tuple[TreeEntry, ...] = ()
    contents: Mapping[str, bytes] = field(default_factory=dict)
    """Bytes of every entry of ``tree`` by path."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What a skill lost, because its target cannot hold it."""

    skill_id: str
    what: str
    """One sentence."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A skill that did not go out, and why."""

    skill_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Exported:
    """Skills as one host takes them."""

    format: ExportFormat
    document: Any
    """JSON of lists, dicts and texts: what the host's API takes."""
    names: Mapping[str, str]
    """Exported name and skill id."""
    losses: tuple[Loss, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    unreviewed: tuple[str, ...] = ()
    """Ids that went out though nobody reviewed them."""
