"""Where a skill's bytes come from: the repository, the commit, and what cannot be known of them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from asf_core.domain.skill import Commit, Provenance
from asf_core.registry.repository import Repository, RepositoryFacts

MAX_COMMITS = 50_000
"""Most commits that one pass looks at."""
_CHUNK = 1 << 16
_FORMAT = "--format=%x00%x00%H%x00%an <%ae>%x00%aI%x00%s"


@dataclass(slots=True)
class History:
    """The last commit of every skill directory of one repository, found in one pass.

    The pass is made at the first question and covers all directories that were announced by then;
    one that was not gets a pass of its own.
    """

    repository: Repository
    _wanted: set[str] = field(default_factory=set)
    _found: dict[str, Commit] = field(default_factory=dict)
    _asked: set[str] = field(default_factory=set)
    _is_cut: bool = False

    def announce(self, directories: Collection[str]) -> None:
        """Name directories (POSIX, from the top of the work tree) that will be asked for."""
        self._wanted.update(directories)

    def last_commit(self, directory: str) -> tuple[Commit | None, str]:
        """The last commit that touched a directory, and a note on why there is none."""
        if next(self.repository.rows_below(directory), None) is None:
            # An untracked directory would send the pass through the whole history for nothing.
            return None, "" if self.repository.facts.head is None else "not committed"
        if directory not in self._asked:
            wanted = (self._wanted - self._asked) | {directory}
            self._asked |= wanted
            found, self._is_cut = last_commits(self.repository, wanted)
            self._found.update(found)
        commit = self._found.get(directory)
        if commit is None:
            return None, self._why_none()
        if commit.sha in _shallow_ends(self.repository.facts):
            return None, "the last change lies before the history that is here"
        return commit, ""

    def _why_none(self) -> str:
        if self._is_cut:
            return f"no commit touches it among the last {MAX_COMMITS:,}"
        return "no commit touches it"


def last_commits(
    repository: Repository, directories: Collection[str]
) -> tuple[dict[str, Commit], bool]:
    """The last commit that touched each of some directories, in one pass over the history.

    Merges count only for what they change against all of their parents, as in ``git log -c``.

    Args:
        repository: The repository.
        directories: POSIX paths from the top of the work tree; an empty one for the top itself.

    Returns:
        Commit by directory, and whether the pass stopped at :data:`MAX_COMMITS`.
    """
    head = repository.facts.head
    if head is None:
        return {}, False
    missing = set(directories)
    found: dict[str, Commit] = {}
    commits = 0
    with repository.git.stream(*_log_arguments(head)) as output:
        commit: Commit | None = None
        for item in _log_items(output):
            if isinstance(item, Commit):
                commit, commits = item, commits + 1
            elif commit is not None:
                for directory in _ancestors(item):
                    if directory in missing:
                        missing.discard(directory)
                        found[directory] = commit
                if not missing:
                    return found, False
    return found, commits >= MAX_COMMITS


def _log_arguments(head: str) -> list[str]:
    """No path is given: git would then count only commits that touch it, without end."""
    return [
        "log",
        "-z",
        "-c",
        "--name-only",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--no-show-signature",
        "--no-notes",
        "--no-mailmap",
        f"--max-count={MAX_COMMITS}",
        _FORMAT,
        head,
        "--",
    ]


def _log_items(output: IO[bytes]) -> Iterator[Commit | str]:
    """Commits and the paths that each changed, from a NUL-separated log.

    A record is two empty fields, then id, author, date and subject, then its paths, the first with
    a line end before it. Subjects may be empty, so fields are counted and not searched for.
    """
    fields = _fields(output)
    for value in fields:
        if value:
            yield os.fsdecode(value.removeprefix(b"\n"))
            continue
        head = [next(fields, b"") for _ in range(5)][1:]
        sha, author, when, subject = (part.decode("utf-8", "replace") for part in head)
        if sha:
            yield Commit(sha=sha, author=author, when=when, subject=subject)


def _fields(output: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while chunk := output.read(_CHUNK):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole


def _ancestors(path: str) -> Iterator[str]:
    end = path.rfind("/")
    while end > 0:
        yield path[:end]
        end = path.rfind("/", 0, end)
    yield ""


def _shallow_ends(facts: RepositoryFacts) -> frozenset[str]:
    """Commits whose parents a shallow clone does not have: they seem to add every file."""
    if not facts.shallow:
        return frozenset()
    try:
        text = Path(facts.git_directory, "shallow").read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        # The clone became whole in the meantime, or keeps the list elsewhere: believe nothing old.
        return frozenset()
    return frozenset(text.split())


def directory_provenance(note: str) -> Provenance:
    """Provenance of a skill outside git, or where there is no git."""
    return Provenance(kind="directory", note=note)


def git_provenance(
    facts: RepositoryFacts,
    *,
    tracked: bool | None = None,
    dirty: bool | None = None,
    last_commit: Commit | None = None,
    notes: Collection[str] = (),
) -> Provenance:
    """Provenance of a skill in a repository.

    Args:
        facts: What is known of the repository.
        tracked: Git knows the skill's file.
        dirty: Its bytes on disk differ from HEAD's.
        last_commit: The last commit that touched its directory.
        notes: What cannot be known of this skill, in addition to what cannot of the repository.
    """
    return Provenance(
        kind="git",
        repository=_as_text(facts.toplevel),
        remote=facts.remote,
        head=facts.head,
        branch=facts.branch,
        last_commit=last_commit,
        tracked=tracked,
        dirty=dirty,
        note="; ".join(note for note in (facts.note, *notes) if note),
    )


def _as_text(path: str | None) -> str | None:
    """A path that may hold bytes that are not UTF-8, as text that can be stored."""
    return path if path is None else os.fsencode(path).decode("utf-8", "backslashreplace")
