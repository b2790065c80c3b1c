"""What ``asf doctor`` says of machines that lack something, one thing at a time."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from asf_core.domain.doctor import Health, HealthCheck
from asf_core.domain.errors import StoreError
from asf_core.services.doctor import TerminalFacts, examine, installed, required
from asf_core.services.engine import Engine

WIDE = TerminalFacts(tty=True, columns=120, lines=40, encoding="utf-8")


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("ASF_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ASF_USER_DIR", str(tmp_path / "user"))
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """One with a registry, not synced."""
    skill = tmp_path / "reg" / "tidy" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: tidy\ndescription: Tidies.\n---\nTidy.\n", encoding="utf-8")
    with Engine.open(tmp_path / "ws") as engine:
        engine.add_registry(tmp_path / "reg", name="reg")
    return tmp_path / "ws"


def looked(
    workspace: Path, terminal: TerminalFacts = WIDE, model_dir: Path | None = None
) -> dict[str, HealthCheck]:
    report = examine(workspace, model_dir, terminal)
    assert all(check.hint for check in report.checks if check.health is not Health.OK)
    return {f"{check.area} {check.name}": check for check in report.checks}


def test_all_is_there(workspace: Path) -> None:
    found = looked(workspace)
    assert {name for name, check in found.items() if check.health is Health.MISSING} == set()
    assert found["store owner"].health is Health.OK
    assert found["store registries"].found == "1, of 0 skills in all"
    assert "nothing was synced" in found["store index"].found
    assert found["git git"].found.startswith("git version")
    assert found["terminal size"].found == "120x40"
    assert {"models dense", "models late", "models cross"} <= set(found)


def test_a_fresh_machine_gets_a_note_and_nothing_is_made(tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    found = looked(tmp_path / "ws")
    assert found["store workspace"].health is Health.NOTE
    assert "asf sync DIR" in found["store workspace"].hint
    assert found["user keys"].health is Health.OPTIONAL
    assert sorted(tmp_path.rglob("*")) == before


def test_a_model_that_is_not_there(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    found = looked(workspace, model_dir=tmp_path / "models")
    assert found["models dense"].health is Health.MISSING
    assert "model.onnx" in found["models dense"].hint
    assert found["models cross"].health is Health.NOTE
    assert "--setting cross" in found["models cross"].hint


def test_a_damaged_database(workspace: Path) -> None:
    database = workspace / "asf.db"
    database.write_bytes(b"no database" * 1000)
    found = looked(workspace)["store workspace"]
    assert found.health is Health.MISSING
    assert "asf sync --rebuild" in found.hint


def test_a_database_that_is_gone(workspace: Path) -> None:
    with Engine.open(workspace) as engine:
        engine.sync()
    assert looked(workspace)["store registries"].found == "1, of 1 skills in all"
    (workspace / "asf.db").write_bytes(b"")
    assert looked(workspace)["store workspace"].health is Health.MISSING


def test_an_address_that_is_none(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASF_DATABASE", "nonsense")
    found = looked(workspace)
    assert found["store workspace"].health is Health.MISSING
    assert "postgresql://" in found["store workspace"].hint
    assert found["git git"].health is Health.OK  # and all else is looked at


def test_a_registry_that_is_gone(workspace: Path, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "reg")
    found = looked(workspace)["store registry"]
    assert found.health is Health.NOTE
    assert "asf registry remove reg" in found.hint


def test_a_workspace_of_somebody_else(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ASF_USER_DIR", str(tmp_path / "other"))
    found = looked(workspace)["store owner"]
    assert (found.health, found.hint.endswith("asf trust adopt")) == (Health.NOTE, True)
    assert not (tmp_path / "other").exists()


def test_a_key_that_others_may_read(workspace: Path, tmp_path: Path) -> None:
    from datetime import UTC, datetime

    from asf_core.domain.receipts import Role
    from asf_core.store.keyring import Keyring

    key = Keyring().new(Role.REVIEWER, "ada", None, datetime(2026, 1, 1, tzinfo=UTC))
    assert looked(workspace)["user keys"].health is Health.OK
    key.path.chmod(0o644)
    found = looked(workspace)["user keys"]
    assert found.health is Health.NOTE
    assert f"chmod 600 {key.path}" in found.hint
    key.path.unlink()
    assert looked(workspace)["user keys"].health is Health.MISSING


def test_no_git(workspace: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert looked(workspace)["git git"].health is Health.NOTE
    broken = tmp_path / "bin" / "git"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(broken.parent))
    assert "does not run" in looked(workspace)["git git"].found


@pytest.mark.parametrize(
    ("terminal", "name", "health"),
    [
        (TerminalFacts(False, 0, 0, "utf-8"), "terminal terminal", Health.OPTIONAL),
        (TerminalFacts(True, 79, 24, "utf-8"), "terminal size", Health.NOTE),
        (TerminalFacts(True, 80, 24, "utf-8"), "terminal size", Health.OK),
        (TerminalFacts(True, 80, 24, "iso8859-1"), "terminal encoding", Health.NOTE),
    ],
)
def test_terminals(workspace: Path, terminal: TerminalFacts, name: str, health: Health) -> None:
    assert looked(workspace, terminal)[name].health is health


def test_a_terminal_that_can_do_nothing(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "terminal kind" not in looked(workspace)
    monkeypatch.setenv("TERM", "dumb")
    assert "TERM=" in looked(workspace)["terminal kind"].hint


def test_which_packages_are_needed() -> None:
    lines = [
        "a>=1",
        "b.c[x]==2; extra == 'web'",
        'd ; python_version < "3" and extra == "web"',
        "e; os_name == 'nt'",
    ]
    assert list(required(lines)) == ["a"]
    assert list(required(lines, "web")) == ["b.c", "d"]
    assert list(required(lines, "other")) == []
    assert installed("numpy")
    assert not installed("no-such-distribution-at-all")


def test_a_missing_part_says_its_error() -> None:
    check = HealthCheck.missing("store", "x", StoreError("It broke", why="a disk", hint="Mend it"))
    assert (check.found, check.hint) == ("It broke: a disk", "Mend it")
