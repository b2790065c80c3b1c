"""Saving from a damaged SQLite database what stands nowhere else.

Skills, relations and sync runs can be read anew from the registries. The rest cannot: registries,
decisions, and whatever else a later version keeps. A rescue copies all of that into a new database
or refuses; the damaged one is kept beside it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Table

from asf_core.domain.errors import BusyError, StoreError
from asf_core.store.database import Database
from asf_core.store.database_mark import GO_ON
from asf_core.store.files import discard, sync_path
from asf_core.store.group import stamp
from asf_core.store.sqlite_file import may_write, open_for_reading
from asf_core.store.tables import READ_ANEW, SCHEMA_VERSION, metadata

_SIDE_FILES = ("-wal", "-shm")
_DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Raised at bytes that SQLite did not write; even its words for them may not be UTF-8."""


def problem_in_database(path: Path) -> str | None:
    """Let SQLite check every page of a database.

    Returns:
        What is wrong first; ``None`` when nothing is, or when it cannot be opened at all.
    """
    if not path.is_file():
        return None
    try:
        opened = sqlite3.connect(path) if may_write(path) else open_for_reading(path)
        with closing(opened) as connection:
            return next(_complaints(connection, "PRAGMA integrity_check"), None)
    except _DAMAGE as error:
        # Whoever opens it next says what keeps it from being opened.
        no_damage = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
        return None if _code(error) in no_damage else str(error)


def rescue(path: Path) -> Path:
    """Put a new database in place of a damaged one, with all that stands nowhere else.

    The caller holds the workspace's writer lock and has no connection to it.

    Args:
        path: The SQLite file.

    Returns:
        Where the damaged one is kept.

    Raises:
        BusyError: Another process has it open.
        StoreError: What stands nowhere else is damaged too, or the disk refuses; nothing changed.
    """
    aside = path.with_name(f"{path.name}.rescued")
    discard(aside)
    try:
        Database.open(aside).close()
        with closing(_opened(path)) as old, closing(sqlite3.connect(aside)) as new:
            _copy(old, new)
        with _refusal_told(path):
            sync_path(aside)
            return _swap(path, aside)
    except _DAMAGE as error:
        raise _lost(path, str(error)) from error
    finally:
        discard(aside)


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=1)
    try:
        # So that it reads what there is of a database with a damaged schema, or cut short.
        connection.execute("PRAGMA writable_schema=ON").close()
        connection.execute("PRAGMA locking_mode=EXCLUSIVE").close()
        connection.execute("BEGIN EXCLUSIVE").close()
    except _DAMAGE as error:
        if _code(error) == sqlite3.SQLITE_BUSY:
            connection.close()
            raise BusyError(
                "The database is in use by another process",
                why=f"{path} is damaged, and is to be replaced by what can be saved of it",
                hint="Close the workbench and whatever else uses the workspace, then try again",
            ) from error
        # Reading may still do; what is wrong shows where it matters.
    return connection


def _copy(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    version = old.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()
    if version != (str(SCHEMA_VERSION),):
        raise sqlite3.DatabaseError(f"its schema version is {version}, not {SCHEMA_VERSION}")
    for table in metadata.sorted_tables:
        if table.name not in READ_ANEW:
            _copy_table(old, new, table)
    # The highest number that each table ever gave: none is given twice.
    given = old.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    new.execute("DELETE FROM sqlite_sequence")
    new.executemany("INSERT INTO sqlite_sequence VALUES (?, ?)", given)
    new.commit()


def _copy_table(old: sqlite3.Connection, new: sqlite3.Connection, table: Table) -> None:
    for complaint in _complaints(old, f"PRAGMA integrity_check({table.name})"):
        if "index" not in complaint:  # An index is made anew from its table.
            raise sqlite3.DatabaseError(f"table {table.name}: {complaint}")
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    places = ", ".join("?" for _ in table.columns)
    # Names of our own tables; what is kept in them goes through the placeholders.
    rows = old.execute(f'SELECT {columns} FROM "{table.name}" NOT INDEXED')  # noqa: S608
    new.executemany(f'REPLACE INTO "{table.name}" ({columns}) VALUES ({places})', rows)  # noqa: S608


def _complaints(connection: sqlite3.Connection, check: str) -> Iterator[str]:
    for (line,) in connection.execute(check):
        if line != "ok":
            yield " ".join(str(line).split())


def _code(error: Exception) -> int:
    """SQLite's primary result code; 0 for an error that has none."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def set_aside(path: Path) -> Path:
    """Move a database out of the way, with what SQLite keeps beside it.

    Returns:
        Where it is kept.

    Raises:
        StoreError: The disk refuses.
    """
    kept = path.with_name(f"{path.name}.damaged-{stamp().replace(':', '')}")
    with _refusal_told(path):
        path.rename(kept)
        _move_side_files(path, kept)
        sync_path(path.parent)
    return kept


def _swap(path: Path, new: Path) -> Path:
    kept = path.with_name(f"{path.name}.damaged-{stamp().replace(':', '')}")
    os.link(path, kept)
    _move_side_files(path, kept)
    new.replace(path)
    sync_path(path.parent)
    return kept


def _move_side_files(path: Path, kept: Path) -> None:
    for suffix in _SIDE_FILES:
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            # Left there, SQLite would play it back into the next database of that name.
            beside.rename(kept.with_name(kept.name + suffix))


@contextmanager
def _refusal_told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            "The damaged database cannot be replaced",
            why=f"{error.filename or path}: {error.strerror or error}",
            hint="Check space and permissions of the workspace",
        ) from error


def _lost(path: Path, reason: str) -> StoreError:
    return StoreError(
        "The database is damaged where its decisions and registries stand",
        why=f"{path}: {' '.join(reason.split())[:300]}",
        hint=f"Restore it from a backup: these are recorded only there. Or go on without: {GO_ON}",
    )
