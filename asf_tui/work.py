"""The work behind the screens: everything that calls the engine, on threads that post messages."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from textual.dom import DOMNode
from textual.message import Message

from asf_core.domain.skill import SkillRow
from asf_core.domain.sync import SyncProgress
from asf_tui import messages
from asf_tui.bridge import Desk, Engine, Opener, Session, ensure_registry
from asf_tui.jobs import LatestOnly, Running, Throttle, WriteQueue
from asf_tui.library import Library
from asf_tui.problems import Problem

if TYPE_CHECKING:
    from asf_tui.app import Workbench

Outcome = TypeVar("Outcome")


class Work:
    """Starts work for the app, which hears of it by messages.

    Args:
        app: Gets the messages.
        opener: Opens the workspace.
    """

    def __init__(self, app: Workbench, opener: Opener) -> None:
        self.session: Session | None = None
        self.running = Running()
        self.writes = WriteQueue()
        self.syncing: threading.Event | None = None
        """Stops the sync that runs; ``None`` when none does."""
        self.reads: LatestOnly[None] = LatestOnly(self._read_library)
        self.pending: list[str] = []
        """Decisions on their way, in words, in their order."""
        self.deaf = False
        """The last look at what others changed failed."""
        self._app = app
        self._opener = opener

    @property
    def engine(self) -> Engine:
        """The engine; only for work that starts once the workspace is open."""
        if self.session is None:
            raise RuntimeError("the workspace is not open")
        return self.session.engine

    @property
    def desk(self) -> Desk:
        """The control plane; only for work that starts once the workspace is open."""
        if self.session is None:
            raise RuntimeError("the workspace is not open")
        return self.session.desk

    def start(
        self, node: DOMNode, work: Callable[[], object], *, group: str, doing: str, serial: int = 0
    ) -> None:
        """Run work on a thread; it posts messages and touches nothing on screen.

        Args:
            node: What it works for, and what hears when it has ended.
            work: What to do.
            group: Kind of work.
            doing: What that is, as ``"Reading the skill"``, for the words of a failure.
            serial: Its number among its kind, where newer work supersedes older.
        """

        def job() -> None:
            with self.running:
                work()

        node.run_worker(job, str(serial), group, doing, exit_on_error=False, thread=True)

    def _start(self, group: str, doing: str, work: Callable[[], Message]) -> None:
        app = self._app
        self.start(app, lambda: app.post_message(work()), group=group, doing=doing)

    def open(self) -> None:
        """Open the workspace."""
        self._start("open", "Opening the workspace", lambda: messages.Opened(self._opener()))

    def prepare(self) -> None:
        """Have the models loaded while the curator still reads; routing tells what is missing."""
        self.start(self._app, self.engine.prepare, group="prepare", doing="Loading the models")

    def read(self) -> None:
        """Read the rows of all skills."""
        self.reads.ask(None)

    def _read_library(self, serial: int, _: None) -> None:
        def work() -> Message:
            return messages.LibraryRead(Library.read(self.engine))

        self._start("library", "Reading the list of skills", work)

    def add(self, path: Path) -> None:
        """Take a registry into the workspace."""

        def work() -> Message:
            return messages.RegistryAdded(ensure_registry(self.engine, path))

        self._start("add", "Adding the registry", work)

    def sync(self, names: tuple[str, ...] | None) -> None:
        """Sync registries; ``None`` for all."""
        cancel = self.syncing = threading.Event()
        throttle = Throttle()

        def tell(progress: SyncProgress) -> None:
            if throttle.lets_progress(progress):
                self._app.post_message(messages.SyncMoved(progress))

        def work() -> Message:
            return messages.SyncEnded(self.engine.sync(names, tell, cancel))

        self._start("sync", "Syncing", work)

    def stop(self) -> None:
        """Stop the sync."""
        if self.syncing is not None:
            self.syncing.set()

    def look(self) -> None:
        """See whether the workspace changed."""
        desk, app = self.desk, self._app

        def work() -> None:
            try:
                app.post_message(messages.Revised(desk.revision()))
            except Exception as error:  # noqa: BLE001 - said once, by whoever hears it
                app.post_message(
                    messages.PulseFailed(self.problem_of(error, "Looking for changes"))
                )

        self.start(app, work, group="pulse", doing="Looking for changes")

    def decide(self, kind: str, row: SkillRow, reason: str) -> None:
        """Queue a decision on a skill."""
        engine = self.engine
        write = {"quarantine": engine.quarantine, "release": engine.release}[kind]
        verb = {"quarantine": "Quarantin", "release": "Releas"}[kind]
        done = f"{verb}ed {row.slug}"
        self.write(f"{verb}ing {row.slug}", partial(write, row.id, reason), lambda _: done)

    def write(
        self, doing: str, write: Callable[[], Outcome], done: Callable[[Outcome], str]
    ) -> asyncio.Future[Outcome | None]:
        """Queue a decision; decisions are written one by one and never cancelled.

        Args:
            doing: What it is, as ``"Approving tidy-notes@1.0.0"``.
            write: Writes it; on a thread.
            done: What to say when it is written.

        Returns:
            What ``write`` gave back, as soon as it did; ``None`` when it failed, which is shown.
            Nobody has to wait: giving up the wait does not give up the decision.
        """
        waiting: asyncio.Future[Outcome | None] = asyncio.get_running_loop().create_future()
        self.pending.append(doing)
        self._app.settle()
        self.writes.put(partial(self._write, doing, write, done, waiting))
        return waiting

    def _write(
        self,
        doing: str,
        write: Callable[[], Outcome],
        done: Callable[[Outcome], str],
        waiting: asyncio.Future[Outcome | None],
    ) -> None:
        try:
            outcome = write()
            message = messages.Written(doing, done(outcome), None, outcome, waiting)
        except Exception as error:  # noqa: BLE001 - whatever it is, the curator must hear of it
            problem = self.problem_of(error, doing)
            message = messages.Written(doing, "", problem, None, waiting)
        self._app.post_message(message)

    def problem_of(self, error: BaseException, doing: str) -> Problem:
        """An error in words; its traceback goes to the workspace's log unless it is one of ours."""
        return Problem.of(error, doing, self.session.log if self.session else None)
