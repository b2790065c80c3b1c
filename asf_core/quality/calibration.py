"""From graded skills to the gate: prior, fit, operating point, cross-validation, ablation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.quality import GATE_BELOW
from asf_core.quality.model import FORMAT, Coefficient, GateModel
from asf_core.quality.regression import Fit, Floats, auc, equal_masses, fit
from asf_core.quality.signals import DESIGNED, SIGNALS

PENALTY = 1.0
EXPECTED = -0.5
"""What is expected of the weight of a signal of the design before any label was seen. Of the signals
that were added nothing is expected."""
HELD = {"name_collision": -0.5, "ast_duplicate": -0.25}
"""Weights that stay where they are put. Graders read each skill by itself, so grades say nothing of
its namesakes and copies; and a copy of a good skill is an alias, not slop."""
_FIRM = 1_000.0
MOST_LOST = 0.025
"""Share of the skills worth keeping that may fall under the gate in cross-validation; half of what
is allowed (5%), because the next registry is not among the labels."""
_FOLDS = 10
_SEEDS = (1, 2, 3)
_TARGET = np.array([0.0, 0.5, 1.0])

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sample:
    """Graded skills as the fit sees them."""

    strengths: Floats
    """(n, k) in the order of the signals; unknown ones hold the mean."""
    grades: Integers
    """(n,)."""
    registries: Sequence[str]
    """(n,)."""

    def part(self, keep: NDArray[np.bool_]) -> Sample:
        """Some of the skills."""
        names = [name for name, kept in zip(self.registries, keep, strict=True) if kept]
        return Sample(self.strengths[keep], self.grades[keep], names)


@dataclass(frozen=True, slots=True)
class Figures:
    """How well scores tell grades apart."""

    slop_or_keep: float
    """ROC AUC, grade 0 against grade 2."""
    slop_or_rest: float
    """ROC AUC, grade 0 against 1 and 2."""
    keep_or_rest: float
    """ROC AUC, grade 2 against 0 and 1."""
    under: tuple[int, int, int]
    """How many of each grade the gate takes out."""
    of: tuple[int, int, int]


def prior() -> Floats:
    """(k,): the expected weights."""
    expected = {**dict.fromkeys(DESIGNED, EXPECTED), **HELD}
    return np.array([expected.get(signal.id, 0.0) for signal in SIGNALS])


def penalties() -> Floats:
    """(k,): how firmly each weight is held there."""
    return np.array([_FIRM if s.id in HELD else PENALTY for s in SIGNALS])


def expected_model() -> GateModel:
    """The gate before any label was seen, to measure signals with."""
    return GateModel(
        format=FORMAT,
        fitted_on="",
        data_sha256="0" * 64,
        labels=(0, 0, 0),
        bias=0.0,
        coefficients={
            signal.id: Coefficient(weight=float(weight), usual=0.0, good=0.0)
            for signal, weight in zip(SIGNALS, prior(), strict=True)
        },
        figures={},
    )


def fitted_on(sample: Sample, *, without: str = "") -> Fit:
    """Fit to a sample, the operating point left as it comes out.

    Args:
        sample: The graded skills.
        without: Id of a signal that is to have no weight.
    """
    strengths = sample.strengths.copy()
    home = prior()
    for at, signal in enumerate(SIGNALS):
        if signal.id == without:
            strengths[:, at], home[at] = 0.0, 0.0
    masses = equal_masses(sample.grades)
    return fit(strengths, _TARGET[sample.grades], masses, home, penalties())


def out_of_fold(sample: Sample, folds: Sequence[object], *, without: str = "") -> Floats:
    """(n,): the log-odds of each skill by a fit that has seen nothing of its fold.

    Args:
        sample: The graded skills.
        folds: (n,), the name of each skill's fold.
        without: As for :func:`fitted_on`.
    """
    odds = np.zeros(len(sample.grades))
    names = np.array([str(fold) for fold in folds])
    for name in sorted(set(names)):
        inside = names == name
        found = fitted_on(sample.part(~inside), without=without)
        odds[inside] = found.bias + sample.strengths[inside] @ found.weights
    return odds


def stratified(grades: Integers, seed: int) -> list[int]:
    """(n,): one of ten folds for each skill, each grade spread evenly."""
    rng = np.random.default_rng(seed)
    folds = np.zeros(len(grades), int)
    for grade in np.unique(grades):
        places = rng.permutation(np.flatnonzero(grades == grade))
        folds[places] = (np.arange(len(places)) + rng.integers(_FOLDS)) % _FOLDS
    return [int(fold) for fold in folds]


def all_folds(sample: Sample) -> list[Sequence[object]]:
    """Every way to leave something out: a registry at a time, and three times a tenth."""
    return [sample.registries, *(stratified(sample.grades, seed) for seed in _SEEDS)]


def shift_for(sample: Sample) -> float:
    """What the bias has to be raised by, so that the gate keeps what is worth keeping.

    Returns:
        Log-odds: with it, at most :data:`MOST_LOST` of the skills of grade 2 fall under the gate,
        averaged over all ways to leave something out.
    """
    line = float(np.log(GATE_BELOW / (1 - GATE_BELOW)))
    lows = []
    for folds in all_folds(sample):
        kept = np.sort(out_of_fold(sample, folds)[sample.grades == 2])
        lows.append(kept[int(MOST_LOST * len(kept))])
    return line - float(np.mean(lows)) + 1e-6


def figures(odds: Floats, grades: Integers) -> Figures:
    """Judge log-odds, the shift included, against grades."""
    scores = 1 / (1 + np.exp(-odds))
    ends = grades != 1
    return Figures(
        slop_or_keep=auc(scores[ends], grades[ends] == 2),
        slop_or_rest=auc(scores, grades > 0),
        keep_or_rest=auc(scores, grades == 2),
        under=_counts(grades[scores < GATE_BELOW]),
        of=_counts(grades),
    )


def _counts(grades: Integers) -> tuple[int, int, int]:
    return int((grades == 0).sum()), int((grades == 1).sum()), int((grades == 2).sum())


def mean_auc(sample: Sample, without: str = "") -> tuple[float, float]:
    """AUC of grade 0 against the rest: a registry left out, and a tenth left out (mean of three)."""
    by_registry, *by_tenth = (
        figures(out_of_fold(sample, folds, without=without), sample.grades).slop_or_rest
        for folds in all_folds(sample)
    )
    return by_registry, float(np.mean(by_tenth))


def gate_model(sample: Sample, fitted_day: str, data_sha256: str) -> GateModel:
    """Fit the gate that is kept."""
    found = fitted_on(sample)
    usual = sample.strengths.mean(0)
    good = np.median(sample.strengths[sample.grades == 2], axis=0)
    shift = shift_for(sample)
    return GateModel(
        format=FORMAT,
        fitted_on=fitted_day,
        data_sha256=data_sha256,
        labels=_counts(sample.grades),
        bias=_digits(found.bias + shift + float(usual @ found.weights)),
        coefficients={
            signal.id: Coefficient(
                weight=_digits(found.weights[at]), usual=_digits(usual[at]), good=_digits(good[at])
            )
            for at, signal in enumerate(SIGNALS)
        },
        figures=_cross_validation(sample, shift),
    )


def _cross_validation(sample: Sample, shift: float) -> dict[str, float]:
    names = ("registry", *(f"tenth_{seed}" for seed in _SEEDS))
    found: dict[str, float] = {"shift": _digits(shift)}
    for name, folds in zip(names, all_folds(sample), strict=True):
        result = figures(out_of_fold(sample, folds) + shift, sample.grades)
        found[f"{name}.auc_slop_or_keep"] = _digits(result.slop_or_keep)
        found[f"{name}.auc_slop_or_rest"] = _digits(result.slop_or_rest)
        for grade in range(3):
            found[f"{name}.under_of_grade_{grade}"] = result.under[grade]
    return found


def _digits(value: float) -> float:
    return round(float(value), 4) + 0.0
