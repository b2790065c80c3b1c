"""One git repository as a registry needs it: where HEAD is and which blobs stand there.

Everything is asked for once and kept: a repository object is a picture of the moment in which it was
opened.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from asf_core.registry.git import Git, GitHost, GitOutput
from asf_core.registry.remote import Setting, remote_url

_OWNER_WORDS = ("dubious ownership", "unsafe repository", "owned by someone else")


@dataclass(frozen=True, slots=True)
class RepositoryFacts:
    """What is known of a repository without reading its history."""

    toplevel: str | None
    """Top directory of the work tree; ``None`` when git would not say."""
    head: str | None = None
    """Commit checked out; ``None`` before the first one or when it cannot be known."""
    branch: str | None = None
    remote: str | None = None
    shallow: bool = False
    bare: bool = False
    note: str = ""
    """What cannot be known, and why."""
    settings: tuple[Setting, ...] = ()
    """The repository's own config."""
    git_directory: str = ""


@dataclass(frozen=True, slots=True)
class HeadRow:
    """One file of the commit checked out."""

    path: str
    """POSIX, from the top of the work tree."""
    mode: str
    """``100644``, ``100755``, ``120000`` (link) or ``160000`` (submodule)."""
    oid: str


def find_repository(directory: str) -> str | None:
    """The directory at or above a directory that holds ``.git``; ``None`` when there is none.

    Asks the file system only, so that a registry outside git starts no process.
    """
    here = Path(directory)
    return next((str(at) for at in (here, *here.parents) if os.path.lexists(at / ".git")), None)


def looks_bare(directory: str) -> bool:
    """A directory that is a repository's store itself, without a work tree."""
    return all(Path(directory, name).exists() for name in ("HEAD", "objects", "refs"))


class Repository:
    """A work tree that git lets us read."""

    def __init__(self, git: Git, facts: RepositoryFacts, prefix: str) -> None:
        self.git = git
        self.facts = facts
        self._prefix = prefix
        self.problem = ""
        """Why the files of HEAD cannot be listed; empty while they can."""

    @cached_property
    def state(self) -> str:
        """One line that changes when anything changes that provenance shows of the whole."""
        facts = self.facts
        return f"{facts.toplevel}\0{facts.head}\0{facts.branch}\0{facts.remote}\0{facts.note}"

    @cached_property
    def rows(self) -> list[HeadRow]:
        """Files of the commit checked out, sorted by path; empty without a commit."""
        if self.facts.head is None:
            return []
        where = ["--", self._prefix] if self._prefix else []
        head = self.facts.head
        output = self.git.run("--literal-pathspecs", "ls-tree", "-r", "-z", head, *where)
        if not output.ok:
            self.problem = f"the files of HEAD cannot be listed: {output.complaint}"
            return []
        return sorted(_head_rows(output.stdout), key=lambda row: row.path)

    @cached_property
    def _row_paths(self) -> list[str]:
        return [row.path for row in self.rows]

    def rows_below(self, directory: str) -> Iterator[HeadRow]:
        """Files of HEAD below a directory (POSIX, from the top; empty for the top itself)."""
        start = f"{directory}/" if directory else ""
        for index in range(bisect_left(self._row_paths, start), len(self.rows)):
            if not self.rows[index].path.startswith(start):
                return
            yield self.rows[index]

    @cached_property
    def _index(self) -> dict[str, str]:
        where = ["--", self._prefix] if self._prefix else []
        output = self.git.run("--literal-pathspecs", "ls-files", "-z", "-t", *where)
        rows = os.fsdecode(output.stdout).split("\0")
        return {row[2:]: row[:1] for row in rows if row}

    def is_tracked(self, path: str) -> bool:
        """Git knows the file, committed or not (POSIX path from the top)."""
        return path in self._index

    def is_skipped(self, path: str) -> bool:
        """The file is tracked and a sparse checkout left it out of the work tree."""
        return self._index.get(path) == "S"

    def ignored(self, paths: Sequence[str]) -> frozenset[str]:
        """Those of some untracked paths that ``.gitignore`` files name."""
        # "./" keeps a name that starts with a colon from being read as a pattern.
        request = _nul([f"./{path}" for path in paths])
        output = self.git.run("check-ignore", "-z", "--stdin", stdin=request)
        return frozenset(path[2:] for path in os.fsdecode(output.stdout).split("\0")[:-1])

    def converted(self, paths: Sequence[str]) -> frozenset[str]:
        """Those of some paths whose bytes on disk differ from the blob's by design.

        They have a ``filter``, ``ident`` or ``working-tree-encoding`` attribute.
        """
        names = ("filter", "ident", "working-tree-encoding")
        output = self.git.run("check-attr", "-z", "--stdin", *names, stdin=_nul(paths))
        fields = os.fsdecode(output.stdout).split("\0")
        triples = zip(fields[0::3], fields[2::3], strict=False)
        return frozenset(path for path, value in triples if value not in ("unspecified", "unset"))

    def blobs(self, oids: Iterable[str]) -> dict[str, bytes]:
        """Contents of blobs by id.

        Left out are those that are absent (a partial clone) or are not what their id says.
        """
        wanted = list(dict.fromkeys(oids))
        request = "".join(f"{oid}\n" for oid in wanted).encode()
        output = self.git.run("cat-file", "--batch", stdin=request)
        return {oid: data for oid, data in _batch(output.stdout) if self.blob_id(data) == oid}

    def blob_id(self, data: bytes) -> str:
        """The id that git gives to a blob of these bytes."""
        name = "sha256" if len(self.facts.head or "") == 64 else "sha1"
        digest = hashlib.new(name, b"blob %d\0" % len(data), usedforsecurity=False)
        digest.update(data)
        return digest.hexdigest()

    def setting(self, key: str, default: str = "") -> str:
        """The last value of a setting of the repository's own config."""
        return dict(self.facts.settings).get(key, default)


