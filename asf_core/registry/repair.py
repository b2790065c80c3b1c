"""Repairs of frontmatter that are safe to offer: the same words, quoted so that YAML reads them.

The usual break is a value that YAML takes for syntax: a colon and a space in prose, a leading
``@``, ``*``, ``%`` or backtick. Each suggestion is tried on the block first and offered only when
YAML then reads past it; the words of the value are never changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from asf_core.registry.yamltree import NOT_YAML, YamlProblem, parse_tree

_KEY_LINE = re.compile(r"(?P<head>[ ]*(?:-[ ]+)?[A-Za-z_][\w.-]*[ ]*:[ ]+)(?P<value>\S.*)\Z")
_ITEM_LINE = re.compile(r"(?P<head>[ ]*-[ ]+)(?P<value>\S.*)\Z")
_SAFE_ITEM = re.compile(r"[\w./][\w./ +()-]*\Z")
_ESCAPED = re.compile(f"{NOT_YAML.pattern}|[\x85\u2028\u2029]")
_LOOK_BACK = 12
"""Most lines above the place of an error in which its cause is looked for."""
_MAX_CHARS = 8 * 1024
"""Longest block that is tried: a hostile one must not be parsed hundreds of times."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Lines of a block and what to put in their place."""

    first: int
    """Index of the first line replaced, 0-based in the block."""
    last: int
    """Index of the last, inclusive."""
    replacement: str
    """One line."""
    block: str
    """The whole block with it, as many lines as before (blank where the value took several)."""


def suggest_quotes(block: str, problem: YamlProblem) -> Suggestion | None:
    """Find the value at which YAML stopped and quote it.

    Args:
        block: The frontmatter without its fences.
        problem: Where and why it could not be read.

    Returns:
        A suggestion after which YAML reads past that value, or ``None``.
    """
    if len(block) > _MAX_CHARS:
        return None
    lines = block.split("\n")
    at = block.count("\n", 0, problem.offset)
    for first in range(at, max(-1, at - _LOOK_BACK), -1):
        last = _last_line(lines, first)
        for replacement in _replacements(lines, first, last):
            padded = [*lines[:first], replacement, *[""] * (last - first), *lines[last + 1 :]]
            tried = "\n".join(padded)
            if _reads_past(tried, at):
                return Suggestion(first, last, replacement, tried)
    return None


def quoted(text: str) -> str:
    """Text as a double-quoted YAML scalar on one line.

    JSON's escapes are a part of YAML's; YAML 1.1 needs some more, for characters that it takes for
    line ends or does not allow at all.
    """
    return _ESCAPED.sub(_escape, json.dumps(text, ensure_ascii=False))


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _last_line(lines: list[str], first: int) -> int:
    """Last line of the value that starts on a line: what follows with a deeper indentation."""
    indent = len(lines[first]) - len(lines[first].lstrip(" "))
    last = first
    for index in range(first + 1, len(lines)):
        line = lines[index]
        if not line.strip():
            continue
        if len(line) - len(line.lstrip(" ")) <= indent:
            break
        last = index
    return last


def _replacements(lines: list[str], first: int, last: int) -> Iterator[str]:
    match = _KEY_LINE.match(lines[first]) or _ITEM_LINE.match(lines[first])
    if match is None:
        return
    value = " ".join(
        [match["value"].strip(), *(line.strip() for line in lines[first + 1 : last + 1])]
    )
    value = " ".join(value.split())
    if value.startswith(("|", ">")):
        return
    if value.startswith("[") and value.endswith("]"):
        yield match["head"] + _quoted_items(value)
    elif not (value.startswith("{") and value.endswith("}")):
        yield match["head"] + quoted(_without_outer_quotes(value))


def _quoted_items(value: str) -> str:
    """A flow list with every item quoted that YAML could take for syntax."""
    items = [item.strip() for item in re.findall(r"\"[^\"]*\"|'[^']*'|[^,]+", value[1:-1])]
    safe = [
        item if item[:1] in {'"', "'"} or _SAFE_ITEM.match(item) else quoted(item)
        for item in items
        if item
    ]
    return f"[{', '.join(safe)}]"


def _without_outer_quotes(value: str) -> str:
    """``'it's done'`` is meant as text in quotes, although YAML ends it at the apostrophe."""
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def _reads_past(block: str, line: int) -> bool:
    try:
        parse_tree(block, keep_first=True)
    except YamlProblem as problem:
        return block.count("\n", 0, problem.offset) > line
    return True
