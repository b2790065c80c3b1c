"""Whom and what the control plane trusts (DESIGN 8). Nothing is trusted that does not stand here."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from asf_core.domain.base import Sha256, Value
from asf_core.domain.content import SourceRecord, ToolName
from asf_core.domain.findings import Severity
from asf_core.domain.instant import Instant
from asf_core.domain.pin import Identifier, SourceMode, Word

Count = Annotated[int, Field(ge=1, le=100)]


class Role(StrEnum):
    """What a key may sign."""

    REVIEWER = "reviewer"
    """Governance receipts: approval of a candidate or of a rollback."""
    SCANNER = "scanner"
    """Security receipts."""
    GRANTOR = "grantor"
    """Execution grants."""


class TrustedKey(Value):
    """A public key with the one role that it is trusted in."""

    key_id: Sha256
    """SHA-256 of ``spki``; whoever uses the key computes it again."""
    spki: Annotated[str, StringConstraints(min_length=1, max_length=400)]
    """SubjectPublicKeyInfo (RFC 8410) in base64."""
    role: Role
    name: Identifier
    """Whose it is."""
    added_at: Instant


class TrustedScanner(Value):
    """One exact version of a scanner and the key that speaks for it."""

    name: Word
    version: Word
    key_id: Sha256


class TrustedSource(Value):
    """One revision of a source."""

    mode: SourceMode
    system: Word
    id: Identifier
    """The source's id. For a skill directory also the registry's name, or a directory in it: then
    all skills below it are meant, at that revision."""
    revision: Identifier

    def covers(self, mode: SourceMode, source: SourceRecord) -> bool:
        """Whether a source record is of this revision."""
        if (mode, source.system, source.revision) != (self.mode, self.system, self.revision):
            return False
        if self.mode is SourceMode.SKILL_DIRECTORY and source.id.startswith(f"{self.id}/"):
            return True
        return source.id == self.id


class Channel(Value):
    """A way by which skills are run, and the tools allowed on it."""

    name: Word
    tools: tuple[ToolName, ...] = ()


class TrustPolicy(Value):
    """The trust policy; the empty one refuses everything."""

    keys: tuple[TrustedKey, ...] = ()
    scanners: tuple[TrustedScanner, ...] = ()
    sources: tuple[TrustedSource, ...] = ()
    tools: tuple[ToolName, ...] = ()
    """Registered tools."""
    channels: tuple[Channel, ...] = ()
    reviewers_needed: Count = 1
    """Distinct public keys that must approve."""
    security_max_age_hours: Annotated[int, Field(ge=1, le=8_784)] = 7 * 24
    """Oldest security receipt that counts."""
    review_max_age_hours: Annotated[int, Field(ge=1, le=8_784)] = 30 * 24
    """Oldest governance receipt that counts."""
    clock_skew_seconds: Annotated[int, Field(ge=0, le=600)] = 30
    """How far ahead of this clock a signer's may be."""
    block_at: Severity = Severity.MEDIUM
    """A security receipt with a finding of this severity or above is not clean."""
    active_only: bool = False
    """Route only over active pins."""

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        """One key, one role: nobody both scans and approves with one key."""
        for what, names in (
            ("key", [key.key_id for key in self.keys]),
            ("public key", [key.spki for key in self.keys]),
            ("channel", [channel.name for channel in self.channels]),
            ("tool", list(self.tools)),
            ("source", [source.model_dump_json() for source in self.sources]),
            ("scanner", [scanner.model_dump_json() for scanner in self.scanners]),
        ):
            if len(set(names)) != len(names):
                raise ValueError(f"a {what} stands twice in the trust policy")
        return self
