"""Telling a writer that a generation is being read.

By advisory shared locks, which the system drops with the process. On Windows there are none; the
system itself refuses there to remove what is mapped.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO

if sys.platform != "win32":
    import fcntl


def open_shared(path: Path) -> IO[bytes]:
    """Open a file for reading and mark it as read until it is closed.

    Raises:
        OSError: It cannot be opened.
    """
    file = path.open("rb")
    if sys.platform != "win32":
        # Never waits for long: a writer holds its lock only to look.
        fcntl.flock(file, fcntl.LOCK_SH)
    return file


def is_read(path: Path) -> bool:
    """Whether a process, this one included, holds a file open by :func:`open_shared`.

    Raises:
        OSError: It cannot be opened.
    """
    if sys.platform != "win32":
        with path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
    return False
