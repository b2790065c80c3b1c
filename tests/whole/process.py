"""Runs the command line as a user would."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).parents[2] / "sample_registry"
_README = (SAMPLE / "README.md").read_text("utf-8")
VERDICTS: dict[str, str] = dict(
    re.findall(r"^\| `([^`]+/[^`]+)` \| (\w+) \| .* \| (?:yes|no) \|$", _README, re.MULTILINE)
)
"""What the sample's README expects of each of its skills, by path."""
COPIES: dict[str, str] = dict(
    re.findall(r"^\| `([^`]+/[^`]+)` \|.*\| [a-z, ]+, of `([^`]+)` \|", _README, re.MULTILINE)
)
"""Of each skill that the README calls a copy, the skill that stands for it."""
POISONED = sorted(path for path, verdict in VERDICTS.items() if verdict == "poisoned")
READABLE = sum(verdict != "broken" for verdict in VERDICTS.values())
PDL1 = (
    "Find papers on PD-L1 expression in lung cancer, classify their TPS scores, "
    "draw a publication figure and check the citations"
)


@dataclass(frozen=True)
class Asf:
    """Runs ``asf`` as a user would, in its own process and workspace."""

    workspace: Path
    cwd: Path
    before: Callable[[], None] | None = None
    """Called in the child before the program starts."""

    def run(self, *args: str, code: int | None = 0) -> subprocess.CompletedProcess[str]:
        env = {
            **{k: v for k, v in os.environ.items() if not k.startswith("ASF_")},
            "ASF_WORKSPACE": str(self.workspace),
            "ASF_USER_DIR": str(self.workspace.parent / "user"),
            "COLUMNS": "120",
            "PYTHONPATH": str(SAMPLE.parent),
        }
        done = subprocess.run(
            [sys.executable, "-m", "asf_core.cli.main", *args],
            capture_output=True,
            text=True,
            env=env,
            cwd=self.cwd,
            timeout=300,
            preexec_fn=self.before,
        )
        if code is not None:
            assert done.returncode == code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def json(self, *args: str, code: int | None = 0) -> Any:
        return json.loads(self.run(*args, "--json", code=code).stdout)
