"""The workspace's database: opened, versioned, and its errors explained.

SQLite by default, in WAL mode with full sync: readers never wait for a writer, and a committed
decision survives a power cut. The same code runs on PostgreSQL; what differs is in this module.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Self, cast

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, insert, inspect, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool, QueuePool

from asf_core.domain.errors import BusyError, StoreError
from asf_core.store.faults import explain
from asf_core.store.migrations import MIGRATIONS
from asf_core.store.sqlite_file import may_write, open_for_reading, open_for_writing
from asf_core.store.tables import SCHEMA_VERSION, meta, metadata

_VERSION_KEY = "schema_version"
IDENTITY_KEY = "identity"
"""Row of the table ``meta`` with random text that no other database has."""
_WRITES = "asf_writes"
Migrations = Mapping[int, Callable[[Connection], None]]


class Database:
    """Connections to one database whose tables are those of this program.

    Args:
        engine: An SQLAlchemy engine.
        where: How errors name it.
        writable: Whether writing is possible at all.
    """

    def __init__(self, engine: Engine, where: str, *, writable: bool = True) -> None:
        self._engine = engine
        self.where = where
        self._writable = writable
        self._file: tuple[Path, os.stat_result] | None = None

    @classmethod
    def open(
        cls,
        target: Path | URL,
        *,
        busy_seconds: float = 10.0,
        migrations: Migrations = MIGRATIONS,
        version: int = SCHEMA_VERSION,
    ) -> Self:
        """Open a database; make its tables when it has none, bring older ones up to date.

        Opening one that is up to date reads one row and writes nothing. A file that may not be
        written, or in a directory that may not, is opened for reading only.

        Args:
            target: SQLite file, made when absent (its directory must exist), or a URL.
            busy_seconds: How long a statement waits for another process's write lock.
            migrations: Steps by the version they start from.
            version: The schema version that this program writes.

        Raises:
            StoreError: It cannot be opened, is damaged, or was written by a newer program.
            BusyError: Another process held it for longer than ``busy_seconds``.
        """
        writable = not isinstance(target, Path) or may_write(target)
        engine = _engine(target, busy_seconds, writable)
        where = str(target) if isinstance(target, Path) else target.render_as_string()
        database = cls(engine, where, writable=writable)
        try:
            database._bring_to(version, migrations)
            if isinstance(target, Path):
                database._file = (target, target.stat())
        except BaseException:
            engine.dispose()
            raise
        return database

    def stands(self) -> bool:
        """Whether the file that was opened is still the one of that name."""
        if self._file is None:
            return True
        path, opened = self._file
        try:
            return os.path.samestat(path.stat(), opened)
        except OSError:
            return False

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database throughout.

        Raises:
            AsfError: As :meth:`write`.
        """
        with (
            self._explained(),
            self._unchanged(),
            self._engine.connect() as connection,
            connection.begin(),
        ):
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that holds the write lock from its start: all of it is kept, or nothing.

        Raises:
            BusyError: Another process wrote for longer than the wait.
            StoreError: Any other failure of the database.
        """
        if not self._writable:
            raise StoreError(
                "The database cannot be written",
                why=f"{self.where} may only be read",
                hint="Check the permissions of the workspace, or use another one with --workspace",
            )
        with self._explained(), self._engine.connect() as connection:
            # Taking the lock first avoids the failure that no wait cures: two readers that
            # both want to go on to write.
            writer = connection.execution_options(**{_WRITES: True})
            with writer.begin():
                yield writer

    def close(self) -> None:
        """Close all connections; SQLite folds the write-ahead file into the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, UnicodeDecodeError) as error:
            raise explain(error, self.where) from error

    @contextmanager
    def _unchanged(self) -> Iterator[None]:
        """What is read without locks must not change meanwhile; others may be able to write it."""
        if self._writable or self._file is None:
            yield
            return
        before = _stamp(self._file[0])
        yield
        if _stamp(self._file[0]) != before:
            raise BusyError(
                "The database was written while it was being read", why=self.where, hint="Try again"
            )

    def _bring_to(self, version: int, migrations: Migrations) -> None:
        found = self._version()
        if found == version:
            return
        if found is not None and found > version:
            raise StoreError(
                f"The workspace was written by a newer program (schema {found})",
                why=f"{self.where}: this program knows schema {version}",
                hint="Upgrade asf-workbench, or use another workspace with --workspace",
            )
        with self.write() as connection:
            _create_or_migrate(connection, version, migrations)

    def _version(self) -> int | None:
        try:
            with self._engine.connect() as connection, connection.begin():
                return _read_version(connection)
        except (DBAPIError, UnicodeDecodeError) as error:
            # Only now is it worth asking which tables there are: mostly the row is there.
            with self._explained(), self._engine.connect() as connection:
                if inspect(connection).has_table(meta.name):
                    raise explain(error, self.where) from error
            return None


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def _create_or_migrate(connection: Connection, version: int, migrations: Migrations) -> None:
    # Another process may have been first since the version was read: look again under the lock.
    found = _read_version(connection) if inspect(connection).has_table(meta.name) else None
    if found is None:
        metadata.create_all(connection)
        connection.execute(insert(meta).values(key=_VERSION_KEY, value=str(version)))
        connection.execute(insert(meta).values(key=IDENTITY_KEY, value=new_identity()))
        return
    for step in range(found, version):
        migrations[step](connection)
    if found < version:
        connection.execute(
            meta.update().where(meta.c.key == _VERSION_KEY).values(value=str(version))
        )


