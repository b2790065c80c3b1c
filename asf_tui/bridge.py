"""The only module that calls the Engine, and the shape of it that the workbench needs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from asf_core.domain.graph import Edge
from asf_core.domain.measure import MeasureProgress, MeasureReport
from asf_core.domain.routing import RouteRequest, RouteResult, StageTrace
from asf_core.domain.skill import Skill, SkillRow
from asf_core.domain.sync import RegistryRow, SyncProgress, SyncReport


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

    def close(self) -> None:
        """Let go of the workspace."""
        ...


Measure = Callable[[Path, Callable[[MeasureProgress], None]], MeasureReport]
"""Measures a directory, telling how far it is; what the teller raises stops it."""


def measure(path: Path, progress: Callable[[MeasureProgress], None]) -> MeasureReport:
    """Measure a registry or a codebase.

    Args:
        path: Its directory.
        progress: Told how far it is; what it raises stops the measurement.

    Raises:
        InputError: It is no directory, or there is nothing in it to measure.
    """
    from asf_core.services.measuring import measure_path

    return measure_path(path, progress=progress)


@dataclass(frozen=True, slots=True)
class Session:
    """An open workspace."""

    engine: Engine
    log: Path
    """Where tracebacks go: a file of the workspace."""
    made: Path | None = None
    """The workspace, when it was made just now."""
    measure: Measure = measure
    """Measures a directory; needs no workspace."""

    @property
    def pictures(self) -> Path:
        """Where screenshots go: a directory of the workspace."""
        return self.log.parent.parent / "screenshots"


Opener = Callable[[], Session]
"""Opens the workspace; slow, for a worker."""


def opener(workspace: Path | None, *, create: bool) -> Opener:
    """How to open a workspace.

    Args:
        workspace: Its directory; ``None`` to find it as ``asf`` does.
        create: Make it where there is none; a missing one is an error otherwise.

    Returns:
        A function that opens it, and imports the engine only then.
    """

    def open_session() -> Session:
        from asf_core.services.engine import Engine as CoreEngine

        engine = CoreEngine.open(workspace)
        root = engine.workspace.root
        made = create and engine.create()
        engine.registries()  # says now what keeps it from being read
        return Session(engine, root / "logs" / "asf-tui.log", root if made else None)

    return open_session


def setting_names() -> tuple[str, ...]:
    """Names of the router's settings."""
    from asf_core.services.settings import setting_names as names

    return names()


def check_setting(name: str) -> str:
    """A setting's name, where there is such a setting.

    Raises:
        InputError: There is none of that name.
    """
    from asf_core.services.settings import check_setting as check

    return check(name)


def ensure_registry(engine: Engine, path: Path) -> str:
    """The name of the registry at a path, added first where it is new.

    Args:
        engine: The open engine.
        path: Directory of the registry.
    """
    root = path.expanduser().resolve()
    for row in engine.registries():
        if Path(row.path).resolve() == root:
            return row.name
    return engine.add_registry(root).name
