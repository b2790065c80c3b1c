"""How likely it is that a skill fits, from evidence that means the same in any registry.

Never from a standardised score: among skills that all miss the task, the least bad one stands out
as clearly as a good one does among good ones. What is used is the share of the task's words that
the skill has, counted twice: with the doubt that few words leave and without, so that the two
together tell a terse task from a full one; BM25; the two vectors' cosine; and the spread of the
cosines of the whole registry: a task of the registry's trade is near some skills and far from
others, nonsense is equally far from all.

The coefficients are logistic regressions that ``asf bench --fit`` makes (see
:mod:`asf_core.services.fitting`, which says of what): good are the right skills of the development
queries and of the sample registry's tasks, bad the first skills for the project's own negatives
(``tests/bench/negatives.jsonl``) and for the development queries over the sample registry. Late
interaction and the cross-encoder made none of it better, so every setting is judged by the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asf_core.retrieval.words import Script

Floats = NDArray[np.float32]

FEATURES = ("coverage", "share", "words", "cosine", "spread")
"""Columns of :func:`features`; the first three need no encoder."""
WORD_FEATURES = 3


@dataclass(frozen=True, slots=True)
class Words:
    """How the texts of n skills meet a task's words; each (n,), 0 to 1."""

    coverage: Floats
    """Share of the task's words that the text has, with the doubt that few words leave."""
    share: Floats
    """Share of the task's IDF mass that the text has."""
    bm25: Floats
    """BM25 over the task's mass."""


@dataclass(frozen=True, slots=True)
class _Fit:
    bias: float
    weights: tuple[float, ...]
    """Of the first so many ``FEATURES``."""


# What these do at each threshold is in the README's table and in `asf bench`.
_ENCODED = _Fit(-19.53, (27.11, -17.22, 10.57, 15.57, 150.84))
_WORDS_ONLY = _Fit(-6.01, (38.22, -26.76, 19.01))
# Not fitted, there are no such queries: of the pairs of characters in a Chinese or Japanese task
# most span two words, so that one tenth of them in common is much.
_CJK = _Fit(-1.9, (12.0, 0.0, 0.0))

_IMAGINED = 10
"""So many skills that lie as usual are added to the registry, which may hold a single one."""
_USUAL_SPREAD = 0.045


def confidence(
    words: Words,
    cosine: Floats | None,
    registry: Floats | None,
    script: Script = "latin",
) -> Floats:
    """Confidence that each skill of a pool fits a task.

    Args:
        words: How the skills' texts meet the task's words.
        cosine: (n,) of the two dense vectors; ``None`` without a dense encoder.
        registry: (m,) the same of all skills that may be offered; ``None`` likewise.
        script: What the task is written in; the encoders read Latin letters only.

    Returns:
        (n,), 0 to 1.
    """
    latin = script == "latin"
    found = features(words, cosine if latin else None, registry)
    fit = _CJK if script == "cjk" else _WORDS_ONLY if found.shape[1] == WORD_FEATURES else _ENCODED
    total = fit.bias + found @ np.array(fit.weights)
    return np.asarray(1 / (1 + np.exp(-np.clip(total, -60, 60))), np.float32)


def features(words: Words, cosine: Floats | None, registry: Floats | None) -> NDArray[np.float64]:
    """What the confidence is computed from; arguments as there.

    Returns:
        (n, 5), or (n, 3) without cosines: the columns that ``FEATURES`` names.
    """
    columns = [words.coverage, words.share, words.bm25]
    if cosine is not None and registry is not None:
        columns += [cosine, np.full(len(cosine), _spread(registry))]
    return np.stack(columns, axis=1).astype(np.float64)


def _spread(registry: Floats) -> float:
    """Deviation of a registry's cosines, with the imagined skills."""
    values = np.asarray(registry, np.float64)
    squares = len(values) * float(values.var()) if len(values) else 0.0
    return math.sqrt((squares + _IMAGINED * _USUAL_SPREAD**2) / (len(values) + _IMAGINED))
