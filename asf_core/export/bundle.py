"""A bundle of skills as the tools of each vendor (DESIGN 5)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from asf_core.domain.exporting import ExportFormat
from asf_core.domain.text import visible
from asf_core.export.directory import to_skill_md_dir
from asf_core.export.lock import Lock
from asf_core.export.names import exported_names
from asf_core.export.schema import parameters
from asf_core.export.targets import TARGETS, Target
from asf_core.export.values import Exported, ExportSkill, LeftOut, Loss

_UNREVIEWED = "[unreviewed] "


@dataclass(frozen=True)
class ExportBundle:
    """Chosen skills in the order of the plan.

    Args:
        skills: What was chosen.
    """

    skills: tuple[ExportSkill, ...]

    def to_anthropic(self) -> Exported:
        """Tools of the Messages API: ``tools=[{name, description, input_schema}]``."""
        return self._tools(
            ExportFormat.ANTHROPIC,
            lambda tool: {
                "name": tool.name,
                "description": tool.description,
                "input_schema": tool.parameters,
            },
        )

    def to_openai(self) -> Exported:
        """Tools of Chat Completions: ``tools=[{type: function, function: {...}}]``."""
        return self._tools(
            ExportFormat.OPENAI,
            lambda tool: {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.parameters,
                },
            },
        )

    def to_gemini(self) -> Exported:
        """Tools of ``generateContent``: one with all function declarations, or none at all.

        An empty list of declarations would be refused, so no skills give no tool.
        """
        exported = self._tools(
            ExportFormat.GEMINI,
            lambda tool: {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            },
        )
        return _declared(exported)

    def to_gemini_activate_tool(self) -> Exported:
        """The one tool ``activate_skill`` of gemini-cli, whose input is ``{"name": skill}``."""
        chosen = self._for(ExportFormat.GEMINI_ACTIVATE)
        lines = [f"- {chosen.names[skill.id]}: {chosen.text(skill)}" for skill in chosen.skills]
        tool = {
            "name": "activate_skill",
            "description": "Load the instructions of one of these skills:\n" + "\n".join(lines),
            "parameters": {
                "type": "object",
                "properties": {
                    "name": {
                        "type": "string",
                        "enum": [chosen.names[skill.id] for skill in chosen.skills],
                        "description": "Which skill to load.",
                    }
                },
                "required": ["name"],
            },
        }
        return _declared(chosen.exported([tool] if chosen.skills else []))

    def to_mcp(self) -> Exported:
        """Tools as an MCP server lists them: ``[{name, title, description, inputSchema}]``."""
        return self._tools(
            ExportFormat.MCP,
            lambda tool: {
                "name": tool.name,
                "title": tool.title,
                "description": tool.description,
                "inputSchema": tool.parameters,
            },
        )

    def to_skill_md_dir(self, target: Path, *, overwrite: bool = False) -> Lock:
        """As a directory of exact bytes: see :func:`asf_core.export.directory.to_skill_md_dir`."""
        return to_skill_md_dir(self.skills, target, overwrite=overwrite)

    def to(self, format_: ExportFormat) -> Exported:
        """As one of the vendors' tools, by its name.

        Raises:
            KeyError: The format is the directory, which is no document.
        """
        return {
            ExportFormat.ANTHROPIC: self.to_anthropic,
            ExportFormat.OPENAI: self.to_openai,
            ExportFormat.GEMINI: self.to_gemini,
            ExportFormat.GEMINI_ACTIVATE: self.to_gemini_activate_tool,
            ExportFormat.MCP: self.to_mcp,
        }[format_]()

    def _for(self, format_: ExportFormat) -> _Chosen:
        return _Chosen(format_, TARGETS[format_], self.skills)

    def _tools(self, format_: ExportFormat, form: Callable[[_Tool], dict[str, Any]]) -> Exported:
        chosen = self._for(format_)
        return chosen.exported([form(chosen.tool(skill)) for skill in chosen.skills])


@dataclass(frozen=True, slots=True)
class _Tool:
    name: str
    title: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True)
class _Chosen:
    """The skills that one host takes."""

    format: ExportFormat
    target: Target
    all: tuple[ExportSkill, ...]

    @cached_property
    def skills(self) -> tuple[ExportSkill, ...]:
        return tuple(skill for skill in self.all if works_on(skill, self.target.host))

    @cached_property
    def names(self) -> Mapping[str, str]:
        pairs = ((skill.id, skill.slug) for skill in self.skills)
        return exported_names(pairs, self.target.name)

    def text(self, skill: ExportSkill) -> str:
        """Its description as the host takes it."""
        return cut_at_word(_whole_text(skill), self.target.description)

    def tool(self, skill: ExportSkill) -> _Tool:
        return _Tool(
            name=self.names[skill.id],
            title=visible(skill.slug),
            description=self.text(skill),
            parameters=parameters(skill.inputs, loose=self.target.loose_schema),
        )

    def exported(self, document: list[dict[str, Any]]) -> Exported:
        host = self.target.host
        return Exported(
            format=self.format,
            document=document,
            names={self.names[skill.id]: skill.id for skill in self.skills},
            losses=tuple(self._losses()),
            left_out=tuple(
                LeftOut(skill.id, f"its compatibility says that it does not work on {host}")
                for skill in self.all
                if not works_on(skill, host)
            ),
            unreviewed=tuple(skill.id for skill in self.skills if skill.pin is None),
        )

    def _losses(self) -> list[Loss]:
        found = []
        for skill in self.skills:
            if (name := self.names[skill.id]) != skill.slug:
                found.append(
                    Loss(skill.id, f"named {name}: its own name is not legal or not alone")
                )
            whole, most = len(_whole_text(skill)), self.target.description
            if whole > most:
                found.append(
                    Loss(skill.id, f"description cut from {whole:,} to {most:,} characters")
                )
            if self.target.loose_schema and skill.inputs:
                found.append(Loss(skill.id, "its schema does not refuse other parameters"))
        most_tools = self.target.tools
        if most_tools is not None and len(self.skills) > most_tools:
            found.append(
                Loss(
                    "",
                    f"{len(self.skills)} tools: {self.target.host} takes {most_tools} at most in "
                    "one request; split them, or let a task choose: asf route --format",
                )
            )
        return found


def _whole_text(skill: ExportSkill) -> str:
    """What a host is told of a skill before it is cut; says so when nobody reviewed it."""
    mark = "" if skill.pin else _UNREVIEWED
    return visible(mark + " ".join(skill.description.split())) or skill.slug


def works_on(skill: ExportSkill, host: str) -> bool:
    """Whether a skill may go to a host: all may but those that say they do not work there."""
    return getattr(skill.compatibility, host) is not False


def cut_at_word(text: str, most: int) -> str:
    """The beginning of a text, cut between words where one ends in time, and never in a character.

    Args:
        text: Any text.
        most: Most code points of the result.
    """
    if len(text) <= most:
        return text
    end = most - 1
    # A sign may be several code points: marks, joiners and modifiers belong to the one before.
    while end > 0 and _goes_on(text[end]):
        end -= 1
    start = text.rfind(" ", max(0, end - 80), end)
    return text[: start if start > 0 else end].rstrip() + "…"


def _goes_on(char: str) -> bool:
    return (
        unicodedata.combining(char) != 0
        or unicodedata.category(char) in ("Mn", "Me", "Mc", "Cf")
        or "\U0001f3fb" <= char <= "\U0001f3ff"
    )


def _declared(exported: Exported) -> Exported:
    tools = [{"function_declarations": exported.document}] if exported.document else []
    return replace(exported, document=tools)
