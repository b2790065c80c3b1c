"""Skills as a directory of files: exact bytes, all or nothing, never over somebody's edits."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from asf_core.domain.errors import InputError, RefusedError, StoreError
from asf_core.domain.skill import TreeEntry
from asf_core.export.lock import LOCK, Lock, LockedSkill, read_lock, write_lock
from asf_core.export.names import exported_names
from asf_core.export.values import ExportSkill
from asf_core.registry.tree import read_tree
from asf_core.trust.canonical import sha256_hex
from asf_core.trust.tree import tree_digest

_DIRECTORY = re.compile(r"[a-z0-9_-]{1,64}")
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a directory is not what its lock says."""

    path: str
    """Relative to the exported directory: hostile text."""
    what: str
    """``changed``, ``missing`` or ``added``."""


def to_skill_md_dir(
    skills: Sequence[ExportSkill], target: Path, *, overwrite: bool = False
) -> Lock:
    """Write skills below a directory, each in one of its own, with a lock beside them.

    The new directory is made whole beside the target and then put in its place, so that a crash
    leaves the old one or the new one.

    Args:
        skills: With their files.
        target: The directory; made where there is none. One that an export wrote is replaced,
            any other has to be empty.
        overwrite: Also replace files that were edited since they were exported.

    Raises:
        RefusedError: The target holds something else, or edits; or a skill's bytes are not those
            of its digest.
        StoreError: It cannot be written.
    """
    target = Path(os.path.abspath(target))  # noqa: PTH100 - a link as target is refused below
    named = sorted(_named(skills), key=lambda pair: pair[1])
    lock = Lock(skills=tuple(_locked(skill, directory) for skill, directory in named))
    _check_target(target, overwrite=overwrite)
    aside = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside.mkdir()
        for skill, directory in named:
            _write_tree(skill, aside / directory)
        (aside / LOCK).write_bytes(write_lock(lock))
        _put_in_place(aside, target)
    except OSError as error:
        raise StoreError(
            f"{target} cannot be written",
            why=f"{error.filename or target}: {error.strerror}",
            hint="Check the path and the space on its disk; nothing was changed there",
        ) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return lock


def verify_directory(target: Path) -> tuple[Lock, tuple[Difference, ...]]:
    """Compare an exported directory with its lock, every byte of it.

    Returns:
        The lock, and all differences sorted by path; none when the directory is what was exported.

    Raises:
        InputError: There is no lock there, or none that can be read.
    """
    lock = read_lock(target)
    if lock is None:
        raise InputError(
            f"{target} was not exported by this program",
            why=f"It has no {LOCK}",
            hint="Export with: asf export SKILL... --output DIR",
        )
    found = [difference for skill in lock.skills for difference in _differences(target, skill)]
    known = {skill.directory for skill in lock.skills} | {LOCK}
    strangers = (name for name in sorted(os.listdir(target)) if name not in known)  # noqa: PTH208
    found.extend(Difference(name, "added") for name in strangers)
    return lock, tuple(sorted(found, key=lambda d: d.path))


def _named(skills: Sequence[ExportSkill]) -> Iterator[tuple[ExportSkill, str]]:
    # File systems that fold case would join two directories that differ by it.
    pairs = [(skill.id, skill.slug.lower()) for skill in skills]
    names = exported_names(pairs, _DIRECTORY)
    for skill in skills:
        yield skill, names[skill.id].lower()


def _locked(skill: ExportSkill, directory: str) -> LockedSkill:
    digest = tree_digest(skill.tree)
    for entry in skill.tree:
        if sha256_hex(skill.contents[entry.path]) != entry.sha256:
            raise RefusedError(
                f"{skill.id} was not exported",
                why=f"{entry.path} has other bytes than its digest says",
                hint="Sync the registry, or restore the ledger from its snapshot",
            )
    if skill.digest is not None and digest != skill.digest:
        raise RefusedError(
            f"{skill.id} was not exported",
            why="its files are not those that were read before",
            hint="Sync the registry: asf sync",
        )
    return LockedSkill(
        directory=directory,
        skill_id=skill.id,
        version=skill.version,
        pin=skill.pin,
        revision=skill.revision,
        digest=digest,
        tree=tuple(sorted(skill.tree, key=lambda entry: entry.path)),
    )


def _check_target(target: Path, *, overwrite: bool) -> None:
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise RefusedError(
            f"{target} is no directory",
            why="A link or a file stands there",
            hint="Name a directory, or a path where nothing is yet",
        )
    if not target.exists() or not any(target.iterdir()):
        return
    if read_lock(target) is None:
        raise RefusedError(
            f"{target} holds other things",
            why=f"It was not exported by this program: it has no {LOCK}",
            hint="Name an empty directory",
        )
    _, found = verify_directory(target)
    if found and not overwrite:
        shown = ", ".join(f"{d.path} ({d.what})" for d in found[:_SHOWN])
        raise RefusedError(
            f"{target} was edited since it was exported",
            why=f"{len(found)} differ: {shown}",
            hint="Keep the edits elsewhere, or replace them with --overwrite",
        )


def _write_tree(skill: ExportSkill, root: Path) -> None:
    root.mkdir()
    for entry in skill.tree:
        path = root.joinpath(*entry.path.split("/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        data = skill.contents[entry.path]
        if entry.kind == "symlink":
            path.symlink_to(os.fsdecode(data))
            continue
        path.write_bytes(data)
        path.chmod(0o755 if entry.executable else 0o644)


def _put_in_place(aside: Path, target: Path) -> None:
    if not target.exists():
        aside.rename(target)
        return
    old = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    target.rename(old)
    try:
        aside.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _differences(target: Path, skill: LockedSkill) -> Iterator[Difference]:
    root = target / skill.directory
    if root.is_symlink() or not root.is_dir():
        yield Difference(skill.directory, "missing")
        return
    tree = read_tree(
        str(root), shown_at=skill.directory, main_file="SKILL.md", repository=None, directory=""
    )
    wanted = {entry.path: entry for entry in skill.tree}
    found: dict[str, TreeEntry] = {entry.path: entry for entry in tree.entries}
    for path in sorted(wanted.keys() | found.keys()):
        if wanted.get(path) == found.get(path):
            continue
        what = "changed" if path in wanted and path in found else "added"
        yield Difference(f"{skill.directory}/{path}", what if path in found else "missing")
    for path in tree.left_out:
        yield Difference(f"{skill.directory}/{path}", "added")
