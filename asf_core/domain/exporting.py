"""Whom skills are given out for (DESIGN 5)."""

from __future__ import annotations

from enum import StrEnum


class ExportFormat(StrEnum):
    """Whom an export is for."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    GEMINI = "gemini"
    GEMINI_ACTIVATE = "gemini-activate"
    MCP = "mcp"
    DIRECTORY = "skill-md"
