"""Opens a workspace for the workbench."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from asf_core.domain.measure import MeasureProgress, MeasureReport
from asf_tui.bridge.desk import Desk, EngineDesk
from asf_tui.bridge.engine import Engine

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
    desk: Desk
    """Its control plane and judgements."""
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
        return Session(
            engine, EngineDesk(engine), root / "logs" / "asf-tui.log", root if made else None
        )

    return open_session


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
