"""Publishes a snapshot and dies, or fails, at the n-th touch of the disk, for every n.

Run as a process of its own, since it forks: ``crash_snapshot.py DIRECTORY die|fail``. Prints how
many points it tried.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

from snapshot_values import lexical, sample

from asf_core.domain.errors import StoreError
from asf_core.store.snapshot import Snapshot
from asf_core.store.snapshot_writer import SnapshotWriter

TOUCHES = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.listdir", "os.scandir"}
DIED, DONE, FAILED = 9, 0, 7


def arm(root: Path, at: int, mode: str) -> None:
    """Die or fail at the at-th touch of anything below a directory; die at each sync, too."""
    left = at

    def touch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event in TOUCHES and str(root) in str(arguments[0]):
            count()

    def count() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            if mode == "die":
                os._exit(DIED)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    os.fsync = lambda _: count()
    sys.addaudithook(touch)


def child(root: Path, at: int, mode: str) -> int:
    """What a writer comes to that is stopped at one point."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    arm(root, at, mode)
    try:
        SnapshotWriter(root).write(*sample("new"), lexical)
    except StoreError:
        os._exit(FAILED)
    os._exit(DONE)


def main(root: Path, mode: str) -> int:
    """Try each point; raise at the first that breaks something."""
    # The system does not die with the process, so nothing is lost by not waiting for the disk.
    os.fsync = lambda _: None
    writer = SnapshotWriter(root)
    old, new = (sample(body)[0].generation() for body in ("old", "new"))
    at, seen = 0, set()
    while True:
        # Some older ones, so that there is something to remove as well.
        for body in ("first", "second", "old"):
            writer.write(*sample(body), lexical)
        at += 1
        code = child(root, at, mode)
        seen.add(code)
        if code not in {DIED, DONE, FAILED}:
            raise SystemExit(f"point {at}: exit code {code}")
        with Snapshot.open(root) as snapshot:
            whole = (snapshot.lexical_dir / "deep" / "ids.txt").read_text().split("\n")
            if snapshot.generation not in {old, new} or whole != list(snapshot.ids):
                raise SystemExit(f"point {at}: {snapshot.generation}")
        # The next writer goes on from whatever was left, and clears it up.
        if writer.write(*sample("new"), lexical).generation != new:
            raise SystemExit(f"point {at}: no new generation")
        odd = [p.name for p in root.iterdir() if p.name.startswith(".")]
        if odd or len(list(root.iterdir())) != 4:
            raise SystemExit(f"point {at}: left {odd}")
        if code == DONE and mode == "die":
            print(at, *sorted(seen))
            return 0
        if mode == "fail" and at == int(os.environ["POINTS"]):
            print(at, *sorted(seen))
            return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
