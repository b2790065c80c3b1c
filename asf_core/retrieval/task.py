"""A task, read by every engine that is there."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from asf_core.retrieval.clauses import clauses
from asf_core.retrieval.config import RouterConfig
from asf_core.retrieval.lexical import LexicalIndex, LexicalQuery
from asf_core.retrieval.models.encoders import QueryTokens
from asf_core.retrieval.models.runtime import workers
from asf_core.retrieval.views import clean, condensed
from asf_core.retrieval.words import Script, distinct, script, terms

Floats = NDArray[np.float32]
_Found = TypeVar("_Found")


class QueryVectors(Protocol):
    """What the router asks of a dense encoder."""

    def encode_query(self, text: str) -> Floats:
        """(D,), L2-normalised."""


class QueryTokenVectors(Protocol):
    """What the router asks of a token encoder."""

    def encode_query(self, text: str) -> QueryTokens:
        """One vector a token."""


@dataclass(frozen=True, slots=True)
class Part:
    """A task, or one clause of it."""

    text: str
    words: LexicalQuery
    dense: Floats | None
    """(D,); ``None`` without a dense encoder."""
    tokens: NDArray[np.int64] | None
    """Which of the task's token vectors are its own; ``None`` without a token encoder."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task after encoding."""

    whole: Part
    clauses: tuple[Part, ...]
    """Its clauses if it has several, else empty."""
    tokens: QueryTokens | None
    """Of the whole task; ``None`` without a token encoder."""
    script: Script
    """The encoders are English: they read Latin letters."""
    notes: tuple[str, ...]


def read_task(
    text: str,
    lexical: LexicalIndex,
    dense: QueryVectors | None,
    late: QueryTokenVectors | None,
    config: RouterConfig,
) -> Task:
    """Read a task with all engines, the encoders side by side.

    A clause gets a dense vector of its own; its token vectors are those that it has within the
    whole task, which keeps their context and costs nothing.

    Args:
        text: As it was typed.
        lexical: The word index.
        dense: The dense encoder; ``None`` to do without.
        late: The token encoder; ``None`` to do without.
        config: The setting.
    """
    text = clean(text)
    short = condensed(text, config.encoder_tokens, _telling(lexical))
    spans = clauses(text) if config.clauses and short == text else ()
    texts = [text, *(text[start:end].strip() for start, end in spans)]
    vectors = [
        None if dense is None else _start(dense.encode_query, t) for t in [short, *texts[1:]]
    ]
    tokens = None if late is None else _start(late.encode_query, short).result()
    parts = [
        Part(
            part,
            lexical.query(part),
            None if vector is None else vector.result(),
            None if tokens is None else _within(tokens, span),
        )
        for part, vector, span in zip(texts, vectors, [None, *spans], strict=True)
    ]
    notes = () if short == text else ("long task: the encoders read its most telling sentences",)
    return Task(parts[0], tuple(parts[1:]), tokens, script(text), notes)


def _start(work: Callable[[str], _Found], text: str) -> Future[_Found]:
    return workers().submit(work, text)


def _telling(lexical: LexicalIndex) -> Callable[[str], float]:
    def weight(sentence: str) -> float:
        found = distinct(terms(sentence))
        # The root: a long sentence tells more in all, and less a word.
        return sum(map(lexical.idf, found)) / math.sqrt(len(sentence) or 1)

    return weight


def _within(tokens: QueryTokens, span: tuple[int, int] | None) -> NDArray[np.int64]:
    if span is None:
        return np.arange(len(tokens.vectors))
    starts = tokens.spans[:, 0]
    return np.flatnonzero((starts >= span[0]) & (starts < span[1]))
