"""Fitting the router on queries with known answers: what ``weights`` and ``confidence`` hold.

The weights are fitted on the positive queries that do not name their skill, each over its own
registries. The confidence is fitted on what tells a good answer from a bad one:

- good: a positive query and its best right skill, over the query's own registries;
- bad: the first skill for a negative query of a source without positives (nonsense and small talk:
  a negative beside positives is often a task for another skill of the same registries);
- bad: the first skill for a positive query over a registry a tenth as large as its own, or
  smaller: a few of these fit by chance, most do not.

Registries weigh alike, and within each its groups (a source's answers). Every figure is of queries that the fit had not
seen: a source of positives is left out whole, other groups by fifths.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from asf_core.bench.abstention import curve, operating_point
from asf_core.bench.queries import Judged, judge_against, load_queries
from asf_core.domain.base import Sha256, Value
from asf_core.domain.errors import InputError
from asf_core.domain.routing import RouteRequest
from asf_core.retrieval.confidence import FEATURES
from asf_core.retrieval.fitting import (
    Array,
    Example,
    fit_listwise,
    fit_logistic,
    left_out,
    means,
    ranks,
    without,
)

if TYPE_CHECKING:
    from asf_core.retrieval.evidence import PoolEvidence
    from asf_core.services.engine import Engine

Progress = Callable[[str, int, int], None]
"""(what, done, in all)."""

_FOLDS = 5
_SMALLER = 10
_MOST_STRANGERS = 500
MOST_LOST = 0.05
"""Share of the good answers of any group that the proposed threshold may lose."""


class Figures(Value):
    """Of some weights over the positive queries, 0 to 1."""

    hit_1: float
    mrr: float
    hit_1_by_source: float
    """Mean over sources."""


class WeightsFit(Value):
    """The weights of a setting's evidence."""

    weights: Mapping[str, float]
    queries: int
    in_pool: float
    """Share of the queries whose right skill is in the pool, 0 to 1."""
    left_out: Figures
    """Each source under weights fitted on the others."""
    fitted: Figures
    """All under weights fitted on all."""
    left_out_without: Mapping[str, Figures]
    """Part -> the left-out figures of the others, fitted anew without it."""


class ConfidenceFit(Value):
    """The coefficients of the confidence."""

    coefficients: Mapping[str, float]
    bias: float
    examples: Mapping[str, int]
    """Group -> its examples; a group's name begins with ``good`` or ``bad``."""
    threshold: float
    """The highest that loses at most ``MOST_LOST`` of the good answers of any group."""
    kept: Mapping[str, float]
    """Group -> share of its examples at or above the threshold, of answers not fitted on."""
    area: float
    """Chance that a good answer has more confidence than a bad one, groups alike."""


