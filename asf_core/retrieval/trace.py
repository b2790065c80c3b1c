"""Recording what each stage did and how long it took."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from asf_core.domain.routing import Candidate, Dropped, StageName, StageTrace
from asf_core.retrieval.config import BUDGET_MS

OnStage = Callable[[StageTrace], None]


@dataclass(slots=True)
class Recorder:
    """The traces of one run, in order."""

    on_stage: OnStage | None = None
    """Called after each stage, in the thread that routes."""
    traces: list[StageTrace] = field(default_factory=list)
    started: float = field(default_factory=perf_counter)
    opening: float = 0.0
    """Milliseconds that went before the first stage."""
    _mark: float = 0.0

    def opened(self) -> None:
        """Note that all is open that the stages need."""
        self.opening = self.total()

    def begin(self) -> None:
        """Start the clock of the next stage."""
        self._mark = perf_counter()

    def end(
        self,
        stage: StageName,
        entered: int,
        candidates: Sequence[Candidate] = (),
        *,
        left: int | None = None,
        dropped: Sequence[Dropped] = (),
        notes: Sequence[str] = (),
        milliseconds: float | None = None,
    ) -> None:
        """Record a stage and tell the listener.

        Args:
            stage: Which.
            entered: How many went in.
            candidates: What came out, best first.
            left: How many came out; the number of ``candidates`` if not given.
            dropped: Left out for another reason than rank.
            notes: What a person should know of it.
            milliseconds: What ``lap`` said; the time since ``begin`` if not given.
        """
        trace = StageTrace(
            stage=stage,
            entered=entered,
            left=len(candidates) if left is None else left,
            milliseconds=self.lap() if milliseconds is None else milliseconds,
            budget_ms=BUDGET_MS[stage],
            candidates=tuple(candidates),
            dropped=tuple(dropped),
            notes=tuple(notes),
        )
        self.traces.append(trace)
        if self.on_stage is not None:
            self.on_stage(trace)

    def lap(self) -> float:
        """Milliseconds since ``begin``: taken before the trace itself is made."""
        return round(1e3 * (perf_counter() - self._mark), 3)

    def total(self) -> float:
        """Milliseconds since the run began."""
        return round(1e3 * (perf_counter() - self.started), 3)
