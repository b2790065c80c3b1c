"""Where the workspace is, and what lies where in it (DESIGN 10)."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from asf_core.domain.errors import InputError, RefusedError, StoreError
from asf_core.store.lock import hold

if TYPE_CHECKING:
    from sqlalchemy import URL

DIRECTORY = ".asf"
"""Name of a workspace beside the work that it belongs to."""
VARIABLE = "ASF_WORKSPACE"
"""Environment variable that names the workspace."""
DATABASE_VARIABLE = "ASF_DATABASE"
"""Environment variable with the address of a shared database."""
_DATABASE = "asf.db"


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
            override: The workspace itself, or the directory that its ``.asf`` lies in.
            start: Where to look from; the current directory when left out.

        Raises:
            RefusedError: The ``.asf`` found above belongs to another user.
        """
        named = override or _from_environment()
        if named is not None:
            return cls(_root_in(named.expanduser().absolute()))
        here = (start or Path.cwd()).absolute()
        for directory in (here, *here.parents):
            if (directory / DIRECTORY).is_dir():
                _check_owner(directory / DIRECTORY)
                return cls(directory / DIRECTORY)
        import platformdirs

        return cls(platformdirs.user_data_path("asf-workbench", appauthor=False))

    @property
    def database(self) -> Path:
        """The records."""
        return self.root / _DATABASE

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
    def snapshots(self) -> Path:
        """Directory of what routing reads."""
        return self.root / "snapshots"

    @property
    def config(self) -> Path:
        """The settings; need not exist."""
        return self.root / "config.toml"

    @property
    def exists(self) -> bool:
        """Whether it has been created."""
        return self.database.is_file()

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


def _from_environment() -> Path | None:
    value = os.environ.get(VARIABLE, "")
    return Path(value) if value else None


def _root_in(named: Path) -> Path:
    """What a person means who names a project instead of the workspace inside it."""
    inside = named / DIRECTORY
    return inside if inside.is_dir() and not (named / _DATABASE).exists() else named


def _check_owner(root: Path) -> None:
    # A workspace says which registries are read and which decisions hold, so one that somebody
    # else left in a shared directory must not be taken up by walking past it. As in git, the
    # superuser's is fine, and so is that of the user who called sudo.
    if os.name == "nt":
        return
    trusted = {0, os.geteuid()}
    if os.geteuid() == 0 and os.environ.get("SUDO_UID", "").isdecimal():
        trusted.add(int(os.environ["SUDO_UID"]))
    owner = root.stat().st_uid
    if owner not in trusted:
        raise RefusedError(
            f"The workspace {root} belongs to another user",
            why=f"Its owner is user {owner}, and it was only found on the way up",
            hint=f"If you trust it, name it: --workspace {root}",
        )
