"""Writing files so that a crash or a power cut leaves the old state or the new one.

A write is durable once the file and the directory that names it have both reached the disk.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def sync_path(path: Path) -> None:
    """Wait until a file's bytes, or a directory's names, have reached the disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows opens no directory; NTFS journals its names.
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(root: Path) -> None:
    """Wait until all below a directory, and the directory itself, has reached the disk."""
    for directory, _, names in os.walk(root, topdown=False):
        for name in names:
            sync_path(Path(directory, name))
        sync_path(Path(directory))


def replace_file(path: Path, data: bytes) -> None:
    """Put new content in place of a file's, all of it or nothing.

    Args:
        path: In a directory that exists; the file need not.
        data: The whole new content.
    """
    replace_lines(path, [data])


def replace_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Put new content in place of a file's, piece by piece, all of it or nothing.

    Args:
        path: In a directory that exists; the file need not.
        lines: The pieces in order.
    """
    # A name of its own for each writer: with a fixed one, two of them publish each other's half.
    aside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with aside.open("wb") as file:
            file.writelines(lines)
        sync_path(aside)
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    sync_path(path.parent)


def discard(path: Path) -> None:
    """Remove a file or a whole directory as far as the system lets it."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()
