"""Where an import of Go leads: go.mod's module path in front of a directory."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set

_MODULE = re.compile(rb"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)


class GoResolver:
    """Resolves import paths to package directories.

    Args:
        packages: Directories that hold Go files; the root is ``.``.
        manifests: Paths that exist; go.mod among them.
        read: Gives a manifest's bytes.
        specifiers: All import paths. Without any go.mod (a GOPATH tree, a part of a module) the
            module path is the one that most of them agree on.
    """

    def __init__(
        self,
        packages: Set[str],
        manifests: Mapping[str, str],
        read: Callable[[str], bytes],
        specifiers: Iterable[str] = (),
    ) -> None:
        self._packages = packages
        self._modules: list[tuple[str, str]] = []
        for path in sorted(manifests):
            directory, file = posixpath.split(path)
            if file != "go.mod":
                continue
            try:
                match = _MODULE.search(read(path))
            except (OSError, ValueError):
                continue
            if match:
                self._modules.append((match[1].decode("utf-8", "replace"), directory))
        if not self._modules:
            self._modules = _guess(packages, specifiers)
        self._modules.sort(key=lambda m: (-len(m[0]), m))

    def __call__(self, source: str, specifier: str) -> str | None:
        """The directory of the package that an import path means, or ``None``."""
        for module, directory in self._modules:
            if (specifier + "/").startswith(module + "/"):
                inside = posixpath.join(directory, specifier[len(module) + 1 :])
                found = posixpath.normpath(inside) if inside else "."
                return found if found in self._packages else None
        return None


def _guess(packages: Set[str], specifiers: Iterable[str]) -> list[tuple[str, str]]:
    """The front that import paths share once the directory that they end in is cut off."""
    votes: Counter[str] = Counter()
    for specifier in specifiers:
        parts = specifier.split("/")
        if "." not in parts[0]:
            continue
        for i in range(1, len(parts)):
            if "/".join(parts[i:]) in packages:
                votes["/".join(parts[:i])] += 1
                break
    if not votes:
        return []
    return [(min(votes, key=lambda front: (-votes[front], front)), "")]
