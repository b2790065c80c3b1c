"""What a skill declares of itself, and what was inferred in its stead (DESIGN 3)."""

from __future__ import annotations

from enum import StrEnum

from asf_core.domain.base import Value
from asf_core.domain.iotype import IOType


class Risk(StrEnum):
    """What running the skill can touch, least first."""

    SAFE = "safe"
    NETWORK = "network"
    EXEC = "exec"
    CRITICAL = "critical"
    UNSAFE = "unsafe"


class Capability(Value):
    """What a skill can do, typed where its author typed it."""

    type: str = "general"
    """Kebab case, as ``data-analysis``; inferred from text and directory where not declared."""
    inputs: tuple[IOType, ...] = ()
    outputs: tuple[IOType, ...] = ()


class Relations(Value):
    """Relations that the frontmatter declares, each to a skill's id or slug."""

    depends_on: tuple[str, ...] = ()
    required_sub_skills: tuple[str, ...] = ()
    complements: tuple[str, ...] = ()
    co_used_with: tuple[str, ...] = ()
    conflicts_with: tuple[str, ...] = ()
    tested_by: tuple[str, ...] = ()
    extends: tuple[str, ...] = ()
    version_of: str | None = None


class Compatibility(Value):
    """On which hosts the skill works; ``None`` where it does not say."""

    claude_code: bool | None = None
    gemini: bool | None = None
    codex: bool | None = None
    cursor: bool | None = None
    mcp: bool | None = None
    note: str | None = None
    """The base format's free text, as written."""


class SourceRef(Value):
    """Where a skill stands."""

    registry: str
    path: str
    """POSIX path of its directory inside the registry; ``.`` for the registry's root."""
    revision: str | None = None
    """Commit that the bytes were read at; ``None`` outside git or from a dirty work tree."""


class Quality(Value):
    """What the gate measured; ``None`` until it has."""

    slop_score: float | None = None
    """0 (slop) to 1 (good)."""
    description_uniqueness: float | None = None
    """0 (said word for word elsewhere) to 1."""
    is_duplicate: bool = False


class SkillManifest(Value):
    """One skill's manifest. All text is as the author wrote it."""

    id: str
    """``<registry>/<path of its directory>``, unique."""
    slug: str
    """The declared name, else the directory's name."""
    name: str
    version: str | None = None
    """As written: ``1.10`` stays ``"1.10"``."""
    description: str = ""
    capability: Capability = Capability()
    graph: Relations = Relations()
    compatibility: Compatibility = Compatibility()
    risk: Risk = Risk.SAFE
    source: SourceRef
    allowed_tools: tuple[str, ...] | None = None
    """``None``: the field is absent. Empty: it declares that it needs no tools."""
    tools_readable: bool = True
    """False where the limits that the author meant cannot be read: ``allowed_tools`` is then empty
    and means that nothing may be granted, not that nothing is needed."""
    license: str | None = None
    quality: Quality = Quality()
    triggers: tuple[str, ...] = ()
    """Phrases that the author lists as occasions for the skill."""
    model_invocable: bool = True
    """False for ``disable-model-invocation: true``: listed and exported, never routed by itself."""
    metadata: tuple[tuple[str, str], ...] = ()
    """Remaining frontmatter fields in file order, values as text (nested ones as compact YAML)."""
    inferred: tuple[str, ...] = ()
    """Dotted names of the fields that were inferred, sorted."""
