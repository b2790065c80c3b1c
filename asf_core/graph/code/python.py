"""Reads one Python file: its definitions, imports and uses of names.

Its tools: :mod:`asf_core.graph.code.py_tools`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_core.graph.code import py_tools
from asf_core.graph.code.builder import FileBuilder
from asf_core.graph.code.facts import WHOLE, FileFacts, name_set
from asf_core.graph.code.syntax import Walk, field, line, parse, span, text

if TYPE_CHECKING:
    from tree_sitter import Node

_WANTED = py_tools.TELLING | name_set(
    "identifier import_statement import_from_statement global_statement"
)
_BLOCKS = name_set(
    "if_statement elif_clause else_clause try_statement except_clause finally_clause "
    "with_statement block for_statement while_statement match_statement case_clause"
)
"""Statements whose bodies still are the module's own code."""
_FUNCTIONS = name_set("function_definition lambda")
_SCOPES = _FUNCTIONS | {"module"}
_COMPREHENSIONS = name_set(
    "list_comprehension set_comprehension dictionary_comprehension generator_expression"
)
_PATTERNS = name_set(
    "pattern_list tuple_pattern list_pattern list_splat_pattern dictionary_splat_pattern "
    "as_pattern_target tuple list list_splat parenthesized_expression"
)
_PLACED = _PATTERNS | {"attribute"}
_LABELS = name_set("dotted_name aliased_import global_statement nonlocal_statement")
_MOST_MEMBERS = 4


def read(path: str, source: bytes) -> FileFacts:
    """Read a file.

    Args:
        path: POSIX path relative to the root.
        source: Its bytes, UTF-8.
    """
    root = parse("python", source).root_node
    build = FileBuilder(path, "python")
    # What a star import brings is not known here: then every name is looked at.
    all_names = _top_level(root, build)
    walk = Walk(root, _WANTED, _PLACED)
    for node, kind in walk:
        if kind == "identifier":
            if (name := text(node)) in build.names or all_names:
                _identifier(node, name, walk, build)
        elif kind in ("import_statement", "import_from_statement"):
            _import(node, build)
        elif kind == "global_statement":
            _global(node, walk, build)
        else:
            py_tools.read(node, kind, walk, build)
    return build.finish(damaged=root.has_error or walk.cut)


def _top_level(root: Node, build: FileBuilder) -> bool:
    """Imports and definitions of the module's own code.

    Returns:
        True when an import takes all names of another module.
    """
    stars = False
    pending = list(reversed(root.named_children))
    while pending:
        node = pending.pop()
        if node.type in _BLOCKS:
            pending.extend(reversed(node.named_children))
        elif node.type in ("import_statement", "import_from_statement"):
            stars |= _import(node, build)
        elif node.type == "decorated_definition":
            _define(field(node, "definition"), node, build)
        elif node.type in ("function_definition", "class_definition"):
            _define(node, node, build)
        elif node.type == "type_alias_statement":
            build.define(text(node.named_children[0]), "type", span(node), line(node))
        elif node.type == "expression_statement":
            for child in node.named_children:
                _assignment(child, build)
    return stars


def _define(definition: Node | None, whole: Node, build: FileBuilder) -> None:
    if definition is None:
        return
    kind = "class" if definition.type == "class_definition" else "function"
    build.define(text(field(definition, "name")), kind, span(whole), line(definition))


def _assignment(node: Node, build: FileBuilder) -> None:
    at: Node | None = node
    while at is not None and at.type == "assignment":
        for target in _targets(field(at, "left")):
            name = text(target)
            if not (name.startswith("__") and name.endswith("__")) and name != "_":
                build.define(name, "variable", span(node), line(node))
        at = field(at, "right")


def _targets(left: Node | None) -> list[Node]:
    if left is None:
        return []
    if left.type == "identifier":
        return [left]
    if left.type in _PATTERNS:
        return [child for child in left.named_children if child.type == "identifier"]
    return []


def _import(node: Node, build: FileBuilder) -> bool:
    """An import at any depth.

    Returns:
        True when it takes all names.
    """
    if node.type == "import_from_statement":
        return _import_from(node, build)
    for child in node.children_by_field_name("name"):
        module = text(field(child, "name") if child.type == "aliased_import" else child)
        if alias := text(field(child, "alias")):
            build.bind(alias, module, WHOLE, line(node))
            continue
        top = module.split(".")[0]
        build.bind(top, top, WHOLE, line(node))
        if top != module:
            build.bind("", module, WHOLE, line(node))
    return False


def _import_from(node: Node, build: FileBuilder) -> bool:
    module = text(field(node, "module_name")).replace(" ", "")
    for child in node.children_by_field_name("name"):
        name = text(field(child, "name") if child.type == "aliased_import" else child)
        build.bind(text(field(child, "alias")) or name, module, name, line(node))
    star = any(child.type == "wildcard_import" for child in node.named_children)
    if star:
        build.export(WHOLE, module, WHOLE)
        build.bind("", module, WHOLE, line(node))
    return star


def _global(node: Node, walk: Walk, build: FileBuilder) -> None:
    scope = walk.above(_FUNCTIONS)
    if scope is not None:
        for child in node.named_children:
            build.show(text(child), span(scope))


def _identifier(node: Node, name: str, walk: Walk, build: FileBuilder) -> None:
    if not walk.trail or _is_label(walk):
        return
    scope = _bound_in(node, walk)
    if scope is None:
        build.see(name, node.start_byte, line(node), _members(walk))
    elif scope.type != "module":
        build.hide(name, span(scope))


def _is_label(walk: Walk) -> bool:
    """Whether the identifier names an attribute, an argument, an import or the like."""
    kind = walk.trail[-1][1]
    if kind == "attribute":
        return walk.field != "object"
    return kind in _LABELS or (kind == "keyword_argument" and walk.field == "name")


def _bound_in(node: Node, walk: Walk) -> Node | None:
    """The node inside which this identifier binds its name.

    Returns:
        The module for a top-level binding; ``None`` where the identifier binds nothing.
    """
    trail, place, at = walk.trail, walk.field, len(walk.trail) - 1
    target = False
    while at > 0 and trail[at][1] in _PATTERNS:
        target |= trail[at][1] == "as_pattern_target"
        node, _, place = trail[at]
        at -= 1
    above, kind, _ = trail[at]
    if kind in ("function_definition", "class_definition"):
        return walk.above(_SCOPES, at - 1) if place == "name" and at else None
    if kind in ("parameters", "lambda_parameters"):
        return walk.above(_FUNCTIONS, at)
    if kind == "typed_parameter":
        return walk.above(_FUNCTIONS, at) if node == above.named_children[0] else None
    if kind in ("default_parameter", "typed_default_parameter"):
        return walk.above(_FUNCTIONS, at) if place == "name" else None
    if kind in ("assignment", "for_statement"):
        return walk.above(_SCOPES, at) if place == "left" else None
    if kind == "for_in_clause":
        return walk.above(_COMPREHENSIONS, at) if place == "left" else None
    if kind == "named_expression":
        return walk.above(_SCOPES, at) if place == "name" else None
    return walk.above(_SCOPES, at) if kind == "as_pattern" and target else None


def _members(walk: Walk) -> tuple[str, ...]:
    """The names after the dots that follow an identifier."""
    names: list[str] = []
    place = walk.field
    for above, kind, next_place in reversed(walk.trail[-_MOST_MEMBERS:]):
        if kind != "attribute" or place != "object":
            break
        names.append(text(field(above, "attribute")))
        place = next_place
    return tuple(names)
