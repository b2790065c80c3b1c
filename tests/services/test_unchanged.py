"""That nothing changed is known for certain, or not claimed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from asf_core.services import unchanged
from asf_core.services.engine import Engine
from asf_core.services.keeping_up import KeepingUp
from asf_core.services.unchanged import Unchanged

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "reg"
    (root / "a" / "deep").mkdir(parents=True)
    (root / "a" / "SKILL.md").write_text("one")
    # Whatever the tests run on: this one tells of its changes.
    monkeypatch.setattr(unchanged, "_LOCAL", {unchanged._file_system(str(root))})
    return root


@pytest.fixture
def watch(tree: Path, tmp_path: Path) -> Iterator[Unchanged]:
    watch = Unchanged(tmp_path / "ws")
    watch.watch([str(tree)])
    assert watch.changed()
    watch.remember()
    yield watch
    watch.close()


CHANGES: dict[str, Callable[[Path], object]] = {
    "written": lambda tree: (tree / "a" / "SKILL.md").write_text("two"),
    "touched": lambda tree: os.utime(tree / "a" / "SKILL.md"),
    "mode": lambda tree: (tree / "a" / "SKILL.md").chmod(0o700),
    "removed": lambda tree: (tree / "a" / "SKILL.md").unlink(),
    "renamed": lambda tree: (tree / "a").rename(tree / "b"),
    "moved out": lambda tree: (tree / "a").rename(tree.parent / "b"),
    "linked": lambda tree: (tree / "a" / "x").symlink_to("SKILL.md"),
    "new and deep": lambda tree: (tree / "n" / "m").mkdir(parents=True),
    "tree removed": lambda tree: shutil.rmtree(tree / "a"),
    "root renamed": lambda tree: tree.rename(tree.parent / "elsewhere"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_every_change_is_heard_at_once(
    watch: Unchanged, tree: Path, change: Callable[[Path], object]
) -> None:
    assert not watch.changed()
    change(tree)
    assert watch.changed()
    assert watch.changed()  # until it is remembered
    watch.remember()
    assert not watch.changed()


def test_new_directories_are_watched_too(watch: Unchanged, tree: Path) -> None:
    (tree / "n" / "m").mkdir(parents=True)
    watch.remember()
    (tree / "n" / "m" / "SKILL.md").write_text("x")
    assert watch.changed()


def test_another_directory_of_the_same_name_is_watched_anew(watch: Unchanged, tree: Path) -> None:
    tree.rename(tree.parent / "before")
    (tree / "b").mkdir(parents=True)
    assert watch.changed()
    watch.watch([str(tree)])
    watch.remember()
    assert not watch.changed()
    (tree / "b" / "SKILL.md").write_text("x")
    assert watch.changed()


def test_what_the_system_refuses_is_not_asked_each_time(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(unchanged, "_tells_all", lambda tree: bool(asked.append(tree)))
    watch = Unchanged(tmp_path / "ws")
    for _ in range(3):
        watch.watch([str(tree)])
        assert watch.changed()
    assert len(asked) == 1
    watch.close()


def test_reading_is_no_change_and_neither_is_what_is_ignored(tree: Path) -> None:
    watch = Unchanged(tree / ".asf")
    (tree / ".asf").mkdir()
    watch.watch([str(tree)])
    watch.remember()
    (tree / "a" / "SKILL.md").read_text()
    (tree / ".asf" / "asf.db").write_text("x")
    assert not watch.changed()
    watch.watch([str(tree)])
    assert not watch.changed()
    watch.watch([str(tree / "a")])
    assert watch.changed()
    watch.close()


def _git(tree: Path, *arguments: str) -> None:
    names = {"GIT_AUTHOR_NAME": "k", "GIT_AUTHOR_EMAIL": "k@k", "GIT_CONFIG_GLOBAL": os.devnull}
    names |= {"GIT_COMMITTER_NAME": "k", "GIT_COMMITTER_EMAIL": "k@k"}
    subprocess.run(["git", "-C", str(tree), *arguments], check=True, env={**os.environ, **names})


def test_a_commit_above_the_registry_is_heard(tree: Path, tmp_path: Path) -> None:
    _git(tmp_path, "init", "-q")
    _git(tmp_path, "add", "reg")
    watch = Unchanged(tmp_path / "ws")
    watch.watch([str(tree)])
    watch.remember()
    assert not watch.changed()
    _git(tmp_path, "commit", "-q", "-m", "one")
    assert watch.changed()
    watch.close()


def _link_out(tree: Path) -> None:
    (tree / "out").symlink_to(tree.parent)


def _linked_work_tree(tree: Path) -> None:
    (tree / "a" / ".git").write_text("gitdir: /elsewhere")


@pytest.mark.parametrize("spoil", [_link_out, _linked_work_tree, shutil.rmtree])
def test_where_it_cannot_be_known_nothing_is_claimed(
    tree: Path, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(tree)
    watch = Unchanged(tmp_path / "ws")
    watch.watch([str(tree)])
    watch.remember()
    assert watch.changed()
    watch.close()


def test_nothing_is_claimed_on_other_file_systems(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unchanged, "_LOCAL", {"none"})
    watch = Unchanged(tmp_path / "ws")
    watch.watch([str(tree)])
    watch.remember()
    assert watch.changed()
    watch.close()


@pytest.mark.usefixtures("shared_encoders")
def test_a_sync_is_left_out_only_while_nothing_changed(tree: Path, tmp_path: Path) -> None:
    (tree / "a" / "SKILL.md").write_text("---\nname: a\ndescription: Bakes bread.\n---\nDo it.\n")
    (tmp_path / "other").mkdir()
    with Engine.open(tmp_path / "ws") as engine:
        engine.add_registry(tree)
        engine.add_registry(tmp_path / "other")
        upkeep = KeepingUp(engine, 5)

        def looked(*names: str) -> bool:
            return upkeep.sync(names, False, lambda _: None, threading.Event())

        assert looked("reg")
        assert not looked("reg")
        assert looked()  # the other one was not looked at yet
        assert not looked()
        (tree / "a" / "SKILL.md").write_text("---\nname: a\ndescription: Whales.\n---\nSing.\n")
        assert looked()
        assert engine.skill("a").manifest.description == "Whales."
        engine.remove_registry("reg")
        engine.add_registry(tree)
        assert looked("reg")  # another one of that name
        stopped = threading.Event()
        stopped.set()
        (tree / "a" / "SKILL.md").write_text("---\nname: a\ndescription: Bread.\n---\nBake.\n")
        with pytest.raises(KeyboardInterrupt):
            upkeep.sync((), False, lambda _: None, stopped)
        assert looked()
        upkeep.close()
