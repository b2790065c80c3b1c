"""Files of one directory as they stand on disk, read without following anything out of it."""

# Paths are strings here: Path rewrites link texts, which are digested as they are.
# ruff: noqa: PTH110, PTH117, PTH118

from __future__ import annotations

import errno
import os
import posixpath
import stat
from dataclasses import dataclass, field

from asf_core.registry import rules
from asf_core.registry.belongs import belongs_name
from asf_core.registry.rules import Rule

MAX_FILES = 5_000
MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_TOTAL_BYTES = 256 * 1024 * 1024
MAX_DEPTH = 32

_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


@dataclass(frozen=True, slots=True)
class DiskFile:
    """A file or a link, not yet read."""

    path: str
    """POSIX, relative to the directory."""
    full: str
    """Where it is, for opening."""
    size: int
    executable: bool
    is_link: bool
    stamp: str
    """Changes when the file may have changed: size, times and mode."""


@dataclass(frozen=True, slots=True)
class TreeIssue:
    """A file that is not as it should be."""

    rule: Rule
    path: str
    """POSIX, relative to the directory."""
    message: str


@dataclass(slots=True)
class Listing:
    """What stands in a directory."""

    files: dict[str, DiskFile] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    """Files and directories that do not belong, sorted; directories end in ``/``."""
    issues: list[TreeIssue] = field(default_factory=list)


def list_directory(root: str) -> Listing:
    """List the files below a directory that belong to a skill, links not followed.

    Args:
        root: Absolute path, symlinks resolved.
    """
    listing = Listing()
    _list_below(root, "", 0, listing)
    listing.left_out.sort()
    return listing


def _list_below(full: str, prefix: str, depth: int, listing: Listing) -> None:
    if depth > MAX_DEPTH:
        message = f"is more than {MAX_DEPTH} directories deep"
        listing.issues.append(TreeIssue(rules.TREE_CAP, prefix, message))
        return
    try:
        with os.scandir(full) as entries:
            ordered = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        message = f"cannot be listed: {error.strerror}"
        listing.issues.append(TreeIssue(rules.TREE_UNREADABLE, prefix or ".", message))
        return
    for entry in ordered:
        _take_entry(entry, f"{prefix}{entry.name}", depth, listing)


def _take_entry(entry: os.DirEntry[str], path: str, depth: int, listing: Listing) -> None:
    is_directory = entry.is_dir(follow_symlinks=False)
    if not belongs_name(entry.name):
        listing.left_out.append(f"{path}/" if is_directory else path)
    elif is_directory:
        _list_below(entry.path, f"{path}/", depth + 1, listing)
    elif len(listing.files) >= MAX_FILES:
        if not any(issue.rule is rules.TREE_CAP for issue in listing.issues):
            message = f"and more: a skill may have {MAX_FILES:,} files"
            listing.issues.append(TreeIssue(rules.TREE_CAP, path, message))
    else:
        _take_file(entry, path, listing)


def _take_file(entry: os.DirEntry[str], path: str, listing: Listing) -> None:
    try:
        facts = entry.stat(follow_symlinks=False)
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        listing.issues.append(TreeIssue(rules.TREE_UNREADABLE, path, message))
        return
    is_link = stat.S_ISLNK(facts.st_mode)
    if not is_link and not stat.S_ISREG(facts.st_mode):
        message = f"is a {_kind(facts.st_mode)}, not a file"
        listing.issues.append(TreeIssue(rules.TREE_SPECIAL, path, message))
        return
    stamp = f"{facts.st_size}.{facts.st_mtime_ns}.{facts.st_ctime_ns}.{facts.st_mode:o}"
    executable = not is_link and bool(facts.st_mode & stat.S_IXUSR)
    listing.files[path] = DiskFile(path, entry.path, facts.st_size, executable, is_link, stamp)


def _kind(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "named pipe"
    if stat.S_ISSOCK(mode):
        return "socket"
    return "device" if stat.S_ISBLK(mode) or stat.S_ISCHR(mode) else "special file"


def read_file(full: str, limit: int) -> bytes:
    """Read a regular file, without following a link in its last part and without waiting on a pipe.

    Args:
        full: Its path.
        limit: Most bytes to read; a longer file comes cut after ``limit`` bytes.

    Raises:
        OSError: It cannot be read, or is no regular file any more.
    """
    descriptor = os.open(full, _OPEN_FLAGS)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", full)
        return file.read(limit)


def link_issue(root: str, path: str, target: str) -> TreeIssue | None:
    """Whether a link leads out of the directory, by its text or by what it resolves to on disk.

    Args:
        root: The directory, absolute, symlinks resolved.
        path: The link's POSIX path in it.
        target: Its text.
    """
    lexical = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    if posixpath.isabs(target) or os.path.isabs(target) or lexical.split("/", 1)[0] == "..":
        message = f"is a link that leaves the skill: {target!r}; it is not followed"
        return TreeIssue(rules.TREE_LINK, path, message)
    real = os.path.realpath(os.path.join(root, path))
    if real != root and not real.startswith(root.rstrip(os.sep) + os.sep):
        message = f"is a link that leaves the skill by way of others: {target!r}"
        return TreeIssue(rules.TREE_LINK, path, message)
    if not os.path.exists(real):
        message = f"is a link to {target!r}, which is not there"
        return TreeIssue(rules.TREE_LINK_DANGLES, path, message)
    return None
