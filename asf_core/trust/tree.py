"""The tree digest: what a skill's bytes are, in one SHA-256 (DESIGN 4).

The digest is the SHA-256 of the RFC 8785 canonical JSON of::

    {"schema": "asf.tree/1",
     "entries": [{"path", "kind", "executable", "size", "sha256"}, ...]}

with the entries sorted by path, code point by code point (which is the order of the UTF-8 bytes).
Every length and name is a field of its own, so no two different trees write the same JSON; the
schema stands inside, so a later rule can never give an equal digest by chance. Bytes are taken as
they are: this module converts no line ends. Which bytes count is the reader's rule
(:mod:`asf_core.registry.tree`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from asf_core.domain.errors import RefusedError
from asf_core.domain.skill import TreeEntry
from asf_core.trust.canonical import Json, canonical_json, sha256_hex

TREE_SCHEMA = "asf.tree/1"
"""Names the rule inside the digest."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class TreeProblem:
    """Why a tree cannot be given a digest."""

    path: str
    """The path it is about, as it came: hostile text."""
    message: str
    """One sentence, without the path."""


class TreeRefusedError(RefusedError):
    """A tree has problems, so it has no digest.

    Args:
        problems: At least one.
    """

    def __init__(self, problems: Sequence[TreeProblem]) -> None:
        first = problems[0]
        super().__init__(
            f"The skill's files were refused: {first.path!r} {first.message}",
            why=f"{len(problems)} problem(s); a digest must mean the same on every system",
            hint="Rename or remove the files that the findings name",
        )
        self.problems = tuple(problems)


def tree_digest(entries: Sequence[TreeEntry]) -> str:
    """SHA-256 of a tree manifest, the same for any order of its entries.

    Args:
        entries: The rows, in any order.

    Raises:
        TreeRefusedError: :func:`check_tree` finds problems.
    """
    if problems := check_tree(entries):
        raise TreeRefusedError(problems)
    rows: list[Json] = [
        {
            "path": entry.path,
            "kind": entry.kind,
            "executable": entry.executable,
            "size": entry.size,
            "sha256": entry.sha256,
        }
        for entry in sorted(entries, key=lambda entry: entry.path)
    ]
    return sha256_hex(canonical_json({"schema": TREE_SCHEMA, "entries": rows}))


def check_tree(entries: Sequence[TreeEntry]) -> tuple[TreeProblem, ...]:
    """Everything that makes a tree ambiguous or unsafe to write to a disk.

    Args:
        entries: The rows, in any order.

    Returns:
        Problems sorted by path: paths that are empty, absolute, leave the skill, hold a back slash,
        a control character or bytes that are not UTF-8; an executable link; two names that one
        system or another takes for the same; a name that is both file and directory.
    """
    problems = [
        TreeProblem(entry.path, message) for entry in entries for message in _path_problems(entry)
    ]
    problems.extend(_collisions(entries))
    return tuple(sorted(problems, key=lambda problem: (problem.path, problem.message)))


def _path_problems(entry: TreeEntry) -> Iterator[str]:
    path = entry.path
    if not path:
        yield "is an empty path"
    elif path.startswith("/") or _DRIVE.match(path):
        yield "is an absolute path"
    elif any(part in {"", ".", ".."} for part in path.split("/")):
        yield "has an empty, '.' or '..' part"
    if "\\" in path:
        yield "holds a back slash, which some systems take for a separator"
    if _CONTROL.search(path):
        yield "holds a control character"
    if any("\ud800" <= char <= "\udfff" for char in path):
        yield "is not valid UTF-8"
    if entry.size < 0:
        yield "has a negative size"
    if entry.kind == "symlink" and entry.executable:
        yield "is a link marked executable"


def _collisions(entries: Sequence[TreeEntry]) -> Iterator[TreeProblem]:
    """Names of files and of directories that fold to one, each reported on the later name."""
    directories: dict[str, str] = {}
    files: dict[str, str] = {}
    for entry in sorted(entries, key=lambda entry: entry.path):
        for parent in _parents(entry.path):
            known = directories.setdefault(_fold(parent), parent)
            if known != parent:
                message = f"stands in {parent!r}, which some systems take for {known!r}"
                yield TreeProblem(entry.path, message)
                break
        key = _fold(entry.path)
        if key in files:
            same = files[key] == entry.path
            message = "is listed twice" if same else f"is the same name as {files[key]!r}"
            yield TreeProblem(entry.path, message + ("" if same else " on some systems"))
        files.setdefault(key, entry.path)
    for key in files.keys() & directories.keys():
        yield TreeProblem(files[key], f"is a file, and {directories[key]!r} a directory")


def _parents(path: str) -> Iterator[str]:
    end = path.find("/")
    while end != -1:
        yield path[:end]
        end = path.find("/", end + 1)


def _fold(name: str) -> str:
    """One key for all names that differ in composition or case only (Unicode 3.13, D145)."""
    if name.isascii():
        return name.lower()
    decomposed = unicodedata.normalize("NFD", name).casefold()
    return unicodedata.normalize("NFD", decomposed)
