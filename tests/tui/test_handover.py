"""`asf-tui measure` is `asf measure` under another name; everything else opens the workbench."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from asf_tui.handover import command_for

TUI = "from asf_tui.main import run; run()"
ASF = "from asf_core.cli.main import run; run()"


def call(code: str, *args: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, timeout=120, cwd=cwd
    )


@pytest.fixture
def code(tmp_path: Path) -> Path:
    root = tmp_path / "code"
    root.mkdir()
    for name in ("a", "b"):
        (root / f"{name}.py").write_text(f"@mcp.tool()\ndef {name}(text: str):\n    return text\n")
    return root


@pytest.mark.parametrize(
    "options",
    [("--json",), (), ("--json", "--fail-under", "1"), ("--top", "1"), ("--as", "codebase")],
)
def test_both_programs_print_the_same(code: Path, options: tuple[str, ...]) -> None:
    workbench, line = (call(program, "measure", str(code), *options) for program in (TUI, ASF))
    assert (workbench.returncode, workbench.stdout) == (line.returncode, line.stdout)
    assert workbench.stdout


def test_help_and_errors_speak_in_the_name_that_was_called(tmp_path: Path) -> None:
    assert call(TUI, "measure", "--help").stdout.startswith("Usage: asf-tui measure")
    done = call(TUI, "measure", str(tmp_path / "gone"))
    assert done.returncode == 2
    assert done.stderr.startswith("asf-tui: ")
    assert "asf-tui measure PATH" in call(TUI, "--help").stdout


@pytest.mark.parametrize(
    "arguments", [[], ["."], ["./measure"], ["--help"], ["sync"], ["--theme", "measure"]]
)
def test_other_words_are_the_workbenchs_own(arguments: list[str]) -> None:
    assert command_for(arguments) is None


def test_a_directory_named_as_the_command_is_opened_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "measure").mkdir()
    done = call(TUI, "./measure", cwd=tmp_path)
    assert done.returncode == 2
    assert "needs a terminal" in done.stderr


def test_the_workbench_loads_no_command_line_unless_it_is_asked_for() -> None:
    asked = "import sys; sys.argv = ['asf-tui', '.']; from asf_tui.handover import hand_over; "
    shown = "print(hand_over(), any(name.startswith('asf_core.cli') for name in sys.modules))"
    assert call(asked + shown).stdout.split() == ["False", "False"]
