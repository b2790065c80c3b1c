"""Path aliases of tsconfig.json and jsconfig.json, ``extends`` and ``references`` included."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from asf_core.graph.code import jsonc

_NAMES = ("tsconfig.json", "jsconfig.json")
_DEPTH = 10
"""Longest chain of ``extends`` that is followed."""


@dataclass(frozen=True, slots=True)
class Aliases:
    """What a configuration says about bare specifiers."""

    base: str | None
    """Directory of ``baseUrl``; ``None`` where none is set."""
    origin: str
    """Directory that the targets of ``paths`` start from."""
    paths: tuple[tuple[str, tuple[str, ...]], ...]
    """Pattern and targets; the longest pattern first, as the compiler prefers."""


class Configs:
    """The configurations of one codebase.

    Args:
        manifests: Paths that exist.
        read: Gives a manifest's bytes.
        package: Gives the directory of a workspace package, for ``extends: "pkg/base.json"``.
    """

    def __init__(
        self,
        manifests: Mapping[str, str],
        read: Callable[[str], bytes],
        package: Callable[[str], str | None],
    ) -> None:
        self._manifests, self._read, self._package = manifests, read, package
        self._of = functools.cache(self._aliases_of)

    def candidates(self, directory: str, specifier: str) -> Iterator[str]:
        """Paths, without regard to endings, that a bare specifier may mean."""
        aliases = self._of(directory)
        if aliases is None:
            return
        for pattern, targets in aliases.paths:
            before, star, after = pattern.partition("*")
            if star:
                if not (specifier.startswith(before) and specifier.endswith(after)):
                    continue
                middle = specifier[len(before) : len(specifier) - len(after) or None]
            elif pattern == specifier:
                middle = ""
            else:
                continue
            for target in targets:
                yield posixpath.join(aliases.origin, target.replace("*", middle))
            break
        if aliases.base is not None:
            yield posixpath.join(aliases.base, specifier)

    def _aliases_of(self, directory: str) -> Aliases | None:
        for name in _NAMES:
            path = posixpath.join(directory, name)
            if path in self._manifests:
                return self._load(path)
        return self._of(posixpath.dirname(directory)) if directory else None

    def _load(self, path: str) -> Aliases:
        options, origins = self._options(path, _DEPTH)
        base = options.get("baseUrl")
        paths = options.get("paths")
        if paths is None and base is None:
            for reference in _listed(self._config(path).get("references")):
                place = reference.get("path") if isinstance(reference, dict) else None
                target = self._find(path, str(place), reference=True) if place else None
                if target is not None:
                    options, origins = self._options(target, _DEPTH)
                    base, paths = options.get("baseUrl"), options.get("paths")
                    if paths is not None or base is not None:
                        break
        base = posixpath.join(origins["baseUrl"], base) if isinstance(base, str) else None
        origin = base if base is not None else origins.get("paths", "")
        return Aliases(base, origin, _patterns(paths))

    def _config(self, path: str) -> dict[str, Any]:
        try:
            return jsonc.loads(self._read(path))
        except (OSError, ValueError):
            return {}

    def _options(self, path: str, depth: int) -> tuple[dict[str, Any], dict[str, str]]:
        """Compiler options after ``extends``, and the directory that each was set in."""
        config = self._config(path)
        options: dict[str, Any] = {}
        origins: dict[str, str] = {}
        for parent in _listed(config.get("extends")):
            target = self._find(path, str(parent), reference=False)
            if target is not None and depth:
                inherited, places = self._options(target, depth - 1)
                options.update(inherited)
                origins.update(places)
        own = config.get("compilerOptions")
        for key in ("baseUrl", "paths"):
            if isinstance(own, dict) and key in own:
                options[key] = own[key]
                origins[key] = posixpath.dirname(path)
        return options, origins

    def _find(self, path: str, wanted: str, *, reference: bool) -> str | None:
        if wanted.startswith(".") or reference:
            place = posixpath.join(posixpath.dirname(path), wanted)
        else:
            parts = wanted.split("/")
            cut = 2 if wanted.startswith("@") else 1
            home = self._package("/".join(parts[:cut]))
            if home is None:
                return None
            place = posixpath.join(home, *parts[cut:])
        place = posixpath.normpath(place)
        for candidate in (place, place + ".json", posixpath.join(place, "tsconfig.json")):
            if posixpath.normpath(candidate) in self._manifests:
                return posixpath.normpath(candidate)
        return None


def _listed(value: Any) -> list[Any]:
    """A list as it is, anything else as a list of itself, nothing as an empty one."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def _patterns(paths: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(paths, dict):
        return ()
    pairs = [
        (str(pattern), tuple(str(t) for t in targets))
        for pattern, targets in paths.items()
        if isinstance(targets, list)
    ]
    return tuple(sorted(pairs, key=lambda p: ("*" in p[0], -len(p[0].partition("*")[0]), p[0])))
