"""The bench, joined with the real router."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from asf_core.bench.answer import Answer, answer_of
from asf_core.bench.compare import Comparison, compare
from asf_core.bench.published import PUBLISHED, Baseline
from asf_core.bench.queries import Judged, judge_against, load_queries
from asf_core.bench.report import Report, report
from asf_core.bench.run import Outcome, evaluate
from asf_core.domain.base import Value
from asf_core.domain.errors import InputError
from asf_core.domain.routing import RouteRequest
from asf_core.services.memory import peak_mb

if TYPE_CHECKING:
    from asf_core.services.engine import Engine

Progress = Callable[[str, int, int], None]
"""(setting, queries done, queries in all)."""

_WARM_UP = 3


class BenchResult(Value):
    """Figures of one or more settings over the same queries."""

    reports: tuple[Report, ...]
    """The setting itself first, then its baselines in the order asked for."""
    comparisons: tuple[Comparison, ...]
    """Of each baseline with the setting: what the setting adds."""
    skills: int
    """Skills of the index."""
    cold_start_ms: float
    """Opening models and index and answering the first query, in a process that has imported the
    program."""
    peak_memory_mb: float
    """Of the whole process."""
    published: Baseline = PUBLISHED
    """What was published for a router of this kind, on other skills and queries."""


def bench(
    engine: Engine,
    registries: Sequence[str],
    query_files: Sequence[Path],
    *,
    setting: str = "balanced",
    baselines: Sequence[str] = (),
    own: bool = True,
    limit: int = 0,
    progress: Progress | None = None,
) -> BenchResult:
    """Measure a setting, and what it adds to its baselines.

    Args:
        engine: With the registries synced.
        registries: Names of the registries to pool; empty for all of the workspace.
        query_files: Files of queries with known answers.
        setting: The setting that is judged.
        baselines: Settings that it is compared with, in the same run.
        own: Route each positive query over its own registries too.
        limit: Use only so many queries, evenly spread; 0 for all.
        progress: Told after each query.

    Raises:
        InputError: A file cannot be read, or none of its queries can be judged on this index.
    """
    registry_of = {
        row.id: row.registry
        for row in engine.skills()
        if not registries or row.registry in registries
    }
    queries = load_queries(query_files)
    judged, absent = judge_against(queries.queries, registry_of)
    judged = tuple(with_copies(judged, engine.quality.aliases()))
    judged = judged[:: max(1, len(judged) // limit)] if limit else judged
    if not any(one.relevant for one in judged):
        raise InputError(
            "None of the queries can be judged",
            why="The skills that they expect are not in the index",
            hint="Name the registry that the queries were written for with --registry",
        )
    cold = _warm_up(engine, judged, tuple(registries), (setting, *baselines))
    runs: dict[str, tuple[Outcome, ...]] = {}
    for name in (setting, *baselines):
        route = _router(engine, tuple(registries), name)
        told = (lambda done, of, name=name: progress(name, done, of)) if progress else None
        runs[name] = evaluate(judged, route, own=own, progress=told)
    reports = tuple(
        report(found, setting=name, queries_digest=queries.digest, unjudged=len(absent))
        for name, found in runs.items()
    )
    return BenchResult(
        reports=reports,
        comparisons=tuple(
            compare(runs[name], runs[setting], names=(name, setting)) for name in baselines
        ),
        skills=len(registry_of),
        cold_start_ms=cold,
        peak_memory_mb=peak_mb(),
    )


def ablations(setting: str) -> tuple[str, ...]:
    """The setting with each of its parts dropped in turn, by name, for ``baselines``.

    Raises:
        InputError: There is no such setting.
    """
    from asf_core.retrieval.config import droppable

    return droppable(setting)


def with_copies(judged: Iterable[Judged], aliases: Mapping[str, str]) -> Iterator[Judged]:
    """Count every copy of a right skill as right: of copies the router offers one.

    Args:
        judged: As the query file says.
        aliases: Alias to canonical id.
    """
    groups: dict[str, set[str]] = defaultdict(set)
    for alias, canonical in aliases.items():
        groups[canonical] |= {alias, canonical}

    def copies(ids: Iterable[str]) -> frozenset[str]:
        return frozenset().union(*(groups.get(aliases.get(i, i), {i}) for i in ids))

    for one in judged:
        yield replace(one, relevant=copies(one.relevant), plan=tuple(map(copies, one.plan)))


def _router(
    engine: Engine, registries: tuple[str, ...], setting: str
) -> Callable[[str, tuple[str, ...]], Answer]:
    def route(query: str, own: tuple[str, ...]) -> Answer:
        request = RouteRequest(registries=own or registries, setting=setting)
        return answer_of(engine.route(query, request), engine.lacking)

    return route


def _warm_up(
    engine: Engine, judged: Sequence[Judged], registries: tuple[str, ...], settings: Sequence[str]
) -> float:
    """Open what every setting needs, so that no query pays for it.

    Returns:
        Milliseconds of the very first answer.
    """
    began = time.perf_counter()
    first = 0.0
    for name in settings:
        for one in judged[:_WARM_UP]:
            _router(engine, registries, name)(one.query.query, ())
            first = first or (time.perf_counter() - began) * 1000
    return first
