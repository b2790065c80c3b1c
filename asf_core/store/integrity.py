"""Are the files still those that were written: digests, and a cheap way not to read them each time.

A digest tells for certain and costs a read of the whole file (1.5 GB/s where the processor knows
SHA-256). So beside the digests a *stamp* of each file is kept: what the file system said of it when
its bytes were last compared. A file whose stamp is unchanged was not written since, whoever
tried; one that was copied, restored or touched is read again, whole. What no stamp shows (a disk
that returns other bytes than it was given) is found in small files at once, in large ones when a
sync compares all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

from asf_core.store.files import replace_file

SMALL = 2 * 1024 * 1024
"""Bytes up to which a file is compared at each opening: about a millisecond."""


class FileDigest(NamedTuple):
    """What a file must be."""

    size: int
    sha256: str


class Stamp(NamedTuple):
    """What the file system says of a file: any write changes it, a copy has another."""

    size: int
    modified_ns: int
    changed_ns: int
    inode: int


def digest_of(path: Path) -> FileDigest:
    """Read a file.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return FileDigest(file.tell(), digest)


def stamp_of(path: Path) -> Stamp:
    """Ask the file system.

    Raises:
        OSError: It is not there, or may not be looked at.
    """
    found = path.stat()
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def files_below(root: Path) -> list[str]:
    """All files below a directory, as sorted POSIX paths."""
    return sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file())


@dataclass(frozen=True, slots=True)
class Stamps:
    """The stamps that files had when their bytes were last compared."""

    of: str
    """What they belong to, as the name of a generation."""
    files: Mapping[str, Stamp]

    @classmethod
    def read(cls, note: Path, of: str) -> Self:
        """Read a note; one that is absent, of something else or unreadable holds no stamps."""
        try:
            found: Any = json.loads(note.read_bytes())
            if found["of"] == of:
                return cls(of, {name: Stamp(*map(int, s)) for name, s in found["files"].items()})
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            pass  # Then all files are read, which is slower and as sure.
        return cls(of, {})

    @classmethod
    def taken(cls, root: Path, of: str, names: Iterable[str]) -> Self:
        """Stamp files whose bytes have just been written or compared.

        Raises:
            OSError: One is not there.
        """
        return cls(of, {name: stamp_of(root / name) for name in names})

    def write(self, note: Path) -> None:
        """Keep them for the next opening."""
        replace_file(note, json.dumps({"of": self.of, "files": self.files}).encode())


def problem_in(
    root: Path, wanted: Mapping[str, FileDigest], stamps: Stamps, *, whole: bool = False
) -> str | None:
    """Compare files with what they must be.

    Args:
        root: The directory they lie in.
        wanted: By name below ``root``.
        stamps: Files that are as they were when stamped need not be read.
        whole: Read every file all the same.

    Returns:
        What is wrong with the first file that differs; ``None`` when none does.

    Raises:
        OSError: A file cannot be read.
    """
    for name, file in wanted.items():
        found = stamp_of(root / name)
        if found.size != file.size:
            return f"{name} has {found.size} bytes instead of {file.size}"
        known = stamps.files.get(name) == found and file.size > SMALL
        if (whole or not known) and digest_of(root / name).sha256 != file.sha256:
            return f"{name} has other content than was written"
    return None


def renew_note(note: Path, root: Path, of: str, names: Iterable[str]) -> None:
    """Write the stamps of files that are as they should be, unless the note has them already.

    A note that cannot be written costs time at the next opening, no more.
    """
    with suppress(OSError):
        taken = Stamps.taken(root, of, names)
        if Stamps.read(note, of).files != taken.files:
            taken.write(note)
