"""A clock that ticks, an encoder that needs no model, and Skillbooks made with them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.skillbook import Section, Skill, Trace
from asf_core.skillbook.book import Skillbook

TRACE = Trace.of("runs", "run-1", display_name="a run")
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)  # a Monday


class Clock:
    """Goes on by a second each time that it is asked."""

    def __init__(self, at: datetime = START, step: timedelta = timedelta(seconds=1)) -> None:
        self.at, self.step = at, step

    def __call__(self) -> datetime:
        self.at += self.step
        return self.at


def words(text: str) -> list[str]:
    return [word.strip(".,:;!?()").lower() for word in text.split()]


class HashEmbedder:
    """Sums a fixed random vector a word: texts that share words are near. Counts its work."""

    def __init__(self, model: str = "hash-1", dimension: int = 16) -> None:
        self._model, self._dimension = model, dimension
        self.encoded: list[str] = []

    @property
    def model(self) -> str:
        return self._model

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        self.encoded += texts
        return np.stack([sum(map(self._word, words(text)), self._word("")) for text in texts])

    def _word(self, word: str) -> NDArray[np.float32]:
        seed = hashlib.sha256(f"{self._model} {word}".encode()).digest()[:8]
        rng = np.random.default_rng(int.from_bytes(seed, "big"))
        return rng.standard_normal(self._dimension).astype(np.float32)


def make_book(*issues: str, clock: Clock | None = None) -> Skillbook:
    """One context skill an issue; its keywords are the issue's first two words."""
    book = Skillbook(now=clock or Clock())
    for issue in issues:
        add(book, issue)
    return book


def add(book: Skillbook, issue: str, section: Section = Section.CONTEXT) -> Skill:
    keywords = issue.split()[:2]
    return book.add_skill(section, issue, keywords, TRACE, insight=f"mend {issue}")
