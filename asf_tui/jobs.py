"""Rules of work in the background, apart from any screen."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from time import monotonic
from typing import Generic, TypeVar

from asf_core.domain.sync import SyncPhase, SyncProgress

Item = TypeVar("Item")


class LatestOnly(Generic[Item]):
    """At most one request runs and one waits; a newer one takes the waiting place.

    A running thread cannot be stopped, but its answer can be ignored: an answer counts only while
    its serial is the newest.

    Args:
        start: Starts the work of a request, given its serial; it ends with :meth:`done`.
    """

    def __init__(self, start: Callable[[int, Item], object]) -> None:
        self._start = start
        self._serial = 0
        self._running = False
        self._waiting: Item | None = None

    @property
    def busy(self) -> bool:
        """Whether something runs."""
        return self._running

    def ask(self, item: Item) -> int:
        """Request work; what was asked before no longer counts.

        Returns:
            The serial of this request.
        """
        self._serial += 1
        if self._running:
            self._waiting = item
        else:
            self._run(item)
        return self._serial

    def drop(self) -> None:
        """Make every answer that is still to come stale."""
        self._serial += 1
        self._waiting = None

    def is_current(self, serial: int) -> bool:
        """Whether an answer of this serial is the one that is waited for."""
        return serial == self._serial

    def done(self) -> None:
        """The running work ended, well or not."""
        self._running = False
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._run(waiting)

    def _run(self, item: Item) -> None:
        self._running = True
        self._start(self._serial, item)


class Running:
    """Counts the work that runs on threads, so that leaving can wait for it a moment."""

    def __init__(self) -> None:
        self._count = 0
        self._idle = threading.Condition()

    def __enter__(self) -> None:
        with self._idle:
            self._count += 1

    def __exit__(self, *_: object) -> None:
        with self._idle:
            self._count -= 1
            self._idle.notify_all()

    def wait(self, seconds: float) -> bool:
        """Wait until nothing runs; false when something still does after so many seconds."""
        with self._idle:
            return self._idle.wait_for(lambda: self._count == 0, seconds)


class WriteQueue:
    """Decisions, written one by one in the order they were made, none ever cancelled."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def put(self, write: Callable[[], None]) -> None:
        """Queue a write; it must not raise."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="asf-decisions", daemon=True)
            self._thread.start()
        self._queue.put(write)

    def finish(self) -> None:
        """Wait until everything that was queued is written."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while (write := self._queue.get()) is not None:
            write()


class Rereads:
    """When the list is worth reading again during a sync: soon at first, then now and then."""

    FIRST, MOST = 0.25, 3.0
    """Seconds between two readings: each wait is twice the one before."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._phase: SyncPhase | None = None
        self._last = clock()
        self._wait = self.FIRST

    def due(self, progress: SyncProgress) -> bool:
        """Whether to read now."""
        if progress.phase is not self._phase:
            self._wait = self.FIRST
        elif self._clock() - self._last < self._wait:
            return False
        else:
            self._wait = min(self.MOST, 2 * self._wait)
        self._phase, self._last = progress.phase, self._clock()
        return progress.phase is not SyncPhase.DISCOVER


class Pace:
    """Lets through as much progress as an eye can follow: the ends of phases, and 20 a second."""

    INTERVAL = 0.05
    """Seconds."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._phase: object = None
        self._last = 0.0

    def lets(self, phase: object, last: bool) -> bool:
        """Whether this one is to be shown.

        Args:
            phase: What is being done.
            last: Whether it is the end of that.
        """
        now = self._clock()
        if phase == self._phase and not last and now - self._last < self.INTERVAL:
            return False
        self._phase, self._last = phase, now
        return True


class Throttle(Pace):
    """The same for the progress of a sync."""

    def lets_progress(self, progress: SyncProgress) -> bool:
        """Whether this one is to be shown."""
        last = progress.total > 0 and progress.done == progress.total
        return self.lets((progress.registry, progress.phase), last)
