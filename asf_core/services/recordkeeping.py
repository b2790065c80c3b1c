"""The workspace's records, opened when they are first asked for and again when their file changes."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

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
                self._open()
            assert self._records is not None  # noqa: S101
            return self._records

    def note(self) -> None:
        """Write down, outside of the database, what would be lost with it."""
        records = self.records
        registries = {row.name: row.path for row in records.registries()}
        kept_out = tuple(sorted(records.quarantined()))
        mark = DatabaseMark(records.identity(), registries, kept_out)
        mark.write(self._workspace.database_mark)

    def close(self) -> None:
        """Let go of the database; asked again, it opens again."""
        with self._lock:
            self._close()

    def _open(self) -> None:
        from asf_core.store.database import Database
        from asf_core.store.records import Records

        path = self._workspace.database
        if not path.exists() or not path.stat().st_size:
            check_identity(self._workspace, "")
        database = Database.open(path)
        try:
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
