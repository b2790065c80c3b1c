"""Rows of the index as the candidates that a trace shows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.routing import Candidate
from asf_core.retrieval.index_view import IndexView
from asf_core.retrieval.lexical import LexicalIndex
from asf_core.retrieval.recall import Pool
from asf_core.retrieval.rerank import Judged
from asf_core.retrieval.seeds import Choice
from asf_core.retrieval.task import Task

Floats = NDArray[np.float32]

RAW = ("covered", "cosine", "maxsim", "confidence")
"""Evidence beside the parts of the score (which add up to it, ``clause`` included): what the same
engines say on scales of their own, 0 to 1."""


def recalled(view: IndexView, pool: Pool) -> tuple[Candidate, ...]:
    """What recall keeps, in order."""
    raw = {"covered": pool.raw[0].coverage[pool.rows]}
    if pool.raw[0].cosine is not None:
        raw["cosine"] = pool.raw[0].cosine[pool.rows]
    return tuple(
        _candidate(view, row, place + 1, None, pool.scores[place], pool.parts | raw, place)
        for place, row in enumerate(pool.rows)
    )


def ranked(
    view: IndexView, lexical: LexicalIndex, task: Task, pool: Pool, whole: Judged, choice: Choice
) -> tuple[Candidate, ...]:
    """What rerank keeps, in order, each with its rank at recall and the words that it met."""
    raw = {"covered": pool.raw[0].coverage[pool.rows], "confidence": choice.confidence}
    if pool.raw[0].cosine is not None:
        raw["cosine"] = pool.raw[0].cosine[pool.rows]
    if whole.maxsim is not None:
        raw["maxsim"] = whole.maxsim
    if (choice.scores != whole.scores).any():
        raw["clause"] = choice.scores - whole.scores
    places = list(choice.order)
    words = lexical.matched(task.whole.words, pool.rows[places])
    return tuple(
        _candidate(
            view,
            pool.rows[place],
            rank,
            place + 1,
            choice.scores[place],
            whole.parts | raw,
            place,
            matched,
        )
        for rank, (place, matched) in enumerate(zip(places, words, strict=True), start=1)
    )


def _candidate(
    view: IndexView,
    row: int,
    rank: int,
    previous: int | None,
    score: np.float32,
    evidence: Mapping[str, Floats],
    place: int,
    matched: tuple[str, ...] = (),
) -> Candidate:
    return Candidate(
        skill_id=view.ids[int(row)],
        slug=view.skills()[int(row)].slug,
        rank=rank,
        previous_rank=previous,
        score=round(float(score), 4),
        evidence={name: round(float(values[place]), 4) for name, values in evidence.items()},
        matched=matched,
    )
