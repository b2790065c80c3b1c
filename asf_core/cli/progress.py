"""Progress of long work, on stderr when it is a terminal, with a Ctrl-C that loses nothing."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from asf_core.cli.session import Session
    from asf_core.domain.sync import SyncProgress


@contextmanager
def sync_progress(
    session: Session,
) -> Iterator[tuple[Callable[[SyncProgress], None], threading.Event]]:
    """Draw a sync's progress and turn the first Ctrl-C into a request to stop.

    Yields:
        A sink for progress, and the event that asks the sync to stop at the next safe point.
        A second Ctrl-C interrupts at once; what was committed by then is kept all the same.
    """
    cancel = threading.Event()
    with _stop_on_interrupt(cancel):
        if not session.interactive:
            yield (lambda _: None), cancel
            return
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeRemainingColumn as Remaining

        columns: tuple[Any, ...] = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            Remaining(),
        )
        with Progress(*columns, console=session.err, transient=True) as bars:
            tasks: dict[tuple[str, str], Any] = {}

            def show(now: SyncProgress) -> None:
                key = (now.registry, now.phase.value)
                if key not in tasks:
                    label = f"{one_line(now.registry, 24)} {now.phase.value}"
                    tasks[key] = bars.add_task(label, total=now.total or None)
                bars.update(tasks[key], completed=now.done, total=now.total or None)

            yield show, cancel


@contextmanager
def _stop_on_interrupt(cancel: threading.Event) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handler(signum: int, frame: object) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()

    previous = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
