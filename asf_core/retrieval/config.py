"""The router's settings: how deep each stage looks and how much each part of the evidence weighs.

A setting is recorded with every answer and never depends on the clock, so that the same task on
the same index gives the same plan on a slow machine and on a fast one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from asf_core.domain.errors import InputError
from asf_core.domain.routing import StageName
from asf_core.retrieval.weights import DENSE, LATE, WORDS, Weights

Fusion = Literal["fitted", "bm25", "dense", "ranks", "sum"]
"""How the evidence becomes one score. All but ``fitted`` are baselines to measure against: plain
BM25 alone, the dense encoder alone, their reciprocal ranks, the sum of both standardised."""

BUDGET_MS: Mapping[StageName, float | None] = MappingProxyType(
    {
        StageName.ENCODE: None,
        StageName.RECALL: 10.0,
        StageName.RERANK: 50.0,
        StageName.WALK: 3.0,
        StageName.PLAN: 2.0,
    }
)
"""Milliseconds that the design gives each stage."""


@dataclass(frozen=True, slots=True)
class RouterConfig:
    """One setting. The weights' provenance is told in ``weights``."""

    name: str
    fusion: Fusion = "fitted"
    weights: Weights = DENSE
    """Of the evidence, for ``fitted``; an encoder whose weight is 0 is not opened."""
    recall: int = 100
    """Skills that recall keeps."""
    rerank: int = 30
    """Skills that rerank keeps."""
    clause_recall: int = 15
    """Skills that recall keeps for each clause of a task with several."""
    cross: float = 0.0
    """Weight of the cross-encoder's standardised verdict."""
    cross_depth: int = 0
    """How many of the first the cross-encoder reads; 0: it is not opened."""
    exact_name: float = 50.0
    """Added where the task is a skill's name and nothing else: above any sum of the others."""
    foreign: float = 0.05
    """What the encoders' weights are multiplied by for a task that is not in Latin letters: both
    are English models."""
    whole: float = 0.5
    """Weight of the whole task's standardised score in the score of one of its clauses."""
    clauses: bool = True
    """Whether a task with several clauses is also judged clause by clause."""
    encoder_tokens: int = 64
    """Longer tasks are condensed to about so many tokens for the encoders; words are all read."""
    near: float = 0.3
    """A skill whose score is so close to the best one's is routed with it, marked unsure."""
    served: float = 1.0
    """A clause is left to a skill already chosen whose score for it is so close to the best."""
    clause_threshold: float = 0.4
    """Confidence below which a clause brings in no skill of its own: a few words prove less."""
    twin: float = 0.97
    """Cosine from which a skill is a copy of a better one, and left out."""
    threshold: float = 0.16
    """Confidence below which the router abstains; what it keeps and refuses: see ``confidence``."""
    near_misses: int = 5

    @property
    def late(self) -> bool:
        """Whether the token encoder has a say."""
        return self.fusion == "fitted" and self.weights.late > 0

    @property
    def encoders(self) -> bool:
        """Whether any encoder has a say."""
        if self.fusion == "fitted":
            return self.late or self.weights.dense > 0 or self.cross_depth > 0
        return self.fusion != "bm25"


_BALANCED = RouterConfig("balanced")

SETTINGS: Mapping[str, RouterConfig] = MappingProxyType(
    {
        "fast": replace(_BALANCED, name="fast", weights=WORDS),
        "balanced": _BALANCED,
        "best": replace(_BALANCED, name="best", weights=LATE),
        "cross": replace(_BALANCED, name="cross", cross=0.5, cross_depth=8),
        "bm25": replace(_BALANCED, name="bm25", fusion="bm25"),
        "dense": replace(_BALANCED, name="dense", fusion="dense"),
        "rrf": replace(_BALANCED, name="rrf", fusion="ranks"),
        "sum": replace(_BALANCED, name="sum", fusion="sum"),
    }
)
"""The settings by name: words alone (no model is opened), with the dense encoder, with late
interaction, with the cross-encoder; the last four are baselines for ``asf bench --baseline``."""

PARTS: Mapping[str, Callable[[RouterConfig], RouterConfig]] = MappingProxyType(
    {
        "words": lambda c: replace(c, weights=replace(c.weights, words=0.0)),
        "pairs": lambda c: replace(c, weights=replace(c.weights, pairs=0.0)),
        "coverage": lambda c: replace(c, weights=replace(c.weights, coverage=0.0)),
        "dense": lambda c: replace(c, weights=replace(c.weights, dense=0.0)),
        "late": lambda c: replace(c, weights=replace(c.weights, late=0.0)),
        "cross": lambda c: replace(c, cross=0.0, cross_depth=0),
        "exact-name": lambda c: replace(c, exact_name=0.0),
        "clauses": lambda c: replace(c, clauses=False),
        "condensing": lambda c: replace(c, encoder_tokens=_NO_LIMIT),
        "near": lambda c: replace(c, near=0.0),
    }
)
"""Parts of a setting that can be dropped one at a time: ``balanced-pairs`` is ``balanced`` without
the pairs, the other weights as they are."""

_NO_LIMIT = 10_000
_DEPTH = re.compile(r"cross@([1-9][0-9]?)")


def find_setting(name: str) -> RouterConfig:
    """A setting by name, one with a part dropped, or one of another depth.

    Args:
        name: ``balanced``; ``balanced-pairs`` is that without the pairs; ``cross@4`` is ``cross``
            whose cross-encoder reads the first 4.

    Raises:
        InputError: There is none of that name.
    """
    whole, dash, part = name.partition("-")
    if whole in SETTINGS and not dash:
        return SETTINGS[whole]
    if whole in SETTINGS and part in PARTS:
        return replace(PARTS[part](SETTINGS[whole]), name=name)
    if found := _DEPTH.fullmatch(name):
        return replace(SETTINGS["cross"], name=name, cross_depth=int(found[1]))
    raise InputError(
        f"There is no setting {name!r}",
        hint=f"Use one of: {', '.join(SETTINGS)}; or one without a part, as balanced-pairs; or cross@4",
    )


def droppable(name: str) -> tuple[str, ...]:
    """The names of a setting with each of its parts dropped in turn.

    Raises:
        InputError: There is no such setting.
    """
    config = find_setting(name)
    return tuple(
        f"{name}-{part}"
        for part, drop in PARTS.items()
        if replace(drop(config), name=name) != config
    )
