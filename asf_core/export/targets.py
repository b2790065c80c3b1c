"""What each host takes, as its documentation says on the day that is noted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from asf_core.domain.exporting import ExportFormat

_COMMON = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_GEMINI = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class Target:
    """The limits of one host."""

    host: str
    """Key of :class:`asf_core.domain.manifest.Compatibility`."""
    name: re.Pattern[str]
    """Of a tool. Where a host allows more than ``[a-zA-Z0-9_-]{1,64}``, this is used all the same,
    so that a tool has one name everywhere."""
    description: int
    """Most characters of a tool's description."""
    tools: int | None
    """Most tools of one request; ``None`` where none is documented."""
    loose_schema: bool
    """Whether its schemas know no ``additionalProperties``."""
    as_of: str
    """Day on which the limits were looked up."""


TARGETS: dict[ExportFormat, Target] = {
    ExportFormat.ANTHROPIC: Target("claude_code", _COMMON, 10_000, None, False, "2026-12-01"),
    # 1,024 characters: lifted by the API since, still refused by proxies of it.
    ExportFormat.OPENAI: Target("codex", _COMMON, 1_024, 128, False, "2026-12-01"),
    ExportFormat.GEMINI: Target("gemini", _GEMINI, 1_024, 128, True, "2026-12-01"),
    ExportFormat.GEMINI_ACTIVATE: Target("gemini", _COMMON, 10_000, 128, True, "2026-12-01"),
    ExportFormat.MCP: Target("mcp", _COMMON, 10_000, None, False, "2026-12-01"),
}
