"""Running commands in this process, as the entry point would."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from asf_core.cli.exits import exit_code, lines_for
from asf_core.cli.main import app

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of one's own to stand in, with nothing in it and no workspace above."""
    monkeypatch.delenv("ASF_WORKSPACE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture
def run(home: Path) -> Run:
    """Run a command; gives exit code, stdout and stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        result: Result = CliRunner().invoke(app, arguments)
        error = result.exception
        if error is None or isinstance(error, SystemExit):
            return result.exit_code, result.stdout, result.stderr
        return int(exit_code(error)), result.stdout, "\n".join(lines_for(error))

    return run
