"""The modules of a codebase and what a name means in each: barrels are seen through."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from asf_core.graph.code.facts import DEFAULT, REQUIRED, WHOLE, Export, FileFacts, Import

_DEPTH = 100
"""Longest chain of barrels that is followed."""

Key = tuple[str, str]
"""A node: module id, and the definition's name or ``""`` for the module itself."""


class Resolver(Protocol):
    """Where an import leads."""

    def __call__(self, source: str, specifier: str) -> str | None:
        """The module id that ``specifier`` means in the file ``source``; ``None``: outside."""


@dataclass(slots=True)
class Module:
    """A file, or in Go a package."""

    id: str
    language: str
    files: list[FileFacts] = field(default_factory=list)
    lines: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    """By definition name: kind, file, line."""
    imports: dict[str, list[tuple[FileFacts, Import]]] = field(default_factory=dict)
    exports: dict[str, list[tuple[FileFacts, Export]]] = field(default_factory=dict)

    def add(self, facts: FileFacts) -> None:
        """Take a file in."""
        self.files.append(facts)
        for definition in facts.definitions:
            known = self.lines.get(definition.name)
            if known is None or known[0] == "method":
                self.lines[definition.name] = (definition.kind, facts.path, definition.line)
        for item in facts.imports:
            if item.local:
                self.imports.setdefault(item.local, []).append((facts, item))
        for export in facts.exports:
            self.exports.setdefault(export.name, []).append((facts, export))


def module_id(facts: FileFacts) -> str:
    """Which module a file belongs to."""
    if facts.language == "go":
        return posixpath.dirname(facts.path) or "."
    return facts.path


