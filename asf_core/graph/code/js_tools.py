"""Tools and commands that one JavaScript or TypeScript file registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_core.graph.code import tools
from asf_core.graph.code.builder import FileBuilder
from asf_core.graph.code.facts import name_set
from asf_core.graph.code.syntax import Walk, field, line, span, text, unquote

if TYPE_CHECKING:
    from tree_sitter import Node


TELLING = name_set("class_declaration abstract_class_declaration class object call_expression")
"""Types of the nodes that :func:`read` looks at."""
_LONGEST = 10
"""Names of a dotted chain that are read; a longer one names nothing that counts here."""


def read(node: Node, kind: str, walk: Walk, build: FileBuilder) -> None:
    """Report what one node registers.

    Args:
        node: Of one of the types in :data:`TELLING`, or any other.
        kind: Its type.
        walk: Where it stands.
        build: Where to report.
    """
    if kind == "object":
        if name := schema_name(node):
            build.mark(span(node), name[0], "schema object", line(node))
    elif kind == "call_expression":
        _call(node, walk, build)
    elif kind in ("class_declaration", "abstract_class_declaration", "class"):
        _class(node, walk, build)


def schema_name(node: Node) -> tuple[str] | None:
    """The name that a schema object gives itself.

    Returns:
        The name in a tuple (empty when it is no literal), or ``None`` where the object does not
        describe a tool or a command.
    """
    keys: dict[str, Node | None] = {}
    for child in node.named_children:
        if child.type == "pair":
            keys[unquote(text(field(child, "key")))] = field(child, "value")
        elif child.type == "shorthand_property_identifier":
            keys[text(child)] = None
        elif child.type == "method_definition":
            keys[text(field(child, "name"))] = None
    if not tools.is_schema(frozenset(keys)):
        return None
    for key in tools.NAME_KEYS:
        value = keys.get(key)
        if value is not None and value.type in ("string", "template_string"):
            return (tools.command_name(unquote(text(value))) or unquote(text(value)),)
    return ("",)


def heritage(node: Node) -> list[tuple[str, ...]]:
    """The class that a class extends, as dotted names; type arguments left out."""
    clause = next((c for c in node.named_children if c.type == "class_heritage"), None)
    if clause is None:
        return []
    extends = [c for c in clause.named_children if c.type == "extends_clause"]
    values = [field(e, "value") for e in extends] or clause.named_children[:1]
    return [names for value in values if (names := dotted(value))]


def dotted(node: Node | None) -> tuple[str, ...]:
    """``a.b.c`` as names; empty where it is anything else."""
    names: list[str] = []
    while node is not None and len(names) < _LONGEST:
        if node.type in ("identifier", "type_identifier"):
            return (text(node), *reversed(names))
        if node.type != "member_expression":
            break
        names.append(text(field(node, "property")))
        node = field(node, "object")
    return ()


def _class(node: Node, walk: Walk, build: FileBuilder) -> None:
    bases = heritage(node)
    for names in bases:
        build.inherit(names[0], node.start_byte, names[1:])
    name = text(field(node, "name"))
    if node.type == "abstract_class_declaration" or tools.is_abstract(name):
        return
    exported = walk.trail and walk.trail[-1][1] == "export_statement"
    outer = walk.trail[-1][0] if exported else node
    by_base = [names for names in bases if tools.is_tool_base(names[-1])]
    if by_base:
        build.mark(span(outer), name, f"class of base {by_base[0][-1]}", line(node))
    elif tools.is_tool_name(name) and _methods(node) & tools.RUN_METHODS:
        build.mark(span(outer), name, "class named …Tool that can be run", line(node))


def _methods(node: Node) -> set[str]:
    body = field(node, "body")
    return {text(field(c, "name")) for c in (body.named_children if body is not None else ())}


def _call(call: Node, walk: Walk, build: FileBuilder) -> None:
    function, arguments = field(call, "function"), field(call, "arguments")
    member = function is not None and function.type == "member_expression"
    last = field(function, "property") if member else function
    if function is None or last is None or arguments is None or not arguments.named_child_count:
        return
    name = text(last) if last.type in ("identifier", "property_identifier") else ""
    if not tools.is_telling_call(name):
        return
    front = ".".join(dotted(field(function, "object"))) if member else ""
    how = f"{front}.{name}()" if front else f"{name}()"
    if name == "define":
        if how != "Tool.define()":
            return
        name = "defineTool"
    if name in tools.DEFINING_CALLS:
        _defining(call, arguments, how, build)
    elif name in tools.COMMAND_CALLS:
        _command(last, _chain(call, walk), arguments, how, build)
    if tools.is_registering(name) or (name in tools.DEFINING_CALLS and member):
        build.registering(span(function))
        _registering(name, arguments, build)


def _defining(call: Node, arguments: Node, how: str, build: FileBuilder) -> None:
    """``server.tool("x", …)``, ``tool({description, execute})``: the call makes a tool."""
    first = arguments.named_children[0]
    objects = [c for c in arguments.named_children if c.type == "object"]
    described = any(_keys(node) & tools.DESCRIPTION_KEYS for node in objects)
    if first.type == "string" and len(arguments.named_children) > 1:
        build.mark(span(call), unquote(text(first)), how, line(call))
    elif described or (len(arguments.named_children) > 2 and first.type != "object"):
        names = [found[0] for node in objects if (found := schema_name(node))]
        build.mark(span(call), names[0] if names else "", how, line(call))


def _keys(node: Node) -> set[str]:
    return {
        unquote(text(field(c, "key"))) if c.type == "pair" else text(c) for c in node.named_children
    }


def _command(last: Node, whole: Node, arguments: Node, how: str, build: FileBuilder) -> None:
    """``program.command("serve [port]")``: commander, yargs, cac, and hosts of the same habit."""
    first = arguments.named_children[0]
    if first.type not in ("string", "template_string"):
        return
    name = tools.command_name(unquote(text(first)))
    if name is not None:
        # From the name on: the commands of one chain stand side by side, not in one another.
        build.mark((last.start_byte, whole.end_byte), name, how, line(last))


def _chain(call: Node, walk: Walk) -> Node:
    """The call with all that is chained to it, up to the next command of the same chain."""
    whole, trail, at = call, walk.trail, len(walk.trail) - 1
    while at > 0 and trail[at][1] == "member_expression" and trail[at - 1][1] == "call_expression":
        if text(field(trail[at][0], "property")) in tools.COMMAND_CALLS:
            break
        whole = trail[at - 1][0]
        at -= 2
    return whole


def _registering(name: str, arguments: Node, build: FileBuilder) -> None:
    """``addTool(x)``, ``register(new X())``: these uses are no more than registration."""
    for child in arguments.named_children:
        target = field(child, "constructor") if child.type == "new_expression" else child
        names = dotted(target)
        if not names or target is None:
            continue
        build.registering(span(target))
        alone = child.type == "identifier" and len(arguments.named_children) == 1
        if alone and name in ("addTool", "registerTool"):
            build.name_tool(names[0], child.start_byte, names[1:], f"{name}()")