def new_identity() -> str:
    """What tells a database from every other one."""
    return secrets.token_hex(16)


def _read_version(connection: Connection) -> int | None:
    value = connection.scalar(select(meta.c.value).where(meta.c.key == _VERSION_KEY))
    if value is not None and not value.isdecimal():
        raise StoreError(
            "The database's schema version is not a number",
            why=f"It says {value[:40]!r}",
            hint="Restore it from a backup, or use another workspace with --workspace",
        )
    return None if value is None else int(value)


def _engine(target: Path | URL, busy_seconds: float, writable: bool) -> Engine:
    if not isinstance(target, Path):
        if target.get_backend_name() != "sqlite":
            # What SQLite's single writer gives: a check and the row that it allows are one step.
            return create_engine(target, isolation_level="SERIALIZABLE")
        target = Path(target.database or "")
    if writable:
        engine = create_engine(
            "sqlite://",
            creator=partial(open_for_writing, target, busy_seconds),
            poolclass=QueuePool,
        )
    else:
        engine = create_engine(
            "sqlite://", creator=partial(open_for_reading, target), poolclass=NullPool
        )
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def add_numbered(connection: Connection, table: Table, values: Mapping[str, Any]) -> int:
    """Insert one row whose primary key is a number that the database gives.

    Returns:
        That number.
    """
    result = connection.execute(insert(table).values(values))
    return cast("tuple[int]", result.inserted_primary_key)[0]


def upsert(
    connection: Connection,
    table: Table,
    rows: Sequence[Mapping[str, Any]],
    keep: Collection[str] = (),
) -> None:
    """Insert rows, or replace those whose primary key is there already.

    Args:
        connection: Inside :meth:`Database.write`.
        table: With a primary key.
        rows: All with the same keys.
        keep: Columns that a row which is there already keeps as they are.
    """
    if not rows:
        return
    primary = [column.name for column in table.primary_key]
    keys = {*primary, *keep}
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import insert as postgresql_insert

        statement = postgresql_insert(table)
        changes = {name: statement.excluded[name] for name in rows[0] if name not in keys}
        connection.execute(
            statement.on_conflict_do_update(index_elements=primary, set_=changes), rows
        )
    else:
        from sqlalchemy.dialects.sqlite import insert as sqlite_insert

        lite = sqlite_insert(table)
        changes = {name: lite.excluded[name] for name in rows[0] if name not in keys}
        connection.execute(lite.on_conflict_do_update(index_elements=primary, set_=changes), rows)
