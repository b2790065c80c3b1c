"""Reading for a screen: on a thread, the newest request only, its failure shown in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from asf_core.domain.errors import AsfError
from asf_tui import messages
from asf_tui.jobs import LatestOnly
from asf_tui.problems import Problem

if TYPE_CHECKING:
    from textual.worker import Worker

    from asf_tui.screens.base import AreaScreen

Item = TypeVar("Item")
Value = TypeVar("Value")


class Loader(Generic[Item, Value]):
    """One kind of reading of one screen; it tells the screen by :class:`messages.Loaded`.

    Args:
        screen: Whose it is.
        name: Unique on that screen.
        doing: What it is, as ``"Reading the version"``, for the words of a failure.
        read: Reads; on a thread.
        show: Shows what was read.
        fail: Shows why it was not.
    """

    def __init__(
        self,
        screen: AreaScreen,
        name: str,
        doing: str,
        read: Callable[[Item], Value],
        show: Callable[[Value], None],
        fail: Callable[[Problem], None],
    ) -> None:
        self.name = name
        self._screen, self._doing = screen, doing
        self._read, self._show, self._fail = read, show, fail
        self._loads: LatestOnly[Item] = LatestOnly(self._start)

    def ask(self, item: Item) -> None:
        """Read this; what was asked for before no longer counts."""
        self._loads.ask(item)

    def drop(self) -> None:
        """Show nothing that is still to come."""
        self._loads.drop()

    @property
    def busy(self) -> bool:
        """Whether something is being read."""
        return self._loads.busy

    def _start(self, serial: int, item: Item) -> None:
        screen, work = self._screen, self._screen.workbench.work

        def job() -> None:
            try:
                value = self._read(item)
            except AsfError as error:
                problem = work.problem_of(error, self._doing)
                screen.post_message(messages.Loaded(self.name, serial, None, problem))
            else:
                screen.post_message(messages.Loaded(self.name, serial, value, None))

        work.start(screen, job, group=self.name, doing=self._doing, serial=serial)

    def loaded(self, message: messages.Loaded) -> None:
        """Show what came, if it is still wanted."""
        if not self._loads.is_current(message.serial):
            return
        if message.problem is not None:
            self._fail(message.problem)
        else:
            self._show(cast("Value", message.value))

    def ended(self, worker: Worker[object]) -> None:
        """A thread of this reading ended; what it failed of is shown as any failure."""
        if worker.error is not None and self._loads.is_current(int(worker.name)):
            self._fail(self._screen.workbench.work.problem_of(worker.error, self._doing))
        self._loads.done()
