"""The workspace's records, opened when they are first asked for and again when their file changes."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from asf_core.domain.errors import StoreError
from asf_core.store.database_mark import DatabaseMark, check_identity

if TYPE_CHECKING:
    from asf_core.store.database import Database
    from asf_core.store.records import Records
    from asf_core.store.workspace import Workspace


class RecordsHolder:
    """Keeps the database of a workspace open. Safe to use from several threads.

    Args:
        workspace: That it belongs to.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = threading.Lock()
        self._database: Database | None = None
        self._records: Records | None = None

    @property
    def records(self) -> Records:
        """The records, of the file that is there now.

        A process that runs on after its file was replaced would go by decisions that nobody else
        sees, and write new ones where nobody reads them.

        Raises:
            StoreError: The database cannot be opened, or is not the one that belongs to the index.
        """
        with self._lock:
            if self._database is not None and not self._database.stands():
                self._close()
            if self._records is None:
                _require(self._workspace)
                self._open()
            assert self._records is not None  # noqa: S101
            return self._records

    def create(self) -> bool:
        """Make the workspace and its database where they are not there yet.

        Returns:
            Whether they were not.

        Raises:
            StoreError: They cannot be made, or a database that was there is gone.
        """
        if self._workspace.exists:
            return False
        check_identity(self._workspace, "")
        with self._lock:
            self._workspace.create()
            self._open()
        return True

    def note(self) -> None:
        """Write down, outside of the database, what would be lost with it."""
        records = self.records
        registries = {row.name: row.path for row in records.registries()}
        kept_out = tuple(sorted(records.quarantined()))
        mark = DatabaseMark(records.identity(), registries, kept_out)
        mark.write(self._workspace.database_mark)

    def revision(self) -> str:
        """What changes whenever a sync or a decision, of any process, has changed something."""
        records = self.records
        with records.reading() as reading:
            head = reading.head()
        rows = [(row.name, row.path, row.synced_at, row.skills) for row in records.registries()]
        return f"{records.identity()} {head.count} {head.digest} {rows}"

    def close(self) -> None:
        """Let go of the database; asked again, it opens again."""
        with self._lock:
            self._close()

    def _open(self) -> None:
        from asf_core.services.control.ownership import own_new_workspace
        from asf_core.store.database import Database
        from asf_core.store.records import Records

        target = self._workspace.database_target
        if isinstance(target, Path) and (not target.exists() or not target.stat().st_size):
            check_identity(self._workspace, "")
        database = Database.open(target)
        try:
            if database.created:
                own_new_workspace(self._workspace, database)
            records = Records(database)
            check_identity(self._workspace, records.identity())
        except BaseException:
            database.close()
            raise
        self._database, self._records = database, records

    def _close(self) -> None:
        database, self._database, self._records = self._database, None, None
        if database is not None:
            database.close()


def _require(workspace: Workspace) -> None:
    """Refuse to read where there is nothing, instead of making it."""
    if workspace.exists:
        return
    check_identity(workspace, "")
    kind = "is a file" if workspace.root.is_file() else "holds none"
    raise StoreError(
        "There is no workspace yet",
        why=f"{workspace.root} {kind}",
        hint="Make one with: asf init. Or by taking in a registry: asf sync DIR",
    )
