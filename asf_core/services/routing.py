"""The warm router: models and index, loaded side by side and renewed when the index is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from asf_core.domain.errors import AsfError
from asf_core.store.database_mark import check_identity

if TYPE_CHECKING:
    from asf_core.domain.routing import RouteRequest, RouteResult, StageTrace
    from asf_core.retrieval.evidence import PoolEvidence
    from asf_core.retrieval.models.loading import Encoders
    from asf_core.retrieval.pipeline import Router
    from asf_core.retrieval.tokens import TokenCounter
    from asf_core.services.planning import GraphPlanning
    from asf_core.store.records import Records
    from asf_core.store.snapshot import Snapshot
    from asf_core.store.workspace import Workspace

DEFAULT_SETTING = "balanced"
"""Of a workspace that was not calibrated."""


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
        self._planning: GraphPlanning | None = None

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
    ) -> RouteResult:
        """Route a task over the index in use. See :meth:`Engine.route`."""
        from asf_core.services.offering import copies, left_out

        began = perf_counter()
        router, snapshot = self._current()
        opened = round(1e3 * (perf_counter() - began), 3)
        if snapshot.meta.database != (identity := records.identity()):
            check_identity(self._workspace, identity)
        excluded = left_out(records)

        def can_offer(skill_id: str) -> bool:
            row = snapshot.row_of.get(skill_id)
            return (
                row is not None and skill_id not in excluded and bool(snapshot.model_invocable[row])
            )

        with _damage_first(snapshot):
            same = copies(records.aliases(), request.registries, can_offer)
            result = router.route(
                query, self._settled(request), on_stage, excluded=excluded, copies=same
            )
        return result.model_copy(
            update={
                "opening_ms": round(result.opening_ms + opened, 3),
                "milliseconds": round(result.milliseconds + opened, 3),
            }
        )

    def evidence(self, query: str, request: RouteRequest) -> PoolEvidence:
        """Evidence on a task's pool. See :meth:`Engine.evidence`."""
        return self._current()[0].evidence(query, self._settled(request))

    def lacking(self, ids: Sequence[str]) -> tuple[str, ...]:
        """What some skills require and do not hold. See :meth:`Engine.lacking`."""
        self._current()
        return () if self._planning is None else self._planning.lacking(ids)

    def close(self) -> None:
        """Let go of the index."""
        with self._lock:
            self._router = None
            if self._snapshot is not None:
                self._snapshot.close()
                self._snapshot = None

    def _settled(self, request: RouteRequest) -> RouteRequest:
        """The request with the workspace's own setting where it names none."""
        if request.setting:
            return request
        from asf_core.services.calibrating import recorded

        found = recorded(self._workspace)
        setting = found.setting if found else DEFAULT_SETTING
        return request.model_copy(update={"setting": setting})

    def _current(self) -> tuple[Router, Snapshot]:
        from asf_core.store.snapshot import current_generation

        with self._lock:
            generation = current_generation(self._workspace.snapshots)
            if self._router is None or self._snapshot is None:
                return self._open()
            # A damaged generation is replaced by a whole one of the same name.
            if self._snapshot.generation != generation or not self._snapshot.stands():
                self._snapshot.close()
                return self._open()
            return self._router, self._snapshot

    def _open(self) -> tuple[Router, Snapshot]:
        from asf_core.retrieval.lexical import LexicalIndex
        from asf_core.retrieval.pipeline import Router
        from asf_core.services.planning import GraphPlanning
        from asf_core.store.snapshot import Snapshot

        snapshot = Snapshot.open(self._workspace.snapshots)
        with _damage_first(snapshot):
            lexical = LexicalIndex.load(snapshot.lexical_dir)
        self._planning = GraphPlanning(snapshot)
        self._router = Router(snapshot, lexical, self.encoders, self._planning)
        self._snapshot = snapshot
        return self._router, snapshot


@contextmanager
def _damage_first(snapshot: Snapshot) -> Iterator[None]:
    """Where something fails that should not, see first whether the snapshot's bytes are to blame.

    Raises:
        StoreError: They are.
    """
    try:
        yield
    except AsfError:
        raise
    except Exception:
        snapshot.check()
        raise
