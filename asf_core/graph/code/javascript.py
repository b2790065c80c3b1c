"""Reads one JavaScript or TypeScript file: its definitions and its uses of names.

Imports and exports: :mod:`asf_core.graph.code.js_modules`; tools: :mod:`asf_core.graph.code.js_tools`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_core.graph.code import js_modules, js_tools
from asf_core.graph.code.builder import FileBuilder
from asf_core.graph.code.facts import DEFAULT, FileFacts, name_set
from asf_core.graph.code.js_syntax import grammar, parse_script
from asf_core.graph.code.syntax import Walk, field, line, span, text

if TYPE_CHECKING:
    from tree_sitter import Node

_TELLING = js_modules.TELLING | js_tools.TELLING
_IDENTIFIERS = name_set(
    "identifier type_identifier shorthand_property_identifier shorthand_property_identifier_pattern"
)
KINDS = {
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "function_signature": "function",
    "class_declaration": "class",
    "abstract_class_declaration": "class",
    "interface_declaration": "interface",
    "type_alias_declaration": "type",
    "enum_declaration": "enum",
    "internal_module": "namespace",
    "module": "namespace",
}
_DECLARATIONS = name_set("lexical_declaration variable_declaration")
_VALUES = {"class": "class", "function_expression": "function", "arrow_function": "function"}
_FUNCTIONS = name_set(
    "function_declaration function_expression function arrow_function method_definition "
    "generator_function generator_function_declaration function_signature method_signature "
    "abstract_method_signature call_signature construct_signature function_type "
    "constructor_type"
)
_BLOCKS = _FUNCTIONS | name_set(
    "statement_block for_statement for_in_statement catch_clause class_body switch_body "
    "class_static_block program"
)
_PATTERNS = name_set(
    "object_pattern array_pattern rest_pattern pair_pattern assignment_pattern "
    "object_assignment_pattern"
)
_PLACED = _PATTERNS | name_set("member_expression nested_type_identifier nested_identifier")
_GENERIC = _FUNCTIONS | name_set(
    "class_declaration abstract_class_declaration class interface_declaration "
    "type_alias_declaration"
)
_NAMES_ONLY = name_set(
    "import_specifier namespace_import import_clause export_specifier namespace_export "
    "labeled_statement break_statement continue_statement import_alias"
)
_MOST_MEMBERS = 3


def read(path: str, source: bytes) -> FileFacts:
    """Read a file.

    Args:
        path: POSIX path relative to the root.
        source: Its bytes, UTF-8.
    """
    name = grammar(path)
    root = parse_script(name, source)
    build = FileBuilder(path, "javascript" if name == "javascript" else "typescript")
    for child in root.named_children:
        _top_level(child, child, build)
    walk = Walk(root, _IDENTIFIERS | _TELLING, _PLACED)
    for node, kind in walk:
        if kind not in _IDENTIFIERS:
            js_modules.read(node, kind, walk, build)
            js_tools.read(node, kind, walk, build)
        elif (word := text(node)) in build.names:
            _identifier(node, kind, word, walk, build)
    return build.finish(damaged=root.has_error or walk.cut)


def _top_level(node: Node, whole: Node, build: FileBuilder) -> None:
    """One statement of the module; ``whole`` is the statement with ``export`` in front."""
    kind = node.type
    if kind == "import_statement":
        js_modules.read_import(node, build)
    elif kind == "export_statement":
        _export(node, build)
    elif kind in KINDS:
        if name := text(field(node, "name")):
            build.define(name, KINDS[kind], span(whole), line(node))
    elif kind in _DECLARATIONS:
        for child in node.named_children:
            _declarator(child, build)
    elif kind in ("ambient_declaration", "expression_statement"):
        for child in node.named_children:
            if child.type in KINDS or child.type in _DECLARATIONS:
                _top_level(child, child, build)


def _export(node: Node, build: FileBuilder) -> None:
    declaration, value = field(node, "declaration"), field(node, "value")
    default = any(child.type == "default" for child in node.children)
    if declaration is not None:
        _top_level(declaration, node, build)
        name = text(field(declaration, "name"))
        if default and name:
            build.export(DEFAULT, None, name)
        elif default:
            build.define(DEFAULT, "function", span(node), line(node))
    elif value is not None and value.type == "identifier":
        build.export(DEFAULT, None, text(value))
    elif value is not None:
        build.define(DEFAULT, _VALUES.get(value.type, "variable"), span(node), line(node))
    else:
        js_modules.read_export(node, build)


def _declarator(node: Node, build: FileBuilder) -> None:
    if node.type != "variable_declarator" or js_modules.required_by(node):
        return
    target = field(node, "name")
    pending = [target] if target is not None else []
    while pending:
        at = pending.pop()
        if at.type in ("identifier", "shorthand_property_identifier_pattern"):
            build.define(text(at), "variable", span(node), line(at))
        elif at.type in _PATTERNS:
            inner = field(at, "value") or field(at, "left")
            pending.extend([inner] if inner is not None else reversed(at.named_children))


def _identifier(node: Node, kind: str, name: str, walk: Walk, build: FileBuilder) -> None:
    if not walk.trail or walk.trail[-1][1] in _NAMES_ONLY:
        return
    if walk.trail[-1][1] == "nested_type_identifier" and walk.field == "name":
        return
    binds, scope = _bound_in(kind, walk)
    if not binds:
        build.see(name, node.start_byte, line(node), _members(node, walk))
    elif scope is not None and scope.type != "program":
        build.hide(name, span(scope))


def _bound_in(kind: str, walk: Walk) -> tuple[bool, Node | None]:
    """Whether an identifier binds its name, and inside which node.

    Args:
        kind: Type of the identifier.
        walk: Where it stands.

    Returns:
        The node is the whole file's for a top-level binding, and ``None`` for what stays bound to
        the module all the same (``const x = require("y")`` inside a function).
    """
    if kind == "shorthand_property_identifier":
        return False, None
    trail, place, at = walk.trail, walk.field, len(walk.trail) - 1
    while at > 0 and trail[at][1] in _PATTERNS:
        if place == "right" or (trail[at][1] == "pair_pattern" and place == "key"):
            return False, None
        place = trail[at][2]
        at -= 1
    above, parent = trail[at][0], trail[at][1]
    if parent == "variable_declarator":
        if place != "name" or js_modules.required_by(above):
            return place == "name", None
        return True, walk.above(_BLOCKS, at)
    if parent in _BINDERS:
        wanted, kinds, outside = _BINDERS[parent]
        if wanted and place != wanted:
            return False, None
        if kinds is None:
            return True, above
        start = at - 1 if outside else at
        return True, walk.above(kinds, start) if start >= 0 else None
    if parent == "for_in_statement":
        return place == "left" and field(above, "kind") is not None, above
    return False, None


_BINDERS: dict[str, tuple[str, frozenset[str] | None, bool]] = {
    "required_parameter": ("pattern", _FUNCTIONS, False),
    "optional_parameter": ("pattern", _FUNCTIONS, False),
    "formal_parameters": ("", _FUNCTIONS, False),
    "arrow_function": ("parameter", None, False),
    "function_expression": ("name", None, False),
    "generator_function": ("name", None, False),
    "class": ("name", None, False),
    "catch_clause": ("parameter", None, False),
    "type_parameter": ("name", _GENERIC, False),
    **dict.fromkeys(KINDS, ("name", _BLOCKS, True)),
}
"""By parent: the field that binds (empty: any), the scopes to look for (``None``: the parent
itself), and whether to look outside the parent."""


def _members(node: Node, walk: Walk) -> tuple[str, ...]:
    """The names after the dots that follow an identifier."""
    names: list[str] = []
    place = walk.field
    for above, kind, next_place in reversed(walk.trail[-_MOST_MEMBERS:]):
        if kind == "member_expression" and place == "object":
            names.append(text(field(above, "property")))
        elif kind == "nested_type_identifier" and place == "module":
            names.append(text(field(above, "name")))
        elif kind == "nested_identifier" and node.start_byte == above.start_byte:
            names.append(text(above.named_children[-1]))
        else:
            break
        place = next_place
    return tuple(names)
