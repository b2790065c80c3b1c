"""What went wrong, in the words that a dialog shows, and the traceback in the log."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from asf_core.domain.errors import (
    AsfError,
    BusyError,
    ConditionsError,
    InputError,
    MissingError,
    RefusedError,
)
from asf_core.domain.text import one_line, visible

LOG_LIMIT = 1_000_000
"""Bytes after which the log starts again, the old one kept beside it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What happened, why, and what to do; safe to show."""

    what: str
    why: str = ""
    hint: str = ""
    conditions: tuple[tuple[str, str, str], ...] = ()
    """Each condition that does not hold: its name, why, and what would satisfy it."""

    @classmethod
    def of(cls, error: BaseException, doing: str, log: Path | None) -> Problem:
        """Describe an error; write its traceback to the log when it is not one of ours.

        Args:
            error: What was raised.
            doing: What was being done, as ``"Reading the skill"``.
            log: The workspace's log; ``None`` when there is no workspace yet.
        """
        if isinstance(error, ConditionsError):
            refusals = tuple(
                (one.condition.value.replace("_", " "), one_line(one.why), one_line(one.satisfy))
                for one in error.refusals
            )
            return cls(one_line(error.what), conditions=refusals)
        if isinstance(error, AsfError):
            return cls(one_line(error.what), one_line(error.why), one_line(error.hint))
        why = f"{type(error).__name__}: {one_line(str(error), 300)}"
        return cls(f"{doing} failed unexpectedly", why, _hint(log, write_log(error, doing, log)))

    @property
    def lines(self) -> tuple[str, ...]:
        """What, why, hint; without those that are empty."""
        said = [self.what, self.why, self.hint]
        for name, why, satisfy in self.conditions:
            said += [f"{name}: {why}", satisfy]
        return tuple(part for part in said if part)

    def while_syncing(self) -> Problem:
        """The same, for a failure that the sync that runs may explain."""
        return replace(self, hint="A sync is running: try again when it has ended")


def exit_code(error: BaseException) -> int:
    """The exit code of an error (DESIGN 10); 70 for what nobody foresaw."""
    match error:
        case InputError():
            return 2
        case RefusedError():
            return 3
        case MissingError() | BusyError():
            return 4
        case _:
            return 70


def _hint(log: Path | None, trouble: str) -> str:
    if log is None:
        return "Start again with --debug to see the traceback"
    if trouble:
        return f"The traceback could not be written to {one_line(str(log))}: {trouble}"
    return f"The traceback is in {one_line(str(log))}"


def write_log(error: BaseException, doing: str, log: Path | None) -> str:
    """Append a traceback to the log, control characters made visible.

    Returns:
        Why it could not be written; empty when it was, or when there is no log.
    """
    if log is None:
        return ""
    text = "".join(traceback.format_exception(error))
    stamp = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        if log.exists() and log.stat().st_size > LOG_LIMIT:
            log.replace(log.with_suffix(".old.log"))
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{stamp} {doing}\n{visible(text, keep=chr(10))}\n")
    except OSError as failure:
        return one_line(str(failure))
    return ""
