"""What a check found in a file."""

from __future__ import annotations

from enum import StrEnum

from asf_core.domain.base import Value


class Severity(StrEnum):
    """How much a finding matters, least first."""

    INFO = "info"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 (info) to 4 (critical)."""
        return list(type(self)).index(self)


class FindingCode(StrEnum):
    """What a security receipt can say of a finding; closed (DESIGN 7)."""

    PROMPT_INJECTION = "prompt_injection"
    SECRET_REFERENCE = "secret_reference"  # noqa: S105 - a code, not a secret
    UNDECLARED_TOOL = "undeclared_tool"
    PATH_TRAVERSAL = "path_traversal"
    UNTRUSTED_PROVENANCE = "untrusted_provenance"
    HASH_MISMATCH = "hash_mismatch"
    EVAL_GAP = "eval_gap"
    UNKNOWN = "unknown"
    """A hazard that the closed list has no word for, or something that could not be judged; never
    clean."""


class Place(StrEnum):
    """Where in a skill a text stands, which decides how much it weighs."""

    INSTRUCTION = "instruction"
    """Prose that an agent is told to follow."""
    DESCRIPTION = "description"
    """Frontmatter: what an agent reads before it chooses the skill."""
    CODE = "code block"
    """Code in Markdown that an agent may run."""
    SCRIPT = "script"
    """A file that runs."""
    REMARK = "remark in code"
    """A comment of a script or of a code block."""
    STRING = "text in code"
    """Words that code prints, compares or stores, and does not run."""
    DATA = "data file"
    HIDDEN = "hidden text"
    """What a reader of the rendered page does not see and a model reads."""
    TEACHING = "teaching prose"
    """Text that warns of something, explains it, or shows it as a counter-example."""


class Repair(Value):
    """A safe change that a curator may confirm; never applied by itself."""

    summary: str
    """What it does, in the imperative."""
    line: int
    """First line that it replaces, 1-based."""
    end_line: int
    """Last line that it replaces, inclusive."""
    replacement: str
    """The lines' new text, without the final line end."""


class Finding(Value):
    """One observation about one place in a file."""

    rule: str
    """Rule id, stable, kebab case with a family: ``format/name-length``."""
    severity: Severity
    message: str
    """One sentence, with the values that it is about."""
    path: str
    """POSIX path inside the registry."""
    line: int = 1
    """1-based, as an editor shows it."""
    column: int = 1
    """1-based, in characters."""
    snippet: str = ""
    """The text it stands on, secrets masked; raw as to control characters: show it through
    :func:`asf_core.domain.text.visible`."""
    repair: Repair | None = None
    place: Place | None = None
    """Where it stands, for findings of the security scan; ``None`` where it does not matter."""


class SkillFinding(Value):
    """A finding about one skill, where a path alone does not say in which registry."""

    skill_id: str
    finding: Finding
