"""What a candidate is: everything that its content hash binds, and where it stands (DESIGN 4, 8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from asf_core.domain.base import Sha256, Value
from asf_core.domain.instant import Instant
from asf_core.domain.pin import Identifier, Pin, Scope, ScopeKind, SourceMode, Version, Word
from asf_core.domain.refusal import Refusal
from asf_core.domain.skill import TreeEntry

_PLAYBOOK_ID = re.compile(r"skill\.([a-z0-9]+(?:-[a-z0-9]+)*)\.v([1-9][0-9]{0,8})")

LongText = Annotated[str, StringConstraints(max_length=20_000, strict=True)]
ToolName = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")
]
"""As the skill writes it: ``Read``, ``Bash(git:*)``. Compared character by character."""


class SourceRecord(Value):
    """Where the content came from, in the source system's own words."""

    system: Word
    """``git`` or ``directory`` for a skill directory, else the exporting system."""
    id: Identifier
    """The source's id of it. It may change there: it is provenance, not identity."""
    version: Identifier | None = None
    """The version as the source writes it."""
    revision: Identifier
    """Commit; ``sha256:`` and the tree digest where there is none; an export's update revision."""


class Evidence(Value):
    """One fact about the source that a reviewer can look up."""

    kind: Word
    """``remote``, ``commit``, ``export``."""
    reference: Identifier


class RetrievalTerms(Value):
    """What the skill is found by."""

    name: LongText
    description: LongText
    triggers: tuple[LongText, ...] = ()


class PlaybookBinding(Value):
    """What a prompt playbook was made for."""

    global_prompt_sha256: Sha256
    """Of the prompt that the playbook stands under."""
    evaluation_case_ids: Annotated[tuple[Identifier, ...], Field(min_length=1)]
    """Cases that it was evaluated on, in the source's order."""


class BoundContent(Value):
    """Everything that the content hash binds; a change of any field is another pin."""

    mode: SourceMode
    skill_id: Identifier
    version: Version
    scope: Scope
    instructions_sha256: Sha256
    """Of the operational instructions in UTF-8."""
    instructions_bytes: Annotated[int, Field(ge=1)]
    tools: tuple[ToolName, ...] | None
    """Declared tools in the author's order; ``None`` when the field is absent."""
    retrieval: RetrievalTerms
    tree_digest: Sha256
    """Of all files, by :func:`asf_core.trust.tree.tree_digest`."""
    source: SourceRecord
    imported_by: Identifier
    imported_at: Instant
    evidence: tuple[Evidence, ...] = ()
    playbook: PlaybookBinding | None = None
    """For a prompt playbook, and for nothing else."""

    @model_validator(mode="after")
    def _agrees_with_its_mode(self) -> Self:
        if (self.mode is SourceMode.PROMPT_PLAYBOOK) != (self.playbook is not None):
            raise ValueError("a prompt playbook names its global prompt, and nothing else does")
        if self.mode is SourceMode.PROMPT_PLAYBOOK:
            family, number = playbook_id(self.source.id)
            if (self.skill_id, self.version) != (f"skill.{family}", f"{number}.0.0"):
                raise ValueError("the id of a prompt playbook does not agree with its version")
        if self.mode is SourceMode.SAVED_RECIPE and self.scope.kind is ScopeKind.PRODUCT:
            raise ValueError("a saved recipe belongs to a user or a tenant")
        return self


def playbook_id(source_id: str) -> tuple[str, int]:
    """Take ``skill.<family>.v<n>`` apart.

    Returns:
        The family and n, at least 1.

    Raises:
        ValueError: It has another form.
    """
    match = _PLAYBOOK_ID.fullmatch(source_id)
    if match is None:
        raise ValueError("the id of a prompt playbook is skill.<family>.v<n>")
    return match[1], int(match[2])


class VersionState(StrEnum):
    """Where a version stands."""

    CANDIDATE = "candidate"
    """Waiting for review."""
    QUARANTINED = "quarantined"
    """Kept and visible, never routed or run."""
    ACTIVE = "active"
    """The one runnable pin of its skill."""
    RETIRED = "retired"
    """Was active; a rollback may make it so again."""


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """One immutable version and where it stands."""

    content: BoundContent
    content_hash: str
    tree: tuple[TreeEntry, ...]
    """Sorted by path; its bytes are in the content store."""
    state: VersionState
    terminal: bool = False
    """True for a quarantine that no receipt lifts; False for a candidate that admission refused,
    which may be tried again when what was missing is there."""
    reasons: tuple[Refusal, ...] = ()
    """Why it is in quarantine; empty otherwise."""

    @property
    def pin(self) -> Pin:
        """The exact version."""
        content = self.content
        return Pin(
            skill_id=content.skill_id, version=content.version, content_hash=self.content_hash
        )
