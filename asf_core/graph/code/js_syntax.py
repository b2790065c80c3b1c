"""Parsing JavaScript and TypeScript, with two gaps of the TypeScript grammar closed.

tree-sitter-typescript 0.23 knows neither variance (``interface Box<in out T>``) nor the end of a
call signature at a line break before ``<``. Both lose the rest of the file, so a file that does not
parse is tried again with the first blanked and the second ended by a semicolon. Both repairs keep
every position.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asf_core.graph.code.syntax import parse

if TYPE_CHECKING:
    from tree_sitter import Node

_VARIANCE = re.compile(
    rb"((?:[<,]|^)\s*)(in\s+out|in|out)(?=\s+(?:const\s+)?[A-Z_$][\w$]*\s*(?:[,>=]|extends\b))",
    re.MULTILINE,
)
_SIGNATURE = re.compile(rb"((?:[\w\])}\"'`/]|(?<!=)>)\n[ \t]*)[ \t](?=<[\w\s(,])")


def grammar(path: str) -> str:
    """The grammar for a file name."""
    if path.endswith((".ts", ".mts", ".cts")):
        return "typescript"
    return "tsx" if path.endswith(".tsx") else "javascript"


def parse_script(name: str, source: bytes) -> Node:
    """Parse a file.

    Args:
        name: Its grammar.
        source: UTF-8.

    Returns:
        The root; its text is ``source`` or a copy of equal length.
    """
    root = parse(name, source).root_node
    if name == "javascript" or not root.has_error:
        return root
    repaired = _VARIANCE.sub(lambda m: m[1] + b" " * len(m[2]), source)
    if name == "typescript":  # in TSX a line may start with an element
        repaired = _SIGNATURE.sub(rb"\1;", repaired)
    if repaired == source:
        return root
    again = parse(name, repaired).root_node
    # The repair may do harm elsewhere; the reading that keeps more statements apart is the better.
    better = not again.has_error or again.named_child_count >= root.named_child_count
    return again if better else root
