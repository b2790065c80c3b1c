"""The files of one skill: which bytes they are, and their digest (DESIGN 4).

*In a git work tree*, when the skill's directory is clean, the bytes are those of the blobs at HEAD: a
checkout that turned LF into CR LF has the digest of the LF blobs, and so have a Windows and a Linux
checkout of one commit. When it is dirty, untracked, or cannot be compared, the bytes are those on
disk, and the skill says so.

*Outside git* the bytes are those on disk, as they are. Twins that differ in line ends are then
different bytes and have different digests: nothing says which form their author meant, and a digest
that looked past a carriage return would also look past one that was put in on purpose.

What belongs is one rule for digest, scan and export (:mod:`asf_core.registry.belongs`); in a work
tree, files that are untracked and named by ``.gitignore`` do not belong either.
"""

# Paths are strings here: Path rewrites link texts, which are digested as they are.
# ruff: noqa: PTH115

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from asf_core.domain.findings import Finding
from asf_core.domain.skill import TreeEntry
from asf_core.registry import rules
from asf_core.registry.clean import Comparison, compare
from asf_core.registry.disk import (
    MAX_FILE_BYTES,
    MAX_TOTAL_BYTES,
    DiskFile,
    Listing,
    TreeIssue,
    link_issue,
    list_directory,
    read_file,
)
from asf_core.registry.repository import Repository
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.tree import check_tree, tree_digest

_REFUSING = frozenset(
    rule.id
    for rule in (
        rules.TREE_LINK,
        rules.TREE_SPECIAL,
        rules.TREE_NAME,
        rules.TREE_CAP,
        rules.TREE_UNREADABLE,
    )
)
"""Rules whose breaking leaves a tree without a digest."""
_SHOWN_LEFT_OUT = 10


@dataclass(frozen=True, slots=True)
class SkillTree:
    """A skill's files, read at one moment."""

    entries: tuple[TreeEntry, ...]
    """Sorted by path."""
    contents: Mapping[str, bytes]
    """Bytes of every entry by path, those that the digest is of; of a link, its target's text."""
    digest: str | None
    """``None`` when the tree was refused; then ``findings`` says why."""
    findings: tuple[Finding, ...]
    left_out: tuple[str, ...]
    """Files and directories on disk that do not belong, relative to the skill."""
    tracked: bool | None = None
    dirty: bool | None = None
    note: str = ""
    """What cannot be known of it."""


@dataclass(slots=True)
class _Read:
    """What was read from disk."""

    files: dict[str, DiskFile] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)


def read_tree(
    root: str, *, shown_at: str, main_file: str, repository: Repository | None, directory: str
) -> SkillTree:
    """Read the files of a skill.

    Args:
        root: Its directory, absolute, symlinks resolved.
        shown_at: POSIX path of the directory inside the registry, for findings.
        main_file: Name of the skill's file.
        repository: The repository that it stands in, if there is one.
        directory: POSIX path of the directory from the top of that repository's work tree.
    """
    listing = list_directory(root)
    read = _read_all(root, listing)
    comparison = None
    if repository is not None:
        comparison = compare(repository, directory, main_file, read.files, read.contents)
    contents, entries = _entries(read, comparison)
    ignored = comparison.ignored if comparison is not None else frozenset()
    left_out = (*listing.left_out, *sorted(ignored))
    issues = [issue for issue in listing.issues if issue.path not in ignored]
    issues.extend(_link_issues(root, entries, contents))
    issues.extend(
        TreeIssue(rules.TREE_NAME, problem.path, problem.message) for problem in check_tree(entries)
    )
    refused = any(issue.rule.id in _REFUSING for issue in issues)
    findings = [_finding(issue, shown_at) for issue in issues]
    findings.extend(_left_out_finding(left_out, shown_at, main_file))
    return SkillTree(
        entries=entries,
        contents=contents,
        digest=None if refused else tree_digest(entries),
        findings=tuple(findings),
        left_out=left_out,
        tracked=comparison.tracked if comparison is not None else None,
        dirty=comparison.dirty if comparison is not None else None,
        note=comparison.note if comparison is not None else "",
    )


