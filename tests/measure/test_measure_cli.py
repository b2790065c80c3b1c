"""``asf measure`` as a script and as a person meet it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from measure_prose import body, description
from measure_trees import config_tree, loose_tree, write
from rich.console import Console
from typer.testing import CliRunner, Result

from asf_core.cli import measure as command
from asf_core.cli.measure_view import render
from asf_core.domain.errors import InputError
from asf_core.domain.measure import MeasureReport
from asf_core.graph.measure import measure
from asf_core.graph.measure_compare import compare


def skill(name: str, said: str = "") -> str:
    """A skill that the gate lets through; ``said``: whose instructions it has."""
    head = f"name: {name}\ndescription: {description(name, name)}"
    return f"---\n{head}\n---\n{body(said or name, said or name)}"


def asf(*args: str) -> Result:
    """Run the command line inside this process."""
    app = typer.Typer()
    command.register(app)
    app.callback()(lambda: None)
    return CliRunner().invoke(app, ["measure", *args])


@pytest.fixture
def loose(tmp_path: Path) -> Path:
    return loose_tree(tmp_path / "loose", "decorated", 30)


def test_json_is_one_document(loose: Path) -> None:
    done = asf(str(loose), "--json")
    assert done.exit_code == 0
    report = MeasureReport.model_validate_json(done.stdout)
    assert report.counts.tools == 30
    assert done.stderr == ""


def test_the_page_says_figures_modes_and_repairs(loose: Path) -> None:
    done = asf(str(loose))
    for word in ("TLIS", "GNCI", "CFI", "RScore", "Tool Isolation", "Repair:", "act0", "gemini-cli",
                 "51.1", "What the words mean", "registration:", "ROUTING RISK HIGH"):  # fmt: skip
        assert word in done.stdout


@pytest.mark.parametrize(("limit", "code"), [("0", 0), ("0.3", 0), ("0.34", 1), ("1", 1)])
def test_fail_under(loose: Path, limit: str, code: int) -> None:
    done = asf(str(loose), "--json", "--fail-under", limit)
    assert done.exit_code == code
    assert json.loads(done.stdout)["rscore"] == pytest.approx(0.3333)


def test_against_an_earlier_run(loose: Path, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(asf(str(loose), "--json").stdout)
    write(loose, {"more.py": "from t.tool_0 import act0\nfrom t.tool_1 import act1\n"
                             "@tool\ndef flow(): return act0(), act1()\n"})  # fmt: skip
    page = asf(str(loose), "--against", str(tmp_path / "old.json")).stdout
    assert "Against the earlier run" in page
    assert "better" in page
    report = json.loads(asf(str(loose), "--json", "--against", str(tmp_path / "old.json")).stdout)
    assert report["comparison"]["newly_isolated"] == []
    assert {change["key"] for change in report["comparison"]["changes"]} == {
        "tlis", "gnci", "cfi", "rscore",
    }  # fmt: skip


@pytest.mark.parametrize(
    "args",
    [("/nowhere/at/all",), (".", "--as", "zoo"), (".", "--against", "/nowhere.json")],
)
def test_wrong_usage_is_an_input_error(
    args: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert isinstance(asf(*args).exception, InputError)


def test_a_registry_is_told_from_a_codebase(tmp_path: Path) -> None:
    files = {f"skills/s{i}/SKILL.md": skill(f"s{i}") for i in range(4)}
    write(tmp_path, {**files, "skills/s0/scripts/a.py": "x = 1\n", "check.py": "y = 1\n"})
    assert json.loads(asf(str(tmp_path), "--json").stdout)["kind"] == "registry"
    forced = json.loads(asf(str(tmp_path), "--json", "--as", "codebase").stdout)
    assert forced["kind"] == "codebase"
    write(tmp_path, {f"src/m{i}.py": "x = 1\n" for i in range(9)})
    assert json.loads(asf(str(tmp_path), "--json").stdout)["kind"] == "codebase"


def test_a_registry_counts_equal_bodies_once_and_lists_what_is_broken(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a/SKILL.md": skill("a"),
            "b/SKILL.md": skill("b", "a"),
            "c/SKILL.md": "---\nname: c\n",
        },
    )
    report = json.loads(asf(str(tmp_path), "--json").stdout)
    assert report["counts"]["files"] == 2
    assert report["counts"]["tools"] == 1
    assert "c" in {item["path"] for item in report["unread"]}


def drawn(report: MeasureReport, width: int, *, ascii_only: bool = False) -> str:
    """The page on a terminal of some width."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii" if ascii_only else "utf-8",
                              errors="backslashreplace")  # fmt: skip
    console = Console(file=stream, width=width, color_system=None, force_terminal=False)
    console.print(render(report))
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [24, 40, 60, 80, 120, 300])
def test_no_line_is_wider_than_the_terminal(loose: Path, tmp_path: Path, width: int) -> None:
    report = measure(loose)
    coupled = measure(config_tree(tmp_path / "c", 3, 12))
    for shown in (compare(report, coupled), coupled):
        lines = drawn(shown, width).splitlines()
        assert max(len(line) for line in lines) <= width
        assert any("TLIS" in line for line in lines)


def test_bars_mark_the_threshold_and_follow_the_value(tmp_path: Path) -> None:
    page = drawn(measure(config_tree(tmp_path, 3, 12)), 80).splitlines()
    tlis = next(line for line in page if line.startswith("TLIS"))
    gnci = next(line for line in page if line.startswith("GNCI"))
    assert "┃" in tlis
    assert "█" not in tlis
    assert "█" in gnci.split("┃")[0]


def test_terminals_without_unicode_get_bars_all_the_same(loose: Path) -> None:
    page = drawn(measure(loose), 80, ascii_only=True)
    assert "TLIS    ####" in page


def test_nothing_hostile_reaches_the_terminal(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\u202e[red]x[/red]"
    write(tmp_path, {"a.ts": f"server.tool('{evil}', {{}}, f); server.tool('b', {{}}, g);\n"})
    (tmp_path / "e\x1b[2Jvil.py").write_text("def f(): pass\n")
    (tmp_path / "e\x1b[2Jvil2.py").write_text("\0")
    report = measure(tmp_path)
    page = drawn(report, 100)
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "␛" in page
    assert "[red]" in page
    assert "\x1b" not in asf(str(tmp_path), "--json").stdout


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_json_is_the_same_in_every_process(loose: Path, seed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "asf_core.cli.main", "measure", str(loose), "--json"],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == asf(str(loose), "--json").stdout


def test_the_command_line_starts_without_the_parser() -> None:
    code = "import sys, asf_core.cli.measure; print(any('tree_sitter' in m for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "False"
