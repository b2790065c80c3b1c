"""Values of frontmatter fields, read in all the ways that authors write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from asf_core.domain.iotype import IOType
from asf_core.registry import rules
from asf_core.registry.repair import quoted
from asf_core.registry.report import Report
from asf_core.registry.yamltree import Items, Mapping, Node, Pair, Scalar

_TRUE = frozenset({"true", "yes", "on", "1", "y"})
_FALSE = frozenset({"false", "no", "off", "0", "n"})
_EMPTY = frozenset({"", "~", "null"})
_TOOL = re.compile(r"(?:[^\W\d][\w.:/*-]*|\*)(?:\(.*\))?\Z", re.DOTALL)
# An item of a list needs no separator, and some hosts have tools such as "Azure MCP/search".
_LISTED_TOOL = re.compile(r"(?:[^\W\d][\w.:/* -]*|\*)(?:\(.*\))?\Z", re.DOTALL)
_PLAIN_SAFE = re.compile(r"[\w./](?:[\w./@+ -]*[\w./@+-])?\Z")
_OPENERS, _CLOSERS = "([{", ")]}"


def text_of(node: Node) -> str:
    """A node as text: a scalar as it is, a collection as YAML on one line."""
    match node:
        case Scalar():
            return node.text
        case Items():
            return f"[{', '.join(_flow(item) for item in node.nodes)}]"
        case Mapping():
            pairs = (f"{_flow(pair.key)}: {_flow(pair.value)}" for pair in node.pairs)
            return f"{{{', '.join(pairs)}}}"


def _flow(node: Node) -> str:
    if not isinstance(node, Scalar):
        return text_of(node)
    return node.text if _PLAIN_SAFE.match(node.text) else quoted(node.text)


def is_empty(node: Node) -> bool:
    """A key without a value, or with YAML's word for none."""
    return isinstance(node, Scalar) and node.plain and node.text.strip().lower() in _EMPTY


def read_text(pair: Pair, report: Report) -> str:
    """Text of a field; a collection is a finding and comes as YAML on one line."""
    if not isinstance(pair.value, Scalar):
        message = f"{pair.key.text} must be text, not a list or a map."
        report.at_node(rules.FIELD_TYPE, message, pair.value)
    return text_of(pair.value).strip()


def read_flag(pair: Pair, report: Report, *, when_unclear: bool) -> bool:
    """A yes or no in any of YAML's spellings, quoted or not.

    Args:
        pair: The field.
        report: Takes the finding for any other value.
        when_unclear: What to take for such a value: the side on which less can happen.
    """
    word = text_of(pair.value).strip().lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    taken = "true" if when_unclear else "false"
    message = f"{pair.key.text} is {word!r}, neither true nor false; taken as {taken}."
    report.at_node(rules.FLAG_VALUE, message, pair.value)
    return when_unclear


def read_names(pair: Pair, report: Report) -> tuple[str, ...]:
    """Names of a list, of comma or line separated text, or one name; in order, each once."""
    if isinstance(pair.value, Mapping):
        message = f"{pair.key.text} must be a list of names."
        report.at_node(rules.FIELD_TYPE, message, pair.value)
        return ()
    names: list[str] = []
    for item in _scalars(pair, report):
        parts = re.split(r"[,\n]", item.text) if item is pair.value else [item.text]
        names.extend(part.strip() for part in parts)
    return _unique(names)


def read_phrases(pair: Pair, report: Report) -> tuple[str, ...]:
    """Phrases of a list; a text is one phrase a line, since phrases hold commas."""
    if isinstance(pair.value, Mapping):
        return tuple(phrase for inner in pair.value.pairs for phrase in read_phrases(inner, report))
    phrases: list[str] = []
    for item in _scalars(pair, report):
        phrases.extend(item.text.split("\n"))
    return _unique(phrase.strip() for phrase in phrases)


