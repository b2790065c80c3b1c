"""What one version changes against another: bound fields, files, instructions."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from asf_core.domain.content import BoundContent, VersionRecord
from asf_core.domain.skill import TreeEntry
from asf_core.governance.ports import Reading

_LONGEST_DIFF = 400_000
_MOST_LINES = 2_000


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A bound field that differs."""

    field: str
    """Dotted, as ``source.revision``."""
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that differs."""

    path: str
    change: Literal["added", "removed", "changed", "mode changed"]
    size_before: int | None
    size_after: int | None
    diff: tuple[str, ...]
    """Unified, line by line, hostile text; empty for a file that is not text or too long."""
    note: str = ""
    """Why there is no diff."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What a version changes."""

    version: VersionRecord
    against: VersionRecord | None
    """``None``: there was nothing to compare it with, so all of it is new."""
    fields: tuple[FieldChange, ...]
    files: tuple[FileChange, ...]


def compare(reading: Reading, version: VersionRecord, other: VersionRecord | None) -> Difference:
    """Compare a version with another one, or with nothing.

    Args:
        reading: Has the bytes of both.
        version: The newer one.
        other: What it would take the place of.
    """
    before = {} if other is None else {entry.path: entry for entry in other.tree}
    after = {entry.path: entry for entry in version.tree}
    files = tuple(
        _file(reading, path, before.get(path), after.get(path))
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    )
    fields = tuple(_fields(None if other is None else other.content, version.content))
    return Difference(version, other, fields, files)


def _fields(before: BoundContent | None, after: BoundContent) -> Iterator[FieldChange]:
    old = {} if before is None else dict(_flat("", before.model_dump(mode="json")))
    new = dict(_flat("", after.model_dump(mode="json")))
    for name in sorted(old.keys() | new.keys()):
        if old.get(name, "") != new.get(name, ""):
            yield FieldChange(name, old.get(name, ""), new.get(name, ""))


def _flat(prefix: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _flat(f"{prefix}.{name}" if prefix else name, inner)
    elif isinstance(value, list):
        yield prefix, ", ".join(_item(item) for item in value)
    elif value is not None:
        yield prefix, str(value)


def _item(value: object) -> str:
    return " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)


def _file(
    reading: Reading, path: str, before: TreeEntry | None, after: TreeEntry | None
) -> FileChange:
    change: Literal["added", "removed", "changed", "mode changed"] = "changed"
    if before is None or after is None:
        change = "added" if before is None else "removed"
    elif before.sha256 == after.sha256:
        change = "mode changed"
    old, new = _text(reading, before), _text(reading, after)
    sizes = (before.size if before else None, after.size if after else None)
    if old is None or new is None:
        return FileChange(path, change, *sizes, (), "not shown: no text, or too long")
    lines = list(difflib.unified_diff(old, new, "before", "after", lineterm="", n=2))[2:]
    note = f"cut after {_MOST_LINES} lines" if len(lines) > _MOST_LINES else ""
    return FileChange(path, change, *sizes, tuple(lines[:_MOST_LINES]), note)


def _text(reading: Reading, entry: TreeEntry | None) -> list[str] | None:
    """A file's lines, line ends kept visible by their difference; ``None`` for no text."""
    if entry is None:
        return []
    data = reading.blob(entry.sha256)
    if data is None or len(data) > _LONGEST_DIFF or b"\0" in data:
        return None
    try:
        return data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return None
