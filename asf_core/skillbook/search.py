"""Finding issues: words and meaning, put together by reciprocal ranks (DESIGN 9)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.errors import InputError
from asf_core.domain.skillbook import SearchHit, Section, Skill, id_key, normalised_keywords
from asf_core.skillbook.book import Skillbook
from asf_core.skillbook.vectors import Embedder, embedded, embeddings

Words = Callable[[str], Sequence[str]]
"""The terms of a text, in order, with repeats."""

RRF_K = 60
"""Cormack, Clarke and Büttcher 2009."""
LONGEST_QUERY = 20_000
_DIGITS = 5
"""Scores that agree to so many decimals are equal; below that is the noise of float32 sums."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched for."""

    query: str
    section: Section | None = None
    keywords: tuple[str, ...] = ()
    """Only skills that carry every one of these."""
    boost: tuple[str, ...] = ()
    """Skills that carry one of these come further up: a ranking of its own beside the two."""
    limit: int = 10
    removed: bool = False
    """Removed skills too."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for each skill of the pool."""

    pool: tuple[Skill, ...]
    bm25: NDArray[np.float64]
    """(n,), 0 where no word is met."""
    cosine: NDArray[np.float64]
    """(n,)."""
    boosted: NDArray[np.float64]
    """(n,), how many of the boosted keywords each carries."""


def search_skills(
    book: Skillbook, wanted: Wanted, embedder: Embedder, words: Words
) -> tuple[SearchHit, ...]:
    """Find the skills that a question is about, best first; equal scores in order of id.

    Args:
        book: Where to look; the embeddings that it lacks are made and kept in it.
        wanted: What to look for.
        embedder: Makes embeddings. Whatever it raises is raised: there is no answer by words
            alone that looks like a whole one.
        words: Takes texts apart.

    Raises:
        InputError: The question is empty or too long.
    """
    evidence = gather(book, wanted, embedder, words)
    if not evidence.pool:
        return ()
    bm25, dense = ranks(evidence.bm25), ranks(evidence.cosine)
    boosted = [ranks(evidence.boosted)] if wanted.boost else []
    scores = fused([bm25, dense, *boosted])
    order = best_first(scores, evidence.pool)
    return tuple(
        SearchHit(
            skill=evidence.pool[at],
            score=scores[at],
            bm25=float(evidence.bm25[at]),
            bm25_rank=bm25[at] if evidence.bm25[at] > 0 else None,
            cosine=float(evidence.cosine[at]),
            dense_rank=dense[at],
        )
        for at in order[: wanted.limit]
    )


def gather(book: Skillbook, wanted: Wanted, embedder: Embedder, words: Words) -> Evidence:
    """The evidence for each skill that passes the filters."""
    query = wanted.query.strip()
    if not query or len(query) > LONGEST_QUERY:
        raise InputError(
            "The question is empty" if not query else "The question is too long",
            hint=f"Say in up to {LONGEST_QUERY:,} characters what you look for",
        )
    everything = book.skills(removed=wanted.removed)
    passing = {s.id for s in book.skills(wanted.section, wanted.keywords, removed=wanted.removed)}
    pool = tuple(skill for skill in everything if skill.id in passing)
    if not pool:
        none = np.zeros(0)
        return Evidence((), none, none, none)
    # Rarity is that of the whole Skillbook, so that a filter changes no order within it.
    scores = bm25_scores(everything, query, words)
    kept = np.array([skill.id in passing for skill in everything])
    vectors = embeddings(pool, book.vectors, embedder)
    cosine = vectors @ embedded([query], embedder, query=True)[0]
    return Evidence(pool, scores[kept], cosine.astype(np.float64), _carried(pool, wanted.boost))


def bm25_scores(skills: Sequence[Skill], query: str, words: Words) -> NDArray[np.float64]:
    """BM25 of each skill: (n,), 0 where no word of the question is met.

    BM25+ with a delta of 0 is Okapi's BM25 with the IDF log((N + 1) / n). The usual one is
    negative for a word that more than half of the skills have, so that in a small Skillbook a
    perfect match would come last.
    """
    from rank_bm25 import BM25Plus

    documents = [list(words(skill.embedding_input)) for skill in skills]
    if not any(documents):
        return np.zeros(len(skills))
    # A word that is asked twice is not asked twice as much.
    terms = list(dict.fromkeys(words(query)))
    return np.asarray(BM25Plus(documents, delta=0).get_scores(terms), np.float64)


def ranks(scores: NDArray[Any]) -> list[int]:
    """Ranks from 1, equal scores sharing one.

    Skills that no word meets are ranked too, together behind the others. Left out of the sum, as
    often done, one chance word would outweigh any meaning: on our own questions hit@1 was 0.553.
    """
    rounded = np.round(np.asarray(scores, np.float64), _DIGITS)
    ascending = np.sort(-rounded)
    found: list[int] = (1 + np.searchsorted(ascending, -rounded, side="left")).tolist()
    return found


def fused(rankings: Sequence[Sequence[int]]) -> list[float]:
    """Reciprocal rank fusion: the sum of ``1 / (60 + rank)`` over the rankings."""
    return [math.fsum(1 / (RRF_K + rank) for rank in row) for row in zip(*rankings, strict=True)]


def best_first(scores: Sequence[float], skills: Sequence[Skill]) -> list[int]:
    """Places of the skills, best first; equal scores in order of id."""
    return sorted(range(len(skills)), key=lambda at: (-scores[at], id_key(skills[at].id)))


def _carried(pool: Iterable[Skill], boost: Iterable[str]) -> NDArray[np.float64]:
    wanted = set(normalised_keywords(boost))
    return np.array([len(wanted & set(skill.keywords)) for skill in pool], np.float64)
