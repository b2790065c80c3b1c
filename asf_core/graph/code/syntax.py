"""tree-sitter, loaded where it is used: grammars, one walk, and small readers of nodes."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser, Tree


@functools.cache
def language(name: str) -> Language:
    """Load a grammar.

    Args:
        name: ``python``, ``javascript``, ``typescript``, ``tsx`` or ``go``.
    """
    import importlib

    import tree_sitter

    package = "typescript" if name == "tsx" else name
    module = importlib.import_module(f"tree_sitter_{package}")
    entry = f"language_{name}" if package == "typescript" else "language"
    return tree_sitter.Language(getattr(module, entry)())


@functools.cache
def _parser(name: str) -> Parser:
    import tree_sitter

    return tree_sitter.Parser(language(name))


def parse(name: str, source: bytes) -> Tree:
    """Parse UTF-8 source; errors in it become ``ERROR`` nodes, never exceptions."""
    return _parser(name).parse(source)


DEEPEST = 500
"""What is nested deeper than this is left out: no person writes so, and time spent climbing out of
it would grow with the square of a hostile file's size."""

Ancestor = tuple["Node", str, str]
"""A node above, its type, and the field that it fills in its own parent where that was asked."""


class Walk:
    """Every node of some types below a node, in the order of the text.

    One pass with a cursor that keeps the way down: asking a node for its parent searches from the
    root each time.

    Args:
        root: Where to begin.
        wanted: Types of the nodes to stop at.
        placed: Types of the ancestors whose own field matters.
    """

    def __init__(self, root: Node, wanted: Set[str], placed: Set[str]) -> None:
        self._cursor = root.walk()
        self._wanted, self._placed = wanted, placed
        self.trail: list[Ancestor] = []
        """The way from the root to the present node, outermost first."""
        self.field = ""
        """The field that the present node fills in its parent; empty for none."""
        self.cut = False
        """True when something was nested too deeply."""

    def __iter__(self) -> Iterator[tuple[Node, str]]:
        """Yield nodes with their types."""
        cursor, wanted, placed, trail = self._cursor, self._wanted, self._placed, self.trail
        down, aside, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
        while True:
            node = cursor.node
            if node is None:
                return
            kind = node.type
            if kind in wanted:
                self.field = cursor.field_name or ""
                yield node, kind
            if len(trail) < DEEPEST:
                place = cursor.field_name or "" if kind in placed else ""
                if down():
                    trail.append((node, kind, place))
                    continue
            elif node.child_count:
                self.cut = True
            while not aside():
                if not up():
                    return
                trail.pop()

    def above(self, kinds: Set[str], start: int = -1) -> Node | None:
        """The nearest ancestor of some types.

        Args:
            kinds: The types.
            start: Index into the trail to begin with.
        """
        found = self.index(kinds, start)
        return self.trail[found][0] if found >= 0 else None

    def index(self, kinds: Set[str], start: int = -1) -> int:
        """Index into the trail of the nearest ancestor of some types, -1 for none."""
        at = start if start >= 0 else len(self.trail) + start
        while at >= 0 and self.trail[at][1] not in kinds:
            at -= 1
        return at


def text(node: Node | None) -> str:
    """The source text of a node; empty for none."""
    return ((node.text or b"") if node is not None else b"").decode("utf-8", "replace")


def field(node: Node | None, name: str) -> Node | None:
    """What fills a field; ``None`` for none."""
    return node.child_by_field_name(name) if node is not None else None


def span(node: Node) -> tuple[int, int]:
    """First byte of a node, and the one after its last."""
    return node.start_byte, node.end_byte


def line(node: Node) -> int:
    """1-based line on which a node starts."""
    return node.start_point.row + 1


def unquote(literal: str) -> str:
    r"""The text of a string literal without its prefix and quotes; other text as it is.

    >>> unquote("'./a.js'"), unquote('r"x"'), unquote("`t`"), unquote("bare")
    ('./a.js', 'x', 't', 'bare')
    """
    stripped = literal.lstrip("rRbBuUfF")
    if not stripped or stripped[0] not in "'\"`":
        return literal
    for quote in ('"""', "'''"):
        if stripped.startswith(quote) and len(stripped) >= 6:
            return stripped[3:-3]
    return stripped[1:-1]
