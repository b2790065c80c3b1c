"""Two settings side by side on the same queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from asf_core.bench.bootstrap import Interval, paired
from asf_core.bench.metrics import discounted, hit, reciprocal
from asf_core.bench.report import RECALL_DEPTH, headline_of
from asf_core.bench.run import Outcome
from asf_core.domain.base import Value

_MEASURES: Mapping[str, Callable[[Outcome], float]] = {
    "hit_1": lambda o: hit(o.rank, 1),
    "hit_5": lambda o: hit(o.rank, 5),
    "mrr": lambda o: reciprocal(o.rank),
    "ndcg_10": lambda o: discounted(o.rank, 10),
    "recall_100": lambda o: hit(o.recall_rank, RECALL_DEPTH),
    "own_hit_1": lambda o: hit(o.own_rank, 1),
    "own_mrr": lambda o: reciprocal(o.own_rank),
}


class Change(Value):
    """One query that the settings rank differently."""

    query_id: str
    first: int | None
    """Rank of the right skill; ``None`` when it was not ranked."""
    second: int | None


class Comparison(Value):
    """What changes from a first setting to a second."""

    first: str
    second: str
    queries: int
    differences: Mapping[str, Interval]
    """Measure -> second minus first; queries of one skill are drawn together."""
    by_source: Mapping[str, Mapping[str, Interval]]
    won: tuple[Change, ...]
    """Queries whose right skill comes first only under the second setting."""
    lost: tuple[Change, ...]
    """Queries whose right skill comes first only under the first setting."""


def compare(
    first: Sequence[Outcome], second: Sequence[Outcome], *, names: tuple[str, str]
) -> Comparison:
    """Compare two runs on the positive queries that do not name their skill.

    Args:
        first: Outcomes under one setting.
        second: Outcomes under the other, of the same queries in the same order.
        names: Of the settings.

    Raises:
        ValueError: The runs are not of the same queries in the same order.
    """
    pairs = list(zip(headline_of(first), headline_of(second), strict=True))
    if any(a.judged.query.id != b.judged.query.id for a, b in pairs):
        raise ValueError("two runs can be compared only on the same queries in the same order")
    sources = sorted({a.judged.query.source for a, _ in pairs})
    changed = [Change(query_id=a.judged.query.id, first=a.rank, second=b.rank) for a, b in pairs]
    return Comparison(
        first=names[0],
        second=names[1],
        queries=len(pairs),
        differences=_differences(pairs),
        by_source={
            source: _differences([p for p in pairs if p[0].judged.query.source == source])
            for source in sources
        },
        won=tuple(c for c in changed if c.second == 1 and c.first != 1),
        lost=tuple(c for c in changed if c.first == 1 and c.second != 1),
    )


def _differences(pairs: Sequence[tuple[Outcome, Outcome]]) -> dict[str, Interval]:
    groups = [a.group for a, _ in pairs]
    return {
        name: paired([of(a) for a, _ in pairs], [of(b) for _, b in pairs], groups)
        for name, of in _MEASURES.items()
    }
