"""What is printed where there is no terminal, and options that make no sense."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]

SENSELESS = [
    ("--input", "a:list["),
    ("--input", "a:list[str)]"),
    ("--input", "a:]["),
    ("--budget", "0"),
    ("--budget", "-5"),
    ("--budget", "99999999999"),
    ("--budget", "9" * 30),
    ("--price", "nan"),
    ("--price", "inf"),
    ("--price", "-1"),
    ("--price", "1e300"),
]


@pytest.mark.parametrize("option", SENSELESS, ids=" ".join)
def test_senseless_options_are_refused(run: Run, home: Path, option: tuple[str, str]) -> None:
    (home / "reg").mkdir()
    code, out, err = run("route", "--registry", "reg", *option, "a task")
    assert (code, out) == (2, "")
    assert option[0] in err


def test_a_score_that_is_no_number_is_refused(run: Run, home: Path) -> None:
    code, _, err = run("measure", ".", "--fail-under", "nan")
    assert code == 2
    assert "--fail-under" in err


@pytest.fixture
def listed(run: Run, home: Path) -> Path:
    """A registry whose path does not fit a usual line."""
    root = home / ("deep-" * 40) / "reg"
    root.mkdir(parents=True)
    run("init")
    run("registry", "add", str(root))
    return root


def _printed(home: Path, *command: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    env = {k: v for k, v in os.environ.items() if k not in {"COLUMNS", "ASF_WORKSPACE"}}
    return subprocess.run(
        [sys.executable, "-m", "asf_core.cli.main", *command],
        capture_output=True,
        cwd=home,
        env={**env, "PYTHONPATH": str(ROOT), **environ},
        timeout=120,
    )


@pytest.mark.parametrize("columns", ["", "many", "0", "-3", "9" * 40])
def test_rows_are_whole_in_a_pipe(home: Path, listed: Path, columns: str) -> None:
    done = _printed(home, "registry", "list", COLUMNS=columns)
    lines = done.stdout.decode().splitlines()
    assert len(lines) == 2
    assert lines[1].endswith(str(listed))
    assert lines[0] == lines[0].rstrip()


def test_a_width_that_is_asked_for_is_kept(home: Path, listed: Path) -> None:
    lines = _printed(home, "registry", "list", COLUMNS="60").stdout.decode().splitlines()
    assert len(lines) >= 2
    assert max(map(len, lines)) <= 60


def test_remarks_are_whole_too(home: Path) -> None:
    deep = home / ("deep-" * 40)
    deep.mkdir()
    done = _printed(home, "sync", "--workspace", str(deep / "ws"))
    assert f"Made the workspace {deep / 'ws'}" in done.stderr.decode().splitlines()


def test_signs_are_plain_where_the_locale_has_no_others(home: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    (home / "reg" / "one").mkdir(parents=True)
    (home / "reg" / "one" / "SKILL.md").write_text(
        "---\nname: one\ndescription: Does é.\n---\nX.\n"
    )
    done = _printed(home, "measure", "reg", "--all", **plain)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode("ascii")
    assert "#" in text
    assert "\\u" not in text
    _printed(home, "sync", "reg", "--workspace", "ws")
    shown = _printed(home, "show", "one", "--workspace", "ws", **plain).stdout.decode("ascii")
    assert "Does \\xe9." in shown  # a letter is not ours to change
