"""Stage 1: the whole registry down to a hundred, by words and by dense vectors."""

from __future__ import annotations

from collections.abc import Mapping
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

    words: Floats
    """(N,) BM25 of the weighted bag over the task's mass, 0 to 1."""
    pairs: Floats
    """(N,) BM25 of pairs of adjacent words over the task's mass."""
    share: Floats
    """(N,) share of the task's mass that the skill has, 0 to 1."""
    coverage: Floats
    """(N,), 0 to 1."""
    cosine: Floats | None
    """(N,); ``None`` without dense vectors."""
    plain: Floats | None
    """(N,) plain BM25; ``None`` but for the baselines."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The skills that recall keeps."""

    rows: Rows
    """(n,) rows of the index, best for the whole task first; a skill that only a clause brought
    in stands where the whole task's score puts it."""
    scores: Floats
    """(n,) for the whole task: the sum of ``parts``."""
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
            so take no place.
        config: The setting.
    """
    raws = tuple(_raw(view, lexical, part, config) for part in (task.whole, *task.clauses))
    named = np.zeros(len(allowed), bool)
    named[list(lexical.named(task.whole.text))] = True
    some = np.flatnonzero(allowed)
    depths = [config.recall, *[config.clause_recall] * len(task.clauses)]
    pools = []
    for raw, depth in zip(raws, depths, strict=True):
        parts = evidence(raw, some, task, config) | _exact(named[some], config)
        pools.append(best_rows(some, total(parts), view.ids, depth))
    extra = np.setdiff1d(np.concatenate(pools[1:]), pools[0]) if pools[1:] else pools[0][:0]
    rows = np.concatenate([pools[0][: config.recall - len(extra)], extra])
    parts = evidence(raws[0], rows, task, config) | _exact(named[rows], config)
    order = [int(row) for row in best_rows(rows, total(parts), view.ids, len(rows))]
    place = {int(row): i for i, row in enumerate(rows)}
    places = np.array([place[row] for row in order], np.int64)
    parts = {name: values[places] for name, values in parts.items()}
    rows = rows[places]
    return Pool(rows, total(parts), parts, raws, named[rows], allowed)


def evidence(
    raw: Raw, rows: Rows, task: Task, config: RouterConfig, maxsim: Floats | None = None
) -> dict[str, Floats]:
    """What makes up the score of some skills: part -> (n,), each weighted.

    Args:
        raw: What the engines say.
        rows: (n,) of the index.
        task: The encoders' weights depend on its script.
        config: The setting.
        maxsim: (n,) for ``rows``; ``None`` before the token encoder had its say, or without it.
    """
    if config.fusion != "fitted":
        return _baseline(raw, rows, config)
    weights = config.weights
    foreign = 1.0 if task.script == "latin" else config.foreign
    parts = {
        "words": (weights.words, raw.words[rows]),
        "pairs": (weights.pairs, raw.pairs[rows]),
        "coverage": (weights.coverage, raw.share[rows]),
    }
    if raw.cosine is not None:
        parts["dense"] = (weights.dense * foreign, raw.cosine[rows])
    if maxsim is not None:
        parts["late"] = (weights.late * foreign, maxsim)
    return {name: weight * values for name, (weight, values) in parts.items() if weight}


def total(parts: Mapping[str, Floats]) -> Floats:
    """The score: the sum of its parts."""
    return np.asarray(np.sum(list(parts.values()), axis=0), np.float32)


def _baseline(raw: Raw, rows: Rows, config: RouterConfig) -> dict[str, Floats]:
    plain = (raw.words if raw.plain is None else raw.plain)[rows]
    cosine = None if raw.cosine is None else raw.cosine[rows]
    if config.fusion == "bm25" or cosine is None:
        return {"bm25": plain}
    if config.fusion == "dense":
        return {"dense": cosine}
    if config.fusion == "ranks":
        # Ranks differ in the fifth digit: scaled, as equal scores are told by the digits.
        return {"ranks": 1000 * reciprocal_ranks([plain, cosine])}
    return {"bm25": standardised(plain), "dense": standardised(cosine)}


def _exact(named: NDArray[np.bool_], config: RouterConfig) -> dict[str, Floats]:
    if not named.any():
        return {}
    return {"exact_name": np.where(named, config.exact_name, 0.0).astype(np.float32)}


def _raw(view: IndexView, lexical: LexicalIndex, part: Part, config: RouterConfig) -> Raw:
    mass = np.float32(part.words.mass)
    return Raw(
        words=lexical.scores(part.words) / mass,
        pairs=lexical.pair_scores(part.words) / mass,
        share=lexical.share(part.words),
        coverage=lexical.coverage(part.words),
        cosine=None if part.dense is None else _cosines(view, part.dense),
        plain=None if config.fusion == "fitted" else lexical.plain_scores(part.words),
    )


def _cosines(view: IndexView, vector: Floats) -> Floats:
    """Of each skill; one without a vector gets the mean: nothing is known for or against it."""
    # Not "@": for a product this small BLAS threads cost more than they bring (see late.py).
    found: Floats = np.einsum("ij,j->i", view.vectors, vector)
    blank = found == 0
    if blank.any() and not blank.all():
        found[blank] = found[~blank].mean()
    return found
