"""Running the sample registry's scripts, for the tests of each group."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "sample_registry"
# Without site-packages (-S): the scripts promise to need the standard library only.
INTERPRETERS = {".py": ["python3", "-S"], ".js": ["node"], ".sh": ["sh"]}
LIBRARIES = {
    "engineering/dependency-upgrade-triage/scripts/semver.js",
    "engineering/shell-script-hardening/scripts/report.sh",
}
SPECIMENS = {
    "engineering/env-doctor/scripts/collect.py",
    "engineering/env-doctor/scripts/setup.sh",
    "security/token-health-check/scripts/check.py",
    "web/font-subsetter/scripts/setup.js",
}
PROGRAMS = sorted(
    {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("scripts/*")
        if path.suffix in INTERPRETERS
    }
    - LIBRARIES
    - SPECIMENS
)


@dataclass(frozen=True)
class Run:
    """What a script answered."""

    code: int
    out: str
    err: str


@pytest.fixture
def answer(tmp_path: Path) -> Callable[..., Run]:
    """Run one script in a bare environment, in a directory that holds the given files."""

    def run(
        script: str, args: Sequence[str], files: dict[str, str] | None = None, stdin: str = ""
    ) -> Run:
        assert script not in SPECIMENS
        for name, text in (files or {}).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        program = INTERPRETERS[Path(script).suffix]
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "LC_ALL": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        }
        try:
            done = subprocess.run(
                [*program, str(ROOT / script), *args],
                cwd=tmp_path,
                env=environment,
                input=stdin,
                capture_output=True,
                encoding="utf-8",
                timeout=60,
            )
        except FileNotFoundError:
            pytest.fail(
                f"{program[0]} is needed to test {script}: install it and run the tests again"
            )
        return Run(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def programs() -> list[str]:
    """Paths of all scripts that people run, relative to the registry."""
    return PROGRAMS


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test a program, for tests that ask for `program`."""
    if "program" in metafunc.fixturenames:
        metafunc.parametrize("program", PROGRAMS)
