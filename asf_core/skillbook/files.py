"""The Skillbook on disk: one writer at a time, the old file or the new one, never a lost change."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from asf_core.domain.errors import BusyError, InputError, StoreError
from asf_core.skillbook.book import Clock, Skillbook, utc_now
from asf_core.skillbook.format import LARGEST, dump, parse
from asf_core.store.files import replace_file
from asf_core.store.lock import hold

FILE_NAME = "skillbook.json"
ABSENT = ""
"""The version of a file that is not there."""


@dataclass(frozen=True, slots=True)
class SkillbookFile:
    """One ``skillbook.json``."""

    path: Path
    now: Clock = utc_now
    """The clock of the Skillbooks that are read."""

    @property
    def vectors(self) -> Path:
        """The embeddings beside it: a cache, safe to delete."""
        return self.path.with_suffix(".embeddings.npz")

    def read(self) -> tuple[Skillbook, str]:
        """Read it; a file that is not there is an empty Skillbook.

        Returns:
            The Skillbook, and the version of the file: the SHA-256 of its bytes, or
            :data:`ABSENT`.

        Raises:
            SkillbookFormatError: It is no Skillbook of version 2.
            StoreError: It cannot be read.
        """
        data = self._bytes()
        if data is None:
            return Skillbook(now=self.now), ABSENT
        document = parse(data)
        return Skillbook(document.skills, document.purged, now=self.now), _version(data)

    def save(self, book: Skillbook, version: str, *, wait: float = 10.0) -> str:
        """Put a Skillbook in the place of the version that it was read from.

        Args:
            book: The Skillbook.
            version: What :meth:`read` gave with it.
            wait: Seconds to wait for another writer.

        Returns:
            The file's new version.

        Raises:
            BusyError: Another writer saved since, or holds the file; nothing was changed.
            StoreError: It cannot be written; the old file is whole.
        """
        with self._held(wait):
            return self._save(book, version)

    @contextmanager
    def changing(self, *, wait: float = 10.0) -> Iterator[Skillbook]:
        """Read, change and save under one lock; nothing is saved when the block raises.

        Raises:
            BusyError: Another writer holds the file for the whole wait.
        """
        with self._held(wait):
            book, version = self.read()
            yield book
            self._save(book, version)

    def _held(self, wait: float) -> AbstractContextManager[None]:
        if not self.path.parent.is_dir():
            raise InputError(
                f"There is no directory {self.path.parent}", hint="Make it first, or name another"
            )
        lock = self.path.with_name(f".{self.path.name}.lock")
        return hold(lock, wait=wait, purpose="a change", what=f"The Skillbook {self.path}")

    def _save(self, book: Skillbook, version: str) -> str:
        found = self._bytes()
        if (ABSENT if found is None else _version(found)) != version:
            raise BusyError(
                f"The Skillbook {self.path} was changed meanwhile",
                why="It is not the version that this change was made on; nothing was saved",
                hint="Read it again and repeat the change",
            )
        data = dump(book.skills(removed=True), book.purged)
        if len(data) > LARGEST:
            raise StoreError(
                f"The Skillbook {self.path} was not saved",
                why=f"It would have {len(data):,} bytes; the cap is {LARGEST:,}",
                hint="Purge what is long removed",
            )
        if data != found:
            self._write(data)
        return _version(data)

    def _write(self, data: bytes) -> None:
        try:
            # A link keeps pointing to where the Skillbook really is.
            replace_file(self.path.resolve(), data)
        except OSError as error:
            raise StoreError(
                f"The Skillbook {self.path} cannot be written",
                why=f"{error.strerror or error}; the old file is whole",
                hint="Check the permissions of its directory and the space on its disk",
            ) from error

    def _bytes(self) -> bytes | None:
        try:
            with self.path.open("rb") as file:
                return file.read(LARGEST + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(
                f"The Skillbook {self.path} cannot be read",
                why=error.strerror or str(error),
                hint="Check the path and its permissions",
            ) from error


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
