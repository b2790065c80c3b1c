"""The warm router: models, index and decisions, loaded side by side and renewed when they change."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from asf_core.domain.errors import InputError
from asf_core.domain.routing import RouteRequest

if TYPE_CHECKING:
    from asf_core.domain.routing import RouteResult, StageTrace
    from asf_core.retrieval.models.encoders import Encoders
    from asf_core.retrieval.pipeline import Router
    from asf_core.store.records import Records
    from asf_core.store.workspace import Workspace


class RouterHolder:
    """Keeps one router a generation of the index.

    Loading the models takes most of a cold start and lets go of the interpreter's lock, so it
    runs beside everything else.
    """

    def __init__(self, workspace: Workspace, model_dir: Path | None) -> None:
        self._workspace = workspace
        self._model_dir = model_dir
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._encoders: Future[Encoders] | None = None
        self._router: Router | None = None

    def prepare(self, *, degraded: bool = False) -> None:
        """Begin to load the models."""
        with self._lock:
            if self._encoders is None:
                self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="asf-models")
                self._encoders = self._pool.submit(self._load, degraded)

    def _load(self, degraded: bool) -> Encoders:
        from asf_core.retrieval.models.encoders import Encoders

        return Encoders.load(self._model_dir, allow_degraded=degraded)

    def encoders(self, *, degraded: bool = False) -> Encoders:
        """The models, loaded.

        Raises:
            ModelMissingError: One is absent or altered, and ``degraded`` is false.
        """
        self.prepare(degraded=degraded)
        assert self._encoders is not None
        encoders = self._encoders.result()
        return encoders

    def close(self) -> None:
        """Let go of everything."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._router = None
