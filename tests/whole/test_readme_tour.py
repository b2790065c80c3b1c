"""The tour of the control plane in README.md, run as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^### Let a version in.*?^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def _tour() -> str:
    found = _BLOCK.search((ROOT / "README.md").read_text("utf-8"))
    assert found is not None
    return found[1]


def _run(tmp_path: Path, script: str) -> subprocess.CompletedProcess[str]:
    programs = tmp_path / "bin"
    programs.mkdir()
    asf = programs / "asf"
    asf.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m asf_core.cli.main "$@"\n')
    asf.chmod(0o755)
    env = {
        **{k: v for k, v in os.environ.items() if not k.startswith("ASF_")},
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "ASF_WORKSPACE": str(tmp_path / "workspace"),
        "ASF_USER_DIR": str(tmp_path / "user"),
        "COLUMNS": "100",
    }
    return subprocess.run(
        ["sh", "-eux", "-c", script],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_the_tour_runs_verbatim(tmp_path: Path) -> None:
    done = _run(tmp_path, _tour())
    assert done.returncode == 0, done.stdout + done.stderr
    for said in (
        "Active: my-skills/tidy-notes@1.0.0",
        "List decisions first, then open points.",
        "Plan: 1 of 1 skills, active pins only",
        "Retired and kept: my-skills/tidy-notes@1.0.0",
        "+List decisions first, then open points with owners.",
        "Active again: my-skills/tidy-notes@1.0.0",
        "Quarantined for good: my-skills/tidy-notes@1.1.0.",
        "Verified: ",
        "Written: ledger.jsonl",
    ):
        assert said in done.stdout, said
    assert "\x1b" not in done.stdout


def test_without_its_review_the_tour_ends_where_it_should(tmp_path: Path) -> None:
    """The tour proves something: with one step left out it is refused at the next."""
    script = _tour().replace('asf review approve tidy-notes --reason "read line by line"\n', "", 1)
    done = _run(tmp_path, script)
    assert done.returncode == 3
    assert "governance_receipt" in done.stderr
    assert "asf review approve my-skills/tidy-notes@1.0.0" in done.stderr
