"""Comparing a directory with the commit checked out, without asking git to compare.

``git status`` runs filters and a file monitor that the repository names, so bytes on disk are hashed
here as git hashes blobs. A checkout that turned LF into CR LF is recognised: the file's bytes with
LF line ends are then the blob's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from asf_core.registry.belongs import belongs
from asf_core.registry.disk import DiskFile
from asf_core.registry.repository import HeadRow, Repository

_LINK, _EXECUTABLE, _SUBMODULE = "120000", "100755", "160000"


@dataclass(frozen=True, slots=True)
class CleanFile:
    """A file of HEAD whose blob is known byte for byte."""

    path: str
    """POSIX, relative to the directory."""
    data: bytes
    executable: bool
    is_link: bool


@dataclass(slots=True)
class Comparison:
    """A directory against HEAD."""

    dirty: bool | None
    """True: they differ. None: it cannot be told without running what the repository names."""
    tracked: bool
    """Git knows the skill's file."""
    files: dict[str, CleanFile] = field(default_factory=dict)
    """The files of HEAD, when ``dirty`` is False."""
    ignored: frozenset[str] = frozenset()
    """Files on disk that ``.gitignore`` names: they do not belong."""
    note: str = ""


def compare(
    repository: Repository,
    directory: str,
    main_file: str,
    disk: Mapping[str, DiskFile],
    contents: Mapping[str, bytes],
) -> Comparison:
    """Compare what stands in a directory with what HEAD has there.

    Args:
        repository: The repository.
        directory: POSIX path of the directory from the top of the work tree.
        main_file: Name of the skill's file.
        disk: Files on disk that belong, by path relative to the directory.
        contents: Their bytes; of a link, its target's text.
    """
    prefix = f"{directory}/" if directory else ""
    tracked = repository.is_tracked(prefix + main_file)
    head = {
        row.path[len(prefix) :]: row
        for row in repository.rows_below(directory)
        if belongs(row.path[len(prefix) :])
    }
    if repository.problem:
        return Comparison(None, tracked, note=repository.problem)
    ignored = _ignored(repository, prefix, main_file, disk, head)
    has_extra = bool(disk.keys() - head.keys() - ignored)
    if any(row.mode == _SUBMODULE for row in head.values()):
        note = "it holds a submodule, whose files are of another commit"
        return Comparison(None, tracked, ignored=ignored, note=note)
    matched, changed, missing = _match(repository, head, disk, contents)
    if has_extra or _is_dirty(repository, prefix, changed, missing):
        return Comparison(True, tracked, ignored=ignored)
    matched.update(_left_out_by_checkout(repository, head, missing))
    if len(matched) < len(head) or not head:
        dirty = None if head else True
        return Comparison(dirty, tracked, ignored=ignored, note=_unknown_note(changed, head))
    return Comparison(False, tracked, files=matched, ignored=ignored)


def _is_dirty(repository: Repository, prefix: str, changed: list[str], missing: list[str]) -> bool:
    """A change or a gap is there that neither an attribute nor a sparse checkout explains."""
    if any(not repository.is_skipped(prefix + path) for path in missing):
        return True
    return bool(changed) and not _all_converted(repository, prefix, changed)


def _left_out_by_checkout(
    repository: Repository, head: Mapping[str, HeadRow], missing: list[str]
) -> Iterator[tuple[str, CleanFile]]:
    """Files that a sparse checkout left out, from their blobs, as far as these are here."""
    blobs = repository.blobs(head[path].oid for path in missing) if missing else {}
    for path in missing:
        if (data := blobs.get(head[path].oid)) is not None:
            yield path, _clean(path, head[path], data)


def _unknown_note(changed: list[str], head: Mapping[str, HeadRow]) -> str:
    if not head:
        return ""
    if not changed:
        return "files that a sparse checkout left out are not in the clone"
    return (
        f"{len(changed)} file(s), {changed[0]!r} first, have a filter or encoding attribute and cannot"
        " be compared with HEAD: filters of a repository are never run"
    )


def _ignored(
    repository: Repository,
    prefix: str,
    main_file: str,
    disk: Mapping[str, DiskFile],
    head: Mapping[str, HeadRow],
) -> frozenset[str]:
    """Untracked files that ``.gitignore`` names; none where it names the skill itself."""
    untracked = sorted(
        path for path in disk.keys() - head.keys() if not repository.is_tracked(prefix + path)
    )
    if not untracked:
        return frozenset()
    named = repository.ignored([prefix + path for path in untracked])
    ignored = frozenset(path[len(prefix) :] for path in named)
    return frozenset() if main_file in ignored else ignored


def _match(
    repository: Repository,
    head: Mapping[str, HeadRow],
    disk: Mapping[str, DiskFile],
    contents: Mapping[str, bytes],
) -> tuple[dict[str, CleanFile], list[str], list[str]]:
    """Files whose bytes are HEAD's, files whose bytes are not, and files that are not there."""
    matched: dict[str, CleanFile] = {}
    changed, missing = [], []
    for path, row in head.items():
        file = disk.get(path)
        if file is None:
            missing.append(path)
        elif (data := _blob_bytes(repository, row, file, contents[path])) is None:
            changed.append(path)
        else:
            matched[path] = _clean(path, row, data)
    return matched, sorted(changed), sorted(missing)


def _clean(path: str, row: HeadRow, data: bytes) -> CleanFile:
    return CleanFile(path, data, row.mode == _EXECUTABLE, row.mode == _LINK)


def _blob_bytes(repository: Repository, row: HeadRow, file: DiskFile, data: bytes) -> bytes | None:
    """The blob's bytes, when the file on disk is what a checkout of it gives."""
    if not _same_kind(repository, row, file):
        return None
    if repository.blob_id(data) == row.oid:
        return data
    if not file.is_link and b"\r\n" in data:
        with_lf = data.replace(b"\r\n", b"\n")
        if repository.blob_id(with_lf) == row.oid:
            return with_lf
    return None


def _same_kind(repository: Repository, row: HeadRow, file: DiskFile) -> bool:
    """Kind and mode agree, as far as this file system can show them."""
    if row.mode == _LINK or file.is_link:
        is_text_link = not file.is_link and repository.setting("core.symlinks") == "false"
        return row.mode == _LINK and (file.is_link or is_text_link)
    has_modes = os.name != "nt" and repository.setting("core.filemode", "true") != "false"
    return not has_modes or file.executable == (row.mode == _EXECUTABLE)


def _all_converted(repository: Repository, prefix: str, paths: list[str]) -> bool:
    """Every one of the paths is converted on checkout, so that other bytes prove no change."""
    converted = repository.converted([prefix + path for path in paths])
    return all(prefix + path in converted for path in paths)
