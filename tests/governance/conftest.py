"""Every rule runs over each kind of ledger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.engine import URL

from asf_core.store.database import Database
from asf_core.store.ledger import LedgerRecords
from tests.governance.memory_ledger import MemoryLedger
from tests.governance.world import World


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """A world with the usual policy in force."""
    if request.param == "memory":
        made = World(MemoryLedger())
        made.policy()
        yield made
        return
    target: Path | URL = tmp_path / "asf.db"
    if request.param == "postgresql":
        target = request.getfixturevalue("postgresql_url")
    with Database.open(target, busy_seconds=0.05) as database:
        made = World(LedgerRecords(database))
        made.policy()
        yield made


@pytest.fixture
def memory() -> World:
    """A world in memory, whose state a test may spoil."""
    made = World(MemoryLedger())
    made.policy()
    return made
