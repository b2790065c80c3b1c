"""Syncing before each route in a process that stays: only when something may have changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from asf_core.services.unchanged import Unchanged

if TYPE_CHECKING:
    from asf_core.domain.sync import RegistryRow, SyncProgress
    from asf_core.services.engine import Engine


class KeepingUp:
    """Keeps an engine's index up to date. Safe to use from several threads: one syncs at a time.

    Args:
        engine: Stays open as long as this is used.
        wait: Seconds to wait for another process that syncs.
    """

    def __init__(self, engine: Engine, wait: float) -> None:
        self._engine = engine
        self._wait = wait
        self._lock = threading.Lock()
        self._trees = Unchanged(engine.workspace.root)
        self._clean: set[tuple[str, str, str]] = set()

    def sync(
        self,
        names: Sequence[str],
        degraded: bool,
        progress: Callable[[SyncProgress], None],
        cancel: threading.Event,
    ) -> bool:
        """Bring the index up to date with registries.

        Args:
            names: Of the registries; empty for all.
            degraded: Do without a missing model.
            progress: Told after every batch.
            cancel: When set, the sync stops at the next safe point.

        Returns:
            Whether it looked; nothing has changed since it last did otherwise.

        Raises:
            BusyError: Another process syncs.
            KeyboardInterrupt: It was stopped.
        """
        with self._lock:
            rows = self._engine.registries()
            wanted = {_key(row) for row in rows if not names or row.name in names}
            self._trees.watch([row.path for row in rows])
            if wanted and wanted <= self._clean and not self._trees.changed():
                return False
            self._look(names, degraded, progress, cancel, wanted)
            return True

    def close(self) -> None:
        """Watch no longer."""
        with self._lock:
            self._trees.close()

    def _look(
        self,
        names: Sequence[str],
        degraded: bool,
        progress: Callable[[SyncProgress], None],
        cancel: threading.Event,
        wanted: set[tuple[str, str, str]],
    ) -> None:
        if self._trees.changed():
            self._clean.clear()
        # What changes while it looks counts as changed afterwards.
        self._trees.remember()
        report = self._engine.sync(
            list(names) or None, progress, cancel, degraded=degraded, wait=self._wait
        )
        if report.cancelled:
            raise KeyboardInterrupt
        self._clean |= wanted


def _key(row: RegistryRow) -> tuple[str, str, str]:
    """What is another one after a registry was removed and added again."""
    return row.name, row.path, row.added_at
