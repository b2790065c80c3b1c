"""Reads one Go file. Its package is the module; the linker joins the files of a package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_core.graph.code import tools
from asf_core.graph.code.builder import FileBuilder
from asf_core.graph.code.facts import WHOLE, FileFacts, name_set
from asf_core.graph.code.syntax import Walk, field, line, parse, span, text, unquote

if TYPE_CHECKING:
    from tree_sitter import Node

_WANTED = name_set(
    "identifier type_identifier package_identifier call_expression composite_literal "
    "method_declaration"
)
_PLACED = name_set("expression_list")
_NAMES_ONLY = name_set("package_clause import_spec label_name")
_FUNCTIONS = frozenset({"function_declaration", "method_declaration", "func_literal"})
_BLOCKS = _FUNCTIONS | name_set(
    "block for_statement if_statement expression_switch_statement type_switch_statement "
    "communication_case expression_case type_case default_case source_file"
)
_BUILTIN = name_set(
    "nil true false iota string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 byte "
    "rune float32 float64 bool error any len cap append make new panic recover print println copy "
    "delete close min max clear uintptr complex64 complex128 comparable _"
)


def read(path: str, source: bytes) -> FileFacts:
    """Read a file.

    Args:
        path: POSIX path relative to the root.
        source: Its bytes, UTF-8.
    """
    root = parse("go", source).root_node
    clause = next((c for c in root.named_children if c.type == "package_clause"), None)
    package = text(clause.named_children[0]) if clause is not None and clause.named_children else ""
    build = FileBuilder(path, "go", package)
    for child in root.named_children:
        _top_level(child, path, build)
    walk = Walk(root, _WANTED, _PLACED)
    for node, kind in walk:
        if kind == "call_expression":
            _call(node, build)
        elif kind == "composite_literal":
            _literal(node, build)
        elif kind == "method_declaration":
            _tool_method(node, build)
        elif (name := text(node)) not in _BUILTIN:
            _identifier(node, name, walk, build)
    return build.finish(damaged=root.has_error or walk.cut)


def _top_level(node: Node, path: str, build: FileBuilder) -> None:
    kind, name = node.type, text(field(node, "name"))
    if kind == "import_declaration":
        _imports(node, build)
    elif kind == "function_declaration":
        if name == "_":
            # Only the compiler sees it: a generated check that names all constants of a file.
            build.registering(span(node))
            return
        # A package may have an init in each file; each is a definition of its own.
        label = f"{name} ({path.rsplit('/', 1)[-1]})" if name == "init" else name
        build.define(label, "function", span(node), line(node))
    elif kind == "method_declaration":
        build.define(_receiver(node) or name, "method", span(node), line(node))
    elif kind in ("type_declaration", "var_declaration", "const_declaration"):
        pending = list(reversed(node.named_children))
        while pending:
            spec = pending.pop()
            if spec.type == "var_spec_list":
                pending.extend(reversed(spec.named_children))
            for child in spec.children_by_field_name("name"):
                if child.type in ("identifier", "type_identifier") and text(child) != "_":
                    label = "type" if kind == "type_declaration" else "variable"
                    build.define(text(child), label, span(spec), line(child))


def _receiver(method: Node) -> str:
    receiver = field(method, "receiver")
    for parameter in receiver.named_children if receiver is not None else ():
        at = field(parameter, "type")
        while at is not None and at.type in ("pointer_type", "generic_type", "parenthesized_type"):
            at = field(at, "type") or (at.named_children[0] if at.named_children else None)
        return text(at)
    return ""


def _imports(node: Node, build: FileBuilder) -> None:
    pending = list(reversed(node.named_children))
    while pending:
        spec = pending.pop()
        if spec.type == "import_spec_list":
            pending.extend(reversed(spec.named_children))
        elif spec.type == "import_spec":
            specifier, alias = unquote(text(field(spec, "path"))), text(field(spec, "name"))
            if alias == ".":
                build.export(WHOLE, specifier, WHOLE)
            # Without an alias the name is the package clause of the target: the linker knows it.
            local = alias if alias not in (".", "_") else ""
            build.bind(local, specifier, WHOLE, line(spec))


def _identifier(node: Node, name: str, walk: Walk, build: FileBuilder) -> None:
    if not walk.trail or walk.trail[-1][1] in _NAMES_ONLY:
        return
    parent, kind, _ = walk.trail[-1]
    binds, scope = _bound_in(walk)
    if binds:
        if scope is not None and scope.type != "source_file":
            build.hide(name, span(scope))
        return
    if kind == "literal_element" and _is_key(walk):
        return
    if kind == "qualified_type" and walk.field != "package":
        return
    build.see(name, node.start_byte, line(node), _members(parent, walk))


def _is_key(walk: Walk) -> bool:
    """Whether this is the key of ``T{key: value}``; it names a field far more often than not."""
    if len(walk.trail) < 2 or walk.trail[-2][1] != "keyed_element":
        return False
    return walk.trail[-2][0].named_children[0] == walk.trail[-1][0]


def _bound_in(walk: Walk) -> tuple[bool, Node | None]:
    """Whether an identifier binds its name, and inside which node."""
    _, kind, place = walk.trail[-1]
    if kind == "expression_list" and len(walk.trail) > 1:
        above, outer, _ = walk.trail[-2]
        if outer in ("short_var_declaration", "range_clause", "receive_statement"):
            declares = outer == "short_var_declaration" or b":=" in (above.text or b"")
            return declares and place == "left", walk.above(_BLOCKS, len(walk.trail) - 2)
        return outer == "type_switch_statement" and place == "alias", above
    if kind not in _BINDERS or walk.field != "name":
        return False, None
    return True, walk.above(_BINDERS[kind]) if _BINDERS[kind] else None


_BINDERS = {
    **dict.fromkeys(
        ("parameter_declaration", "variadic_parameter_declaration"),
        _FUNCTIONS | {"method_elem", "function_type"},
    ),
    **dict.fromkeys(("var_spec", "const_spec", "type_spec", "type_alias"), _BLOCKS),
    "type_parameter_declaration": _FUNCTIONS | {"type_spec"},
    "function_declaration": frozenset(),
}
"""By parent whose field ``name`` binds: the scopes to look for; none: the package."""


def _members(parent: Node, walk: Walk) -> tuple[str, ...]:
    kind = walk.trail[-1][1]
    if kind == "selector_expression" and walk.field == "operand":
        return (text(field(parent, "field")),)
    if kind == "qualified_type" and walk.field == "package":
        return (text(field(parent, "name")),)
    return ()


def _type_name(node: Node | None) -> str:
    if node is None:
        return ""
    return text(field(node, "name")) if node.type == "qualified_type" else text(node)


def _literal(node: Node, build: FileBuilder) -> None:
    """``&cobra.Command{Use: "serve"}``, ``mcp.Tool{Name: "x", Description: "…"}``."""
    kind = _type_name(field(node, "type"))
    if kind not in ("Command", "Tool"):
        return
    keys: dict[str, Node] = {}
    for element in getattr(field(node, "body"), "named_children", []):
        if element.type == "keyed_element" and len(element.named_children) == 2:
            keys[text(element.named_children[0])] = element.named_children[1]
    if "Use" not in keys and "Name" not in keys:
        return
    value = keys.get("Use") or keys.get("Name")
    literal = value.named_children[0] if value is not None and value.named_children else None
    name = ""
    if literal is not None and "string_literal" in literal.type:
        name = tools.command_name(unquote(text(literal))) or unquote(text(literal))
    build.mark(span(node), name, f"{text(field(node, 'type'))} literal", line(node))


def _call(call: Node, build: FileBuilder) -> None:
    function, arguments = field(call, "function"), field(call, "arguments")
    member = function is not None and function.type == "selector_expression"
    last = field(function, "field") if member else function
    if function is None or last is None or arguments is None or not arguments.named_child_count:
        return
    name = text(last) if last.type in ("identifier", "field_identifier") else ""
    first = arguments.named_children[0]
    if name == "NewTool" and "string_literal" in first.type:
        build.mark(span(call), unquote(text(first)), "NewTool()", line(call))
    if not tools.is_registering(name):
        return
    build.registering(span(function))
    for child in arguments.named_children:
        target = field(child, "function") if child.type == "call_expression" else child
        if target is not None and target.type in ("identifier", "selector_expression"):
            build.registering(span(target))


def _tool_method(method: Node, build: FileBuilder) -> None:
    """A type named …Tool with a method that runs it; the type may stand in another file."""
    name = _receiver(method)
    if tools.is_tool_name(name) and text(field(method, "name")) in tools.RUN_METHODS:
        build.mark(span(method), name, "type named …Tool that can be run", line(method))
