"""The fit of the gate: logistic regression with weights that can only lower a score.

Minimises over the bias ``b`` and weights ``w <= 0``::

    sum_i m_i * H(y_i, logistic(b + x_i . w))  +  sum_j l_j/2 * (w_j - w0_j)^2

where ``H`` is the cross-entropy, ``x`` strengths from 0 to 1, ``y`` 1 for a skill to keep, 0 for
slop and 1/2 for a borderline one, ``m`` masses that let each grade weigh alike, ``w0`` what is
expected of a weight before any label was seen, and ``l`` how firmly. The problem is convex, so there is one answer; it
is found by Newton steps in the weights that are free (Bertsekas 1982, projected Newton).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS = 200
_TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True)
class Fit:
    """The answer."""

    bias: float
    weights: Floats
    """(k,), none above 0."""

    def scores(self, strengths: Floats) -> Floats:
        """(n,) of (n, k)."""
        return _logistic(self.bias + strengths @ self.weights)


def fit(
    strengths: Floats, targets: Floats, masses: Floats, prior: Floats, penalties: Floats
) -> Fit:
    """Fit bias and weights.

    Args:
        strengths: (n, k), 0 to 1.
        targets: (n,), 0 to 1.
        masses: (n,), above 0.
        prior: (k,), where the penalties pull the weights to; none above 0.
        penalties: (k,), above 0.
    """
    n, k = strengths.shape
    design = np.hstack([np.ones((n, 1)), strengths])
    pull = np.concatenate([[0.0], penalties])
    home = np.concatenate([[0.0], prior])
    at = home.copy()
    for _ in range(_STEPS):
        p = _logistic(design @ at)
        gradient = design.T @ (masses * (p - targets)) + pull * (at - home)
        free = (at < 0) | (gradient > 0)
        free[0] = True
        if np.abs(gradient[free]).max() < _TOLERANCE * n:
            break
        hessian = (design.T * (masses * p * (1 - p))) @ design + np.diag(pull)
        hessian[0, 0] += 1e-9
        step = np.zeros(k + 1)
        step[free] = np.linalg.solve(hessian[np.ix_(free, free)], gradient[free])
        at = _descend(at, step, lambda x: _loss(x, design, targets, masses, pull, home))
    return Fit(float(at[0]), at[1:])


def _descend(at: Floats, step: Floats, loss) -> Floats:  # type: ignore[no-untyped-def]
    """Go along a step as far as it pays, with the weights kept at or below 0."""
    before, length = loss(at), 1.0
    while length > 1e-12:
        there = at - length * step
        there[1:] = np.minimum(there[1:], 0.0)
        if loss(there) <= before:
            return there
        length /= 2
    return at


def _loss(
    at: Floats, design: Floats, targets: Floats, masses: Floats, pull: Floats, home: Floats
) -> float:
    odds = design @ at
    # log(1 + e^x) - y x, without overflow.
    entropy = np.logaddexp(0.0, odds) - targets * odds
    return float(masses @ entropy + 0.5 * (pull * (at - home) ** 2).sum())


def _logistic(odds: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -700, 700))))


def equal_masses(grades: NDArray[np.int64]) -> Floats:
    """Masses that add up to n and let each grade weigh alike."""
    counts = {int(grade): int((grades == grade).sum()) for grade in np.unique(grades)}
    share = len(grades) / len(counts)
    return np.array([share / counts[int(grade)] for grade in grades])


def auc(scores: Floats, positive: NDArray[np.bool_]) -> float:
    """Area under the ROC curve: how often a positive scores above a negative, ties half."""
    from_low = np.sort(scores[~positive])
    above = np.searchsorted(from_low, scores[positive], "left")
    ties = np.searchsorted(from_low, scores[positive], "right") - above
    return float((above + 0.5 * ties).sum() / (len(from_low) * positive.sum()))
