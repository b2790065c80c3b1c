"""Looking at everything that the program needs: itself, encoders, workspace, git, terminal.

Nothing is written or repaired. Each part is looked at even where another is missing, since a person
who mends one thing at a time would have to ask once for each.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from asf_core.domain.doctor import HealthCheck, HealthReport
from asf_core.domain.errors import AsfError, MissingError

DISTRIBUTION = "asf-workbench"
LEAST_COLUMNS, LEAST_LINES = 80, 24
"""Of a terminal in which the workbench shows everything."""
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")
_NOT_FOR_USERS = {"dev"}


@dataclass(frozen=True, slots=True)
class TerminalFacts:
    """Where output goes."""

    tty: bool
    columns: int
    lines: int
    encoding: str


def examine(
    workspace: Path | None, model_dir: Path | None, terminal: TerminalFacts
) -> HealthReport:
    """Look at everything.

    Args:
        workspace: As named by the user; ``None`` to look for it.
        model_dir: Models to use instead of the bundled ones.
        terminal: Where output goes.
    """
    from asf_core.services.doctor_store import store_checks, user_checks
    from asf_core.services.engine import Engine

    checks = [_program(), *_models(model_dir)]
    place = ""
    try:
        with Engine.open(workspace, model_dir=model_dir) as engine:
            place = str(engine.workspace.root)
            checks += store_checks(engine)
    except AsfError as error:
        checks.append(HealthCheck.missing("store", "workspace", error))
    checks += [*user_checks(), _git(), *_terminal(terminal), *_extras()]
    return HealthReport(workspace=place, checks=tuple(checks))


# The program


def _program() -> HealthCheck:
    python = f"Python {platform.python_version()}"
    if not installed(DISTRIBUTION):
        hint = "Install it in an environment of its own: pip install ."
        return HealthCheck.note("program", "packages", f"run from its source on {python}", hint)
    needed = list(required(metadata.requires(DISTRIBUTION) or ()))
    absent = [name for name in needed if not installed(name)]
    found = f"{metadata.version(DISTRIBUTION)} on {python}"
    if not absent:
        return HealthCheck.ok(
            "program", "packages", f"{found}, with the {len(needed)} packages it needs"
        )
    error = MissingError(
        f"{found}, without {', '.join(absent)}",
        hint=f"Install it anew: pip install --force-reinstall {DISTRIBUTION}",
    )
    return HealthCheck.missing("program", "packages", error)


def required(requirements: Iterable[str], extra: str | None = None) -> Iterator[str]:
    """Names of the distributions that are needed always, or for one extra."""
    for line in requirements:
        name, (_, _, marker) = _NAME.match(line), line.partition(";")
        of_extra = _EXTRA.search(marker)
        # One for certain systems only is not asked for: whether it applies is pip's to tell.
        wanted = of_extra[1] == extra if of_extra else extra is None and not marker
        if name and wanted:
            yield name[0]


def installed(name: str) -> bool:
    """Whether a distribution is there."""
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _extras() -> Iterator[HealthCheck]:
    if not installed(DISTRIBUTION):
        return
    package = metadata.metadata(DISTRIBUTION)
    for extra in sorted(set(package.get_all("Provides-Extra") or ()) - _NOT_FOR_USERS):
        absent = [
            name
            for name in required(metadata.requires(DISTRIBUTION) or (), extra)
            if not installed(name)
        ]
        if absent:
            hint = f"Should you want it: pip install '{DISTRIBUTION}[{extra}]'"
            yield HealthCheck.optional(
                "extras", extra, f"not installed ({', '.join(absent)})", hint
            )
        else:
            yield HealthCheck.ok("extras", extra, "installed")


# Encoders


def _models(model_dir: Path | None) -> Iterator[HealthCheck]:
    from asf_core.retrieval.models.files import model_status

    where = f"in {model_dir}" if model_dir else "bundled"
    for row in model_status(model_dir):
        name = row.role.value
        if row.problem is None:
            yield HealthCheck.ok("models", name, f"{row.name}, {where}, checksums hold")
        elif name == "dense":
            yield HealthCheck.missing("models", name, row.problem)
        else:
            found = (
                f"{row.problem.what}: {row.problem.why}" if row.problem.why else row.problem.what
            )
            settings = {"late": "best", "cross": "cross"}[name]
            hint = f"Only --setting {settings} needs it. {row.problem.hint or ''}".rstrip()
            yield HealthCheck.note("models", name, found, hint)


# Other programs


def _git() -> HealthCheck:
    from asf_core.registry.git import git_program

    without = "histories and revisions of registries are unknown without it"
    program = git_program()
    if program is None:
        return HealthCheck.note(
            "git", "git", f"not found: {without}", "Install git, version 2.38 or later"
        )
    try:
        said = subprocess.run(  # noqa: S603 - an absolute path, found on PATH
            [program, "--version"], capture_output=True, text=True, timeout=10, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        return HealthCheck.note(
            "git", "git", f"{program} does not run ({error}): {without}", "Install it anew"
        )
    return HealthCheck.ok("git", "git", f"{said.strip()}, {program}")


def _terminal(facts: TerminalFacts) -> Iterator[HealthCheck]:
    if not facts.tty:
        found = "output is no terminal: commands print plain rows"
        yield HealthCheck.optional(
            "terminal", "terminal", found, "The workbench (asf-tui) needs a terminal"
        )
    elif facts.columns < LEAST_COLUMNS or facts.lines < LEAST_LINES:
        found = f"{facts.columns}x{facts.lines}"
        hint = (
            f"The workbench is made for {LEAST_COLUMNS}x{LEAST_LINES} and more: enlarge the window"
        )
        yield HealthCheck.note("terminal", "size", found, hint)
    else:
        yield HealthCheck.ok("terminal", "size", f"{facts.columns}x{facts.lines}")
    if "utf" not in facts.encoding.lower():
        hint = "Set a UTF-8 locale, as LC_ALL=C.UTF-8; or go on with asf-tui --ascii"
        yield HealthCheck.note(
            "terminal", "encoding", f"{facts.encoding}: signs are drawn in ASCII", hint
        )
    if facts.tty and os.environ.get("TERM", "dumb") == "dumb":
        hint = "Set TERM to what the terminal is, as TERM=xterm-256color"
        yield HealthCheck.note("terminal", "kind", "TERM says that it can do nothing", hint)
