"""Fitting weights on queries with known answers: a listwise softmax, and a logistic regression.

Both have a handful of parameters, in which a damped Newton method ends in a few steps, so neither
needs a library. Figures of weights are told apart by what they were fitted on:
each source of queries is judged by weights that never saw it (leave one source out).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_STEPS = 100
_STILL = 1e-6
_HALVINGS = 30


@dataclass(frozen=True, slots=True)
class Example:
    """The evidence on a query's pool."""

    source: str
    """Who wrote the query."""
    evidence: Array
    """(n, k): of n skills, k parts."""
    right: NDArray[np.bool_]
    """(n,): the skills that answer it."""


def by_group(groups: Sequence[str]) -> Array:
    """Weights that let a group count by the square root of its size, their sum 1: (m,)."""
    found, places, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    weights = (1 / np.sqrt(sizes))[places] if len(found) else np.zeros(0)
    return np.asarray(weights / max(weights.sum(), 1e-12), np.float64)


def fit_listwise(examples: Sequence[Example], penalty: float = 1e-3) -> Array:
    """Weights under which the right skills stand first (ListNet's softmax, several right ones).

    Args:
        examples: Those without a right skill in the pool are passed over.
        penalty: L2, on the weights of parts scaled to deviation 1.

    Returns:
        (k,), for parts as they come.

    Raises:
        ValueError: No example has a right skill.
    """
    used = [e for e in examples if e.right.any()]
    if not used:
        raise ValueError("no query has a right skill in its pool")
    scale = np.concatenate([e.evidence for e in used]).std(axis=0) + 1e-9
    lists = [(e.evidence / scale, e.right) for e in used]
    weights = by_group([e.source for e in used])
    ridge = 2 * penalty * np.eye(len(scale))

    def loss(found: Array) -> float:
        lost = [_log_sum(p @ found) - _log_sum((p @ found)[right]) for p, right in lists]
        return float(weights @ np.array(lost) + penalty * found @ found)

    found = np.zeros(len(scale))
    for _ in range(_STEPS):
        slope, bend = ridge @ found, ridge.copy()
        for (part, right), weight in zip(lists, weights, strict=True):
            chance = _softmax(part @ found)
            mean = chance @ part
            slope += weight * (mean - _softmax((part @ found)[right]) @ part[right])
            # The curvature of the convex half alone, which is never negative.
            bend += weight * ((part * chance[:, None]).T @ part - np.outer(mean, mean))
        step = _damped(loss, found, np.asarray(np.linalg.solve(bend, slope), np.float64))
        found = found - step
        if np.abs(step).max() < _STILL:
            break
    return np.asarray(found / scale, np.float64)


def fit_logistic(
    features: Array, good: NDArray[np.bool_], weights: Array, penalty: float = 5e-5
) -> tuple[Array, float]:
    """A weighted logistic regression.

    Args:
        features: (m, k).
        good: (m,).
        weights: (m,), their sum 1.
        penalty: L2, on the coefficients of features scaled to deviation 1; the bias is free.

    Returns:
        Coefficients (k,) for features as they come, and the bias.
    """
    scale = features.std(axis=0) + 1e-9
    rows = np.column_stack([features / scale, np.ones(len(features))])
    ridge = np.diag([*[2 * penalty] * features.shape[1], 1e-9])
    found = np.zeros(rows.shape[1])

    def loss(at: Array) -> float:
        # log(1 + exp(-margin)), without overflow.
        lost = np.logaddexp(0, np.where(good, -1, 1) * (rows @ at))
        return float(weights @ lost + at @ ridge @ at / 2)

    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ found, -60, 60)))
        slope = rows.T @ (weights * (chance - good)) + ridge @ found
        bend = (rows * (weights * chance * (1 - chance))[:, None]).T @ rows + ridge
        step = _damped(loss, found, np.linalg.solve(bend, slope))
        found = found - step
        if np.abs(step).max() < _STILL:
            break
    return np.asarray(found[:-1] / scale, np.float64), float(found[-1])


@dataclass(frozen=True, slots=True)
class Ranks:
    """Of the first right skill under some weights; ``None``: it is not in the pool."""

    source: str
    rank: int | None


def ranks(examples: Sequence[Example], weights: Array) -> Iterator[Ranks]:
    """Where each example's first right skill stands under ``weights``."""
    for example in examples:
        order = np.argsort(-(example.evidence @ weights), kind="stable")
        places = np.flatnonzero(example.right[order])
        yield Ranks(example.source, int(places[0]) + 1 if len(places) else None)


def left_out(examples: Sequence[Example], penalty: float = 1e-3) -> Iterator[Ranks]:
    """The same, each source under weights fitted on the others.

    Raises:
        ValueError: All examples are of one source.
    """
    for source in sorted({e.source for e in examples}):
        others = [e for e in examples if e.source != source]
        weights = fit_listwise(others, penalty)
        yield from ranks([e for e in examples if e.source == source], weights)


def without(examples: Sequence[Example], part: int) -> list[Example]:
    """The examples, one part of the evidence less."""
    return [Example(e.source, np.delete(e.evidence, part, axis=1), e.right) for e in examples]


def _damped(loss: Callable[[Array], float], found: Array, step: Array) -> Array:
    """The Newton step, halved until the loss falls: far from the end a whole one overshoots."""
    before = loss(found)
    for _ in range(_HALVINGS):
        if loss(found - step) <= before:
            return step
        step = step / 2
    return np.zeros_like(step)


def _log_sum(scores: Array) -> float:
    most = scores.max()
    return float(most + np.log(np.exp(scores - most).sum()))


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum(), np.float64)


Means = Mapping[str, float]
"""Figure -> mean over queries, 0 to 1."""


def means(found: Sequence[Ranks]) -> Means:
    """hit@1, MRR, and the mean over sources of hit@1."""
    sources = sorted({r.source for r in found})
    hits = {s: [float(r.rank == 1) for r in found if r.source == s] for s in sources}
    return {
        "hit_1": float(np.mean([float(r.rank == 1) for r in found])),
        "mrr": float(np.mean([1 / r.rank if r.rank else 0.0 for r in found])),
        "hit_1_by_source": float(np.mean([np.mean(hits[s]) for s in sources])),
    }
