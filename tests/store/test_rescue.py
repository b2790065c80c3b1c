"""Decisions and registries come out of a damaged database whole, or not at all."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import MakeRecord

from asf_core.domain.errors import BusyError, StoreError
from asf_core.store.database import Database
from asf_core.store.records import Records
from asf_core.store.rescue import problem_in_database, rescue

PAGE = 4096
MARK = b"MARK: page of "


@pytest.fixture
def path(tmp_path: Path, make_record: MakeRecord) -> Path:
    """A database with twenty skills, one of them in quarantine, spread over many pages."""
    path = tmp_path / "asf.db"
    with Database.open(path) as database:
        records = Records(database)
        records.add_registry("reg", Path("/MARK: page of registries"))
        records.put_skills(
            "reg", [make_record(f"s{n}", body="MARK: page of documents" * 300) for n in range(20)]
        )
        for verb in (records.set_quarantine, records.release, records.set_quarantine):
            verb(
                "reg/s1",
                digest=None,
                reason="MARK: page of decisions",
                actor="kim",
                when=datetime.now(UTC),
            )
    return path


def _page_of(table: str, path: Path) -> int:
    return path.read_bytes().rindex(MARK + table.encode()) // PAGE


def _spoil(path: Path, page: int, at: int = 0, length: int = PAGE) -> None:
    with path.open("r+b") as file:
        file.seek(page * PAGE + at)
        file.write(b"\xa5" * length)


def _documents(path: Path) -> None:
    _spoil(path, _page_of("documents", path))


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: -5 * PAGE])


def _schema(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data.replace(b"CREATE TABLE edges", b"CREATE TABLE ed\xffes", 1))


def _trigger(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data.replace(b"CREATE TRIGGER decisions", b"CREATE TRIGGRR decisions", 1))


def _index(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        (page,) = raw.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'ix_decisions_skill_id'"
        ).fetchone()
    data, start = path.read_bytes(), (page - 1) * PAGE
    altered = data[start : start + PAGE].replace(b"reg/s1", b"reg/s9")
    path.write_bytes(data[:start] + altered + data[start + PAGE :])


SAVED = {
    "a page of the skills": _documents,
    "cut short": _cut,
    "the definition of a table that is read anew": _schema,
    "a trigger": _trigger,
    "an index of the decisions": _index,
}


@pytest.mark.parametrize("spoil", SAVED.values(), ids=SAVED.keys())
def test_what_stands_nowhere_else_is_saved(path: Path, spoil: Callable[[Path], None]) -> None:
    with Database.open(path) as database:
        decided = Records(database).decisions()
    spoil(path)
    damaged = path.read_bytes()
    assert problem_in_database(path) is not None
    kept = rescue(path)
    assert kept.read_bytes() == damaged
    assert problem_in_database(path) is None
    with Database.open(path) as database:
        records = Records(database)
        assert records.decisions() == decided
        assert [row.path for row in records.registries()] == ["/MARK: page of registries"]
        assert records.rows() == ()
        again = records.release(
            "reg/s1", digest=None, reason="fine", actor="kim", when=datetime.now(UTC)
        )
        assert again.number == decided[-1].number + 1
    with (
        closing(sqlite3.connect(path)) as raw,
        pytest.raises(sqlite3.IntegrityError, match="only added"),
    ):
        raw.execute("DELETE FROM decisions")
    assert sorted(p.name for p in path.parent.iterdir()) == sorted(["asf.db", kept.name])


def _decisions(path: Path) -> None:
    _spoil(path, _page_of("decisions", path))


def _registries(path: Path) -> None:
    _spoil(path, _page_of("registries", path))


def _definition(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data.replace(b"CREATE TABLE decisions", b"CREATE TABLE decisi\xffns", 1))


def _noise(path: Path) -> None:
    path.write_bytes(b"\xa5" * len(path.read_bytes()))


def _other_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE meta SET value = '0' WHERE key = 'schema_version'")


LOST = {
    "a page of the decisions": _decisions,
    "a page of the registries": _registries,
    "the definition of the decisions": _definition,
    "noise": _noise,
    "another version": _other_version,
}


@pytest.mark.parametrize("spoil", LOST.values(), ids=LOST.keys())
def test_what_cannot_be_saved_is_left_as_it_is(path: Path, spoil: Callable[[Path], None]) -> None:
    spoil(path)
    damaged = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        rescue(path)
    assert "backup" in caught.value.hint
    assert path.read_bytes() == damaged
    assert [p.name for p in path.parent.iterdir()] == ["asf.db"]


def test_one_that_is_in_use_is_left_to_its_user(path: Path) -> None:
    _spoil(path, _page_of("documents", path))
    with Database.open(path) as database:
        with database.read() as connection:
            connection.exec_driver_sql("SELECT count(*) FROM decisions").scalar()
            with pytest.raises(BusyError) as caught:
                rescue(path)
        assert "Close" in caught.value.hint


@pytest.mark.parametrize("content", [b"", None])
def test_nothing_is_no_damage(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "asf.db").write_bytes(content)
    assert problem_in_database(tmp_path / "asf.db") is None
    assert problem_in_database(tmp_path) is None
