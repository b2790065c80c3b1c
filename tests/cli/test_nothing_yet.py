"""Where there is nothing to choose from, that is said, and not that nothing fits."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


def _skill(root: Path, text: str) -> None:
    root.mkdir(parents=True)
    (root / "SKILL.md").write_text(text)


@pytest.mark.parametrize("command", [("route", "a task"), ("route", "a task", "--json")], ids=str)
def test_a_fresh_workspace_has_no_registry(run: Run, home: Path, command: tuple[str, ...]) -> None:
    run("init")
    code, out, err = run(*command)
    assert (code, out) == (4, "")
    assert "no registry yet" in err
    assert "asf sync DIR" in err


def test_an_empty_registry_has_no_skill(run: Run, home: Path) -> None:
    (home / "empty").mkdir()
    code, out, _ = run("sync", "empty")
    assert code == 0
    assert "empty: 0 skills found" in out
    code, out, _ = run("route", "--registry", "empty", "a task")
    assert code == 1
    assert "hold no skill that can be routed" in out
    code, out, _ = run("route", "a task", "--json")
    assert code == 1
    assert "hold no skill" in json.loads(out)["stages"][0]["notes"][0]


def test_a_sync_of_nothing_says_so(run: Run, home: Path) -> None:
    run("init")
    assert "No registry yet" in run("sync")[1]


def test_broken_skills_fail_a_sync_only_when_asked_to(run: Run, home: Path) -> None:
    _skill(home / "reg" / "good", "---\nname: good\ndescription: Does good.\n---\nDo it.\n")
    assert run("sync", "reg", "--fail-on-broken")[0] == 0
    _skill(home / "reg" / "bad", "no frontmatter")
    assert run("sync")[0] == 0
    code, out, _ = run("sync", "--fail-on-broken")
    assert code == 1
    assert "reg/bad" in out
