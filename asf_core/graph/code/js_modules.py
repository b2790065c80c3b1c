"""Imports and exports of one JavaScript or TypeScript file, ES modules and CommonJS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_core.graph.code.builder import FileBuilder
from asf_core.graph.code.facts import DEFAULT, REQUIRED, WHOLE, name_set
from asf_core.graph.code.syntax import Walk, field, line, span, text, unquote

if TYPE_CHECKING:
    from tree_sitter import Node

TELLING = name_set("call_expression assignment_expression variable_declarator")
"""Types of the nodes that :func:`read` looks at."""
_TOP = 3
"""Longest way down to an assignment of the module itself: program, statement, assignment."""
_AROUND = name_set("await_expression parenthesized_expression member_expression")


def read_import(node: Node, build: FileBuilder) -> None:
    """An ``import`` statement."""
    at = line(node)
    clause = next((c for c in node.named_children if c.type == "import_clause"), None)
    required = next((c for c in node.named_children if c.type == "import_require_clause"), None)
    if required is not None:
        name = text(required.named_children[0])
        build.bind(name, unquote(text(field(required, "source"))), REQUIRED, at)
        return
    specifier = unquote(text(field(node, "source")))
    if not specifier:
        return
    if clause is None:
        build.bind("", specifier, WHOLE, at)
        return
    for child in clause.named_children:
        if child.type == "identifier":
            build.bind(text(child), specifier, DEFAULT, at)
        elif child.type == "namespace_import":
            build.bind(text(child.named_children[0]), specifier, WHOLE, at)
        elif child.type == "named_imports":
            for item in child.named_children:
                if item.type == "import_specifier":
                    name = text(field(item, "name"))
                    build.bind(text(field(item, "alias")) or name, specifier, name, at)


def read_export(node: Node, build: FileBuilder) -> None:
    """An ``export`` statement that declares nothing itself."""
    source = field(node, "source")
    specifier = unquote(text(source)) if source is not None else None
    listed = False
    for child in node.named_children:
        if child.type == "namespace_export" and specifier:
            listed = True
            build.export(unquote(text(child.named_children[0])), specifier, WHOLE)
        elif child.type == "export_clause":
            listed = True
            for item in child.named_children:
                if item.type == "export_specifier":
                    name = unquote(text(field(item, "name")))
                    alias = unquote(text(field(item, "alias")))
                    build.export(alias or name, specifier, name)
    if specifier and not listed:
        build.export(WHOLE, specifier, WHOLE)
    if source is None and not listed:  # export = name
        for child in node.named_children:
            if child.type == "identifier":
                build.export(DEFAULT, None, text(child))


def required(node: Node | None) -> str | None:
    """The specifier of ``require("x")`` or ``await import("x")``, with members after it allowed."""
    at = node
    while at is not None and at.type in ("await_expression", "parenthesized_expression"):
        at = at.named_children[0] if at.named_children else None
    if at is None or at.type != "call_expression":
        return None
    function = field(at, "function")
    if function is None or not (function.type == "import" or text(function) == "require"):
        return None
    arguments = field(at, "arguments")
    first = arguments.named_children[0] if arguments and arguments.named_children else None
    return unquote(text(first)) if first is not None and first.type == "string" else None


def required_by(declarator: Node) -> str | None:
    """The specifier that ``const x = require("y")`` takes from, ``require("y").z`` too.

    Args:
        declarator: A ``variable_declarator`` at any depth.
    """
    value = field(declarator, "value")
    if value is not None and value.type == "member_expression":
        value = field(value, "object")
    return required(value)


def read(node: Node, kind: str, walk: Walk, build: FileBuilder) -> None:
    """CommonJS exports, and ``require`` and ``import()`` at any depth.

    Args:
        node: Of one of the types in :data:`TELLING`, or any other.
        kind: Its type.
        walk: Where it stands.
        build: Where to report.
    """
    if kind == "variable_declarator":
        if specifier := required_by(node):
            _read_require(node, specifier, build)
    elif kind == "assignment_expression":
        left = field(node, "left")
        if left is not None and left.type == "member_expression":
            front = (left.text or b"")[:200].decode("utf-8", "replace")
            if front.startswith(("exports.", "module.exports")):
                _assigned(front, node, walk, build)
    elif kind == "call_expression":
        _read_call(node, walk, build)


def _read_require(declarator: Node, specifier: str, build: FileBuilder) -> None:
    value, target = field(declarator, "value"), field(declarator, "name")
    if value is None or target is None:
        return
    member = text(field(value, "property")) if value.type == "member_expression" else ""
    at = line(declarator)
    if target.type == "identifier":
        build.bind(text(target), specifier, member or REQUIRED, at)
        return
    for child in target.named_children:
        if child.type == "shorthand_property_identifier_pattern":
            build.bind(text(child), specifier, text(child), at)
        elif child.type == "pair_pattern":
            local = field(child, "value")
            if local is not None and local.type == "identifier":
                build.bind(text(local), specifier, text(field(child, "key")), at)
    build.bind("", specifier, WHOLE, at)


def _read_call(call: Node, walk: Walk, build: FileBuilder) -> None:
    function = field(call, "function")
    if function is None or function.type not in ("identifier", "import"):
        return
    specifier = required(call)
    if specifier is not None:
        at = len(walk.trail) - 1
        while at >= 0 and walk.trail[at][1] in _AROUND:
            at -= 1
        declarator = walk.trail[at][0] if at >= 0 else None
        if declarator is None or declarator.type != "variable_declarator":
            build.bind("", specifier, WHOLE, line(call))
    elif text(function) == "__exportStar":
        arguments = field(call, "arguments")
        inner = required(arguments.named_children[0]) if arguments is not None else None
        if inner:
            build.export(WHOLE, inner, WHOLE)


def _assigned(left: str, assignment: Node, walk: Walk, build: FileBuilder) -> None:
    value = field(assignment, "right")
    name = left.removeprefix("module.").removeprefix("exports").lstrip(".")
    if value is None or "." in name or text(value) in ("void 0", "undefined"):
        return
    specifier = required(value)
    if specifier is not None:
        build.export(name or WHOLE, specifier, WHOLE)
    elif value.type == "identifier":
        if text(value) != name:
            build.export(name or DEFAULT, None, text(value))
    elif not name and value.type == "object" and _names_only(value, build):
        return
    elif value.type != "assignment_expression" and len(walk.trail) <= _TOP:
        build.define(name or DEFAULT, "variable", span(assignment), line(assignment))


def _names_only(value: Node, build: FileBuilder) -> bool:
    """``module.exports = { a, b: c }``: pass the names on, if that is all it does."""
    pairs: list[tuple[str, str]] = []
    for child in value.named_children:
        if child.type == "shorthand_property_identifier":
            pairs.append((text(child), text(child)))
        elif child.type == "pair" and getattr(field(child, "value"), "type", "") == "identifier":
            pairs.append((unquote(text(field(child, "key"))), text(field(child, "value"))))
        elif child.type != "comment":
            return False
    for name, source in pairs:
        build.export(name, None, source)
    return True
