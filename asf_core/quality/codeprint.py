"""Fingerprints of scripts that survive another layout and other comments.

Python, JavaScript, TypeScript and Go are parsed by tree-sitter; the print is the SHA-256 of the
syntax tree, its leaves with their text, comments left out. Any other script gives the print of its
lines without comments, empty lines and indentation. Nothing is ever run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

MAX_BYTES = 256 * 1024
"""Of one script; what is larger is data, not a program somebody wrote."""
MAX_SCRIPTS = 200
"""Of one skill, the first by path."""

_GRAMMARS = {
    ".py": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "javascript",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".go": "go",
}
_COMMENT_MARKS = ("#", "//", "--", "rem ", "::")


@dataclass(frozen=True, slots=True)
class CodePrint:
    """One script."""

    path: str
    """POSIX, relative to the skill's directory."""
    print: str
    """32 hexadecimal characters."""
    tokens: int
    """Leaves of the tree, or words: how much there is to be equal."""


def prints_of(scripts: Mapping[str, bytes]) -> tuple[CodePrint, ...]:
    """The prints of a skill's scripts.

    Args:
        scripts: Bytes by path.

    Returns:
        Sorted by path, without those that are too large or hold no program.
    """
    found = []
    for path in sorted(scripts)[:MAX_SCRIPTS]:
        data = scripts[path]
        if len(data) <= MAX_BYTES and b"\0" not in data[:1024]:
            found.append(_print(path, data))
    return tuple(one for one in found if one.tokens)


def _print(path: str, data: bytes) -> CodePrint:
    grammar = _GRAMMARS.get(PurePosixPath(path).suffix.lower())
    digest, tokens = hashlib.sha256((grammar or "text").encode()), 0
    for mark, is_token in _tree(grammar, data) if grammar else _plain(data):
        digest.update(mark + b"\0")
        tokens += is_token
    return CodePrint(path, digest.hexdigest()[:32], tokens)


def _tree(grammar: str, data: bytes) -> Iterator[tuple[bytes, bool]]:
    """The nodes of a syntax tree in order, with where each ends, and whether it is a leaf."""
    # tree-sitter is loaded where it is used: most registries hold no scripts.
    from asf_core.graph.code.syntax import parse

    cursor = parse(grammar, data).walk()
    while True:
        node = cursor.node
        if node is not None and "comment" not in node.type:
            if cursor.goto_first_child():
                yield b"(" + node.type.encode(), False
                continue
            if node.text:
                yield node.type.encode() + b" " + node.text, True
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            yield b")", False


def _plain(data: bytes) -> Iterator[tuple[bytes, bool]]:
    for line in data.decode("utf-8", "replace").splitlines():
        text = line.strip()
        if text and (text.startswith("#!") or not text.lower().startswith(_COMMENT_MARKS)):
            yield from ((word.encode("utf-8", "replace"), True) for word in text.split())
