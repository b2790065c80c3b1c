import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from asf_core.domain.errors import BusyError, RefusedError, StoreError
from asf_core.store.places import VARIABLE
from asf_core.store.workspace import Workspace


@pytest.fixture(autouse=True)
def _no_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_the_nearest_one_upwards_is_found(tmp_path: Path) -> None:
    (tmp_path / ".asf").mkdir()
    (tmp_path / "a" / ".asf").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "d").mkdir()
    assert Workspace.find(start=tmp_path / "a" / "b" / "c").root == tmp_path / "a" / ".asf"
    assert Workspace.find(start=tmp_path / "d").root == tmp_path / ".asf"


def test_a_file_of_that_name_is_none(tmp_path: Path) -> None:
    (tmp_path / ".asf").mkdir()
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / ".asf").write_text("")
    assert Workspace.find(start=tmp_path / "a").root == tmp_path / ".asf"


def test_the_current_directory_is_where_to_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".asf").mkdir()
    monkeypatch.chdir(tmp_path)
    assert Workspace.find().root == tmp_path / ".asf"


def test_without_one_it_is_in_the_users_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os.path, "isdir", lambda _path: False)
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "data"))
    assert Workspace.find(start=tmp_path).root == tmp_path / "data"
    assert not (tmp_path / "data").exists()


def test_the_override_goes_before_the_variable_and_that_before_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".asf").mkdir()
    monkeypatch.setenv(VARIABLE, str(tmp_path / "named"))
    assert Workspace.find(start=tmp_path).root == tmp_path / "named"
    assert Workspace.find(tmp_path / "other", tmp_path).root == tmp_path / "other"
    monkeypatch.setenv(VARIABLE, "")
    assert Workspace.find(start=tmp_path).root == tmp_path / ".asf"


def test_naming_the_project_means_the_workspace_in_it(tmp_path: Path) -> None:
    made = Workspace(tmp_path / ".asf").create()
    assert Workspace.find(tmp_path) == made
    # A directory that is a workspace itself is meant as such.
    (tmp_path / "asf.db").touch()
    assert Workspace.find(tmp_path).root == tmp_path


@pytest.mark.parametrize(
    ("entries", "itself"),
    [
        ((), True),
        (("asf.db", "README.md"), True),
        ((".gitignore", "index", "snapshots", "asf.db.damaged-1"), True),
        (("writer.lock", "logs", "config.toml", "database.json", "index.json"), True),
        (("README.md",), False),
        ((".git", ".gitignore"), False),
        (("snapshots", "src"), False),
    ],
)
def test_a_workspace_is_never_laid_into_other_things(
    tmp_path: Path, entries: tuple[str, ...], itself: bool
) -> None:
    for name in entries:
        (tmp_path / name).touch()
    root = Workspace.find(tmp_path).root
    assert root == (tmp_path if itself else tmp_path / ".asf")
    # And one that is called so is meant, whatever it holds.
    (tmp_path / ".asf").mkdir()
    (tmp_path / ".asf" / "other").touch()
    assert Workspace.find(tmp_path / ".asf").root == tmp_path / ".asf"


def test_a_relative_override_becomes_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Workspace.find(Path("w")).root == tmp_path / "w"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Workspace.find(Path("~/w")).root == tmp_path / "w"


def test_one_of_another_user_is_taken_only_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".asf").mkdir()
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    monkeypatch.setattr(os, "stat", _owned_by(mine + 2))
    with pytest.raises(RefusedError) as caught:
        Workspace.find(start=tmp_path)
    assert str(tmp_path / ".asf") in caught.value.hint
    assert Workspace.find(tmp_path / ".asf").root == tmp_path / ".asf"


