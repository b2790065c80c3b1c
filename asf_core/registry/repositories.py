"""The repositories that the skills of one registry stand in, each opened once, when first needed."""

# Paths are strings here, as in the walk that names them.
# ruff: noqa: PTH110, PTH118, PTH120

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from asf_core.domain.findings import Finding, Severity
from asf_core.registry import rules
from asf_core.registry.git import GitHost, git_program
from asf_core.registry.provenance import History
from asf_core.registry.remote import programs
from asf_core.registry.repository import (
    Repository,
    RepositoryFacts,
    directory_of,
    find_repository,
    looks_bare,
    open_repository,
)
from asf_core.registry.tree import join

State = Repository | RepositoryFacts | str
"""A readable repository, one that git does not let us read, or why there is none."""

_HARMLESS = ("core.hookspath", "core.pager", "core.editor", "credential.", "pager.")


class Repositories:
    """Finds and keeps the repository of each skill.

    Args:
        root: The registry's directory, absolute, symlinks resolved.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._host: GitHost | None = None
        self._opened: dict[str, State] = {}
        self._histories: dict[str, History] = {}
        self._nested: set[str] = set()
        self._skills: list[str] = []

    def announce(self, nested: Sequence[str], skills: Sequence[str]) -> None:
        """Say what a walk has found.

        Args:
            nested: Directories below the root that are the top of a work tree of their own.
            skills: Directories of skills.
        """
        self._nested = {os.path.join(self._root, path) for path in nested}
        self._skills = list(skills)
        self._histories.clear()

    def close(self) -> None:
        """Release what git needed."""
        if self._host is not None:
            self._host.close()
            self._host = None

    def of(self, real: str) -> State:
        """The repository of a directory of the registry (absolute, symlinks resolved)."""
        return self._at(self._start(real))

    def state(self, real: str, file_name: str) -> str:
        """One line that changes when provenance of a skill may have changed."""
        repository = self.of(real)
        if isinstance(repository, str):
            return repository
        if isinstance(repository, RepositoryFacts):
            return repository.note
        directory = directory_of(repository, real)
        tracked = repository.is_tracked(join(directory or ".", file_name))
        return f"{repository.state}\0{tracked}"

    def history(self, repository: Repository) -> History:
        """The history of a repository, shared by all its skills."""
        top = repository.facts.toplevel or ""
        if top not in self._histories:
            history = History(repository)
            history.announce(list(self._directories(repository)))
            self._histories[top] = history
        return self._histories[top]

    def findings(self) -> Iterator[Finding]:
        """Settings of the repositories that name programs; none of them is ever run."""
        starts = sorted({self._root, *self._nested})
        for start in starts:
            repository = self._at(start)
            if isinstance(repository, Repository):
                yield from self._config_findings(start, repository)

    def lock(self) -> str | None:
        """Path of a lock that git holds on the index of one of the opened repositories."""
        for repository in self._opened.values():
            if isinstance(repository, Repository):
                lock = os.path.join(repository.facts.git_directory, "index.lock")
                if os.path.exists(lock):
                    return lock
        return None

    def _config_findings(self, start: str, repository: Repository) -> Iterator[Finding]:
        rule = rules.REGISTRY_GIT_CONFIG
        where = os.path.relpath(start, self._root).replace(os.sep, "/")
        for key, value in programs(repository.facts.settings):
            usual = key.startswith(_HARMLESS)
            yield Finding(
                rule=rule.id,
                severity=Severity.INFO if usual else rule.severity,
                message=f"The repository's config names a program in {key}; it is never run here.",
                path=join(where, ".git/config"),
                snippet=f"{key}={value}"[:200],
            )

    def _directories(self, repository: Repository) -> Iterator[str]:
        """Directories of the announced skills that stand in a repository."""
        for path in self._skills:
            real = os.path.realpath(os.path.join(self._root, path))
            if self._at(self._start(real)) is repository:
                directory = directory_of(repository, real)
                if next(repository.rows_below(directory), None) is not None:
                    yield directory

    def _start(self, real: str) -> str:
        """The innermost announced repository above a directory, else the registry's root."""
        here = real
        while here != self._root and len(here) > len(self._root):
            if here in self._nested:
                return here
            here = os.path.dirname(here)
        return self._root

    def _at(self, start: str) -> State:
        if start not in self._opened:
            self._opened[start] = self._open(start)
        return self._opened[start]

    def _open(self, start: str) -> State:
        if looks_bare(start):
            return "a bare repository: it has no files to read"
        if find_repository(start) is None:
            return "not in a git work tree: no history, no revision"
        if git_program() is None:
            return "git is not installed: history and revision unknown"
        if self._host is None:
            self._host = GitHost()
        return open_repository(self._host, start)
