"""The router: a task in, a plan out, every stage on record."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.errors import InputError
from asf_core.domain.routing import (
    Bundle,
    Candidate,
    RouteRequest,
    RouteResult,
    StageName,
)
from asf_core.retrieval.candidates import ranked, recalled
from asf_core.retrieval.config import DEFAULT_SETTING, RouterConfig, find_setting
from asf_core.retrieval.engines import EncoderShelf, Engines, find_engines
from asf_core.retrieval.evidence import PoolEvidence, pool_evidence
from asf_core.retrieval.index_view import IndexView
from asf_core.retrieval.lexical import LexicalIndex
from asf_core.retrieval.planning import Planning
from asf_core.retrieval.recall import recall
from asf_core.retrieval.rerank import judge
from asf_core.retrieval.seeds import Choice, choose
from asf_core.retrieval.task import Task, read_task
from asf_core.retrieval.trace import OnStage, Recorder

_DEFAULT = RouteRequest()


class Router:
    """Routes tasks over one generation of an index. Safe to use from several threads.

    Args:
        view: The index.
        lexical: The word index over the same rows.
        encoders: Opened when a setting needs them.
        planning: The walk and the plan over the same skills.
        find: A setting by name; raises ``InputError`` where there is none.
    """

    def __init__(
        self,
        view: IndexView,
        lexical: LexicalIndex,
        encoders: EncoderShelf,
        planning: Planning,
        find: Callable[[str], RouterConfig] = find_setting,
    ) -> None:
        self._view = view
        self._lexical = lexical
        self._encoders = encoders
        self._planning = planning
        self._find = find

    def route(
        self,
        query: str,
        request: RouteRequest = _DEFAULT,
        on_stage: OnStage | None = None,
        excluded: Collection[str] = (),
        copies: Collection[str] = (),
    ) -> RouteResult:
        """Route a task.

        Args:
            query: The task, plain words of any length.
            request: How it is to be routed.
            on_stage: Called after each stage, in this thread.
            excluded: Ids that must neither be recalled nor brought in by the walk, as the
                quarantined ones.
            copies: Ids that another offered skill stands for: they are not recalled, but a skill
                that requires one by its id still gets it.

        Returns:
            The plan, or an abstention: an empty plan with the best candidates as near misses.

        Raises:
            InputError: The task is empty, or a registry or a setting has no such name.
            ModelMissingError: A model is absent, and ``request.allow_degraded`` is not set.
            StoreError: The index's vectors are of other encoders, or there are none, and
                ``request.allow_degraded`` is not set.
        """
        if not query.strip():
            raise InputError("The task is empty", hint="Say in a few words what is to be done")
        run = _Run(self, query, request, Recorder(on_stage), frozenset(excluded), frozenset(copies))
        return run.result()

    def evidence(self, query: str, request: RouteRequest = _DEFAULT) -> PoolEvidence:
        """What the engines say of a task's pool, before any of it is weighed: for fitting.

        Args:
            query: The task.
            request: Its setting decides which encoders are asked; its registries are searched.

        Raises:
            InputError, ModelMissingError, StoreError: As :meth:`route`.
        """
        run = _Run(self, query, request, Recorder(None), frozenset(), frozenset())
        return run.evidence()


class _Run:
    """One task on its way."""

    def __init__(
        self,
        router: Router,
        query: str,
        request: RouteRequest,
        recorder: Recorder,
        excluded: frozenset[str],
        copies: frozenset[str],
    ) -> None:
        self.view, self.lexical = router._view, router._lexical
        self.encoders, self.planning = router._encoders, router._planning
        self.query, self.request, self.recorder = query, request, recorder
        self.config = router._find(request.setting or DEFAULT_SETTING)
        self.outside = self._outside(excluded)
        self.copies = self._rows(copies) & ~self.outside
        self.offered = ~self.outside & ~self.copies & self.view.model_invocable

    def result(self) -> RouteResult:
        if not self.offered.any():
            return self._nothing()
        engines = find_engines(self.encoders, self.view, self.config, self.request.allow_degraded)
        self.recorder.opened()
        task = self._encode(engines)
        choice, found = self._rank(task, engines)
        seeds = tuple(
            c for c, place in zip(found, choice.order, strict=True) if place in choice.seeds
        )
        bundle = self._plan(seeds) if seeds else Bundle(task_inputs=self.request.task_inputs)
        planned = {step.skill_id for step in bundle.steps}
        misses = [c for c in found if c.skill_id not in planned][: self.config.near_misses]
        sure = max((float(choice.confidence[p]) for p in choice.seeds or choice.order), default=0.0)
        return self._answer(bundle, misses, sure, not seeds, engines.degraded)

    def evidence(self) -> PoolEvidence:
        engines = find_engines(self.encoders, self.view, self.config, self.request.allow_degraded)
        task = self._encode(engines)
        pool = recall(self.view, self.lexical, task, self.offered, self.config)
        return pool_evidence(self.view, pool, task, self.config)

    def _outside(self, excluded: frozenset[str]) -> NDArray[np.bool_]:
        """Rows that must not appear at all: excluded, or of a registry that was not asked for."""
        unknown = sorted(set(self.request.registries) - set(self.view.registries))
        if unknown:
            raise InputError(
                f"There is no registry {unknown[0]!r}",
                hint=f"Use one of: {', '.join(self.view.registries) or 'none is synced'}",
            )
        outside = self._rows(excluded)
        if self.request.registries:
            names = self.view.registries
            wanted = [i for i, name in enumerate(names) if name in self.request.registries]
            outside |= ~np.isin(self.view.registry_codes, wanted)
        return outside

    def _rows(self, ids: frozenset[str]) -> NDArray[np.bool_]:
        """(N,): whether each row is one of some skills."""
        rows = np.zeros(len(self.view.ids), bool)
        if ids:
            rows[:] = [skill_id in ids for skill_id in self.view.ids]
        return rows

    def _encode(self, engines: Engines) -> Task:
        self.recorder.begin()
        task = read_task(self.query, self.lexical, engines.dense, engines.late, self.config)
        parts = max(1, len(task.clauses))
        self.recorder.end(StageName.ENCODE, 1, left=parts, notes=_encode_notes(task))
        return task

    def _rank(self, task: Task, engines: Engines) -> tuple[Choice, tuple[Candidate, ...]]:
        """Stages 1 and 2."""
        self.recorder.begin()
        pool = recall(self.view, self.lexical, task, self.offered, self.config)
        took = self.recorder.lap()
        first = recalled(self.view, pool)
        offered = int(self.offered.sum())
        self.recorder.end(
            StageName.RECALL, offered, first, notes=self._left_out(), milliseconds=took
        )
        self.recorder.begin()
        whole, clauses = judge(self.view, pool, task, self.config, engines.cross, self._text)
        choice = choose(self.view, pool, task, whole, clauses, self.request.max_skills, self.config)
        took = self.recorder.lap()
        found = ranked(self.view, self.lexical, task, pool, whole, choice)
        self.recorder.end(
            StageName.RERANK,
            len(first),
            found,
            dropped=choice.dropped,
            notes=choice.notes,
            milliseconds=took,
        )
        return choice, found

    def _plan(self, seeds: Sequence[Candidate]) -> Bundle:
        """Stages 3 and 4."""
        barred, copies = self._ids(self.outside), self._ids(self.copies)
        self.recorder.begin()
        walked = self.planning.walk(seeds, self.request.token_budget, barred, copies)
        self.recorder.end(
            StageName.WALK, len(seeds), left=len(walked.members), dropped=walked.dropped
        )
        self.recorder.begin()
        bundle = self.planning.plan(walked, self.request.task_inputs)
        problems = [problem.message for problem in bundle.problems]
        self.recorder.end(
            StageName.PLAN, len(walked.members), left=len(bundle.steps), notes=problems
        )
        return bundle

    def _ids(self, rows: NDArray[np.bool_]) -> frozenset[str]:
        return frozenset(self.view.ids[int(row)] for row in np.flatnonzero(rows))

    def _nothing(self) -> RouteResult:
        note = "the registries hold no skill that can be routed"
        if len(self.view.ids):
            note = "no skill left to choose from: all are quarantined or outside the registries"
        self.recorder.begin()
        self.recorder.end(StageName.RECALL, 0, notes=(note,))
        return self._answer(Bundle(task_inputs=self.request.task_inputs), (), 0.0, True, ())

    def _answer(
        self,
        bundle: Bundle,
        misses: Sequence[Candidate],
        sure: float,
        abstained: bool,
        degraded: tuple[str, ...],
    ) -> RouteResult:
        figures = self.planning.figures(bundle, self.offered, self.request.price_per_million)
        return RouteResult(
            query=self.query,
            bundle=bundle,
            stages=tuple(self.recorder.traces),
            near_misses=tuple(misses),
            abstained=abstained,
            confidence=round(sure, 4),
            threshold=self.config.threshold,
            tokens=figures,
            milliseconds=self.recorder.total(),
            opening_ms=self.recorder.opening,
            degraded=degraded,
            setting=self.config.name,
            generation=self.view.generation,
        )

    def _left_out(self) -> tuple[str, ...]:
        silent = int((~self.view.model_invocable & ~self.outside).sum())
        outside, copies = int(self.outside.sum()), int(self.copies.sum())
        notes = [
            f"{outside} left out beforehand: quarantined or of another registry" if outside else "",
            f"{copies} left out beforehand: aliases of skills that are offered" if copies else "",
            f"{silent} left out beforehand: not to be chosen by a model" if silent else "",
        ]
        return tuple(filter(None, notes))

    def _text(self, row: int) -> str:
        skill = self.view.skills()[row]
        return f"{skill.slug}: {skill.description}"


def _encode_notes(task: Task) -> tuple[str, ...]:
    notes = list(task.notes)
    if task.clauses:
        notes.append("clauses: " + "; ".join(part.text for part in task.clauses))
    if task.script != "latin":
        notes.append("not in Latin letters: words weigh more than the English encoders")
    return tuple(notes)
