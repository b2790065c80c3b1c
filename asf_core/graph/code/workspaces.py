"""The packages of a JavaScript workspace: npm, yarn, bun and pnpm."""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from asf_core.graph.code import jsonc

_MAX_STARS = 6
"""A glob with more could take the matcher for ever; none in the wild has three."""


@dataclass(frozen=True, slots=True)
class Package:
    """One package.json."""

    name: str
    directory: str
    exports: Any
    imports: Any
    entries: tuple[str, ...]
    """Files that the package's name may mean, the source first."""


class Workspaces:
    """All packages of a codebase by name and by place.

    A package that a workspace declares wins over one of equal name that lies about (an example,
    a template); then the one nearest to the root.

    Args:
        manifests: Paths that exist.
        read: Gives a manifest's bytes.
    """

    def __init__(self, manifests: Mapping[str, str], read: Callable[[str], bytes]) -> None:
        self._by_place: dict[str, Package] = {}
        self._by_name: dict[str, Package] = {}
        declared: list[re.Pattern[str]] = []
        for path in sorted(manifests):
            directory, file = posixpath.split(path)
            try:
                data = read(path) if file in ("package.json", "pnpm-workspace.yaml") else b""
            except (OSError, ValueError):
                continue
            if file == "package.json":
                config = jsonc.loads(data)
                self._by_place[directory] = _package(directory, config)
                declared += [_glob(directory, g) for g in _globs(config.get("workspaces"))]
            elif file == "pnpm-workspace.yaml":
                declared += [_glob(directory, g) for g in _pnpm(data)]
        ordered = sorted(
            self._by_place.values(),
            key=lambda p: (
                not any(pattern.fullmatch(p.directory) for pattern in declared),
                p.directory.count("/"),
                p.directory,
            ),
        )
        for package in ordered:
            if package.name:
                self._by_name.setdefault(package.name, package)
        self.nearest = functools.cache(self._nearest)

    def find(self, specifier: str) -> tuple[Package | None, str]:
        """The package of a bare specifier, and the path inside it."""
        parts = specifier.split("/")
        cut = 2 if specifier.startswith("@") else 1
        return self._by_name.get("/".join(parts[:cut])), "/".join(parts[cut:])

    def directory_of(self, name: str) -> str | None:
        """Where a package lies."""
        package = self._by_name.get(name)
        return package.directory if package is not None else None

    def _nearest(self, directory: str) -> Package | None:
        while directory not in self._by_place:
            if not directory:
                return None
            directory = posixpath.dirname(directory)
        return self._by_place[directory]


def _package(directory: str, config: dict[str, Any]) -> Package:
    keys = ("source", "types", "typings", "module", "main")
    return Package(
        name=str(config.get("name") or ""),
        directory=directory,
        exports=config.get("exports"),
        imports=config.get("imports"),
        entries=tuple(v for key in keys if isinstance(v := config.get(key), str)),
    )


def _globs(workspaces: Any) -> list[str]:
    if isinstance(workspaces, dict):
        workspaces = workspaces.get("packages")
    return [str(g) for g in workspaces] if isinstance(workspaces, list) else []


def _pnpm(data: bytes) -> list[str]:
    """The list under ``packages:``; the file is too simple to need a YAML parser."""
    text = data.decode("utf-8", "replace")
    inside, found = False, []
    for row in text.splitlines():
        if re.match(r"\S", row):
            inside = row.startswith("packages:")
        elif inside and (match := re.match(r"\s*-\s*['\"]?([^'\"#\s]+)", row)):
            found.append(match[1])
    return found


def _glob(directory: str, pattern: str) -> re.Pattern[str]:
    """A workspace glob as an expression over directories."""
    if pattern.count("*") > _MAX_STARS:
        return re.compile(r"(?!)")
    parts = []
    for part in posixpath.normpath(posixpath.join(directory, pattern)).split("/"):
        parts.append(".*" if part == "**" else re.escape(part).replace(r"\*", "[^/]*"))
    return re.compile("/".join(parts))
