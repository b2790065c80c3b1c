"""Databases as the first version of this program made them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from asf_core.store.ledger_tables import LEDGER_TABLES
from asf_core.store.quality_tables import TABLES


def take_back_to_schema_1(path: Path) -> None:
    """Take out of a database what later versions added, as if it had never been there."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for table in (*reversed(LEDGER_TABLES), *TABLES):
            connection.execute(f"DROP TABLE {table.name}")
        connection.execute("DROP INDEX ix_skills_digest")
        connection.execute("DROP INDEX ix_decisions_digest")
        connection.execute("UPDATE meta SET value = '1' WHERE key = 'schema_version'")
