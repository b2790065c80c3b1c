"""One writer a workspace, across processes and threads."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from asf_core.domain.errors import BusyError, StoreError
from asf_core.store.files import replace_file
from asf_core.store.group import stamp

_LONGEST_NOTE = 4096


@contextmanager
def hold(path: Path, *, wait: float, purpose: str, what: str = "The workspace") -> Iterator[None]:
    """Hold a lock file until the block ends; the system frees it should the process die.

    Not reentrant: a thread that holds it and asks again waits for itself.

    Args:
        path: Lock file; a note beside it says who holds it.
        wait: Seconds to wait for another holder.
        purpose: What it is held for, in a word or two, for those who wait.
        what: What is locked, for the errors.

    Raises:
        BusyError: Another process or thread held it for the whole wait.
        StoreError: The lock file cannot be written.
    """
    import filelock  # 50 ms that a command which only reads does not pay

    note = path.with_name(f"{path.name}.holder")
    lock = filelock.FileLock(path)
    try:
        lock.acquire(timeout=wait)
    except filelock.Timeout:
        raise _busy(note, wait, what) from None
    except OSError as error:
        raise _unwritable(path, what, error) from error
    try:
        _sign(note, purpose, what)
        yield
    finally:
        note.unlink(missing_ok=True)
        lock.release()


def _sign(note: Path, purpose: str, what: str) -> None:
    try:
        replace_file(note, _describe_self(purpose))
    except OSError as error:
        raise _unwritable(note, what, error) from error


def _unwritable(path: Path, what: str, error: OSError) -> StoreError:
    return StoreError(
        f"{what} cannot be locked for writing",
        why=f"{path}: {error.strerror or error}",
        hint="Check the permissions of its directory and the space on its disk",
    )


def _describe_self(purpose: str) -> bytes:
    program = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"
    facts = {"purpose": purpose, "program": program, "pid": os.getpid(), "since": stamp()}
    return json.dumps(facts).encode()


def _busy(note: Path, wait: float, what: str) -> BusyError:
    return BusyError(
        f"{what} is in use",
        why=f"{_holder(note)}; waited {wait:g} s",
        hint="Wait until it is done, or end it, then try again; nothing was changed",
    )


def _holder(note: Path) -> str:
    # The holder may be between taking the lock and writing its note, or be gone since.
    try:
        facts: Any = json.loads(note.read_bytes()[:_LONGEST_NOTE])
        return (
            f"Process {int(facts['pid'])} ({facts['program']}) holds it for {facts['purpose']} "
            f"since {facts['since']}"
        )
    except (OSError, ValueError, KeyError, TypeError):
        return "Another process holds it"
