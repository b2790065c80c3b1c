import sqlite3

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from asf_core.domain.errors import AsfError, BusyError, StoreError
from asf_core.store.faults import explain


def _error(kind: type[Exception], **attributes: object) -> OperationalError:
    original = kind("two\nlines")
    for name, value in attributes.items():
        setattr(original, name, value)
    return OperationalError("SELECT 1", {}, original)


@pytest.mark.parametrize(
    ("attributes", "kind", "what"),
    [
        ({"sqlite_errorcode": sqlite3.SQLITE_BUSY}, BusyError, "in use"),
        ({"sqlite_errorcode": sqlite3.SQLITE_BUSY_SNAPSHOT}, BusyError, "in use"),
        ({"sqlite_errorcode": sqlite3.SQLITE_LOCKED}, BusyError, "in use"),
        ({"sqlite_errorcode": sqlite3.SQLITE_READONLY_DIRECTORY}, StoreError, "cannot be written"),
        ({"sqlite_errorcode": sqlite3.SQLITE_PERM}, StoreError, "cannot be written"),
        ({"sqlite_errorcode": sqlite3.SQLITE_FULL}, StoreError, "No space"),
        ({"sqlite_errorcode": sqlite3.SQLITE_IOERR_FSYNC}, StoreError, "disk reports"),
        ({"sqlite_errorcode": sqlite3.SQLITE_CORRUPT_INDEX}, StoreError, "damaged"),
        ({"sqlite_errorcode": sqlite3.SQLITE_NOTADB}, StoreError, "damaged"),
        ({"sqlite_errorcode": sqlite3.SQLITE_CANTOPEN}, StoreError, "cannot be opened"),
        ({"sqlite_errorcode": sqlite3.SQLITE_MISUSE}, StoreError, "does not answer"),
        ({"sqlstate": "40001"}, BusyError, "in use"),
        ({"sqlstate": "53100"}, StoreError, "No space"),
        ({"sqlstate": "25006"}, StoreError, "cannot be written"),
        ({"sqlstate": None}, StoreError, "does not answer"),
        ({}, StoreError, "does not answer"),
    ],
)
def test_each_failure_of_a_driver_has_its_words(
    attributes: dict[str, object], kind: type[AsfError], what: str
) -> None:
    error = explain(_error(sqlite3.OperationalError, **attributes), "/w/asf.db")
    assert type(error) is kind
    assert what in error.what
    assert error.why == "/w/asf.db: two lines"
    assert error.hint


def test_a_row_that_does_not_fit_has_its_own() -> None:
    error = IntegrityError("INSERT", {}, sqlite3.IntegrityError("FOREIGN KEY"))
    assert "refused a row" in explain(error, "x").what
