"""The Skillbook's search judged by queries whose answers are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from asf_core.bench.metrics import first_right, hit, mean, reciprocal
from asf_core.bench.queries import BenchQuery, load_queries
from asf_core.domain.base import Sha256, Value
from asf_core.domain.errors import InputError
from asf_core.retrieval.words import terms
from asf_core.skillbook.search import Wanted, best_first, fused, gather, ranks

if TYPE_CHECKING:
    from asf_core.skillbook.book import Skillbook
    from asf_core.skillbook.vectors import Embedder

Method = Literal["bm25", "dense", "rrf"]


class MethodScores(Value):
    """How one way of searching did: means over the queries."""

    method: Method
    hit_at_1: float
    hit_at_5: float
    mrr: float


class SkillbookBench(Value):
    """The three ways side by side."""

    queries: int
    left_out: int
    """Their answers are not active in this Skillbook."""
    skills: int
    data: Sha256
    """Digest of the query files."""
    model: str
    scores: tuple[MethodScores, ...]
    by_source: dict[str, tuple[MethodScores, ...]]
    """By the queries' source, sorted."""
    missed: tuple[str, ...]
    """Ids of the queries that RRF does not answer first."""


def bench(book: Skillbook, paths: Sequence[Path], embedder: Embedder) -> SkillbookBench:
    """Search with BM25 alone, dense alone, and both fused.

    Args:
        book: Where to search.
        paths: Query files as of ``asf bench``; ``relevant`` holds ids of issues.
        embedder: Makes embeddings.

    Raises:
        InputError: A file is no query file, or no query has its answer in the Skillbook.
    """
    asked = load_queries(paths)
    active = {skill.id for skill in book.skills()}
    positive = [query for query in asked.queries if active & set(query.relevant)]
    if not positive:
        raise InputError(
            "No query has its answer in this Skillbook",
            why=f"{len(asked.queries)} queries, {len(active)} active issues",
            hint="`relevant` holds ids such as context-00001; name the Skillbook with --file",
        )
    found = [(query, _ranks(book, query, embedder)) for query in positive]
    return SkillbookBench(
        queries=len(positive),
        left_out=sum(query.kind == "positive" for query in asked.queries) - len(positive),
        skills=len(active),
        data=asked.digest,
        model=embedder.model,
        scores=_all_scores([of for _, of in found]),
        by_source={
            source: _all_scores([of for query, of in found if query.source == source])
            for source in sorted({query.source for query in positive})
        },
        missed=tuple(query.id for query, of in found if of["rrf"] != 1),
    )


_METHODS: tuple[Method, ...] = ("bm25", "dense", "rrf")


def _ranks(book: Skillbook, query: BenchQuery, embedder: Embedder) -> dict[Method, int | None]:
    """Rank of the first right issue by each method."""
    evidence = gather(book, Wanted(query.query), embedder, terms)
    bm25, dense = ranks(evidence.bm25), ranks(evidence.cosine)
    rankings: dict[Method, list[list[int]]] = {
        "bm25": [bm25],
        "dense": [dense],
        "rrf": [bm25, dense],
    }
    return {
        method: first_right(
            (evidence.pool[at].id for at in best_first(fused(used), evidence.pool)),
            query.relevant,
        )
        for method, used in rankings.items()
    }


def _all_scores(found: Sequence[Mapping[Method, int | None]]) -> tuple[MethodScores, ...]:
    return tuple(_scores(method, [of[method] for of in found]) for method in _METHODS)


def _scores(method: Method, found: Sequence[int | None]) -> MethodScores:
    return MethodScores(
        method=method,
        hit_at_1=mean(hit(rank, 1) for rank in found),
        hit_at_5=mean(hit(rank, 5) for rank in found),
        mrr=mean(reciprocal(rank) for rank in found),
    )
