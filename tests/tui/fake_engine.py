"""An engine in memory, with fixed times, whose every call can be held or made to fail."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from fake_desk import HELPER, FakeDesk
from fake_measure import REPORT
from fake_skills import CLASSIFY, EDGES, FIGURE, HOSTILE, LOOKUP, SKILLS, VERIFIER, io, row_of

from asf_core.domain.decision import DecisionKind
from asf_core.domain.errors import InputError, UnknownSkillError
from asf_core.domain.graph import Edge
from asf_core.domain.iotype import IOType
from asf_core.domain.routing import (
    Binding,
    Bundle,
    Candidate,
    Dropped,
    PlanProblem,
    PlanStep,
    RouteRequest,
    RouteResult,
    StageName,
    StageTrace,
    TokenFigures,
)
from asf_core.domain.skill import QuarantinedBy, Skill, SkillRow, SkillState
from asf_core.domain.sync import (
    RegistryRow,
    RegistrySync,
    SyncPhase,
    SyncProgress,
    SyncReport,
)
from asf_tui.bridge import Measure, Session

STAMP = "2026-11-30T09:00:00+00:00"
PD_L1 = "find PD-L1 papers, score them and draw the figure"


class FakeEngine:
    """Holds at a call named in ``holds`` until its event is set; raises what ``failures`` names."""

    def __init__(
        self,
        skills: Sequence[Skill] = SKILLS,
        rows: Sequence[SkillRow] | None = None,
        registries: Sequence[str] = ("engineering", "hostile", "office", "science"),
    ) -> None:
        self.values = {value.manifest.id: value for value in skills}
        self.states = {key: (v.state, v.state_reason) for key, v in self.values.items()}
        self.by = {"office/notes/meeting-notes": QuarantinedBy.CURATOR}
        self.by |= {HELPER: QuarantinedBy.GATE}
        self.extra = tuple(rows or ())
        self.names = list(registries)
        self.root = Path("/srv/registries")
        self.measure: Measure = lambda path, tell: REPORT
        self.failures: dict[str, Exception] = {}
        self.holds: dict[str, threading.Event] = {}
        self.calls: list[str] = []
        self.closed = False
        self.desk = FakeDesk(self)

    def _enter(self, call: str) -> None:
        self.calls.append(call)
        name = call.partition(" ")[0]
        for key in (call, name):
            if key in self.holds:
                self.holds[key].wait(30)
            if key in self.failures:
                raise self.failures[key]

    def registries(self) -> tuple[RegistryRow, ...]:
        return tuple(
            RegistryRow(
                name=name,
                path=str(self.root / name),
                added_at=STAMP,
                synced_at=STAMP,
                skills=sum(key.startswith(f"{name}/") for key in self.values),
            )
            for name in self.names
        )

    def add_registry(self, path: Path, name: str | None = None) -> RegistryRow:
        self._enter(f"add_registry {path}")
        if not path.is_dir():
            raise InputError(
                f"{path} is not a directory", why="It does not exist", hint="Give a directory"
            )
        self.names.append(name or path.name)
        return RegistryRow(
            name=name or path.name, path=str(path), added_at=STAMP, synced_at=None, skills=0
        )

    def sync(
        self,
        names: Sequence[str] | None = None,
        progress: Callable[[SyncProgress], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> SyncReport:
        self._enter(f"sync {','.join(names or ())}".strip())
        total = len(self.values)
        for phase in SyncPhase:
            for done in (0, total // 2, total):
                if progress is not None:
                    progress(SyncProgress("science", phase, done, total))
        registry = RegistrySync(
            registry="science",
            listed=total,
            added=3,
            changed=1,
            removed=0,
            unchanged=total - 4,
            encoded=4,
            broken=("office/broken/no-frontmatter",),
            unread=(),
            seconds=1.25,
        )
        cancelled = cancel is not None and cancel.is_set()
        return SyncReport(
            registries=(registry,), generation="f00d", cancelled=cancelled, seconds=1.25
        )

    def skills(self) -> tuple[SkillRow, ...]:
        self._enter("skills")
        rows = [
            replace(
                row_of(value, *self.states[key]),
                quarantined_by=self.by.get(key),
                slop_score=0.21 if key == HELPER else None,
            )
            for key, value in self.values.items()
        ]
        return (*rows, *self.extra)

    def skill(self, ref: str) -> Skill:
        self._enter(f"skill {ref}")
        if ref not in self.values:
            raise UnknownSkillError(ref, [LOOKUP])
        state, reason = self.states[ref]
        return self.values[ref].model_copy(
            update={
                "state": state,
                "state_reason": reason,
                "quarantined_by": self.by.get(ref) if state is SkillState.QUARANTINED else None,
            }
        )

    def edges_of(self, skill_id: str) -> tuple[Edge, ...]:
        return tuple(edge for edge in EDGES if skill_id in {edge.source, edge.target})

    def quarantine(self, ref: str, reason: str) -> None:
        self._enter(f"quarantine {ref} {reason}")
        self.states[ref] = (SkillState.QUARANTINED, reason)
        self.by[ref] = QuarantinedBy.CURATOR
        self.desk.decided(DecisionKind.QUARANTINE, ref, reason)

    def release(self, ref: str, reason: str) -> None:
        self._enter(f"release {ref} {reason}")
        self.states[ref] = (SkillState.READY, "")
        self.by.pop(ref, None)
        self.desk.decided(DecisionKind.RELEASE, ref, reason)

    def prepare(self) -> None:
        self._enter("prepare")

    def close(self) -> None:
        self.closed = True

    def route(
        self,
        query: str,
        request: RouteRequest,
        on_stage: Callable[[StageTrace], None] | None = None,
    ) -> RouteResult:
        self._enter(f"route {query}")
        result = route_result(query, request)
        for trace in result.stages:
            if on_stage is not None:
                on_stage(trace)
            self._enter(f"after-{trace.stage} {query}")
        return result

    def session(self, log: Path) -> Session:
        return Session(self, self.desk, log, measure=self.measure)


def candidates(moved: bool, setting: str = "") -> tuple[Candidate, ...]:
    if setting == "fast":  # words alone see the first two the other way round, and not the last
        first, second, *others = candidates(moved)[:-1]
        pair = (second.model_copy(update={"rank": 1}), first.model_copy(update={"rank": 2}))
        return (*pair, *others)
    ids = [LOOKUP, CLASSIFY, FIGURE, VERIFIER, *(f"hostile/cases/{slug}" for slug in HOSTILE)]
    before = [3, 1, 2, 4, None, 9, 5, 7, 6, 8, 12, 10]
    return tuple(
        Candidate(
            skill_id=skill_id,
            slug=skill_id.rpartition("/")[2],
            rank=rank,
            previous_rank=previous if moved else None,
            score=round(3.2 - 0.31 * rank, 3),
            matched=("papers", "pd-l1", "[/x]\x1b[2Jscore")[: max(0, 5 - rank)],
            evidence={
                "bm25": round(2.1 - 0.25 * rank, 3),
                "dense": round(1.6 - 0.2 * rank, 3),
                "late": round(1.1 - 0.17 * rank, 3),  # a loss from the seventh on
            },
        )
        for rank, (skill_id, previous) in enumerate(zip(ids, before, strict=True), 1)
    )


def stages(setting: str = "", walk_note: str = "") -> tuple[StageTrace, ...]:
    return (
        StageTrace(stage=StageName.ENCODE, entered=1, left=1, milliseconds=11.8, budget_ms=None),
        StageTrace(
            stage=StageName.RECALL,
            entered=2637,
            left=100,
            milliseconds=6.4,
            budget_ms=10.0,
            candidates=candidates(moved=False),
        ),
        StageTrace(
            stage=StageName.RERANK,
            entered=100,
            left=30,
            milliseconds=57.2,
            budget_ms=50.0,
            candidates=candidates(moved=True, setting=setting),
        ),
        StageTrace(
            stage=StageName.WALK,
            entered=4,
            left=4,
            milliseconds=0.9,
            budget_ms=3.0,
            dropped=(
                Dropped(
                    skill_id="engineering/deploy/deploy-service",
                    reason="its closure takes 14,200 tokens",
                ),
            ),
            notes=(walk_note,) if walk_note else (),
        ),
        StageTrace(stage=StageName.PLAN, entered=4, left=4, milliseconds=0.3, budget_ms=2.0),
    )


def step(position: int, skill_id: str, reason: str, **more: object) -> PlanStep:
    values: dict[str, object] = {
        "position": position,
        "skill_id": skill_id,
        "slug": skill_id.rpartition("/")[2],
        "description": SKILL_TEXT[skill_id],
        "reason": reason,
        "tokens": 900 + 310 * position,
    }
    return PlanStep(**(values | more))  # type: ignore[arg-type]


SKILL_TEXT = {value.manifest.id: value.manifest.description for value in SKILLS}
QUERY = IOType(name="query", type="string")
PAPERS = IOType(name="papers", type="list[Paper]")
SCORES = IOType(name="tps_scores", type="dict")

CHAIN = (
    step(
        1,
        LOOKUP,
        "required",
        because_of=CLASSIFY,
        inputs=(QUERY,),
        outputs=(PAPERS,),
        bindings=(Binding(input=QUERY, output=QUERY, from_skill=None),),
    ),
    step(
        2,
        CLASSIFY,
        "routed",
        score=2.89,
        inputs=(PAPERS,),
        outputs=(SCORES,),
        bindings=(Binding(input=PAPERS, output=PAPERS, from_skill=LOOKUP),),
    ),
    step(
        3,
        FIGURE,
        "routed",
        score=2.58,
        inputs=(SCORES,),
        outputs=io("figure:Path"),
        bindings=(Binding(input=SCORES, output=SCORES, from_skill=CLASSIFY),),
    ),
    step(4, "hostile/cases/closing-tag", "co_used_with", because_of=LOOKUP, typed=False),
)


def figures(steps: int) -> TokenFigures:
    tokens = sum(s.tokens for s in CHAIN[:steps])
    return TokenFigures(
        registry_skills=2637,
        bundle_skills=steps,
        naive_tokens=6_214_000,
        bundle_tokens=tokens,
        disclosure_tokens=231_000 + tokens,
        savings=(2637 - steps) / 2637,
        token_savings=1 - tokens / 6_214_000,
        price_per_million=3.0,
        naive_cost=18.642,
        bundle_cost=tokens * 3 / 1_000_000,
    )


def route_result(query: str, request: RouteRequest) -> RouteResult:
    """The chain for most tasks; none for ``nothing``; a rejected one for ``mismatch``."""
    abstained = "nothing" in query
    steps = () if abstained else CHAIN
    problems: tuple[PlanProblem, ...] = ()
    if "mismatch" in query:
        message = (
            "Step 3, publication-figure-style, takes tps_scores:dict; "
            "the nearest that is offered is tps_scores:list[Score] of classify-pd-l1-tps [/x]\x1b[1m"
        )
        problems = (PlanProblem(kind="type_mismatch", message=message, skill_ids=(FIGURE,)),)
    return RouteResult(
        query=query,
        bundle=Bundle(steps=steps, problems=problems, task_inputs=(QUERY,)),
        stages=stages(request.setting),
        near_misses=candidates(moved=True)[4 if steps else 0 :],
        abstained=abstained,
        confidence=0.19 if abstained else 0.87,
        threshold=0.35,
        tokens=figures(len(steps)),
        milliseconds=76.6,
        degraded=("No late-interaction model: reranked by BM25 and vectors",)
        if "degraded" in query
        else (),
        setting=request.setting or "balanced",
        generation="f00d",
    )
