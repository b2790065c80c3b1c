"""A skill as it stands on disk."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from asf_core.domain.base import Sha256, Value
from asf_core.domain.findings import Finding, Severity
from asf_core.domain.graph import Reference
from asf_core.domain.manifest import Risk, SkillManifest


class SkillState(StrEnum):
    """Whether the router may offer a skill."""

    READY = "ready"
    BROKEN = "broken"
    """Its file cannot be read as a skill; listed with the findings that say why, never routed."""
    QUARANTINED = "quarantined"
    """Kept and visible, never routed or run."""


class QuarantinedBy(StrEnum):
    """Who took a skill out of routing."""

    CURATOR = "curator"
    """By a recorded decision; it stays out until it is released."""
    GATE = "gate"
    """By its slop score; it comes back when the score rises, or when a curator releases it."""


class TreeEntry(Value):
    """One row of a tree manifest (DESIGN 4)."""

    path: str
    """POSIX, relative to the skill's directory."""
    kind: Literal["file", "symlink"]
    executable: bool
    size: int
    """Bytes; of a symlink, of its target's text."""
    sha256: Sha256
    """Of the bytes; of a symlink, of its target's text in UTF-8."""


class Commit(Value):
    """One git commit, as much of it as provenance shows."""

    sha: str
    author: str
    """Name and address as git prints them: hostile text."""
    when: str
    """Author date, RFC 3339."""
    subject: str


class Provenance(Value):
    """Where a skill's bytes come from, and what cannot be known."""

    kind: Literal["git", "directory"]
    repository: str | None = None
    """Top directory of the work tree."""
    remote: str | None = None
    """URL of the upstream or first remote, credentials removed."""
    head: str | None = None
    """Commit checked out."""
    branch: str | None = None
    """``None`` when detached or unborn; then ``note`` says so."""
    last_commit: Commit | None = None
    """The commit that last touched the skill's directory."""
    tracked: bool | None = None
    dirty: bool | None = None
    """True when the bytes on disk differ from those of ``head``."""
    note: str = ""
    """What cannot be known, and why."""


class ParsedSkill(Value):
    """A SKILL.md after reading: tolerant in what it lists, strict in what it says of it."""

    manifest: SkillManifest
    body: str
    """Text after the frontmatter, line ends as ``\\n``."""
    body_line: int
    """Line of the file on which ``body`` starts, 1-based."""
    state: SkillState
    """``READY`` or ``BROKEN``."""
    findings: tuple[Finding, ...]


class Skill(Value):
    """A parsed skill together with its bytes' digest and its provenance."""

    manifest: SkillManifest
    body: str
    body_line: int
    state: SkillState
    state_reason: str = ""
    """Why it is broken or quarantined; empty when ready."""
    quarantined_by: QuarantinedBy | None = None
    tree: tuple[TreeEntry, ...]
    """Sorted by path."""
    digest: Sha256 | None
    """Tree digest; ``None`` when the tree was refused (``findings`` says why)."""
    findings: tuple[Finding, ...]
    provenance: Provenance
    references: tuple[Reference, ...] = ()
    """Places in its frontmatter, scripts and commands that reach for other skills; what its prose
    tells is read when the other skills are known."""


@dataclass(frozen=True, slots=True)
class SkillRow:
    """One line of a list of skills; a workspace holds tens of thousands, so it is light."""

    id: str
    slug: str
    registry: str
    path: str
    description: str
    version: str | None
    capability: str
    risk: Risk
    state: SkillState
    state_reason: str
    findings: int
    """How many findings it has."""
    worst: Severity | None
    """The severity of the worst of them."""
    tokens: int
    dirty: bool | None
    slop_score: float | None
    is_duplicate: bool
    quarantined_by: QuarantinedBy | None = None
    canonical_id: str | None = None
    """The skill that stands for it; ``None`` when it stands for itself."""
