"""A short coverage-guided run of each target; longer ones by ``python -m tests.fuzz.run``."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.targets import SEEDS, TARGETS

ROOT = Path(__file__).parents[2]
SECONDS = 8


@pytest.mark.parametrize(
    ("target", "seed"),
    [
        pytest.param(name, seed, id=f"{name}-{number}")
        for name, seeds in SEEDS.items()
        for number, seed in enumerate(seeds)
    ],
)
def test_the_seeds_themselves_pass(target, seed):
    TARGETS[target](seed)


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_raised_and_nothing_hangs(target, tmp_path):
    if importlib.util.find_spec("atheris") is None:
        # Only Linux has wheels of it; the property tests beside run everywhere.
        assert sys.platform != "linux", "install the dev extra: it has atheris"
        return
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.run", target, "--seconds", str(SECONDS)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=SECONDS + 120,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert list(tmp_path.glob("*-*")) == []
    runs = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    assert runs is not None
    assert int(runs.group(1)) > 50, done.stderr[-2000:]