def _scalars(pair: Pair, report: Report) -> Iterator[Scalar]:
    nodes = pair.value.nodes if isinstance(pair.value, Items) else (pair.value,)
    for node in nodes:
        if isinstance(node, Scalar):
            yield node
        else:
            message = f"{pair.key.text} holds an item that is not text: {text_of(node)[:80]}"
            report.at_node(rules.FIELD_TYPE, message, node)


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


def read_tools(pair: Pair, report: Report) -> tuple[tuple[str, ...], bool]:
    """The tools of ``allowed-tools``: space or comma text, a list in either style, one word.

    ``Bash(git:*, ls)`` is one tool: nothing inside parentheses separates. An item that is not a
    tool is a finding that names it and is left out, so a typing error never widens anything.

    Returns:
        The tools in order, each once; and False when the value is of a kind that says nothing
        about tools, so that none can be granted on its word.
    """
    value = pair.value
    if isinstance(value, Mapping):
        message = f"{pair.key.text} must be text or a list; no tool is granted on this value."
        report.at_node(rules.TOOLS, message, value)
        return (), False
    if is_empty(value):
        message = f"{pair.key.text} has no value: read as no tools. Write [] or remove the field."
        report.at_node(rules.TOOLS, message, pair.key)
        return (), True
    if isinstance(value, Items):
        form, texts = _LISTED_TOOL, list(_joined(item.text for item in _scalars(pair, report)))
    else:
        form, texts = _TOOL, list(split_outside(value.text, " \t\n,;"))
    tools = []
    for text in texts:
        if form.match(text):
            tools.append(text)
        else:
            report.at_node(rules.TOOLS, f"{pair.key.text}: {text!r} is not a tool.", value)
    return _unique(tools), True


def split_outside(text: str, separators: str) -> Iterator[str]:
    """Split at separators that stand outside of all brackets; an unclosed bracket runs to the end.

    >>> list(split_outside("Read, Bash(git:*, ls) Grep", " ,"))
    ['Read', 'Bash(git:*, ls)', 'Grep']
    """
    depth, piece = 0, ""
    for char in text:
        if char in _OPENERS:
            depth += 1
        elif char in _CLOSERS:
            depth = max(0, depth - 1)
        if depth == 0 and char in separators:
            if piece.strip():
                yield piece.strip()
            piece = ""
        else:
            piece += char
    if piece.strip():
        yield piece.strip()


def _joined(items: Iterable[str]) -> Iterator[str]:
    """Put together what a flow list split inside parentheses: ``[Bash(git:*, ls), Read]``."""
    open_item = ""
    for item in items:
        open_item = f"{open_item}, {item}" if open_item else item
        if open_item.count("(") <= open_item.count(")"):
            yield open_item.strip()
            open_item = ""
    if open_item:
        yield open_item.strip()


def read_io(pair: Pair, report: Report) -> tuple[IOType, ...]:
    """Typed inputs or outputs: a list of ``name:type``, a map of names to types, or text.

    A list item may also be a map, ``{name: papers, type: list[Paper]}`` or ``{papers: list[Paper]}``
    (which is how YAML reads ``- papers: list[Paper]``).
    """
    found: dict[str, IOType] = {}
    for text, node in _io_texts(pair.value):
        try:
            io_type = IOType.parse(text)
        except ValueError as error:
            report.at_node(rules.IO_TYPE, f"{pair.key.text}: {error}.", node)
            continue
        if io_type.name in found:
            message = f"{pair.key.text} gives {io_type.name!r} twice; the first is taken."
            report.at_node(rules.IO_TYPE, message, node)
        found.setdefault(io_type.name, io_type)
    return tuple(found.values())


def _io_texts(node: Node) -> Iterator[tuple[str, Node]]:
    match node:
        case Scalar():
            for text in split_outside(node.text, ",\n"):
                yield text, node
        case Items():
            for item in node.nodes:
                yield from _io_texts(item)
        case Mapping():
            by_key = {pair.key.text: pair.value for pair in node.pairs}
            if {"name", "type"} <= by_key.keys():
                yield f"{text_of(by_key['name'])}:{text_of(by_key['type'])}", node
            else:
                for key, value in by_key.items():
                    yield f"{key}:{text_of(value)}", value