@pytest.mark.parametrize(("euid", "owner"), [(1000, 1000), (1000, 0), (0, 1000)])
def test_ones_own_the_superusers_and_that_behind_sudo_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, euid: int, owner: int
) -> None:
    (tmp_path / ".asf").mkdir()
    monkeypatch.setenv("SUDO_UID", "1000")
    monkeypatch.setattr(os, "geteuid", lambda: euid)
    monkeypatch.setattr(os, "stat", _owned_by(owner))
    assert Workspace.find(start=tmp_path).root == tmp_path / ".asf"


def _owned_by(owner: int):
    real = os.stat

    def stat(*args, **kwargs):
        values = list(real(*args, **kwargs))
        values[4] = owner
        return os.stat_result(values)

    return stat


def test_creating_twice_keeps_what_is_there(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "deep" / ".asf").create()
    assert not made.exists
    (made.index / "x").write_text("x")
    (made.root / ".gitignore").write_text("mine")
    made.create()
    assert (made.index / "x").read_text() == "x"
    assert (made.root / ".gitignore").read_text() == "mine"
    assert {p.parent for p in (made.database, made.snapshots, made.config)} == {made.root}
    made.database.touch()
    assert made.exists


def test_git_does_not_see_a_workspace(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    Workspace(tmp_path / ".asf").create()
    listed = subprocess.run(
        ["git", "-C", str(tmp_path), "status", "--porcelain"], capture_output=True, check=True
    )
    assert listed.stdout == b""


def test_where_none_can_be_made_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError) as caught:
        Workspace(tmp_path / "file" / ".asf").create()
    assert "--workspace" in caught.value.hint


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / ".asf").create()


def test_the_lock_is_held_once_and_says_by_whom(workspace: Workspace) -> None:
    with workspace.writer_lock(purpose="sync"):
        with pytest.raises(BusyError) as caught, workspace.writer_lock(wait=0):
            pass
        assert f"Process {os.getpid()}" in caught.value.why
        assert "for sync since 20" in caught.value.why
    with workspace.writer_lock(wait=0):
        pass
    assert sorted(p.name for p in workspace.root.iterdir() if "holder" in p.name) == []


def test_a_thread_that_waits_gets_it(workspace: Workspace) -> None:
    done: list[str] = []

    def write() -> None:
        with workspace.writer_lock(wait=60):
            done.append("second")

    other = threading.Thread(target=write)
    with workspace.writer_lock():
        other.start()
        done.append("first")
    other.join()
    assert done == ["first", "second"]


def test_it_is_freed_after_an_error(workspace: Workspace) -> None:
    with pytest.raises(RuntimeError), workspace.writer_lock():
        raise RuntimeError
    with workspace.writer_lock(wait=0):
        pass


@pytest.mark.parametrize(
    "note", [b"", b"{", b"[]", b"null", b'{"pid": "x"}', b'{"pid": 1}', b"\xff", b'{"pid": NaN}']
)
def test_a_note_that_says_nothing_is_no_failure(workspace: Workspace, note: bytes) -> None:
    with workspace.writer_lock():
        (workspace.root / "writer.lock.holder").write_bytes(note)
        with pytest.raises(BusyError, match="Another process holds it"):
            workspace.writer_lock(wait=0).__enter__()


def test_another_process_holds_it_until_it_dies(workspace: Workspace) -> None:
    code = """
import sys
from pathlib import Path
from asf_core.store.workspace import Workspace
with Workspace(Path(sys.argv[1])).writer_lock(purpose="a test"):
    print("held", flush=True)
    sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code, str(workspace.root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdout.readline() == b"held\n"
        with pytest.raises(BusyError, match=f"Process {child.pid} .* for a test"):
            workspace.writer_lock(wait=0).__enter__()
        child.kill()
        child.wait()
    # The note of the dead is still there; the lock is not.
    with workspace.writer_lock(wait=0):
        pass


def test_what_is_no_directory_cannot_be_locked(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    with pytest.raises(StoreError, match="cannot be locked"):
        Workspace(tmp_path / "plain").writer_lock(wait=0).__enter__()
