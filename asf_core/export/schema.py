"""A skill's typed inputs as JSON Schema."""

from __future__ import annotations

import re
from typing import Any

from asf_core.domain.iotype import IOType
from asf_core.domain.text import visible

_SIMPLE = {
    "str": "string", "string": "string", "text": "string", "path": "string", "url": "string",
    "date": "string", "datetime": "string", "bytes": "string", "markdown": "string",
    "int": "integer", "integer": "integer", "float": "number", "number": "number",
    "bool": "boolean", "boolean": "boolean", "dict": "object", "object": "object",
    "json": "object", "list": "array", "array": "array", "sequence": "array", "tuple": "array",
    "set": "array", "iterable": "array",
}  # fmt: skip
_ITEMS = re.compile(r"(?:list|array|sequence|tuple|set|iterable)\[(.+)\]", re.IGNORECASE)
_OPTIONAL = re.compile(r"optional\[(.+)\]|(.+)\|none|none\|(.+)", re.IGNORECASE)
_DEEPEST = 4
TASK = "task"
"""The one parameter of a skill that declares no types."""


def parameters(inputs: tuple[IOType, ...], *, loose: bool) -> dict[str, Any]:
    """The schema of a tool's parameters.

    Args:
        inputs: Of the skill; with none, the tool takes one text ``task``.
        loose: Leave out ``additionalProperties``, which Gemini's subset does not know.

    Returns:
        An object schema without references, unions or nesting that a host could refuse.
    """
    if not inputs:
        task = {"type": "string", "description": "What is to be done, in plain words."}
        return _object({TASK: task}, [TASK], loose=loose)
    properties, required = {}, []
    for input_ in inputs:
        name = property_name(input_.name)
        inner, optional = _without_none(input_.type)
        as_json = ", as JSON" if loose and _kind(inner) == "object" else ""
        properties[name] = _of(inner, loose=loose) | {
            "description": f"{input_.name}: {visible(input_.type)}{as_json}"
        }
        if not optional:
            required.append(name)
    return _object(properties, required, loose=loose)


def property_name(name: str) -> str:
    """A name of an input as hosts allow it for a property: ``[a-zA-Z0-9_-]``, at most 64."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64]


def _object(properties: dict[str, Any], required: list[str], *, loose: bool) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    if not loose:
        schema["additionalProperties"] = False
    return schema


def _without_none(type_: str) -> tuple[str, bool]:
    match = _OPTIONAL.fullmatch(type_)
    if match is None:
        return type_, False
    return next(group for group in match.groups() if group is not None), True


def _of(type_: str, *, loose: bool, depth: int = 0) -> dict[str, Any]:
    """A type's schema. One that is not known is an object, whose form only its skill knows.

    Gemini refuses objects without named properties, and arrays without items: there the value
    goes as a text that holds JSON.
    """
    items = _ITEMS.fullmatch(type_)
    if items is not None and depth < _DEEPEST:
        return {"type": "array", "items": _of(items[1], loose=loose, depth=depth + 1)}
    kind = _kind(type_)
    if kind == "array":
        return {"type": "array", "items": {"type": "string"}}
    return {"type": "string" if kind == "object" and loose else kind}


def _kind(type_: str) -> str:
    """The JSON type of a type, whatever is in its brackets."""
    return _SIMPLE.get(type_.partition("[")[0].casefold(), "object")
