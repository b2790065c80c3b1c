"""Which program this is: a server answers only for the very files that the client would run."""

# pathlib takes longer to import than everything that a client does.
# ruff: noqa: PTH100, PTH116, PTH120
from __future__ import annotations

import os
import sys


def build() -> str:
    """A line that changes with this program's files, its installation, or its Python.

    The version alone would not do: a program that is being worked on, or was installed anew, has
    the same one. Takes 2 ms.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    files, size, newest = _sums(package)
    installed = [_changed(path) for path in sys.path if path.endswith("site-packages")]
    return f"{sys.version} {sys.prefix} {package} {files} {size} {newest} {installed}"


def _sums(directory: str) -> tuple[int, int, int]:
    files = size = newest = 0
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    below = _sums(entry.path)
                    files, size, newest = files + below[0], size + below[1], max(newest, below[2])
            elif entry.name.endswith(".py"):
                found = entry.stat()
                files, size, newest = (
                    files + 1,
                    size + found.st_size,
                    max(newest, found.st_mtime_ns),
                )
    return files, size, newest


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
