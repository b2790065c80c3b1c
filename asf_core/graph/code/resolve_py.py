"""Where an import of Python leads: relative imports, src layouts, packages, sibling scripts."""

from __future__ import annotations

import functools
import posixpath
from collections import defaultdict
from collections.abc import Set


class PyResolver:
    """Resolves dotted names among the files of one codebase.

    Args:
        files: Paths of all Python files.
        prefix: Dotted name of the root itself where it is a package (``textual``), else empty.
    """

    def __init__(self, files: Set[str], prefix: str = "") -> None:
        self._files = files
        self._prefix = prefix
        self._roots: dict[str, list[str]] = defaultdict(list)
        for root in sorted(self._find_roots(), key=lambda r: (r.count("/") + bool(r), r)):
            for name in self._names_below(root):
                self._roots[name].append(root)
        self._resolve = functools.cache(self._uncached)

    def __call__(self, source: str, specifier: str) -> str | None:
        """The file that a dotted name means.

        Args:
            source: Path of the importing file.
            specifier: ``a.b``, or with leading dots as in ``from .. import x``.

        Returns:
            A path, or ``None`` where it leads out of the codebase or names a directory without
            ``__init__.py``.
        """
        return self._resolve(posixpath.dirname(source), specifier)

    def _uncached(self, directory: str, specifier: str) -> str | None:
        name = specifier.lstrip(".")
        dots = len(specifier) - len(name)
        if dots:
            for _ in range(dots - 1):
                if not directory:
                    return None
                directory = posixpath.dirname(directory)
            return self._file(directory, name)
        if self._prefix and (name + ".").startswith(self._prefix + "."):
            return self._file("", name[len(self._prefix) + 1 :])
        for root in self._search(directory, name.split(".", 1)[0]):
            if (found := self._file(root, name)) is not None:
                return found
        return None

    def _search(self, directory: str, top: str) -> list[str]:
        """Directories that hold ``top``.

        Those around the importing file that are no packages come first, nearest first (a script
        sees its neighbours, a package its import root), then the other roots.
        """
        around, at = [], directory
        while True:
            if not self._is_package(at) and top in self._children.get(at, ()):
                around.append(at)
            if not at:
                break
            at = posixpath.dirname(at)
        return around + [root for root in self._roots.get(top, []) if root not in around]

    def _is_package(self, directory: str) -> bool:
        return posixpath.join(directory, "__init__.py") in self._files

    def _file(self, root: str, name: str) -> str | None:
        path = posixpath.join(root, *name.split(".")) if name else root
        for candidate in (posixpath.join(path, "__init__.py"), path + ".py", path + ".pyw"):
            if candidate in self._files:
                return candidate
        return None

    def _find_roots(self) -> set[str]:
        """Directories that may stand on the import path.

        The root, those above each outermost package, and every ``src``.
        """
        roots = {""}
        for directory in {posixpath.dirname(path) for path in self._files}:
            top = directory
            while top and self._is_package(top):
                top = posixpath.dirname(top)
            if top != directory:
                roots.add(top)
            parts = directory.split("/")
            roots.update("/".join(parts[: i + 1]) for i, part in enumerate(parts) if part == "src")
        return roots

    @functools.cached_property
    def _children(self) -> dict[str, set[str]]:
        children: dict[str, set[str]] = defaultdict(set)
        for path in self._files:
            at = path
            while at:
                parent, name = posixpath.split(at)
                children[parent].add(name.removesuffix(".pyw").removesuffix(".py"))
                at = parent
        return children

    def _names_below(self, root: str) -> list[str]:
        return sorted(self._children.get(root, ()))
