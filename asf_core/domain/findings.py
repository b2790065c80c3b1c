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


class SkillFinding(Value):
    """A finding about one skill, where a path alone does not say in which registry."""

    skill_id: str
    finding: Finding
