"""How likely it is that a skill fits, from evidence that means the same in any registry.

Never from a standardised score: among skills that all miss the task, the least bad one stands out
as clearly as a good one does among good ones. What is used is the share of the task's words that
the skill has, its cosines, and how far these lie above the background, the mean over the registry:
that takes out what belongs to the task alone (a terse or colloquial task is farther from every
skill).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asf_core.retrieval.words import Script

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Fit:
    bias: float
    coverage: float
    cosine: float = 0.0
    cosine_above: float = 0.0
    maxsim: float = 0.0
    maxsim_above: float = 0.0


# Logistic regressions of 2026-11-30. Of all evidence: the right skill for 320 development queries
# of four sources and 48 tasks of the sample registry, against the best skill for the same queries
# in registries of another trade and for 110 small-talk queries; groups weigh alike. Of less: the
# same, drawn on (L2 penalty of 0.03 on the difference, in deviations of the features) by the
# queries of the table. Measured with the first skill over 2,637 skills: good, all 2,752
# development queries; planned, of the 83 in Latin letters among the project's own negatives
# (tests/bench/negatives.jsonl), none of which the fit of all evidence had seen.
#   threshold                       0.1    0.15   0.2    0.25   0.3    0.4
#   all evidence   good lost        0.1%   0.3%   0.5%   0.9%   1.2%   1.8%
#                  planned          42%    23%    18%    16%    14%    11%
#   without late   good lost        0.5%   0.8%   1.2%   1.4%   2.0%   3.3%   (each source and a
#                  planned          17%    12%    11%    7%     6%     4%      quarter left out)
#   words only     good lost        0.8%   1.3%   2.0%   2.7%   3.7%   5.5%   (likewise)
#                  planned          42%    34%    25%    19%    17%    13%
# Refitting all evidence on these queries too plans 5% at 0.25, with each source and a quarter of
# the negatives left out in turn, but loses a third more of the sample registry's colloquial tasks
# at any share of its negatives: not done. Queries that are a task for some other skill of the same
# registries cannot be told apart (area under the curve 0.55): they are no nonsense.
_ALL = _Fit(-11.96, 6.26, cosine=4.68, cosine_above=16.88, maxsim=5.60, maxsim_above=17.40)
_NO_TOKENS = _Fit(-14.06, 9.39, cosine=12.27, cosine_above=20.33)
_WORDS_ONLY = _Fit(-4.89, 11.61)
# Not fitted, there are no such queries: of the pairs of characters in a Chinese or Japanese task
# most span two words, so that one tenth of them in common is much.
_CJK = _Fit(-1.9, 12.0)

_IMAGINED = 10
"""So many skills at the usual background are added to the registry, which may hold a single one."""
_USUAL_COSINE = 0.49
_USUAL_MAXSIM = 0.68


def confidence(
    coverage: Floats,
    cosine: Floats | None,
    registry: Floats | None,
    maxsim: Floats | None,
    script: Script = "latin",
) -> Floats:
    """Confidence that each skill of a pool fits a task.

    Args:
        coverage: (n,) share of the task's words that the skill's text has, 0 to 1.
        cosine: (n,) of the two dense vectors; ``None`` without a dense encoder.
        registry: (m,) the same of all skills that may be offered; ``None`` likewise.
        maxsim: (n,) mean over the task's tokens of the best cosine with a token of the skill;
            ``None`` without a token encoder.
        script: What the task is written in; the encoders read Latin letters only.

    Returns:
        (n,), 0 to 1.
    """
    fit = _CJK if script == "cjk" else _WORDS_ONLY
    total = np.zeros(len(coverage))
    if script == "latin" and cosine is not None and registry is not None:
        fit = _NO_TOKENS if maxsim is None else _ALL
        background = _background(registry, _USUAL_COSINE)
        total += fit.cosine * cosine + fit.cosine_above * (cosine - background)
        if maxsim is not None:
            background = _background(maxsim, _USUAL_MAXSIM)
            total += fit.maxsim * maxsim + fit.maxsim_above * (maxsim - background)
    total += fit.bias + fit.coverage * coverage
    return np.asarray(1 / (1 + np.exp(-np.clip(total, -60, 60))), np.float32)


def _background(values: Floats, usual: float) -> float:
    total = float(values.sum(dtype=np.float64)) + _IMAGINED * usual
    return total / (len(values) + _IMAGINED)
