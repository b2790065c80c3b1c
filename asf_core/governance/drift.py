"""How a skill on disk differs from a version of it, by bytes and not by what it says of itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from asf_core.domain.skill import TreeEntry


@dataclass(frozen=True, slots=True)
class Drift:
    """Paths that differ, each list sorted."""

    changed: tuple[str, ...]
    """Other bytes, another kind, or another executable bit."""
    missing: tuple[str, ...]
    """In the version and no longer on disk."""
    added: tuple[str, ...]
    """On disk and not in the version."""

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.added)

    def __str__(self) -> str:
        parts = (("changed", self.changed), ("missing", self.missing), ("added", self.added))
        return ", ".join(f"{len(paths)} {word}" for word, paths in parts if paths) or "none"


def drift(version: Iterable[TreeEntry], disk: Iterable[TreeEntry]) -> Drift:
    """Compare the files of a version with those on disk."""
    pinned = {entry.path: entry for entry in version}
    found = {entry.path: entry for entry in disk}
    return Drift(
        changed=tuple(sorted(p for p in pinned.keys() & found.keys() if pinned[p] != found[p])),
        missing=tuple(sorted(pinned.keys() - found.keys())),
        added=tuple(sorted(found.keys() - pinned.keys())),
    )
