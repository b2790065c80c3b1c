"""How likely it is that a skill fits, from evidence that means the same in any registry.

Never from a standardised score: among skills that all miss the task, the least bad one stands out
as clearly as a good one does among good ones. What is used is the share of the task's words that
the skill has, and how far its cosines lie above the background: the mean over the registry, which
takes out what belongs to the task alone (a terse or colloquial task is farther from every skill).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Fit:
    bias: float
    coverage: float
    cosine: float = 0.0
    maxsim: float = 0.0


_ALL = _Fit(bias=-6.59, coverage=5.14, cosine=23.83, maxsim=35.2)
_NO_TOKENS = _Fit(bias=-5.91, coverage=5.48, cosine=33.17)
_WORDS_ONLY = _Fit(bias=-4.90, coverage=9.26)
# Not fitted, there are no such queries: of the pairs of characters in a Chinese or Japanese task
# most span two words, so that one tenth of them in common is much.
_CJK = _Fit(bias=-1.6, coverage=12.0)

_IMAGINED = 10
"""So many skills at the usual background are added to the registry, which may hold a single one."""
_USUAL_COSINE = 0.49
_USUAL_MAXSIM = 0.68


def confidence(
    coverage: Floats, cosine: Floats | None, maxsim: Floats | None, *, cjk: bool = False
) -> Floats:
    """Confidence that each of some skills fits a task.

    Args:
        coverage: (n,) share of the task's words that the skill's text has, 0 to 1.
        cosine: (n,) of the two dense vectors, above the background; ``None`` without a dense
            encoder.
        maxsim: (n,) mean over the task's tokens of the best cosine with a token of the skill,
            above the background; ``None`` without a token encoder.
        cjk: The task is mostly Chinese, Japanese or Korean, which the encoders cannot read.

    Returns:
        (n,), 0 to 1.
    """
    if cjk:
        fit = _CJK
    elif cosine is None:
        fit = _WORDS_ONLY
    else:
        fit = _NO_TOKENS if maxsim is None else _ALL
    total = fit.bias + fit.coverage * np.asarray(coverage, np.float64)
    for weight, part in ((fit.cosine, cosine), (fit.maxsim, maxsim)):
        if part is not None:
            total += weight * part
    return np.asarray(1 / (1 + np.exp(-np.clip(total, -60, 60))), np.float32)


def above_cosines(cosines: Floats, registry: Floats) -> Floats:
    """Cosines above their background.

    Args:
        cosines: (n,).
        registry: (m,) the cosines of all skills that may be offered.
    """
    return cosines - _background(registry, _USUAL_COSINE)


def above_maxsims(maxsims: Floats) -> Floats:
    """MaxSim scores (n,) of a pool above their background, which is the pool's."""
    return maxsims - _background(maxsims, _USUAL_MAXSIM)


def _background(values: Floats, usual: float) -> np.float32:
    total = float(values.sum(dtype=np.float64)) + _IMAGINED * usual
    return np.float32(total / (len(values) + _IMAGINED))
