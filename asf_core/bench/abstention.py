"""The price of saying no: plans that nonsense still gets against good queries that lose theirs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.base import Value

_Floats = NDArray[np.float64]


class Threshold(Value):
    """What one threshold of the confidence does."""

    threshold: float
    """The router abstains below it."""
    negatives_planned: float
    """Share of the negative queries that get a plan, 0 to 1."""
    positives_lost: float
    """Share of the positive queries that get none, 0 to 1."""


class Curve(Value):
    """Every threshold that changes anything."""

    points: tuple[Threshold, ...]
    """By rising threshold, from one that lets all through to one that lets none through."""
    area: float
    """Chance that a positive query has more confidence than a negative one, equals counting half
    (area under the ROC curve); 0 when either kind is absent."""


def curve(positives: Sequence[float], negatives: Sequence[float]) -> Curve:
    """What each threshold would do.

    Args:
        positives: Confidence of the router for each positive query.
        negatives: The same for each negative query.
    """
    good, bad = (np.sort(np.asarray(values, np.float64)) for values in (positives, negatives))
    seen = np.unique(np.concatenate([good, bad]))
    steps = [*seen, np.nextafter(seen[-1], np.inf)] if len(seen) else []
    points = tuple(
        Threshold(
            threshold=float(step),
            negatives_planned=1 - _below(bad, step) if len(bad) else 0.0,
            positives_lost=_below(good, step) if len(good) else 0.0,
        )
        for step in steps
    )
    return Curve(points=points, area=_area(good, bad))


def operating_point(curve: Curve, most_lost: float) -> Threshold | None:
    """The threshold that refuses the most negatives for a bearable loss.

    Args:
        curve: Of :func:`curve`.
        most_lost: Share of the positive queries that may lose their plan, 0 to 1.

    Returns:
        The highest threshold within the loss; ``None`` for a curve without points.
    """
    within = [point for point in curve.points if point.positives_lost <= most_lost]
    return within[-1] if within else None


def _below(ordered: _Floats, value: float) -> float:
    return float(np.searchsorted(ordered, value, side="left")) / len(ordered)


def _area(
    good: _Floats,
    bad: _Floats,
) -> float:
    if not len(good) or not len(bad):
        return 0.0
    lower = np.searchsorted(bad, good, side="left")
    upper = np.searchsorted(bad, good, side="right")
    return float((lower + upper).sum()) / (2 * len(good) * len(bad))
