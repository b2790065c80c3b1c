"""Connecting to the workspace's SQLite file: for writing, or where only reading is possible.

SQLite in WAL mode keeps two files beside the database while it is open, which a reader of a
directory that may not be written cannot make. So such a database is opened by other rules, and
nothing is written beside it.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from urllib.parse import quote

_WAL_LIMIT = 16 * 1024 * 1024
"""After a checkpoint the write-ahead file is cut to this; without it, one big sync leaves a file
of that sync's size for as long as the workbench stays open."""
_FOR_WRITING = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    f"PRAGMA journal_size_limit={_WAL_LIMIT}",
)


def may_write(path: Path) -> bool:
    """Whether a database and what SQLite keeps beside it may be written."""
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def open_for_writing(path: Path, busy_seconds: float) -> sqlite3.Connection:
    """Open a database, made when absent. Transactions are begun by the caller's own statements.

    Raises:
        sqlite3.Error: It cannot be opened, or is damaged.
    """
    connection = sqlite3.connect(path, busy_seconds, isolation_level=None, check_same_thread=False)
    try:
        for pragma in _FOR_WRITING:
            connection.execute(pragma).close()
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open a database that may not be written; leaves no trace.

    Where another user, who may, has it open right now, what they have committed is seen. Else the
    file is whole by itself, and is read as one that does not change: a connection is good for one
    transaction, so that changes which come later are seen by the next.

    Raises:
        sqlite3.Error: It cannot be opened, or is damaged.
    """
    log = path.with_name(f"{path.name}-wal")
    in_use = log.exists() and log.stat().st_size > 0
    mode = "mode=ro" if in_use else "mode=ro&immutable=1"
    address = f"file:{quote(os.fsencode(path.absolute()))}?{mode}"
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
