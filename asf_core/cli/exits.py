"""Exit codes, and how an error is said on stderr (DESIGN 10)."""

from __future__ import annotations

import io
import os
import sys
import traceback
from enum import IntEnum
from typing import IO, Protocol, runtime_checkable

from asf_core.domain.errors import (
    AsfError,
    BusyError,
    InputError,
    MissingError,
    RefusedError,
    of_system,
)
from asf_core.domain.text import one_line, visible


class Exit(IntEnum):
    """What the exit code says to a script."""

    DONE = 0
    FINDINGS = 1
    """Findings at or over the threshold."""
    USAGE = 2
    """Wrong usage or input."""
    REFUSED = 3
    """Refused by policy."""
    MISSING = 4
    """A model, the store or a dependency is absent, or the store is held by another process."""
    INTERNAL = 70
    """A defect of this program (EX_SOFTWARE of sysexits.h)."""
    INTERRUPTED = 130


_CODES: tuple[tuple[type[AsfError], Exit], ...] = (
    (InputError, Exit.USAGE),
    (RefusedError, Exit.REFUSED),
    (BusyError, Exit.MISSING),
    (MissingError, Exit.MISSING),
)


def exit_code(error: BaseException) -> Exit:
    """The exit code that an exception stands for."""
    error = _said(error)
    if isinstance(error, KeyboardInterrupt):
        return Exit.INTERRUPTED
    for family, code in _CODES:
        if isinstance(error, family):
            return code
    return Exit.INTERNAL


def lines_for(error: BaseException, program: str = "asf") -> list[str]:
    """What to say of an exception: one line what, one line why, one line what to do."""
    error = _said(error)
    if isinstance(error, KeyboardInterrupt):
        return [f"{program}: interrupted; what was finished is kept"]
    if isinstance(error, AsfError):
        lines = [f"{program}: {one_line(error.what)}"]
        lines += [f"  why:  {one_line(error.why)}"] if error.why else []
        lines += [f"  do:   {one_line(error.hint)}"] if error.hint else []
        return lines
    return [
        f"{program}: unexpected {type(error).__name__}: {one_line(str(error), 300)}",
        "  why:  a defect of this program, not of your input",
        "  do:   run it again with --debug and report what it prints",
    ]


def _said(error: BaseException) -> BaseException:
    """What the system refused is no defect, wherever it was asked."""
    return (of_system(error) if isinstance(error, OSError) else None) or error


def report(error: BaseException, *, debug: bool, program: str = "asf") -> int:
    """Say an exception on stderr, as the program that the person called.

    Returns:
        The code to leave with.
    """
    if isinstance(error, _UsageProblem):
        return _report_usage(error)
    if debug:
        traceback.print_exception(error, file=sys.stderr)
    for line in lines_for(error, program):
        print(line, file=sys.stderr)
    return exit_code(error)


@runtime_checkable
class _UsageProblem(Protocol):
    """What the parser of the command line raises; its classes have no public name."""

    exit_code: int

    def show(self, file: IO[str] | None = None) -> None: ...


def _report_usage(problem: _UsageProblem) -> int:
    """Say what was wrong with the command line; its words may come from a hostile file name."""
    said = io.StringIO()
    problem.show(said)
    sys.stderr.write(visible(said.getvalue(), keep="\n"))
    return problem.exit_code


def debug_asked(argv: list[str]) -> bool:
    """Whether a traceback was asked for, by ``--debug`` or ``ASF_DEBUG``."""
    return "--debug" in argv or bool(os.environ.get("ASF_DEBUG"))
