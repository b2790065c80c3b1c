"""A prompt playbook of SMX becomes a Built-in skill.

The export is one JSON document::

    {"format": "smx.playbooks/1", "system": "smx", "revision": "2026.11.2", "product": "workbench",
     "global_prompt_sha256": "...",
     "skills": [{"id": "skill.research.v2", "version": 2, "name": "...", "description": "...",
                 "instructions": "...", "tools": ["WebSearch"], "triggers": ["..."],
                 "evaluation_case_ids": ["research-001"]}]}

The number in the id and ``version`` must agree. The skill is ``skill.<family>``, its version
``<n>.0.0``, so that version 3 of a family takes the place of version 2 and can go back to it; the
exported id stays on record as the source's.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from asf_core.domain.base import Sha256, Value
from asf_core.domain.content import (
    BoundContent,
    Evidence,
    LongText,
    PlaybookBinding,
    RetrievalTerms,
    SourceRecord,
    ToolName,
    playbook_id,
)
from asf_core.domain.errors import InputError
from asf_core.domain.pin import Identifier, Scope, ScopeKind, SourceMode, Word
from asf_core.governance.candidates import CandidateDraft
from asf_core.governance.sources.draft import Import, binding, file_entry
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.strictjson import MalformedError, dump_canonical, read_model
from asf_core.trust.tree import tree_digest

Instructions = Annotated[str, StringConstraints(min_length=1, max_length=1_000_000, pattern=r"\S")]


class PlaybookSkill(Value):
    """One family's playbook as it is exported."""

    id: Identifier
    version: Annotated[int, Field(ge=1)]
    name: LongText
    description: LongText
    instructions: Instructions
    tools: tuple[ToolName, ...] | None = None
    triggers: tuple[LongText, ...] = ()
    evaluation_case_ids: tuple[Identifier, ...]


class PlaybookExport(Value):
    """An export of prompt playbooks."""

    format: Literal["smx.playbooks/1"]
    system: Word
    revision: Identifier
    product: Word
    global_prompt_sha256: Sha256
    skills: Annotated[tuple[PlaybookSkill, ...], Field(min_length=1, max_length=1_000)]


def draft_playbooks(document: bytes, importing: Import) -> tuple[CandidateDraft, ...]:
    """Make drafts of an export, one a family.

    Raises:
        InputError: The document is no such export, or an id does not agree with its version.
    """
    try:
        export = read_model(PlaybookExport, document)
    except MalformedError as error:
        raise InputError(
            "This is not an export of prompt playbooks",
            why=str(error),
            hint="Export it anew as smx.playbooks/1",
        ) from error
    digest = sha256_hex(document)
    return tuple(_draft(export, skill, digest, importing) for skill in export.skills)


def _draft(
    export: PlaybookExport, skill: PlaybookSkill, digest: str, importing: Import
) -> CandidateDraft:
    try:
        family, number = playbook_id(skill.id)
    except ValueError as error:
        raise InputError(f"{skill.id!r} is no playbook's id", why=str(error)) from error
    if number != skill.version:
        raise InputError(
            f"{skill.id} says version {number}, and its export version {skill.version}",
            why="The id of a playbook and its version must agree",
            hint="Mend it at its source, then export it anew",
        )
    instructions = skill.instructions.encode("utf-8")
    files = {"instructions.md": instructions, "source.json": dump_canonical(skill)}
    tree = tuple(file_entry(path, data) for path, data in sorted(files.items()))
    with binding(skill.id):
        content = BoundContent(
            mode=SourceMode.PROMPT_PLAYBOOK,
            skill_id=f"skill.{family}",
            version=f"{number}.0.0",
            scope=Scope(kind=ScopeKind.PRODUCT, name=export.product),
            instructions_sha256=sha256_hex(instructions),
            instructions_bytes=len(instructions),
            tools=skill.tools,
            retrieval=RetrievalTerms(
                name=skill.name, description=skill.description, triggers=skill.triggers
            ),
            tree_digest=tree_digest(tree),
            source=SourceRecord(
                system=export.system, id=skill.id, version=str(number), revision=export.revision
            ),
            imported_by=importing.actor,
            imported_at=importing.at,
            evidence=(Evidence(kind="export", reference=f"sha256:{digest}"),),
            playbook=PlaybookBinding(
                global_prompt_sha256=export.global_prompt_sha256,
                evaluation_case_ids=skill.evaluation_case_ids,
            ),
        )
    return CandidateDraft(content, tree, files, instructions)
