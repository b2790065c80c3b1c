"""Where an import of Go leads: go.mod's module path in front of a directory."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Set

_MODULE = re.compile(rb"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)


class GoResolver:
    """Resolves import paths to package directories.

    Args:
        packages: Directories that hold Go files; the root is ``.``.
        manifests: Paths that exist; go.mod among them.
        read: Gives a manifest's bytes.
    """

    def __init__(
        self, packages: Set[str], manifests: Mapping[str, str], read: Callable[[str], bytes]
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
        self._modules.sort(key=lambda m: (-len(m[0]), m))

    def __call__(self, source: str, specifier: str) -> str | None:
        """The directory of the package that an import path means, or ``None``."""
        for module, directory in self._modules:
            if (specifier + "/").startswith(module + "/"):
                inside = posixpath.join(directory, specifier[len(module) + 1 :])
                found = posixpath.normpath(inside) if inside else "."
                return found if found in self._packages else None
        return None
