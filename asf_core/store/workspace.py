"""Where the workspace is, and what lies where in it (DESIGN 10)."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from asf_core.domain.errors import StoreError
from asf_core.store.lock import hold
from asf_core.store.places import DATABASE, find_root
from asf_core.store.sqlite_file import may_write


@dataclass(frozen=True, slots=True)
class Workspace:
    """One workspace: everything that this program writes is below it."""

    root: Path
    """Absolute; need not exist before :meth:`create`."""

    @classmethod
    def find(cls, override: Path | None = None, start: Path | None = None) -> Self:
        """Find the workspace; nothing is written.

        In this order: the override, ``ASF_WORKSPACE``, the nearest ``.asf`` in the start
        directory or above it, the user's data directory.

        Args:
            override: The workspace itself, or the directory that its ``.asf`` lies in. One that
                holds other things means the ``.asf`` in it, whether or not that is there yet.
            start: Where to look from; the current directory when left out.

        Raises:
            InputError: Its path is not UTF-8, or longer than the system allows.
            RefusedError: The ``.asf`` found above belongs to another user.
        """
        named = str(override) if override is not None else None
        return cls(Path(find_root(named, None if start is None else str(start))))

    @property
    def database(self) -> Path:
        """The records."""
        return self.root / DATABASE

    @property
    def index(self) -> Path:
        """Directory of the vectors."""
        return self.root / "index"

    @property
    def index_seal(self) -> Path:
        """The digests of the index's files."""
        return self.root / "index.json"

    @property
    def database_mark(self) -> Path:
        """What is known of the database when it is not there to be asked."""
        return self.root / "database.json"

    @property
    def snapshots(self) -> Path:
        """Directory of what routing reads."""
        return self.root / "snapshots"

    @property
    def graph_memory(self) -> Path:
        """What skills said of others when they were last read: a cache, need not exist."""
        return self.root / "graph-memory.json"

    @property
    def config(self) -> Path:
        """The settings; need not exist."""
        return self.root / "config.toml"

    @property
    def exists(self) -> bool:
        """Whether it has been created."""
        return self.database.is_file()

    @property
    def writable(self) -> bool:
        """Whether this process may write it; a missing one it may not."""
        return os.access(self.root, os.W_OK) and may_write(self.database)

    def create(self) -> Self:
        """Make the directories; what is there stays.

        Raises:
            StoreError: They cannot be made.
        """
        try:
            for directory in (self.root, self.index, self.snapshots):
                directory.mkdir(parents=True, exist_ok=True)
            ignore = self.root / ".gitignore"
            if not ignore.exists():
                # A workspace beside a project is nobody's commit.
                ignore.write_text("*\n", encoding="utf-8")
        except OSError as error:
            raise StoreError(
                "The workspace cannot be created",
                why=f"{error.filename or self.root}: {error.strerror}",
                hint="Give another place with --workspace",
            ) from error
        return self

    def writer_lock(
        self, *, wait: float = 10.0, purpose: str = "a write"
    ) -> AbstractContextManager[None]:
        """Hold the workspace for writing; readers need no lock.

        Args:
            wait: Seconds to wait for another holder.
            purpose: What it is held for, shown to those who wait, as ``"sync"``.

        Raises:
            BusyError: Another process or thread held it for the whole wait; says who.
            StoreError: The lock file cannot be written.
        """
        return hold(self.root / "writer.lock", wait=wait, purpose=purpose)
