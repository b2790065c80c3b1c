"""Stage 2: the hundred in order, by all the evidence, and which of them the plan starts from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from asf_core.retrieval.confidence import Words, confidence, features
from asf_core.retrieval.config import RouterConfig
from asf_core.retrieval.fusion import standardised
from asf_core.retrieval.index_view import IndexView
from asf_core.retrieval.late import best_matches
from asf_core.retrieval.recall import Pool, evidence, total
from asf_core.retrieval.task import Part, Task

Floats = NDArray[np.float32]


class PairScorer(Protocol):
    """What the router asks of a cross-encoder."""

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """(n,), higher is better."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One part of a task against each skill of the pool."""

    scores: Floats
    """(n,) sum of ``parts``."""
    parts: dict[str, Floats]
    """Part of the score -> (n,) its share."""
    confidence: Floats
    """(n,), 0 to 1, comparable between tasks and registries."""
    maxsim: Floats | None
    """(n,); ``None`` without token vectors."""


def judge(
    view: IndexView,
    pool: Pool,
    task: Task,
    config: RouterConfig,
    cross: PairScorer | None = None,
    text_of: Callable[[int], str] = str,
) -> tuple[Judged, tuple[Judged, ...]]:
    """Judge the pool for the whole task and for each of its clauses.

    Args:
        view: The index.
        pool: What recall kept.
        task: The task.
        config: The setting.
        cross: The cross-encoder that reads the first ``config.cross_depth``; ``None`` for none.
        text_of: Row of the index -> the text that it reads.

    Returns:
        The judgement for the whole task, and one a clause.
    """
    matches = None
    if config.late and task.tokens is not None and len(task.tokens.vectors):
        matches = best_matches(view, pool.rows, task.tokens.vectors)
    whole = _whole(pool, task, config, _mean(matches, task.whole))
    if cross is not None and config.cross_depth and len(pool.rows):
        whole = _crossed(whole, pool, task, config, cross, text_of)
    clauses = tuple(
        _clause(pool, place, task, config, _mean(matches, part), whole)
        for place, part in enumerate(task.clauses, start=1)
    )
    return whole, clauses


def _whole(pool: Pool, task: Task, config: RouterConfig, maxsim: Floats | None) -> Judged:
    parts = evidence(pool.raw[0], pool.rows, task, config, maxsim)
    if "exact_name" in pool.parts:
        parts["exact_name"] = pool.parts["exact_name"]
    sure = np.where(pool.exact, np.float32(1), _confidence(pool, 0, task))
    return Judged(total(parts), parts, sure, maxsim)


def _clause(
    pool: Pool, place: int, task: Task, config: RouterConfig, maxsim: Floats | None, whole: Judged
) -> Judged:
    parts = evidence(pool.raw[place], pool.rows, task, config, maxsim)
    parts["whole"] = config.whole * standardised(whole.scores)
    return Judged(total(parts), parts, _confidence(pool, place, task), maxsim)


def _crossed(
    judged: Judged,
    pool: Pool,
    task: Task,
    config: RouterConfig,
    cross: PairScorer,
    text_of: Callable[[int], str],
) -> Judged:
    """Add the cross-encoder's verdict on the first few; the others keep their score.

    The first few stay the first: they were not read against the others, and a standardised
    verdict would push the worst of them below skills that nobody read.
    """
    first = np.argsort(-judged.scores, kind="stable")[: config.cross_depth]
    verdicts = cross.scores(task.whole.text, [text_of(int(pool.rows[i])) for i in first])
    share = np.zeros_like(judged.scores)
    share[first] = config.cross * standardised(verdicts)
    share[first] -= share[first].min()
    parts = judged.parts | {"cross": share}
    return Judged(total(parts), parts, judged.confidence, judged.maxsim)


def confidence_features(pool: Pool, place: int) -> NDArray[np.float64]:
    """What the confidence in each skill of the pool is computed from, see ``confidence``.

    Args:
        pool: What recall kept.
        place: 0 for the whole task, then its clauses.
    """
    return features(*_grounds(pool, place))


def _confidence(pool: Pool, place: int, task: Task) -> Floats:
    return confidence(*_grounds(pool, place), task.script)


def _grounds(pool: Pool, place: int) -> tuple[Words, Floats | None, Floats | None]:
    raw = pool.raw[place]
    words = Words(raw.coverage[pool.rows], raw.share[pool.rows], raw.words[pool.rows])
    cosine = None if raw.cosine is None else raw.cosine[pool.rows]
    registry = None if raw.cosine is None else raw.cosine[pool.offered]
    return words, cosine, registry


def _mean(matches: Floats | None, part: Part) -> Floats | None:
    """MaxSim of one part of the task: (n,)."""
    if matches is None or part.tokens is None or not len(part.tokens):
        return None
    mean: Floats = matches[:, part.tokens].mean(axis=1)
    return mean