class Modules:
    """All modules, and the meaning of names among them.

    Args:
        files: Facts of all files, in any order.
        resolvers: By language.
    """

    def __init__(self, files: Iterable[FileFacts], resolvers: Mapping[str, Resolver]) -> None:
        self.by_id: dict[str, Module] = {}
        self._resolvers = resolvers
        self._known: dict[Key, Key | None] = {}
        self._depth = 0
        for facts in sorted(files, key=lambda f: f.path):
            name = module_id(facts)
            self.by_id.setdefault(name, Module(name, facts.language)).add(facts)
        self._go_names: dict[str, dict[str, str]] = defaultdict(dict)
        for module in self.by_id.values():
            if module.language == "go":
                self._bind_go(module)

    def target(self, facts: FileFacts, specifier: str) -> str | None:
        """The module that a file's import leads to."""
        found = self._resolvers[facts.language](facts.path, specifier)
        return found if found in self.by_id else None

    def local(self, facts: FileFacts, name: str, members: tuple[str, ...] = ()) -> Key | None:
        """What a name, with the names after its dots, means inside a file.

        Args:
            facts: The file.
            name: As written.
            members: What follows after dots; consumed as far as it names modules' contents.

        Returns:
            A definition, a module, or ``None`` for anything outside the codebase.
        """
        module = self.by_id[module_id(facts)]
        for item in self._imports_of(facts, name):
            if (found := self._imported(facts, item, members)) is not None:
                return found
        if name in module.lines:
            return module.id, name
        return self._through_stars(module, name, set())

    def imported(self, facts: FileFacts, item: Import) -> Key | None:
        """What an import binds, used without members."""
        return self._imported(facts, item, ())

    def lookup(self, module: str, name: str) -> Key | None:
        """What a module offers under a name; barrels are seen through to what they pass on."""
        return self._lookup(module, name, set())

    def _imports_of(self, facts: FileFacts, name: str) -> list[Import]:
        if facts.language == "go":
            specifier = self._go_names[facts.path].get(name)
            return [Import(name, specifier, WHOLE, 0)] if specifier else []
        return [
            item
            for owner, item in self.by_id[module_id(facts)].imports.get(name, ())
            if owner is facts
        ]

    def _bind_go(self, module: Module) -> None:
        """Name each import: its alias, else the package clause of its target."""
        for facts in module.files:
            for item in facts.imports:
                target = self.target(facts, item.specifier)
                if target is not None:
                    name = item.local or self.by_id[target].files[0].package
                    self._go_names[facts.path].setdefault(name, item.specifier)

    def _imported(self, facts: FileFacts, item: Import, members: tuple[str, ...]) -> Key | None:
        target = self.target(facts, item.specifier)
        if item.name in (WHOLE, REQUIRED, DEFAULT):
            found = self._follow(facts, item.specifier, target, members)
            if item.name == WHOLE or (found is not None and found[1]) or target is None:
                return found
            return self.lookup(target, DEFAULT) or (target, "")
        if target is not None and (found := self.lookup(target, item.name)) is not None:
            return found if found[1] else self._follow(facts, "", found[0], members)
        joint = "" if item.specifier.endswith(".") else "."
        inner = f"{item.specifier}{joint}{item.name}"
        if facts.language == "python" and (sub := self.target(facts, inner)) is not None:
            return self._follow(facts, inner, sub, members)
        return (target, "") if target is not None else None

    def _follow(
        self, facts: FileFacts, specifier: str, module: str | None, members: tuple[str, ...]
    ) -> Key | None:
        """From a module down the names after the dots."""
        for member in members:
            found = self.lookup(module, member) if module is not None else None
            if found is not None and found[1]:
                return found
            if found is not None:
                module, specifier = found[0], ""
                continue
            if facts.language != "python" or not specifier:
                break
            specifier = f"{specifier}.{member}"
            inner = self.target(facts, specifier)
            if inner is None and module is not None:
                break
            module = inner
        return (module, "") if module is not None else None

    def _lookup(self, module: str, name: str, seen: set[Key]) -> Key | None:
        key = (module, name)
        if key in self._known:
            return self._known[key]
        if key in seen or self._depth > _DEPTH:
            return None
        seen.add(key)
        self._depth += 1
        found = self._search(self.by_id[module], name, seen)
        self._depth -= 1
        # Inside a ring of star exports a miss may be a premature one: only hits are kept then.
        if found is not None or len(seen) == 1:
            self._known[key] = found
        return found

    def _search(self, module: Module, name: str, seen: set[Key]) -> Key | None:
        for facts, export in module.exports.get(name, ()):
            if (found := self._exported(module, facts, export, seen)) is not None:
                return found
        if name in module.lines:
            return module.id, name
        if module.language == "python":
            for facts, item in module.imports.get(name, ()):
                if (found := self._passed_on(facts, item, seen)) is not None:
                    return found
        return self._through_stars(module, name, seen)

    def _exported(
        self, module: Module, facts: FileFacts, export: Export, seen: set[Key]
    ) -> Key | None:
        if export.specifier is None:
            if export.source in module.lines:
                return module.id, export.source
            for owner, item in module.imports.get(export.source, ()):
                if owner is facts and (found := self._passed_on(facts, item, seen)) is not None:
                    return found
            return None
        target = self.target(facts, export.specifier)
        if target is None or export.source == WHOLE:
            return (target, "") if target is not None else None
        return self._lookup(target, export.source, seen) or (target, "")

    def _passed_on(self, facts: FileFacts, item: Import, seen: set[Key]) -> Key | None:
        """An import that its module offers in turn."""
        target = self.target(facts, item.specifier)
        if item.name == WHOLE:
            return (target, "") if target is not None else None
        name = DEFAULT if item.name == REQUIRED else item.name
        if target is not None and (found := self._lookup(target, name, seen)) is not None:
            return found
        if facts.language == "python":
            joint = "" if item.specifier.endswith(".") else "."
            inner = self.target(facts, f"{item.specifier}{joint}{item.name}")
            return (inner, "") if inner is not None else None
        return (target, "") if target is not None else None

    def _through_stars(self, module: Module, name: str, seen: set[Key]) -> Key | None:
        for facts, export in module.exports.get(WHOLE, ()):
            target = self.target(facts, export.specifier or "")
            if target is not None and target != module.id:
                found = self._lookup(target, name, seen)
                if found is not None:
                    return found
        return None
