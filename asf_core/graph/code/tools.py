"""Which names in code say that something is registered as a tool or as a command.

One table for all languages: the syntax differs, the vocabulary hardly does. See the docstring of
:mod:`asf_core.graph.code` for the definition in words.
"""

from __future__ import annotations

import functools
import re

from asf_core.graph.code.facts import name_set

_BASE = re.compile(r"(?:^|[a-z0-9_])(?:Tool|Command)$|^(?:Tool|Command)$")
_ABSTRACT = re.compile(r"^(?:Base|Abstract|I[A-Z][a-z])|^(?:Tool|Command)$|Base$|Mixin$")
_SUFFIX = re.compile(r"[a-z0-9]Tool$")

RUN_METHODS = name_set(
    "run _run arun _arun call __call__ execute invoke forward handle perform "
    "createInvocation Run Call Execute Invoke Handle"
)
"""Methods by which a host runs a tool."""

DECORATORS = name_set(
    "tool tool_plain mcp_tool function_tool register_tool kernel_function beta_tool ai_tool "
    "command slash_command"
)
"""Decorators, by their last name: ``@tool``, ``@mcp.tool()``, ``@app.command()``."""

DEFINING_CALLS = name_set(
    "tool defineTool createTool dynamicTool registerTool addTool register_tool add_tool "
    "NewTool AddTool from_function from_defaults"
)
"""Calls that define a tool by what they are given."""

COMMAND_CALLS = frozenset({"command", "registerCommand", "addCommand"})
"""Calls that define a command where their first argument is its name."""

_REGISTERING = re.compile(
    r"(?i)^(?:(?:add|register|include|mount|with|bind)_?)(?:\w*?)"
    r"(?:tools?|commands?|subcommands?|typer|skills?)$|^(?:register|AddCommand)$"
)

SCHEMA_KEYS = name_set(
    "parameters inputSchema input_schema parametersJsonSchema parameters_json_schema "
    "args_schema argsSchema"
)
"""Keys that hold what a tool takes; with a name and a description they make a schema object."""
ACTION_KEYS = name_set("execute handler action run func invoke Run RunE Action Handler")
"""Keys that hold what a tool or command does."""
NAME_KEYS = ("name", "command", "id", "Name", "Use")
DESCRIPTION_KEYS = name_set("description describe Description Usage Short")

_COMMAND_NAME = re.compile(r"[A-Za-z$*][\w:.$-]*(?:[ \n<\[(].*)?\Z", re.DOTALL)


def is_tool_base(name: str) -> bool:
    """Whether a class of this name makes its sub-classes tools or commands."""
    return bool(_BASE.search(name))


def is_abstract(name: str) -> bool:
    """Whether a class of this name is a base for tools, not one itself."""
    return bool(_ABSTRACT.search(name))


def is_tool_name(name: str) -> bool:
    """Whether the name alone, with a method that runs it, makes a class a tool."""
    return bool(_SUFFIX.search(name)) and not is_abstract(name)


def is_registering(name: str) -> bool:
    """Whether a call of this name only makes its arguments known to a host."""
    return bool(_REGISTERING.match(name))


def is_schema_call(callee: str, keys: frozenset[str]) -> bool:
    """Whether a call with these keyword arguments describes a tool or a command.

    Many things have a name, a description and an action (a key binding, a button); as a call they
    count only where they also say what they take, or are called …Tool or …Command.
    """
    return is_schema(keys) and (is_tool_base(callee) or not keys.isdisjoint(SCHEMA_KEYS))


@functools.cache
def is_telling_call(name: str) -> bool:
    """Whether a call of this name may define or register a tool."""
    return (
        name in DEFINING_CALLS or name in COMMAND_CALLS or name == "define" or is_registering(name)
    )


def is_schema(keys: frozenset[str]) -> bool:
    """Whether an object with these keys describes a tool or a command."""
    return (
        any(key in keys for key in NAME_KEYS)
        and not keys.isdisjoint(DESCRIPTION_KEYS)
        and not (keys.isdisjoint(SCHEMA_KEYS) and keys.isdisjoint(ACTION_KEYS))
    )


def command_name(literal: str) -> str | None:
    """The command that a usage text names: ``serve [port]`` is ``serve``.

    Returns:
        The first word, or ``None`` where the text is no usage of a command.
    """
    if not _COMMAND_NAME.match(literal):
        return None
    return re.split(r"[\s<\[(]", literal, maxsplit=1)[0] or None
