"""The database driver's errors, said for people."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from sqlalchemy.exc import DBAPIError, IntegrityError

from asf_core.domain.errors import AsfError, BusyError, StoreError


class _Fault(NamedTuple):
    kind: type[BusyError] | type[StoreError]
    what: str
    hint: str


_BUSY = _Fault(
    BusyError,
    "The database is in use by another process",
    "Wait until it is done, then try again; nothing was changed",
)
_READ_ONLY = _Fault(
    StoreError,
    "The database cannot be written",
    "Check the permissions of the workspace, or use another one with --workspace",
)
_FULL = _Fault(
    StoreError,
    "No space is left for the database",
    "Free some space on its disk, then try again; nothing was changed",
)
_CORRUPT = _Fault(
    StoreError,
    "The database is damaged",
    "Save what can be read with: asf sync --rebuild. Or restore it from a backup",
)
_ABSENT = _Fault(
    StoreError,
    "The database cannot be opened",
    "Check that its directory exists and may be read and written, or that its server answers",
)
_DISK = _Fault(
    StoreError,
    "The database's disk reports an error",
    "Check the disk and its mount, then try again",
)
_REFUSED = _Fault(
    StoreError,
    "The database refused a row that does not fit the rest",
    "Sync again; if it comes back, report it together with the reason",
)
_OTHER = _Fault(
    StoreError,
    "The database does not answer as it should",
    "Try again; if it comes back, report it together with the reason",
)

_NOT_TEXT = "Could not decode to UTF-8"
# By SQLite's primary result code, the low byte of the extended one.
_BY_CODE = {
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_IOERR: _DISK,
    sqlite3.SQLITE_CORRUPT: _CORRUPT,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_CANTOPEN: _ABSENT,
    sqlite3.SQLITE_NOTADB: _CORRUPT,
}

# By SQLSTATE, as PostgreSQL's drivers give it; its first two characters are the class.
_BY_STATE = {
    "08": _ABSENT,
    "28": _ABSENT,
    "3D": _ABSENT,
    "57": _ABSENT,
    "25006": _READ_ONLY,
    "40001": _BUSY,  # Of two transactions that cannot both be kept, the later one.
    "40P01": _BUSY,
    "53100": _FULL,
    "55P03": _BUSY,
}


def explain(error: DBAPIError | UnicodeDecodeError, where: str) -> AsfError:
    """Turn a driver's error into one that says what to do.

    Args:
        error: As SQLAlchemy wraps it; or what Python raises when SQLite's own words for damage are
            no text.
        where: The database's file or address, without a password.
    """
    original = error.orig if isinstance(error, DBAPIError) else error
    fault = _REFUSED if isinstance(error, IntegrityError) else _fault_of(original)
    reason = " ".join(str(original).split())[:300]
    return fault.kind(fault.what, why=f"{where}: {reason}", hint=fault.hint)


def _fault_of(original: BaseException | None) -> _Fault:
    if isinstance(original, UnicodeDecodeError) or _NOT_TEXT in str(original):
        return _CORRUPT
    code = getattr(original, "sqlite_errorcode", None)
    if code is not None:
        return _BY_CODE.get(code & 0xFF, _OTHER)
    state = getattr(original, "sqlstate", None) or ""
    if not state and type(original).__module__.startswith("psycopg"):
        return _ABSENT  # a server that cannot be reached gives no state
    return _BY_STATE.get(state) or _BY_STATE.get(state[:2], _OTHER)
