"""Stage 1: the whole registry down to a hundred, by words and by dense vectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asf_core.retrieval.config import RouterConfig
from asf_core.retrieval.fusion import best_rows, reciprocal_ranks, standardised
from asf_core.retrieval.index_view import IndexView
from asf_core.retrieval.lexical import LexicalIndex
from asf_core.retrieval.task import Part, Task

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Raw:
    """What each engine says of every skill for one part of a task."""

    bm25: Floats
    """(N,)."""
    coverage: Floats
    """(N,), 0 to 1."""
    cosine: Floats | None
    """(N,); ``None`` without dense vectors."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The skills that recall keeps."""

    rows: Rows
    """(n,) rows of the index, best for the whole task first; a skill that only a clause brought
    in stands where the whole task's score puts it."""
    scores: Floats
    """(n,) for the whole task: the weighted sum of the standardised parts."""
    parts: dict[str, Floats]
    """Part of the score -> (n,) its share of ``scores``."""
    raw: tuple[Raw, ...]
    """For the whole task, then for each clause."""
    exact: NDArray[np.bool_]
    """(n,): the task is this skill's name."""
    offered: NDArray[np.bool_]
    """(N,): the rows that recall chose from."""


def recall(
    view: IndexView,
    lexical: LexicalIndex,
    task: Task,
    allowed: NDArray[np.bool_],
    config: RouterConfig,
) -> Pool:
    """Keep the best skills for the task and the best few for each of its clauses.

    Args:
        view: The index; its vectors are used where the task has one.
        lexical: The word index over the same rows.
        task: The task.
        allowed: (N,), False for rows that must not be offered: they are left out beforehand and
            so take no place and bend no mean.
        config: The setting.
    """
    raws = tuple(_raw(view, lexical, part) for part in (task.whole, *task.clauses))
    weight = config.dense * (1.0 if task.script == "latin" else config.foreign)
    named = np.zeros(len(allowed), bool)
    named[list(lexical.named(task.whole.text))] = True
    depths = [config.recall, *[config.clause_recall] * len(task.clauses)]
    pools = [
        _pool(view, raw, allowed, named, depth, config, weight)
        for raw, depth in zip(raws, depths, strict=True)
    ]
    extra = np.setdiff1d(np.concatenate(pools[1:]), pools[0]) if pools[1:] else pools[0][:0]
    rows = np.concatenate([pools[0][: config.recall - len(extra)], extra])
    scores = _sum(_parts(raws[0], rows, named, config, weight))
    rows = best_rows(rows, scores, view.ids, len(rows))
    parts = _parts(raws[0], rows, named, config, weight)
    return Pool(rows, _sum(parts), parts, raws, named[rows], allowed)


def _raw(view: IndexView, lexical: LexicalIndex, part: Part) -> Raw:
    # Not "@": for a product this small BLAS threads cost more than they bring (see late.py).
    cosine = None if part.dense is None else np.einsum("ij,j->i", view.vectors, part.dense)
    return Raw(lexical.scores(part.words), lexical.coverage(part.words), cosine)


def _pool(
    view: IndexView,
    raw: Raw,
    allowed: NDArray[np.bool_],
    named: NDArray[np.bool_],
    depth: int,
    config: RouterConfig,
    weight: float,
) -> Rows:
    """The best rows by the fused score, standardised over those that either engine ranks high."""
    some = _best(view, allowed & (raw.bm25 > 0), raw.bm25, depth)
    if raw.cosine is not None:
        some = np.union1d(some, _best(view, allowed, raw.cosine, depth))
    some = np.union1d(some, np.flatnonzero(named & allowed))
    scores = _sum(_parts(raw, some, named, config, weight))
    return best_rows(some, scores, view.ids, depth)


def _best(view: IndexView, mask: NDArray[np.bool_], scores: Floats, depth: int) -> Rows:
    rows = np.flatnonzero(mask)
    return best_rows(rows, scores[rows], view.ids, depth)


def _parts(
    raw: Raw, rows: Rows, named: NDArray[np.bool_], config: RouterConfig, weight: float
) -> dict[str, Floats]:
    """The parts of the fused score, standardised over ``rows``."""
    if config.rank_fusion:
        engines = [raw.bm25[rows]] + ([] if raw.cosine is None else [raw.cosine[rows]])
        parts = {"ranks": standardised(reciprocal_ranks(engines))}
    else:
        parts = {"bm25": config.lexical * standardised(raw.bm25[rows])}
        if raw.cosine is not None:
            parts["dense"] = weight * standardised(raw.cosine[rows])
    if named[rows].any():
        parts["exact_name"] = np.where(named[rows], config.exact_name, 0.0).astype(np.float32)
    return parts


def _sum(parts: dict[str, Floats]) -> Floats:
    return np.asarray(sum(parts.values()), np.float32)