def open_repository(host: GitHost, directory: str) -> Repository | RepositoryFacts:
    """Open the repository that a directory stands in.

    Args:
        host: The machine's git.
        directory: Absolute, symlinks resolved; :func:`find_repository` has found a ``.git``.

    Returns:
        The repository; or the facts with a note that says why it cannot be read.
    """
    git = host.at(directory)
    asked = git.run(
        "rev-parse",
        "--is-bare-repository",
        "--is-shallow-repository",
        "--absolute-git-dir",
        "--show-toplevel",
    )
    if not asked.ok:
        return _unreadable(asked, directory)
    bare, shallow, git_directory, toplevel = asked.stdout.decode("utf-8", "surrogateescape").split(
        "\n", 3
    )
    toplevel = toplevel.removesuffix("\n")
    prefix = os.path.relpath(directory, toplevel)
    if prefix.split(os.sep, 1)[0] == os.pardir or bare == "true":
        note = "git takes another directory for the work tree: history unknown"
        return RepositoryFacts(None, note=note)
    facts = _facts(git, toplevel, git_directory, is_shallow=shallow == "true")
    posix = "" if prefix == "." else prefix.replace(os.sep, "/")
    return Repository(host.at(toplevel), facts, posix)


def _facts(git: Git, toplevel: str, git_directory: str, *, is_shallow: bool) -> RepositoryFacts:
    head = git.run("rev-parse", "--quiet", "--verify", "HEAD^{commit}")
    name = git.run("symbolic-ref", "--quiet", "--short", "HEAD")
    settings = tuple(_settings(git))
    branch = name.text if name.ok and head.ok else None
    notes = []
    if not head.ok:
        notes.append(f"no commit yet on {name.text}" if name.ok else "HEAD names no commit")
    elif not name.ok:
        notes.append(f"detached at {head.text[:12]}")
    if is_shallow:
        notes.append("shallow clone: older history is not here")
    return RepositoryFacts(
        toplevel=toplevel,
        head=head.text if head.ok else None,
        branch=branch,
        remote=remote_url(settings, branch),
        shallow=is_shallow,
        note="; ".join(notes),
        settings=settings,
        git_directory=git_directory,
    )


def _unreadable(asked: GitOutput, directory: str) -> RepositoryFacts:
    if any(word in asked.stderr for word in _OWNER_WORDS):
        where = find_repository(directory) or directory
        note = (
            "commit unknown: git does not read a repository that another user owns."
            f" If you trust it: git config --global --add safe.directory {_shell_quoted(where)}"
        )
        return RepositoryFacts(None, note=note)
    if "bare repository" in asked.stderr or asked.text.startswith("true"):
        return RepositoryFacts(None, bare=True, note="a bare repository: it has no files to read")
    return RepositoryFacts(None, note=f"git cannot read this repository: {asked.complaint}")


def _shell_quoted(path: str) -> str:
    return "'" + path.replace("'", "'\\''") + "'"


def _settings(git: Git) -> Iterator[Setting]:
    """The config of the repository and of the files that it includes, without our own overrides."""
    output = git.run("config", "--list", "--show-scope", "-z")
    fields = output.stdout.decode("utf-8", "replace").split("\0")
    for scope, entry in zip(fields[0::2], fields[1::2], strict=False):
        if scope in {"local", "worktree"}:
            key, _, value = entry.partition("\n")
            yield key, value


def _head_rows(data: bytes) -> Iterator[HeadRow]:
    for row in os.fsdecode(data).split("\0"):
        facts, tab, path = row.partition("\t")
        if tab:
            mode, _kind, oid = facts.split(" ")
            yield HeadRow(path, mode, oid)


def _batch(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Blobs of a ``cat-file --batch`` answer: ``<oid> blob <size>``, the bytes, a line end."""
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        words = data[at:end].decode("ascii", "replace").split(" ")
        at = end + 1
        if len(words) == 3 and words[2].isdigit():
            size = int(words[2])
            if words[1] == "blob":
                yield words[0], data[at : at + size]
            at += size + 1


def _nul(paths: Sequence[str]) -> bytes:
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


def directory_of(repository: Repository, real_path: str) -> str:
    """POSIX path of a directory from the top of a repository's work tree; empty for the top."""
    relative = os.path.relpath(real_path, repository.facts.toplevel or "/")
    posix = relative.replace(os.sep, "/")
    return "" if posix == "." else posixpath.normpath(posix)
