"""Tools and commands that one Python file registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_core.graph.code import tools
from asf_core.graph.code.builder import FileBuilder
from asf_core.graph.code.facts import name_set
from asf_core.graph.code.syntax import Walk, field, line, span, text, unquote

if TYPE_CHECKING:
    from tree_sitter import Node

TELLING = name_set("decorated_definition class_definition call dictionary")
"""Types of the nodes that :func:`read` looks at."""
_LONGEST = 10
"""Names of a dotted chain that are read; a longer one names nothing that counts here."""


def read(node: Node, kind: str, walk: Walk, build: FileBuilder) -> None:
    """Report what one node registers.

    Args:
        node: Of one of the types in :data:`TELLING`.
        kind: Its type.
        walk: Where it stands.
        build: Where to report.
    """
    if kind == "decorated_definition":
        _decorated(node, build)
    elif kind == "class_definition":
        _class(node, walk, build)
    elif kind == "call":
        _call(node, build)
    else:
        _dictionary(node, build)


def dotted(node: Node | None) -> tuple[str, ...]:
    """``a.b.c`` as names, without subscripts; empty where it is anything else."""
    names: list[str] = []
    while node is not None and len(names) < _LONGEST:
        if node.type == "identifier":
            return (text(node), *reversed(names))
        if node.type == "attribute":
            names.append(text(field(node, "attribute")))
            node = field(node, "object")
        elif node.type == "subscript":
            node = field(node, "value")
        else:
            break
    return ()


def _dictionary(node: Node, build: FileBuilder) -> None:
    pairs = {unquote(text(field(p, "key"))): p for p in node.named_children if p.type == "pair"}
    if len(pairs) > 2 and tools.is_schema(frozenset(pairs)):
        build.mark(span(node), _literal(pairs), "schema object", line(node))


def _literal(pairs: dict[str, Node]) -> str:
    for key in tools.NAME_KEYS:
        value = field(pairs.get(key), "value")
        if value is not None and value.type == "string":
            return unquote(text(value))
    return ""


def _decorated(node: Node, build: FileBuilder) -> None:
    definition = field(node, "definition")
    for child in node.named_children:
        if child.type != "decorator" or not child.named_children:
            continue
        called = child.named_children[0]
        names = dotted(field(called, "function") if called.type == "call" else called)
        if not names or names[-1] not in tools.DECORATORS:
            continue
        build.registering(span(child))
        kind = "command" if "command" in names[-1] else "tool"
        name = _first_string(called) or text(field(definition, "name"))
        build.mark(span(node), name, f"@{'.'.join(names)} ({kind})", line(node))
        return


def _first_string(call: Node) -> str:
    arguments = field(call, "arguments") if call.type == "call" else None
    for child in arguments.named_children if arguments is not None else ():
        if child.type == "string":
            return unquote(text(child))
        if child.type == "keyword_argument" and text(field(child, "name")) == "name":
            value = field(child, "value")
            return unquote(text(value)) if value is not None and value.type == "string" else ""
    return ""


def _class(node: Node, walk: Walk, build: FileBuilder) -> None:
    superclasses = field(node, "superclasses")
    bases = [
        names
        for child in (superclasses.named_children if superclasses is not None else ())
        if (names := dotted(child))
    ]
    for names in bases:
        build.inherit(names[0], node.start_byte, names[1:])
    name = text(field(node, "name"))
    if tools.is_abstract(name):
        return
    decorated = walk.trail and walk.trail[-1][1] == "decorated_definition"
    whole = walk.trail[-1][0] if decorated else node
    by_base = [names for names in bases if tools.is_tool_base(names[-1])]
    if by_base:
        build.mark(span(whole), name, f"class of base {by_base[0][-1]}", line(node))
    elif tools.is_tool_name(name) and _methods(node) & tools.RUN_METHODS:
        build.mark(span(whole), name, "class named …Tool that can be run", line(node))


def _methods(node: Node) -> set[str]:
    body = field(node, "body")
    names = set()
    for child in body.named_children if body is not None else ():
        inner = field(child, "definition") if child.type == "decorated_definition" else child
        if inner is not None and inner.type == "function_definition":
            names.add(text(field(inner, "name")))
    return names


def _call(call: Node, build: FileBuilder) -> None:
    function, arguments = field(call, "function"), field(call, "arguments")
    if function is not None and function.type == "call":
        _decorating(function, arguments, build)
        return
    last = field(function, "attribute") if function and function.type == "attribute" else function
    if function is None or last is None or arguments is None or last.type != "identifier":
        return
    name = text(last)
    keys = {
        text(field(c, "name")): c for c in arguments.named_children if c.type == "keyword_argument"
    }
    if len(keys) > 2 and tools.is_schema_call(name, frozenset(keys)):
        build.mark(span(call), _literal(keys), f"schema object {name}", line(call))
    if tools.is_registering(name):
        _registering(name, arguments, build)
        if function is not last:
            build.registering(span(function))


def _decorating(decorator: Node, arguments: Node | None, build: FileBuilder) -> None:
    """``app.command("x")(f)``: a decorator that is called by hand."""
    names = dotted(field(decorator, "function"))
    given = arguments.named_children if arguments is not None else []
    if not names or names[-1] not in tools.DECORATORS or len(given) != 1:
        return
    if target := dotted(given[0]):
        build.registering(span(decorator))
        build.registering(span(given[0]))
        build.name_tool(target[0], given[0].start_byte, target[1:], f"{'.'.join(names)}()")


def _registering(name: str, arguments: Node, build: FileBuilder) -> None:
    """``add_tool(f)``: ``f`` is a tool, and its use here is no more than its registration."""
    named = False
    for child in arguments.named_children:
        target = field(child, "function") if child.type == "call" else child
        names = dotted(target)
        if target is None or not names:
            continue
        build.registering(span(target))
        defines = name in tools.DEFINING_CALLS or name == "add_command"
        if child.type != "call" and defines and not named:
            build.name_tool(names[0], child.start_byte, names[1:], f"{name}()")
            named = True
