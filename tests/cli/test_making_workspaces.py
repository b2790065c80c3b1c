"""Only commands that take something in make a workspace, and they say where."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]

READING = [
    ("skills",),
    ("show", "x"),
    ("registry", "list"),
    ("registry", "remove", "x"),
    ("route", "a task"),
    ("route", "--no-sync", "a task"),
    ("quarantine", "x", "--reason", "y"),
    ("release", "x", "--reason", "y"),
    ("bench", "--queries", "none.jsonl"),
    ("sync", "no-such-directory"),
    ("registry", "add", "no-such-directory"),
    ("route", "--registry", "no-such-directory", "a task"),
]
NAMED = {"found": (), "typo": ("--workspace", "typo"), "here": ("--workspace", ".")}


@pytest.mark.parametrize("named", NAMED.values(), ids=NAMED.keys())
@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_reading_makes_nothing_and_says_what_to_do(
    run: Run, home: Path, command: tuple[str, ...], named: tuple[str, ...]
) -> None:
    (home / "notes.txt").write_text("mine")
    code, out, err = run(*command, *named)
    assert code in (2, 4)
    assert out == ""
    assert "do:" in err
    assert {p.name for p in home.parent.rglob("*")} == {"home", "notes.txt"}


def test_an_empty_name_is_no_directory(run: Run, home: Path) -> None:
    for option in ("--workspace", "--model-dir"):
        code, _, err = run("skills", option, "")
        assert code == 2
        assert "empty" in err
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "where"),
    [
        (("init",), "home/.asf"),
        (("init", "--workspace", "named"), "home/named"),
        (("init", "sub"), "home/sub/.asf"),
        (("sync", "--workspace", "named"), "home/named"),
        (("sync", "--workspace", "."), "home/.asf"),
        (("sync",), "data/asf-workbench"),
        (("registry", "add", "sub"), "data/asf-workbench"),
        (("registry", "add", "sub", "--workspace", "named"), "home/named"),
    ],
    ids=str,
)
def test_what_takes_something_in_makes_it_and_says_where(
    run: Run, home: Path, command: tuple[str, ...], where: str
) -> None:
    (home / "sub").mkdir()
    code, out, err = run(*command)
    assert code == 0
    said = "".join((out + err).split())  # the line is folded where the path is long
    assert f"Madetheworkspace{home.parent / where}" in said
    assert (home.parent / where / "asf.db").is_file()
    assert not (home / ".gitignore").exists()
    code, out, err = run(*command)
    assert code == 0
    assert "Made" not in out + err


def test_init_looks_at_what_it_finds(run: Run, home: Path) -> None:
    assert json.loads(run("init", "--json")[1]) == {
        "workspace": str(home / ".asf"),
        "created": True,
    }
    assert json.loads(run("init", "--json")[1])["created"] is False
    (home / ".asf" / "asf.db").write_bytes(b"no database at all" * 100)
    code, out, err = run("init")
    assert (code, out) == (4, "")
    assert "damaged" in err


@pytest.mark.skipif(os.name == "nt", reason="permissions of another kind")
def test_init_says_when_it_cannot_write(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("init")
    # The superuser may write anything, so the question is answered for it.
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    code, _, err = run("init")
    assert code == 4
    assert "may only be read" in err
