"""The setting that suits a workspace on its machine: measured once, then used for every task.

A result must not depend on the clock, so the clock is read here and nowhere else: the choice is
recorded in the workspace, and the same task on the same index then gives the same answer.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from asf_core.domain.base import Sha256, Value
from asf_core.domain.errors import StoreError
from asf_core.retrieval.models.runtime import allowed_cores

if TYPE_CHECKING:
    from asf_core.services.engine import Engine
    from asf_core.store.workspace import Workspace

CANDIDATES = ("fast", "balanced", "best", "cross@4", "cross")
BUDGET_MS = 65.0
"""What the design gives a route, at the median."""
ALIKE = 0.005
"""A setting whose MRR is within this of the best one's is as good; the quickest such is taken."""
_FILE = "calibration.json"

Progress = Callable[[str, int, int], None]


class Measured(Value):
    """One setting on this machine."""

    setting: str
    p50_ms: float
    p95_ms: float
    hit_1: float
    mrr: float


class Calibration(Value):
    """What was measured, and what was chosen."""

    setting: str
    """Used by every route of the workspace that names no other."""
    budget_ms: float
    within_budget: bool
    """False: nothing is, and ``setting`` is the quickest."""
    measured: tuple[Measured, ...]
    queries: int
    queries_digest: Sha256
    skills: int
    machine: str
    at: str
    """RFC 3339, UTC."""


def calibrate(
    engine: Engine,
    registries: Sequence[str],
    query_files: Sequence[Path],
    *,
    budget_ms: float = BUDGET_MS,
    limit: int = 0,
    progress: Progress | None = None,
) -> Calibration:
    """Measure the settings on queries with known answers, choose one and record it.

    Args:
        engine: With the registries synced.
        registries: Names; empty for all of the workspace.
        query_files: Of queries with known answers.
        budget_ms: Most milliseconds that half of the tasks may take.
        limit: Use only so many queries; 0 for all.
        progress: Told after each query.

    Raises:
        InputError: As :func:`asf_core.services.benching.bench`.
        StoreError: The workspace cannot be written.
    """
    from asf_core.services.benching import bench

    first, *others = CANDIDATES
    found = bench(
        engine,
        registries,
        query_files,
        setting=first,
        baselines=others,
        own=False,
        limit=limit,
        progress=progress,
    )
    measured = tuple(
        Measured(
            setting=report.setting,
            p50_ms=round(report.latency.p50, 2),
            p95_ms=round(report.latency.p95, 2),
            hit_1=round(report.overall.hit_1, 4),
            mrr=round(report.overall.mrr, 4),
        )
        for report in found.reports
    )
    chosen, fits = choose(measured, budget_ms)
    calibration = Calibration(
        setting=chosen,
        budget_ms=budget_ms,
        within_budget=fits,
        measured=measured,
        queries=found.reports[0].overall.queries,
        queries_digest=found.reports[0].queries_digest,
        skills=found.skills,
        machine=_machine(),
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    _write(engine.workspace, calibration)
    return calibration


def choose(measured: Sequence[Measured], budget_ms: float) -> tuple[str, bool]:
    """The quickest of the best within the budget; without any within it, the quickest of all.

    Returns:
        Its name, and whether it is within the budget.
    """
    within = [m for m in measured if m.p50_ms <= budget_ms]
    if not within:
        return min(measured, key=lambda m: m.p50_ms).setting, False
    best = max(m.mrr for m in within)
    return min((m for m in within if m.mrr >= best - ALIKE), key=lambda m: m.p50_ms).setting, True


def recorded(workspace: Workspace) -> Calibration | None:
    """The workspace's calibration; ``None`` before the first.

    Raises:
        StoreError: The file is damaged.
    """
    path = workspace.root / _FILE
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        return Calibration.model_validate_json(data)
    except ValidationError as error:
        raise StoreError(
            "The recorded calibration cannot be read",
            why=f"{path}: {error.error_count()} problems, the first: {error.errors()[0]['msg']}",
            hint="Calibrate again with: asf bench --calibrate, or delete the file",
        ) from error


def _write(workspace: Workspace, calibration: Calibration) -> None:
    path = workspace.root / _FILE
    beside = path.with_suffix(".new")
    text = json.dumps(calibration.model_dump(mode="json"), indent=2) + "\n"
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise StoreError(
            "The calibration cannot be recorded",
            why=f"{path}: {error.strerror}",
            hint="Make the workspace writable, or name another one with --workspace",
        ) from error


def _machine() -> str:
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        model = next(
            (x.split(":", 1)[1].strip() for x in lines if x.startswith("model name")), model
        )
    except OSError:
        pass  # not Linux: what `platform` says will do
    return f"{model}, {allowed_cores()} of {os.cpu_count()} cores"
