import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, event, insert, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from asf_core.domain.errors import BusyError, StoreError
from asf_core.store.database import Database, upsert
from asf_core.store.records import Records
from asf_core.store.tables import SCHEMA_VERSION, meta, metadata, registries, skills

VERSION = "SELECT value FROM meta WHERE key = 'schema_version'"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Over a file: these tests are about SQLite."""
    with Database.open(tmp_path / "asf.db", busy_seconds=0.05) as opened:
        yield opened


def test_a_new_database_has_the_tables_and_the_pragmas(database: Database) -> None:
    with database.read() as connection:
        pragma = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
        version = connection.scalar(select(meta.c.value).where(meta.c.key == "schema_version"))
    assert pragma == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    assert version == str(SCHEMA_VERSION)


def test_opening_one_that_is_up_to_date_reads_one_row_and_writes_nothing(tmp_path: Path) -> None:
    Database.open(tmp_path / "asf.db").close()
    seen: list[str] = []

    def note(_c: object, _cu: object, statement: str, *_: object) -> None:
        seen.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        Database.open(tmp_path / "asf.db").close()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert [s for s in seen if not s.startswith(("BEGIN", "PRAGMA"))] == [
        'SELECT meta.value \nFROM meta \nWHERE meta."key" = ?'
    ]


def test_a_failed_transaction_keeps_nothing(database: Database) -> None:
    def fail() -> None:
        with database.write() as connection:
            connection.execute(insert(registries).values(name="r", path="/r", added_at="t"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with database.read() as connection:
        assert connection.execute(select(registries)).all() == []


def _old(path: Path) -> None:
    Database.open(path).close()
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE meta SET value = '1' WHERE key = 'schema_version'")


def test_pending_migrations_run_in_order_once(tmp_path: Path) -> None:
    path, ran = tmp_path / "asf.db", []
    _old(path)

    def step(number: int) -> Callable[[Connection], None]:
        def run(connection: Connection) -> None:
            ran.append(number)
            connection.exec_driver_sql(f"CREATE TABLE step_{number} (x INTEGER)")

        return run

    migrations = {1: step(1), 2: step(2)}
    for _ in range(2):
        Database.open(path, migrations=migrations, version=3).close()
    assert ran == [1, 2]


def test_a_migration_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "asf.db"
    _old(path)

    def half(connection: Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE half (x INTEGER)")
        connection.exec_driver_sql("INSERT INTO nowhere VALUES (1)")

    with pytest.raises(StoreError):
        Database.open(path, migrations={1: half}, version=2)
    with sqlite3.connect(path) as raw:
        assert raw.execute(VERSION).fetchall() == [("1",)]
        assert raw.execute("SELECT 1 FROM sqlite_master WHERE name = 'half'").fetchall() == []


# Each makes the file at the path one that cannot be opened; with a word of what is said.
def _newer(path: Path) -> None:
    Database.open(path).close()
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")


def _no_number(path: Path) -> None:
    Database.open(path).close()
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE meta SET value = 'one' WHERE key = 'schema_version'")


def _no_database(path: Path) -> None:
    path.write_bytes(b"This is no database, and long enough to have a header." * 100)


def _torn(path: Path) -> None:
    Database.open(path).close()
    data = bytearray(path.read_bytes())
    data[100 : len(data)] = b"\xff" * (len(data) - 100)
    path.write_bytes(data)


def _directory(path: Path) -> None:
    path.mkdir()


def _no_parent(path: Path) -> None:
    shutil.rmtree(path.parent)


@pytest.mark.parametrize(
    ("spoil", "what", "hint"),
    [
        (_newer, "newer program (schema 99)", "Upgrade"),
        (_no_number, "not a number", "backup"),
        (_no_database, "damaged", "backup"),
        (_torn, "damaged", "backup"),
        (_directory, "cannot be opened", "directory"),
        (_no_parent, "cannot be opened", "directory"),
    ],
)
def test_what_cannot_be_opened_says_why_and_what_to_do(
    tmp_path: Path, spoil: Callable[[Path], None], what: str, hint: str
) -> None:
    path = tmp_path / "workspace" / "asf.db"
    path.parent.mkdir()
    spoil(path)
    with pytest.raises(StoreError) as caught:
        Database.open(path)
    assert what in caught.value.what
    assert hint in caught.value.hint
    assert caught.value.why


def _full(raw: Connection) -> None:
    raw.exec_driver_sql("PRAGMA max_page_count = 1")


def _read_only(raw: Connection) -> None:
    raw.exec_driver_sql("PRAGMA query_only = 1")


@pytest.mark.parametrize(
    ("spoil", "what", "hint"),
    [(_full, "No space", "Free some space"), (_read_only, "cannot be written", "permissions")],
)
def test_what_cannot_be_written_says_why_and_what_to_do(
    database: Database, spoil: Callable[[Connection], None], what: str, hint: str
) -> None:
    def write() -> None:
        with database.write() as connection:
            spoil(connection)
            rows = [{"name": f"r{i}", "path": f"/{i}" * 500, "added_at": "t"} for i in range(500)]
            connection.execute(insert(registries), rows)

    with pytest.raises(StoreError) as caught:
        write()
    assert what in caught.value.what
    assert hint in caught.value.hint


def test_a_row_that_does_not_fit_is_refused(database: Database) -> None:
    values = dict.fromkeys(skills.columns.keys(), "x")
    values |= {"findings": 0, "tokens": 0, "listing_tokens": 0, "is_duplicate": False}
    values |= {"dirty": None, "slop_score": None}
    with pytest.raises(StoreError, match="FOREIGN KEY"), database.write() as connection:
        connection.execute(insert(skills).values(values))


def test_a_writer_elsewhere_leaves_readers_free_and_makes_writers_wait(tmp_path: Path) -> None:
    """Case B079, with the wait cut short and then with one that is long enough."""
    path = tmp_path / "asf.db"
    Database.open(path).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with Database.open(path, busy_seconds=0.01) as hasty:
        assert Records(hasty).registries() == ()
        with pytest.raises(BusyError) as caught:
            Records(hasty).add_registry("r", Path("/r"))
    assert "in use" in caught.value.what
    assert caught.value.hint.endswith("nothing was changed")
    with Database.open(path, busy_seconds=60) as patient:
        writer = threading.Thread(target=Records(patient).add_registry, args=("r", Path("/r")))
        writer.start()
        other.execute("ROLLBACK")
        writer.join()
        assert [row.name for row in Records(patient).registries()] == ["r"]
    other.close()


def test_the_side_files_are_gone_after_close(tmp_path: Path) -> None:
    with Database.open(tmp_path / "asf.db") as database:
        Records(database).add_registry("r", Path("/r"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["asf.db"]


def test_many_processes_make_and_fill_one_database(tmp_path: Path) -> None:
    """Case B077: all start on nothing at once; each adds its own, none is lost."""
    code = """
