"""Two curators at once, a kill at any point, a full disk: nothing half-written, nothing lost.

``python -m tests.governance.ledger_races`` does the same at length.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import URL

from asf_core.domain.errors import StoreError
from asf_core.governance.audit import get_ledger_result
from asf_core.store.database import Database
from asf_core.store.ledger import LedgerRecords
from tests.governance.world import World

ROOT = Path(__file__).parents[2]
_OTHER_IS_ACTIVE = "governance_receipt | won"
_IT_IS_ACTIVE = "governance_receipt state | won"


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "asf.db")
    url: URL = request.getfixturevalue("postgresql_url")
    return url.render_as_string(hide_password=False)


def _stress(*arguments: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.governance.ledger_races", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_of_two_that_decide_at_once_one_wins_and_the_other_learns_why(address: str) -> None:
    found = _stress("decide", address, "12")
    assert found["problems"] == []
    assert found["outcomes"] == {_OTHER_IS_ACTIVE: 6, _IT_IS_ACTIVE: 6}
    assert found["activated"] == 12
    assert found["admission_refused"] == 12


def test_after_a_kill_at_any_point_the_ledger_verifies(address: str) -> None:
    found = _stress("crash", address, "15")
    assert found["problems"] == []
    assert found["kills"] >= 1
    assert found["changes"] >= 15


def _full(connection: sqlite3.Connection, _record: object) -> None:
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}").close()


def _read_only(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA query_only = 1").close()


@pytest.fixture
def spoiled(tmp_path: Path) -> Iterator[Callable[..., World]]:
    """Opens the same ledger again over a disk that is full or cannot be written."""
    opened: list[Database] = []

    def reopen(spoil: Callable[..., None] | None = None) -> World:
        database = Database.open(tmp_path / "asf.db")
        opened.append(database)
        if spoil is not None:
            event.listen(database._engine, "connect", spoil)
            database._engine.dispose()
        return World(LedgerRecords(database))

    yield reopen
    for database in opened:
        database.close()


@pytest.mark.parametrize(
    ("spoil", "says", "hint"),
    [(_full, "No space", "Free some space"), (_read_only, "cannot be written", "permissions")],
)
@pytest.mark.parametrize("act", ["add", "activate", "quarantine"])
def test_a_store_that_cannot_take_a_decision_keeps_nothing_of_it(
    spoiled: Callable[..., World], spoil: Callable[..., None], says: str, hint: str, act: str
) -> None:
    before = spoiled()
    before.policy()
    active = before.activated("1.0.0")
    before.later(hours=1)
    waiting = before.admitted("1.1.0", body="Two.\n")
    with before.ledger.reading() as reading:
        head = reading.head()
    bad = spoiled(spoil)
    bad.now = before.now
    big = {"SKILL.md": b"---\n---\nBig.\n", "data.bin": b"\1" * 300_000}
    acts: dict[str, Callable[[], object]] = {
        "add": lambda: bad.add("2.0.0", files=big),
        "activate": lambda: [bad.activate(waiting), bad.add("2.0.0", files=big)],
        "quarantine": lambda: bad.quarantine(active, "x" * 100_000),
    }
    with pytest.raises(StoreError) as error:
        acts[act]()
    assert says in error.value.what
    assert hint in error.value.hint
    after = spoiled()
    with after.ledger.reading() as reading:
        assert get_ledger_result(reading).problems == ()
        assert len(reading.versions()) == 2
        if act != "activate" or spoil is _read_only:
            assert reading.head() == head
            assert reading.active(active.skill_id) == active.content_hash
