"""Whether a database's triggers and views are those that this program makes."""

from __future__ import annotations

import sqlite3

from sqlalchemy import Connection, create_engine

from asf_core.store import ledger_tables
from asf_core.store.tables import metadata

_QUERY = "SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')"


def strange_objects(connection: Connection) -> tuple[str, ...]:
    """Triggers and views that should not be there, or should and are not; sorted names.

    A database that came from elsewhere may hold triggers that write along with this program. A
    PostgreSQL database is its administrator's, who can do that anyway: there nothing is compared.
    """
    if connection.dialect.name != "sqlite":
        return ()
    found = {(row[0], row[1]) for row in connection.exec_driver_sql(_QUERY)}
    return tuple(sorted({name for name, _ in found ^ _expected()}))


def _expected() -> set[tuple[str, str]]:
    assert ledger_tables.events.metadata is metadata  # noqa: S101 - its tables are among those made
    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(":memory:"))
    with engine.begin() as fresh:
        metadata.create_all(fresh)
        return {(row[0], row[1]) for row in fresh.exec_driver_sql(_QUERY)}
