"""Where an import of JavaScript or TypeScript leads: relative paths, tsconfig paths, workspaces."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any

from asf_core.graph.code.facts import name_set
from asf_core.graph.code.tsconfig import Configs
from asf_core.graph.code.workspaces import Package, Workspaces

_ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".d.mts")
_SOURCES = {
    ".js": (".ts", ".tsx", ".jsx", ".d.ts"),
    ".jsx": (".tsx",),
    ".mjs": (".mts", ".d.mts", ".ts"),
    ".cjs": (".cts", ".ts"),
}
_OUTPUT = name_set("dist build lib out esm cjs types es dist-types")


class JsResolver:
    """Resolves specifiers among the files of one codebase.

    Args:
        files: Paths of all source files.
        manifests: Paths of package.json, tsconfig.json and pnpm-workspace.yaml.
        read: Gives a manifest's bytes by its path; raises ``OSError`` or ``ValueError``.
    """

    def __init__(
        self, files: Set[str], manifests: Mapping[str, str], read: Callable[[str], bytes]
    ) -> None:
        self._files = files
        self._workspaces = Workspaces(manifests, read)
        self._configs = Configs(manifests, read, self._workspaces.directory_of)
        self._resolve = functools.cache(self._uncached)

    def __call__(self, source: str, specifier: str) -> str | None:
        """The file that an import means.

        Args:
            source: Path of the importing file.
            specifier: As written.

        Returns:
            A path, or ``None`` where it leads out of the codebase.
        """
        return self._resolve(posixpath.dirname(source), specifier.split("?", 1)[0])

    def _uncached(self, directory: str, specifier: str) -> str | None:
        if specifier.startswith(("./", "../")) or specifier in (".", ".."):
            return self._file(posixpath.join(directory, specifier))
        if specifier.startswith("/"):
            return None
        for candidate in self._candidates(directory, specifier):
            if (found := self._file(candidate)) is not None:
                return found
        return None

    def _candidates(self, directory: str, specifier: str) -> Iterator[str]:
        yield from self._configs.candidates(directory, specifier)
        own = self._workspaces.nearest(directory)
        if specifier.startswith("#") and own is not None:
            yield from _targets(own, own.imports, specifier)
        package, rest = self._workspaces.find(specifier)
        if package is not None:
            yield from _package(package, rest)
        # The habit of bundlers, for codebases whose alias stands in code that is not executed.
        if specifier.startswith(("@/", "~/")) and own is not None:
            for base in ("src", "app", ""):
                yield posixpath.join(own.directory, base, specifier[2:])

    def _file(self, path: str) -> str | None:
        path = posixpath.normpath(path)
        if path.startswith(".."):
            return None
        if path in self._files:
            return path
        stem, ending = posixpath.splitext(path)
        for other in _SOURCES.get(ending, ()):
            if stem + other in self._files:
                return stem + other
        for other in _ENDINGS:
            if path + other in self._files:
                return path + other
        for other in _ENDINGS:
            index = posixpath.normpath(posixpath.join(path, "index" + other))
            if index in self._files:
                return index
        return None


def _package(package: Package, rest: str) -> Iterator[str]:
    """Files that ``name`` or ``name/rest`` may mean, sources before what is built from them."""
    yield from _targets(package, package.exports, f"./{rest}" if rest else ".")
    base = package.directory
    if rest:
        yield from (posixpath.join(base, rest), posixpath.join(base, "src", rest))
        return
    for entry in package.entries:
        yield from _sources(base, entry)
    yield from (posixpath.join(base, "src", "index"), posixpath.join(base, "index"))


def _targets(package: Package, table: Any, key: str) -> Iterator[str]:
    """Look a key up in ``exports`` or ``imports`` of a package.json, patterns included."""
    if isinstance(table, Mapping) and any(str(k).startswith((".", "#")) for k in table):
        for pattern, target in table.items():
            before, star, after = str(pattern).partition("*")
            if pattern == key:
                middle = ""
            elif star and key.startswith(before) and key.endswith(after):
                middle = key[len(before) : len(key) - len(after) or None]
            else:
                continue
            for leaf in _leaves(target):
                yield from _sources(package.directory, leaf.replace("*", middle))
    elif key == ".":
        for leaf in _leaves(table):
            yield from _sources(package.directory, leaf)


def _leaves(target: Any) -> Iterator[str]:
    pending = [target]
    while pending:
        at = pending.pop()
        if isinstance(at, str):
            yield at
        elif isinstance(at, Mapping):
            pending.extend(reversed(list(at.values())))
        elif isinstance(at, list):
            pending.extend(reversed(at))


def _sources(base: str, target: str) -> Iterator[str]:
    """``dist/a.js`` as it stands, then where its source may be: ``a``, ``src/a``."""
    for ending in (".d.ts", ".d.mts", ".d.cts"):
        target = target.removesuffix(ending) + ".js" if target.endswith(ending) else target
    parts = posixpath.normpath(target).split("/")
    yield posixpath.join(base, *parts)
    while len(parts) > 1 and parts[0] in _OUTPUT:
        parts = parts[1:]
        yield posixpath.join(base, "src", *parts)
        yield posixpath.join(base, *parts)
