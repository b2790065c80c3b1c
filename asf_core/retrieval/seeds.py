"""Which skills a plan starts from.

The best for the whole task, if the router is confident enough; with it those whose score is so
near that the order says nothing (the trace then says "unsure"). For each clause that none of
these serves, the best skill for the clause, if it is confident enough of that. A copy of a better
skill is left out. With none, the router abstains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.routing import Dropped
from asf_core.retrieval.config import RouterConfig
from asf_core.retrieval.fusion import best_rows
from asf_core.retrieval.index_view import IndexView
from asf_core.retrieval.recall import Pool
from asf_core.retrieval.rerank import Judged
from asf_core.retrieval.task import Task

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Choice:
    """What the reranked pool comes to."""

    order: tuple[int, ...]
    """Places in the pool, best first, ``config.rerank`` at most."""
    scores: Floats
    """(n,): of the whole task, but of a clause's own skill, which stands behind the first."""
    seeds: tuple[int, ...]
    """Places in the pool that the plan starts from, best first; empty to abstain."""
    confidence: Floats
    """(n,): for the whole task, or for the clause that a skill was chosen for."""
    dropped: tuple[Dropped, ...]
    notes: tuple[str, ...]


def choose(
    view: IndexView,
    pool: Pool,
    task: Task,
    whole: Judged,
    clauses: Sequence[Judged],
    most: int,
    config: RouterConfig,
) -> Choice:
    """Order the pool and choose the seeds.

    Args:
        view: The index.
        pool: What recall kept.
        task: The task.
        whole: The judgement for the whole task.
        clauses: The judgement for each of its clauses.
        most: How many seeds there may be.
        config: The setting.
    """
    draft = _Draft(view, pool, whole, config)
    if len(pool.rows):
        draft.take_best()
        for part, clause in zip(task.clauses, clauses, strict=True):
            draft.take_for(clause, part.text)
    order = draft.ranked(draft.scores)[: config.rerank]
    return Choice(
        order=tuple(order),
        scores=draft.scores,
        seeds=tuple(place for place in order if place in draft.seeds)[:most],
        confidence=draft.confidence,
        dropped=tuple(draft.dropped),
        notes=tuple(draft.notes),
    )


class _Draft:
    """A choice while it is being made."""

    def __init__(self, view: IndexView, pool: Pool, whole: Judged, config: RouterConfig) -> None:
        self.view, self.pool, self.whole, self.config = view, pool, whole, config
        self.scores = whole.scores.copy()
        self.confidence = whole.confidence.copy()
        self.seeds: list[int] = []
        self.dropped: list[Dropped] = []
        self.notes: list[str] = []

    def ranked(self, scores: Floats) -> list[int]:
        """Places of the pool, best first, equal scores in order of id."""
        place = {int(row): i for i, row in enumerate(self.pool.rows)}
        rows = best_rows(self.pool.rows, scores, self.view.ids, len(scores))
        return [place[int(row)] for row in rows]

    def take_best(self) -> None:
        """The first for the whole task, and those so near that the order says nothing."""
        order = self.ranked(self.whole.scores)
        if self.confidence[order[0]] < self.config.threshold:
            return
        best = self.whole.scores[order[0]]
        for place in order:
            if best - self.whole.scores[place] > self.config.near:
                break
            if self.confidence[place] >= self.config.threshold and not self._is_copy(place):
                self.seeds.append(place)
        if len(self.seeds) > 1:
            names = ", ".join(self._id(place) for place in self.seeds)
            self.notes.append(f"unsure: too close to call between {names}")

    def take_for(self, clause: Judged, text: str) -> None:
        """The first for a clause, unless a seed serves it or the clause proves too little."""
        first = self.ranked(clause.scores)[0]
        if any(clause.scores[first] - clause.scores[s] <= self.config.served for s in self.seeds):
            return
        if clause.confidence[first] < self.config.clause_threshold or self._is_copy(first):
            return
        top = self.scores[self.seeds[0]] if self.seeds else np.float32(np.inf)
        self.scores[first] = max(self.scores[first], min(clause.scores[first], top - 1e-3))
        self.confidence[first] = max(self.confidence[first], clause.confidence[first])
        self.seeds.append(first)
        self.notes.append(f"for the clause {text!r}: {self._id(first)}")

    def _is_copy(self, place: int) -> bool:
        """Whether it says what a seed says; then it is left out, and that is said."""
        vectors = self.view.vectors[self.pool.rows[[place, *self.seeds]]]
        if not vectors.size or not vectors[0].any():
            return False
        for seed, vector in zip(self.seeds, vectors[1:], strict=True):
            if float(vectors[0] @ vector) >= self.config.twin:
                reason = f"says the same as {self._id(seed)}, which is routed"
                self.dropped.append(Dropped(skill_id=self._id(place), reason=reason))
                return True
        return False

    def _id(self, place: int) -> str:
        return self.view.ids[int(self.pool.rows[place])]
