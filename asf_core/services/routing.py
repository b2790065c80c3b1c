"""The warm router: models and index, loaded side by side and renewed when the index is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asf_core.domain.routing import RouteRequest, RouteResult, StageTrace
    from asf_core.retrieval.models.loading import Encoders
    from asf_core.retrieval.pipeline import Router
    from asf_core.retrieval.tokens import TokenCounter
    from asf_core.store.records import Records
    from asf_core.store.snapshot import Snapshot
    from asf_core.store.workspace import Workspace


class RouterHolder:
    """Keeps the encoders of the process, and one router for the index in use.

    Safe to use from several threads.
    """

    def __init__(self, workspace: Workspace, model_dir: Path | None) -> None:
        self._workspace = workspace
        self._model_dir = model_dir
        self._lock = threading.Lock()
        self._router: Router | None = None
        self._snapshot: Snapshot | None = None

    @cached_property
    def encoders(self) -> Encoders:
        """The models; each is opened when it is first used."""
        from asf_core.retrieval.models.loading import Encoders

        return Encoders(self._model_dir)

    @cached_property
    def counter(self) -> TokenCounter:
        """Counts tokens for budgets and savings."""
        from asf_core.retrieval.tokens import TokenCounter

        return TokenCounter(self._model_dir)

    def prepare(self) -> None:
        """Begin to open the models a route needs; a failure is raised where they are used.

        Opening them takes most of a cold start and lets go of the interpreter's lock, so it runs
        beside everything else.
        """
        self.encoders.start()

    def route(
        self,
        query: str,
        request: RouteRequest,
        on_stage: Callable[[StageTrace], None] | None,
        records: Records,
        only: Collection[str] | None = None,
    ) -> RouteResult:
        """Route a task over the index in use. See :meth:`Engine.route`.

        Args:
            query: The task.
            request: How.
            on_stage: Told after each stage.
            records: Know what is in quarantine.
            only: Ids that may appear at all; ``None`` for all.
        """
        router, snapshot = self._current()
        excluded = set(records.quarantined())
        if only is not None:
            excluded.update(frozenset(snapshot.ids).difference(only))
        return router.route(query, request, on_stage, excluded=excluded)

    def close(self) -> None:
        """Let go of the index."""
        with self._lock:
            self._router = None
            if self._snapshot is not None:
                self._snapshot.close()
                self._snapshot = None

    def _current(self) -> tuple[Router, Snapshot]:
        from asf_core.store.snapshot import current_generation

        with self._lock:
            generation = current_generation(self._workspace.snapshots)
            if self._router is None or self._snapshot is None:
                return self._open()
            if self._snapshot.generation != generation:
                self._snapshot.close()
                return self._open()
            return self._router, self._snapshot

    def _open(self) -> tuple[Router, Snapshot]:
        from asf_core.retrieval.lexical import LexicalIndex
        from asf_core.retrieval.pipeline import Router
        from asf_core.services.planning import GraphPlanning
        from asf_core.store.snapshot import Snapshot

        snapshot = Snapshot.open(self._workspace.snapshots)
        lexical = LexicalIndex.load(snapshot.lexical_dir)
        self._router = Router(snapshot, lexical, self.encoders, GraphPlanning(snapshot))
        self._snapshot = snapshot
        return self._router, snapshot
