"""The router's settings: how deep each stage looks and how much each part of the evidence weighs.

A setting is recorded with every answer and never depends on the clock, so that the same task on
the same index gives the same plan on a slow machine and on a fast one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from asf_core.domain.routing import StageName
from asf_core.retrieval.weights import FITTED, FITTED_WITHOUT_LATE, Weights

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
    weights: Weights = FITTED
    """Of the evidence, for ``fitted``; a late weight of 0: the token encoder is not opened."""
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
    threshold: float = 0.24
    """Confidence below which the router abstains; what it keeps and refuses: see ``confidence``."""
    near_misses: int = 5

    @property
    def late(self) -> bool:
        """Whether the token encoder has a say."""
        return self.fusion == "fitted" and self.weights.late > 0

    @property
    def encoders(self) -> bool:
        """Whether any encoder has a say."""
        return self.fusion != "bm25"


_BALANCED = RouterConfig("balanced")

SETTINGS: Mapping[str, RouterConfig] = MappingProxyType(
    {
        "fast": replace(_BALANCED, name="fast", weights=FITTED_WITHOUT_LATE),
        "balanced": _BALANCED,
        "best": replace(_BALANCED, name="best", cross=0.5, cross_depth=8),
        "bm25": replace(_BALANCED, name="bm25", fusion="bm25"),
        "dense": replace(_BALANCED, name="dense", fusion="dense"),
        "rrf": replace(_BALANCED, name="rrf", fusion="ranks"),
        "sum": replace(_BALANCED, name="sum", fusion="sum"),
    }
)
"""The settings by name; the last four are baselines for ``asf bench --baseline``."""
