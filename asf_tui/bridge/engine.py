"""The shape of the Engine that the workbench needs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from asf_core.domain.graph import Edge
from asf_core.domain.routing import RouteRequest, RouteResult, StageTrace
from asf_core.domain.skill import Skill, SkillRow
from asf_core.domain.sync import RegistryRow, SyncProgress, SyncReport
from asf_tui.bridge.skillbook import Skillbook


class Engine(Protocol):
    """What the workbench asks of :class:`asf_core.services.engine.Engine`.

    Called from several threads at once; ``sync`` and the decisions never run twice at a time. Each
    method may raise :class:`~asf_core.domain.errors.AsfError`.
    """

    def registries(self) -> tuple[RegistryRow, ...]:
        """The registries of the workspace, by name."""
        ...

    def add_registry(self, path: Path, name: str | None = None) -> RegistryRow:
        """Take a directory tree of skills into the workspace."""
        ...

    def sync(
        self,
        names: Sequence[str] | None = None,
        progress: Callable[[SyncProgress], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> SyncReport:
        """Read what changed; ``cancel`` stops it at the next skill."""
        ...

    def skills(self) -> tuple[SkillRow, ...]:
        """One light row for each skill."""
        ...

    def skill(self, ref: str, /) -> Skill:
        """One whole skill."""
        ...

    def edges_of(self, skill_id: str, /) -> tuple[Edge, ...]:
        """The relations of a skill, in both directions."""
        ...

    def route(
        self,
        query: str,
        request: RouteRequest,
        on_stage: Callable[[StageTrace], None] | None = None,
    ) -> RouteResult:
        """Route a task, telling of each stage as it ends."""
        ...

    def prepare(self) -> None:
        """Begin to load the models in the background, so that the first route waits less."""
        ...

    def quarantine(self, ref: str, reason: str, /) -> object:
        """Keep a skill listed and never route it."""
        ...

    def release(self, ref: str, reason: str, /) -> object:
        """End a quarantine."""
        ...

    def skillbook(self, path: Path | None = None, /) -> Skillbook:
        """The Skillbook of the workspace, or in a file of its own."""
        ...

    def close(self) -> None:
        """Let go of the workspace."""
        ...
