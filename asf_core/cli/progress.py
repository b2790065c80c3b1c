"""Progress of long work, on stderr when it is a terminal, with a Ctrl-C that loses nothing."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from asf_core.cli.printing import error_console
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from asf_core.cli.session import Session
    from asf_core.domain.sync import SyncProgress

Draw = Callable[[str, str, int, int], None]


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
        with bars() as draw:

            def show(now: SyncProgress) -> None:
                draw(now.registry, now.phase.value, now.done, now.total)

            yield show, cancel


@contextmanager
def bars() -> Iterator[Draw]:
    """Draw the progress of a sync, a bar for each registry and phase.

    Yields:
        Takes registry, phase, how much is done and how much there is (0 while that is not known).
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns: tuple[Any, ...] = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        Remaining(),
    )
    with Progress(*columns, console=error_console(), transient=True) as drawn:
        tasks: dict[tuple[str, str], Any] = {}

        def draw(registry: str, phase: str, done: int, total: int) -> None:
            key = (registry, phase)
            if key not in tasks:
                tasks[key] = drawn.add_task(
                    f"{one_line(registry, 24)} {phase}", total=total or None
                )
            drawn.update(tasks[key], completed=done, total=total or None)

        yield draw


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
