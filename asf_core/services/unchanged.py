"""Knowing that nothing changed below some directories, without looking at them again.

The system tells of each change (inotify). Its word comes in order, so a file of our own that is made
when the question is asked, and waited for, proves that all that happened before has been heard:
there is no moment in which a change goes unnoticed. Where the system cannot be relied on for that
(network file systems, other systems, a limit that is reached), the answer is always that something
may have changed.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

_LOCAL = frozenset(
    {"bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "overlay", "tmpfs", "xfs", "zfs"}
)
"""File systems on which every change goes through this machine."""
_OCTAL = re.compile(r"\\([0-7]{3})")
"""How the list of mounts writes white space."""
_RETRY_SECONDS = 60.0
"""After which it is tried again what the system refused."""
_PATIENCE = 1.0
_STEP_MS = 1
_WAIT_MS = 50


class Unchanged:
    """Watches directory trees. Not safe to use from several threads at once.

    Args:
        ignored: A directory whose changes do not count, as the workspace.
    """

    def __init__(self, ignored: Path) -> None:
        self._ignored = os.path.realpath(ignored) + os.sep
        self._watched: list[_Tree] = []
        self._tried = -math.inf
        self._notify: RustNotify | None = None
        self._marks = Path(tempfile.mkdtemp(prefix="asf-watch-")).resolve()
        self._asked = 0
        self._changed = True

    def watch(self, roots: Sequence[str]) -> None:
        """Watch these trees from now on; another set than before counts as changed.

        Args:
            roots: Directories of registries.
        """
        trees = _trees(roots)
        again = self._notify is None and time.monotonic() - self._tried > _RETRY_SECONDS
        if trees != self._watched or again:
            self._stop()
            self._watched, self._changed, self._tried = trees, True, time.monotonic()
            self._notify = self._started([tree.path for tree in trees])

    def changed(self) -> bool:
        """Whether anything may have changed since :meth:`remember`."""
        if self._notify is not None and not self._changed:
            self._changed = not self._heard_all(self._notify)
        return self._changed or self._notify is None

    def remember(self) -> None:
        """Count only what changes from now on."""
        self._changed = self._notify is None or not self._heard_all(self._notify, forget=True)

    def close(self) -> None:
        """Watch no longer."""
        self._stop()
        shutil.rmtree(self._marks, ignore_errors=True)

    def _heard_all(self, notify: RustNotify, *, forget: bool = False) -> bool:
        """Hear what has happened until now; true when nothing of it counts."""
        self._asked += 1
        mark = self._marks / str(self._asked)
        mark.touch()
        quiet = True
        deadline = time.monotonic() + _PATIENCE
        try:
            while time.monotonic() < deadline:
                heard = notify.watch(_STEP_MS, _STEP_MS, _WAIT_MS, None)
                paths = set() if isinstance(heard, str) else {path for _, path in heard}
                quiet = quiet and not any(map(self._counts, paths))
                if str(mark) in paths:
                    return quiet or forget
        finally:
            mark.unlink(missing_ok=True)
        return False

    def _counts(self, path: str) -> bool:
        own = str(self._marks)
        return not (path == own or path.startswith((own + os.sep, self._ignored)))

    def _started(self, trees: Sequence[str]) -> RustNotify | None:
        if not trees or not all(map(_tells_all, trees)):
            return None
        from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

        try:
            return RustNotify([*trees, str(self._marks)], False, False, 0, True, False)
        except (OSError, WatchfilesRustInternalError):
            return None  # A limit of the system, or a directory that may not be read.

    def _stop(self) -> None:
        if self._notify is not None:
            self._notify.close()
            self._notify = None


class _Tree(NamedTuple):
    path: str
    identity: tuple[int, int]
    """Device and inode: another directory of that name is not the one that is watched."""


def _trees(roots: Sequence[str]) -> list[_Tree]:
    """What is to be watched for some registries."""
    real = sorted(set(map(os.path.realpath, roots)))
    return [_Tree(path, _identity(path)) for path in (*real, *_stores_outside(real))]


def _identity(path: str) -> tuple[int, int]:
    try:
        found = Path(path).stat()
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


def _stores_outside(roots: Sequence[str]) -> list[str]:
    """What git keeps of the roots and lies in none of them: commits change provenance."""
    stores = []
    for root in roots:
        for directory in (Path(root), *Path(root).parents):
            if os.path.lexists(directory / ".git"):
                stores.append(str(directory / ".git"))
                break
    return [store for store in stores if not any(store.startswith(r + os.sep) for r in roots)]


def _tells_all(tree: str) -> bool:
    """Whether watching a tree tells of everything that a sync would find in it."""
    if not sys.platform.startswith("linux") or _file_system(tree) not in _LOCAL:
        return False
    if not Path(tree).is_dir():
        return False  # gone, or the .git of a linked work tree, whose store is elsewhere
    for directory, names, files in os.walk(tree):
        if ".git" in files:
            return False
        for name in names:
            inside = os.path.join(directory, name)  # noqa: PTH118
            if os.path.islink(inside) or os.path.ismount(inside):  # noqa: PTH114
                return False  # It leads to what is not watched.
    return True


def _file_system(path: str) -> str:
    """The kind of file system that a path lies on; empty where that cannot be known."""
    best, kind = "", ""
    try:
        lines = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ""
    for line in lines:
        before, _, after = line.partition(" - ")
        point = _OCTAL.sub(lambda found: chr(int(found[1], 8)), before.split()[4])
        if len(point) >= len(best) and (path + os.sep).startswith(point.rstrip(os.sep) + os.sep):
            best, kind = point, after.split()[0]
    return kind
