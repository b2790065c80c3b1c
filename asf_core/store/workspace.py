"""Where the workspace is, and what lies where in it (DESIGN 10)."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from asf_core.domain.errors import InputError, StoreError
from asf_core.store.lock import hold
from asf_core.store.places import DATABASE, find_root
from asf_core.store.sqlite_file import may_write

if TYPE_CHECKING:
    from sqlalchemy import URL

DATABASE_VARIABLE = "ASF_DATABASE"
"""Environment variable with the address of a shared database."""
INDEX_VARIABLE = "ASF_INDEX"
"""Environment variable with the address of an index on object storage."""
_INDEX_SCHEMES = ("s3", "gs", "az", "file")


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
    def database_target(self) -> Path | URL:
        """The records' file; or the address that ``ASF_DATABASE`` names, for a team.

        The address is taken from the user's environment only: a workspace that came with a cloned
        registry must not say where decisions are kept.

        Raises:
            InputError: The address is none.
        """
        address = os.environ.get(DATABASE_VARIABLE, "")
        if not address:
            return self.database
        from sqlalchemy import make_url
        from sqlalchemy.exc import ArgumentError

        try:
            return make_url(address)
        except ArgumentError as error:
            raise InputError(
                f"{DATABASE_VARIABLE} is no address of a database",
                hint="Write it as postgresql://user@host/name, or unset it",
            ) from error

    @property
    def index(self) -> Path:
        """Directory of the vectors."""
        return self.root / "index"

    @property
    def index_target(self) -> Path | str:
        """The vectors' directory; or the address that ``ASF_INDEX`` names, on object storage.

        Taken from the user's environment only, like the database's: a workspace that came with a
        clone must not say where texts of skills are sent.

        Raises:
            InputError: The address is none.
        """
        address = os.environ.get(INDEX_VARIABLE, "")
        if not address:
            return self.index
        scheme, separator, rest = address.partition("://")
        if scheme not in _INDEX_SCHEMES or not separator or not rest.strip("/"):
            raise InputError(
                f"{INDEX_VARIABLE} is no address of an index",
                hint="Write it as s3://bucket/prefix, or unset it",
            )
        return address.rstrip("/")

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
        if isinstance(self.database_target, Path):
            return self.database.is_file()
        return self.snapshots.is_dir()

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

    @property
    def control_lock(self) -> Path:
        """Held for one decision of the control plane."""
        return self.root / "control.lock"

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
