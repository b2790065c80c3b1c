"""A workspace that may only be read answers, and nothing is written beside it."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from asf_core.services.engine import Engine
from tests.whole.process import Asf

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="rights of another kind")
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
TASK = "check the citations of my manuscript"


def _without_override() -> None:
    """What the superuser's next program must do without: writing where nobody may."""
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


def _lock(root: Path) -> None:
    for path in (*root.rglob("*"), root):
        path.chmod(path.stat().st_mode & ~0o222)


@pytest.fixture
def asf(synced: Asf, tmp_path: Path) -> Iterator[Asf]:
    shutil.copytree(synced.workspace, tmp_path / "workspace")
    yield Asf(tmp_path / "workspace", synced.cwd, _without_override)
    for path in ((root := tmp_path / "workspace"), *root.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)


def _names(root: Path) -> set[Path]:
    return set(root.rglob("*"))


def test_it_is_read_without_a_trace(asf: Asf) -> None:
    before = [asf.run(*c).stdout for c in (("skills",), ("show", "citation-verifier"))]
    plan = asf.json("route", "--no-sync", TASK)["bundle"]
    _lock(asf.workspace)
    names = _names(asf.workspace)
    assert [asf.run(*c).stdout for c in (("skills",), ("show", "citation-verifier"))] == before
    assert asf.json("route", "--no-sync", TASK)["bundle"] == plan
    synced = asf.run("route", TASK, "--json")
    assert json.loads(synced.stdout)["bundle"] == plan
    assert "may only be read" in synced.stderr
    assert _names(asf.workspace) == names


@pytest.mark.parametrize(
    "command",
    [
        ("quarantine", "citation-verifier", "--reason", "x"),
        ("sync",),
        ("sync", "--rebuild"),
        ("sync", "--new-database"),
        ("registry", "remove", "sample_registry"),
    ],
    ids=" ".join,
)
def test_what_must_write_says_that_it_cannot(asf: Asf, command: tuple[str, ...]) -> None:
    _lock(asf.workspace)
    done = asf.run(*command, code=4)
    assert "permissions" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_another_who_may_write_has_committed_is_seen(asf: Asf) -> None:
    ref = "sample_registry/science/citation-verifier"
    with Engine.open(asf.workspace) as engine:
        engine.quarantine(ref, "checking a complaint")
        assert (asf.workspace / "asf.db-wal").stat().st_size > 0
        _lock(asf.workspace)
        states = {row["id"]: row["state"] for row in asf.json("skills")}
    assert states[ref] == "quarantined"


def test_what_cannot_be_seen_is_not_passed_over(asf: Asf, tmp_path: Path) -> None:
    """Decisions in a write-ahead file that no reader can open must not be missed silently."""
    with Engine.open(asf.workspace) as engine:
        engine.quarantine("citation-verifier", "checking a complaint")
        log = (asf.workspace / "asf.db-wal").read_bytes()
        database = (asf.workspace / "asf.db").read_bytes()
    (asf.workspace / "asf.db").write_bytes(database)
    (asf.workspace / "asf.db-wal").write_bytes(log)
    _lock(asf.workspace)
    done = asf.run("skills", code=None)
    if done.returncode == 0:
        assert "quarantined" in done.stdout
    else:
        assert done.returncode == 4
        assert "do:" in done.stderr
