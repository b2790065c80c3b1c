"""A saved recipe of Voyager becomes My skill, for its user or tenant only.

The export is one JSON document::

    {"format": "voyager.recipes/1", "system": "voyager",
     "recipes": [{"id": "rcp_81", "revision": 7, "name": "weekly-report", "version": "1.2.0",
                  "owner": {"tenant": "acme", "user": "alice"}, "description": "...",
                  "instructions": "...", "tools": ["Read"], "triggers": []}]}

``id`` and ``revision`` may change with each edit there: they are provenance. What the recipe is
called here comes from its owner and name, and its version is explicit.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from asf_core.domain.base import Value
from asf_core.domain.content import (
    BoundContent,
    Evidence,
    LongText,
    RetrievalTerms,
    SourceRecord,
    ToolName,
)
from asf_core.domain.errors import InputError
from asf_core.domain.pin import Identifier, Scope, ScopeKind, SourceMode, Version, Word
from asf_core.governance.candidates import CandidateDraft
from asf_core.governance.sources.draft import Import, binding, file_entry
from asf_core.governance.sources.playbook import Instructions
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.strictjson import MalformedError, dump_canonical, read_model
from asf_core.trust.tree import tree_digest


class RecipeOwner(Value):
    """Whose recipe it is."""

    tenant: Word
    user: Word | None = None
    """``None``: the whole tenant's."""

    @property
    def scope(self) -> Scope:
        """The owner as a scope."""
        if self.user is None:
            return Scope(kind=ScopeKind.TENANT, name=self.tenant)
        return Scope(kind=ScopeKind.USER, name=self.user, tenant=self.tenant)


class Recipe(Value):
    """One recipe as it is exported."""

    id: Identifier
    revision: Annotated[int, Field(ge=0)]
    name: Word
    version: Version
    owner: RecipeOwner
    description: LongText
    instructions: Instructions
    tools: tuple[ToolName, ...] | None = None
    triggers: tuple[LongText, ...] = ()


class RecipeExport(Value):
    """An export of recipes."""

    format: Literal["voyager.recipes/1"]
    system: Word
    recipes: Annotated[tuple[Recipe, ...], Field(min_length=1, max_length=1_000)]


def draft_recipes(document: bytes, importing: Import) -> tuple[CandidateDraft, ...]:
    """Make drafts of an export, one a recipe.

    Raises:
        InputError: The document is no such export.
    """
    try:
        export = read_model(RecipeExport, document)
    except MalformedError as error:
        raise InputError(
            "This is not an export of recipes",
            why=str(error),
            hint="Export it anew as voyager.recipes/1, each recipe with a version such as 1.0.0",
        ) from error
    digest = sha256_hex(document)
    return tuple(_draft(export.system, recipe, digest, importing) for recipe in export.recipes)


def _draft(system: str, recipe: Recipe, digest: str, importing: Import) -> CandidateDraft:
    owner = recipe.owner
    instructions = recipe.instructions.encode("utf-8")
    files = {"instructions.md": instructions, "source.json": dump_canonical(recipe)}
    tree = tuple(file_entry(path, data) for path, data in sorted(files.items()))
    whose = "/".join(filter(None, [owner.tenant, owner.user]))
    with binding(recipe.name):
        content = BoundContent(
            mode=SourceMode.SAVED_RECIPE,
            skill_id=f"recipe/{whose}/{recipe.name}",
            version=recipe.version,
            scope=owner.scope,
            instructions_sha256=sha256_hex(instructions),
            instructions_bytes=len(instructions),
            tools=recipe.tools,
            retrieval=RetrievalTerms(
                name=recipe.name, description=recipe.description, triggers=recipe.triggers
            ),
            tree_digest=tree_digest(tree),
            source=SourceRecord(
                system=system, id=recipe.id, version=recipe.version, revision=str(recipe.revision)
            ),
            imported_by=importing.actor,
            imported_at=importing.at,
            evidence=(Evidence(kind="export", reference=f"sha256:{digest}"),),
        )
    return CandidateDraft(content, tree, files, instructions)
