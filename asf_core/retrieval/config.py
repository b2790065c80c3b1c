"""The router's settings: how deep each stage looks and how much each part of the evidence weighs.

A setting is recorded with every answer and never depends on the clock, so that the same task on
the same index gives the same plan on a slow machine and on a fast one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from asf_core.domain.routing import StageName

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
    """One setting.

    Weights are of standardised scores (mean 0, deviation 1 over the pool). Provenance: measured
    2026-11-30 on a third of the development queries over 2,637 skills, with the task's BGE
    instruction: BM25 alone hit@1 0.704, MRR 0.798; + 0.5 to 0.75 dense 0.714, 0.804; + 1 dense
    0.699, 0.794. Late interaction lifts the sources whose words differ from their skills' (Azure
    0.457 to 0.54) and costs as much elsewhere, so it weighs little until weights are fitted.
    """

    name: str
    recall: int = 100
    """Skills that recall keeps."""
    rerank: int = 30
    """Skills that rerank keeps."""
    clause_recall: int = 15
    """Skills that recall keeps for each clause of a task with several."""
    lexical: float = 1.0
    dense: float = 0.6
    late: float = 0.3
    """0: the token encoder is not opened."""
    cross: float = 0.0
    cross_depth: int = 0
    """How many of the first the cross-encoder reads; 0: it is not opened."""
    rank_fusion: bool = False
    """Recall by reciprocal ranks instead of standardised scores: the baseline to measure against."""
    exact_name: float = 10.0
    """Added where the task is a skill's name and nothing else: above any sum of the others."""
    foreign: float = 0.15
    """What the encoders' weights are multiplied by for a task that is not in Latin letters: both
    are English models."""
    whole: float = 0.25
    """Weight of the whole task's score in the score of one of its clauses."""
    encoder_tokens: int = 64
    """Longer tasks are condensed to about so many tokens for the encoders; words are all read."""
    near: float = 0.15
    """A skill whose score is so close to the best one's is routed with it, marked unsure."""
    served: float = 0.5
    """A clause is left to a skill already chosen whose score for it is so close to the best."""
    clause_threshold: float = 0.4
    """Confidence below which a clause brings in no skill of its own: a few words prove less."""
    twin: float = 0.97
    """Cosine from which a skill is a copy of a better one, and left out."""
    threshold: float = 0.3
    """Confidence below which the router abstains."""
    near_misses: int = 5


_BALANCED = RouterConfig("balanced")

SETTINGS: Mapping[str, RouterConfig] = MappingProxyType(
    {
        "fast": replace(_BALANCED, name="fast", late=0.0),
        "balanced": _BALANCED,
        "best": replace(_BALANCED, name="best", cross=0.25, cross_depth=8),
    }
)
"""The settings by name."""
