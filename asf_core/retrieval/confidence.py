"""How likely it is that a skill fits, from evidence that means the same in any registry.

Never from a standardised score: among skills that all miss the task, the least bad one stands out
as clearly as a good one does among good ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Fit:
    bias: float
    coverage: float
    cosine: float = 0.0
    maxsim: float = 0.0


# Logistic regressions of 2026-11-30 on 480 development queries of four sources: the best skill of
# the author's own registry (fits) against the best one of registries of another trade (does not).
# All three: area under the curve 0.977; at 0.25 it keeps 97% of those that fit and refuses 85% of
# those that do not. A proper calibration belongs to the bench.
_ALL = _Fit(bias=-29.27, coverage=7.70, cosine=25.61, maxsim=11.44)
_NO_TOKENS = _Fit(bias=-23.87, coverage=7.91, cosine=30.52)
_WORDS_ONLY = _Fit(bias=-4.90, coverage=9.26)
# Not fitted, there are no such queries: of the pairs of characters in a Chinese or Japanese task
# most span two words, so that one tenth of them in common is much.
_CJK = _Fit(bias=-1.6, coverage=12.0)


def confidence(
    coverage: float, cosine: float | None, maxsim: float | None, *, cjk: bool = False
) -> float:
    """Confidence that a skill fits a task, 0 to 1.

    Args:
        coverage: Share of the task's words that the skill's text has, 0 to 1.
        cosine: Of the two dense vectors; ``None`` without a dense encoder.
        maxsim: Mean over the task's tokens of the best cosine with a token of the skill; ``None``
            without a token encoder.
        cjk: The task is mostly Chinese, Japanese or Korean, which the encoders cannot read.
    """
    if cjk:
        fit = _CJK
    elif cosine is None:
        fit = _WORDS_ONLY
    else:
        fit = _NO_TOKENS if maxsim is None else _ALL
    total = fit.bias + fit.coverage * coverage
    total += fit.cosine * (cosine or 0.0) + fit.maxsim * (maxsim or 0.0)
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))
