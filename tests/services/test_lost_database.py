"""A database that is gone, emptied or swapped never lets quarantined skills back in unnoticed."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from asf_core.domain.errors import StoreError
from asf_core.services.engine import Engine
from asf_core.services.mending import adopt_database, mend_database
from tests.services.writing import procedure

pytestmark = pytest.mark.usefixtures("shared_encoders")
TASK = "help with bread baking"


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    for name in ("bread", "roses"):
        (tmp_path / "reg" / name).mkdir(parents=True)
        (tmp_path / "reg" / name / "SKILL.md").write_text(
            f"---\nname: {name}\ndescription: Helps with {name} baking. Use for {name} baking.\n"
            f"---\n{procedure(f'{name} baking')}"
        )
    return tmp_path / "reg"


@pytest.fixture
def workspace(tmp_path: Path, registry: Path) -> Path:
    """Synced, and one of its two skills decided against since."""
    with Engine.open(tmp_path / "ws") as engine:
        engine.add_registry(registry)
        engine.sync()
        engine.quarantine("bread", "asks for passwords", actor="kim")
    return tmp_path / "ws"


def _delete(database: Path) -> None:
    database.unlink()


def _empty(database: Path) -> None:
    database.write_bytes(b"")


def _replace(database: Path) -> None:
    database.unlink()
    with Engine.open(database.parent.parent / "elsewhere") as engine:
        engine.create()
    shutil.copy(database.parent.parent / "elsewhere" / "asf.db", database)


def _overwrite(database: Path) -> None:
    with Engine.open(database.parent.parent / "elsewhere") as engine:
        engine.create()
    database.write_bytes((database.parent.parent / "elsewhere" / "asf.db").read_bytes())


LOSSES = pytest.mark.parametrize("lose", [_delete, _empty, _replace, _overwrite])
USES: dict[str, Callable[[Engine], object]] = {
    "route": lambda engine: engine.route(TASK),
    "skills": lambda engine: engine.skills(),
    "sync": lambda engine: engine.sync(),
    "rebuild": lambda engine: engine.sync(rebuild=True),
    "add": lambda engine: engine.add_registry(engine.workspace.root.parent / "reg"),
    "release": lambda engine: engine.release("bread", "fine"),
}


@LOSSES
@pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
def test_every_use_is_refused_and_says_what_is_lost(
    workspace: Path, lose: Callable[[Path], None], use: Callable[[Engine], object]
) -> None:
    lose(workspace / "asf.db")
    with Engine.open(workspace) as engine, pytest.raises(StoreError) as caught:
        use(engine)
    assert "database" in caught.value.what
    assert "reg (" in caught.value.why
    assert "keep out: reg/bread" in caught.value.why
    assert "--new-database" in caught.value.hint
    if lose is _delete:
        assert not (workspace / "asf.db").exists()


@LOSSES
@pytest.mark.parametrize("other", ["database.json", "snapshots"])
def test_either_mark_is_enough(workspace: Path, lose: Callable[[Path], None], other: str) -> None:
    lose(workspace / "asf.db")
    if other == "snapshots":
        shutil.rmtree(workspace / other)
    else:
        (workspace / other).unlink()
    with Engine.open(workspace) as engine, pytest.raises(StoreError, match="Lost with the old one"):
        engine.sync()


@LOSSES
def test_one_can_go_on_deliberately_and_nothing_is_encoded_again(
    workspace: Path, registry: Path, lose: Callable[[Path], None]
) -> None:
    lose(workspace / "asf.db")
    with Engine.open(workspace) as engine:
        accepted = adopt_database(engine.workspace)
        assert accepted is not None
        assert "reg/bread" in accepted.why
        engine.add_registry(registry)
        (report,) = engine.sync().registries
        assert (report.added, report.encoded) == (2, 0)
        assert engine.route(TASK).bundle.steps[0].slug == "bread"
        assert adopt_database(engine.workspace) is None
    with Engine.open(workspace) as engine:
        assert len(engine.skills()) == 2


def test_a_database_beyond_saving_is_kept_when_one_goes_on(workspace: Path) -> None:
    (workspace / "asf.db").write_bytes(b"no database" * 1000)
    with Engine.open(workspace) as engine:
        for use in USES.values():
            with pytest.raises(StoreError):
                use(engine)
        with pytest.raises(StoreError) as caught:
            mend_database(engine.workspace)
        assert "--new-database" in caught.value.hint
        assert adopt_database(engine.workspace) is not None
        assert engine.skills() == ()
    (kept,) = workspace.glob("asf.db.damaged-*")
    assert kept.read_bytes() == b"no database" * 1000


def test_a_backup_that_is_brought_back_is_taken(workspace: Path) -> None:
    backup = (workspace / "asf.db").read_bytes()
    _replace(workspace / "asf.db")
    (workspace / "asf.db").write_bytes(backup)
    with Engine.open(workspace) as engine:
        assert engine.sync().registries[0].unchanged == 2
        assert engine.skill("bread").state == "quarantined"


def test_a_copy_of_a_workspace_is_one(workspace: Path, tmp_path: Path) -> None:
    shutil.copytree(workspace, tmp_path / "copy")
    with Engine.open(tmp_path / "copy") as engine:
        assert all(step.slug != "bread" for step in engine.route(TASK).bundle.steps)


def test_a_process_that_runs_on_goes_by_the_file_that_is_there(workspace: Path) -> None:
    with Engine.open(workspace) as engine:
        engine.route(TASK)
        _replace(workspace / "asf.db")
        with pytest.raises(StoreError, match="not the one"):
            engine.route(TASK)
        with pytest.raises(StoreError, match="not the one"):
            engine.release("bread", "fine")


def test_one_of_an_earlier_program_gets_its_identity_at_the_next_sync(workspace: Path) -> None:
    shutil.rmtree(workspace / "snapshots")
    (workspace / "database.json").unlink()
    with closing(sqlite3.connect(workspace / "asf.db")) as raw, raw:
        raw.execute("DELETE FROM meta WHERE key = 'identity'")
    with Engine.open(workspace) as engine:
        engine.sync()
        engine.route(TASK)
    _delete(workspace / "asf.db")
    with Engine.open(workspace) as engine, pytest.raises(StoreError, match="is gone"):
        engine.route(TASK)