class FitResult(Value):
    """What was fitted on what."""

    setting: str
    queries_digest: Sha256
    weights: WeightsFit
    confidence: ConfidenceFit | None
    """``None`` where there is no bad answer to learn from."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """One answer to learn the confidence from."""

    group: str
    registry: str
    """Where the answer is from; several joined are one."""
    query: str
    good: bool
    given: Array
    """Features of what the router would be judged on: (m,)."""


def fit(
    engine: Engine,
    registries: Sequence[str],
    query_files: Sequence[Path],
    *,
    setting: str = "balanced",
    progress: Progress | None = None,
) -> FitResult:
    """Fit weights and confidence of a setting.

    Args:
        engine: With the registries synced.
        registries: Names; empty for all of the workspace.
        query_files: Positive and negative queries.
        setting: Its encoders' evidence is fitted; what it weighs now only makes the pools.
        progress: Told after each query.

    Raises:
        InputError: The queries are of one source only, or none can be judged.
    """
    rows = [r for r in engine.skills() if not registries or r.registry in registries]
    sizes = Counter(row.registry for row in rows)
    queries = load_queries(query_files)
    judged, _ = judge_against(queries.queries, {row.id: row.registry for row in rows})
    headline = [one for one in judged if one.relevant and not one.query.names_skill]
    if len({one.query.source for one in headline}) < 2:
        raise InputError(
            "There is nothing to leave out",
            why="Weights are judged on a source that they were not fitted on, and the queries "
            "that can be judged are of fewer than two",
            hint="Give queries of at least two sources with --queries",
        )
    tell = progress or (lambda *_: None)
    examples: list[Example] = []
    answers: list[_Answer] = []
    parts: tuple[str, ...] = ()
    for done, one in enumerate(headline, start=1):
        found = engine.evidence(one.query.query, _request(one.registries, setting))
        right = np.isin(found.skill_ids, list(one.relevant))
        examples.append(Example(one.query.source, found.evidence, right))
        answers += _good(one, found, right)
        parts = found.parts
        tell("pools", done, len(headline))
    strangers = list(_strangers(judged, headline, sizes))
    for done, (one, registry) in enumerate(strangers, start=1):
        found = engine.evidence(one.query.query, _request((registry,), setting))
        answers += _bad(one, registry, found)
        tell("negatives", done, len(strangers))
    return FitResult(
        setting=setting,
        queries_digest=queries.digest,
        weights=_fit_weights(parts, examples),
        confidence=_fit_confidence(answers) if any(not a.good for a in answers) else None,
    )


def _request(registries: tuple[str, ...], setting: str) -> RouteRequest:
    return RouteRequest(registries=registries, setting=setting)


def _good(one: Judged, found: PoolEvidence, right: NDArray[np.bool_]) -> Iterator[_Answer]:
    if found.script == "latin" and right.any():
        group = f"good {one.query.source}"
        yield _Answer(
            group, "\n".join(one.registries), one.query.id, True, found.features[found.best]
        )


def _bad(one: Judged, registry: str, found: PoolEvidence) -> Iterator[_Answer]:
    if found.script == "latin":
        whose = "tasks of others" if one.relevant else one.query.source
        group = f"bad {whose} over {registry}"
        yield _Answer(group, registry, one.query.id, False, found.features[found.best])


def _strangers(
    judged: Sequence[Judged], headline: Sequence[Judged], sizes: Mapping[str, int]
) -> Iterator[tuple[Judged, str]]:
    """Queries that a registry has no answer to."""
    sources = {one.query.source for one in judged if one.relevant}
    nonsense = [o for o in judged if not o.relevant and o.query.source not in sources]
    for registry in sorted(sizes):
        for one in nonsense:
            yield one, registry
        far = [
            one
            for one in headline
            if all(sizes[own] >= _SMALLER * sizes[registry] for own in one.registries)
        ]
        for one in far[:: max(1, len(far) // _MOST_STRANGERS)]:
            yield one, registry


def _fit_weights(parts: tuple[str, ...], examples: Sequence[Example]) -> WeightsFit:
    found = fit_listwise(examples)
    return WeightsFit(
        weights={name: round(float(v), 2) for name, v in zip(parts, found, strict=True)},
        queries=len(examples),
        in_pool=float(np.mean([e.right.any() for e in examples])),
        left_out=Figures(**means(list(left_out(examples)))),
        fitted=Figures(**means(list(ranks(examples, found)))),
        left_out_without={
            name: Figures(**means(list(left_out(without(examples, place)))))
            for place, name in enumerate(parts)
            if len(parts) > 1
        },
    )


def _fit_confidence(answers: Sequence[_Answer]) -> ConfidenceFit:
    groups = np.array([a.group for a in answers])
    features = np.stack([a.given for a in answers])
    good = np.array([a.good for a in answers])
    weights = _alike(answers)
    unseen = np.zeros(len(answers))
    for held in _held_out(answers, groups, good):
        rest = ~held
        slope, bias = fit_logistic(features[rest], good[rest], weights[rest] / weights[rest].sum())
        unseen[held] = _chance(features[held] @ slope + bias)
    slope, bias = fit_logistic(features, good, weights)
    names = sorted(set(groups))
    curves = [curve(unseen[groups == n].tolist(), []) for n in names if n.startswith("good")]
    threshold = min(p.threshold for c in curves if (p := operating_point(c, MOST_LOST)))
    return ConfidenceFit(
        coefficients={
            name: round(float(v), 2)
            for name, v in zip(FEATURES[: features.shape[1]], slope, strict=True)
        },
        bias=round(bias, 2),
        examples={name: int((groups == name).sum()) for name in names},
        threshold=round(threshold, 3),
        kept={name: float((unseen[groups == name] >= threshold).mean()) for name in names},
        area=curve(unseen[good].tolist(), unseen[~good].tolist()).area,
    )


def _alike(answers: Sequence[_Answer]) -> Array:
    """Good and bad weigh the same, in each the registries, in each of these the groups: (n,)."""
    groups = {(a.good, a.registry, a.group) for a in answers}
    registries = {(good, registry) for good, registry, _ in groups}
    per_registry = Counter((good, registry) for good, registry, _ in groups)
    per_kind = Counter(good for good, _ in registries)
    per_group = Counter((a.good, a.registry, a.group) for a in answers)
    weights = [
        1
        / per_group[a.good, a.registry, a.group]
        / per_registry[a.good, a.registry]
        / per_kind[a.good]
        for a in answers
    ]
    return np.array(weights) / sum(weights)


def _held_out(
    answers: Sequence[_Answer], groups: NDArray[np.str_], good: NDArray[np.bool_]
) -> Iterator[NDArray[np.bool_]]:
    """What is judged together by a fit that did not see it: each answer in one of them.

    A source of good answers as a whole while another is as large a registry's; the rest by fifths
    of the queries, so that a query over two registries is never on both sides.
    """
    large = {g for g in set(groups[good]) if (groups == g).sum() >= _FOLDS * 20}
    for name in sorted(large):
        yield groups == name
    fold = np.array([_fold(a.query) for a in answers])
    for number in range(_FOLDS):
        yield (fold == number) & ~np.isin(groups, sorted(large))


def _fold(query: str) -> int:
    return hashlib.sha256(query.encode()).digest()[0] % _FOLDS


def _chance(total: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(total, -60, 60))), np.float64)