import sys
from pathlib import Path
from asf_core.store.database import Database
from asf_core.store.records import Records
who = sys.argv[2]
with Database.open(Path(sys.argv[1]), busy_seconds=60) as database:
    for number in range(10):
        Records(database).add_registry(f"{who}-{number}", Path(f"/{who}/{number}"))
"""
    path = tmp_path / "asf.db"
    children = [
        subprocess.Popen([sys.executable, "-c", code, str(path), f"w{n}"]) for n in range(4)
    ]
    assert [child.wait() for child in children] == [0] * 4
    with Database.open(path) as database:
        assert len(Records(database).registries()) == 40


def test_upsert_replaces_by_primary_key(database: Database) -> None:
    rows = [{"name": n, "path": f"/{n}", "added_at": "1"} for n in "ab"]
    with database.write() as connection:
        upsert(connection, registries, rows)
        upsert(connection, registries, [{"name": "b", "path": "/c", "added_at": "2"}])
        upsert(connection, registries, [])
        found = connection.execute(select(registries.c.name, registries.c.path)).all()
    assert found == [("a", "/a"), ("b", "/c")]


def test_the_tables_can_be_made_on_postgresql() -> None:
    dialect = postgresql.dialect()
    for table in metadata.sorted_tables:
        assert str(CreateTable(table).compile(dialect=dialect)).startswith("\nCREATE TABLE")
        for index in table.indexes:
            assert "CREATE INDEX" in str(CreateIndex(index).compile(dialect=dialect))