def _read_all(root: str, listing: Listing) -> _Read:
    """Read every listed file; what cannot be read, or is over a cap, becomes an issue."""
    read = _Read()
    total = 0
    for path, file in listing.files.items():
        if not is_text(path):
            # No row may hold it: rows are written as JSON, and its name has no form there.
            listing.issues.append(TreeIssue(rules.TREE_NAME, path, "has a name that is not UTF-8"))
            continue
        total += file.size
        if file.size > MAX_FILE_BYTES or total > MAX_TOTAL_BYTES:
            message = f"is over a cap: {MAX_FILE_BYTES:,} bytes a file, {MAX_TOTAL_BYTES:,} in all"
            listing.issues.append(TreeIssue(rules.TREE_CAP, path, message))
            total -= file.size
            continue
        try:
            data = os.fsencode(os.readlink(file.full)) if file.is_link else _whole(file)
        except OSError as error:
            message = f"cannot be read: {error.strerror}"
            listing.issues.append(TreeIssue(rules.TREE_UNREADABLE, path, message))
            continue
        read.files[path] = file
        read.contents[path] = data
    return read


def _whole(file: DiskFile) -> bytes:
    return read_file(file.full, MAX_FILE_BYTES)


def _entries(
    read: _Read, comparison: Comparison | None
) -> tuple[dict[str, bytes], tuple[TreeEntry, ...]]:
    if comparison is not None and comparison.dirty is False:
        clean = sorted(comparison.files.items())
        contents = {path: file.data for path, file in clean}
        rows = [_entry(path, file.data, file.is_link, file.executable) for path, file in clean]
        return contents, tuple(rows)
    ignored = comparison.ignored if comparison is not None else frozenset()
    paths = sorted(path for path in read.files if path not in ignored)
    contents = {path: read.contents[path] for path in paths}
    rows = [
        _entry(path, contents[path], read.files[path].is_link, read.files[path].executable)
        for path in paths
    ]
    return contents, tuple(rows)


def _entry(path: str, data: bytes, is_link: bool, executable: bool) -> TreeEntry:
    return TreeEntry(
        path=path,
        kind="symlink" if is_link else "file",
        executable=executable and not is_link,
        size=len(data),
        sha256=sha256_hex(data),
    )


def _link_issues(
    root: str, entries: Iterable[TreeEntry], contents: Mapping[str, bytes]
) -> Iterable[TreeIssue]:
    for entry in entries:
        if entry.kind == "symlink":
            issue = link_issue(root, entry.path, os.fsdecode(contents[entry.path]))
            if issue is not None:
                yield issue


def _finding(issue: TreeIssue, shown_at: str) -> Finding:
    shown = issue.path.encode("utf-8", "backslashreplace").decode()
    return Finding(
        rule=issue.rule.id,
        severity=issue.rule.severity,
        message=f"{shown} {issue.message.encode('utf-8', 'backslashreplace').decode()}.",
        path=join(shown_at, shown),
    )


def _left_out_finding(
    left_out: tuple[str, ...], shown_at: str, main_file: str
) -> Iterable[Finding]:
    if not left_out:
        return
    names = [name.encode("utf-8", "backslashreplace").decode() for name in left_out]
    more = f" and {len(names) - _SHOWN_LEFT_OUT} more" if len(names) > _SHOWN_LEFT_OUT else ""
    rule = rules.TREE_LEFT_OUT
    yield Finding(
        rule=rule.id,
        severity=rule.severity,
        message=f"Not part of the skill: {', '.join(names[:_SHOWN_LEFT_OUT])}{more}.",
        path=join(shown_at, main_file),
    )


def is_text(path: str) -> bool:
    """The path's bytes are UTF-8."""
    return not any("\ud800" <= char <= "\udfff" for char in path)


def join(directory: str, name: str) -> str:
    """A POSIX path inside a registry, whose root is ``.``."""
    return name if directory == "." else f"{directory}/{name}"
