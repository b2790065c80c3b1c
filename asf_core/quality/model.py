"""The gate's logistic regression: from strengths to a score that can be taken apart."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from importlib.resources import files
from typing import Self

from asf_core.domain.base import Sha256, Value
from asf_core.domain.errors import StoreError
from asf_core.quality.signals import SIGNALS

FILE = "coefficients.json"
FORMAT = "asf-gate/1"


class Coefficient(Value):
    """What one signal weighs."""

    weight: float
    """Log-odds for a strength of 1 instead of 0; never above 0."""
    usual: float
    """Mean strength of the labelled skills: contributions are counted from here."""
    good: float
    """Median strength of the skills that are worth keeping."""


class GateModel(Value):
    """The fitted gate, with where it comes from."""

    format: str
    fitted_on: str
    """Date."""
    data_sha256: Sha256
    """Over the label files and the bytes of every labelled skill."""
    labels: tuple[int, int, int]
    """How many skills of grade 0, 1 and 2."""
    bias: float
    """Log-odds of a skill of usual strengths."""
    coefficients: Mapping[str, Coefficient]
    """By signal id."""
    figures: Mapping[str, float]
    """Of the cross-validation."""

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a model.

        Raises:
            ValueError: It is no gate, or not one over this program's signals.
        """
        model = cls.model_validate_json(text)
        if model.format != FORMAT or set(model.coefficients) != {s.id for s in SIGNALS}:
            raise ValueError("the coefficients are not of this program's signals")
        return model

    def log_odds(self, strengths: Mapping[str, float | None]) -> float:
        """Of being worth keeping."""
        return self.bias + math.fsum(self.contribution(i, s) for i, s in strengths.items())

    def contribution(self, signal: str, strength: float | None) -> float:
        """What one signal adds to the log-odds; nothing where it is unknown."""
        coefficient = self.coefficients[signal]
        return 0.0 if strength is None else coefficient.weight * (strength - coefficient.usual)

    def score(self, strengths: Mapping[str, float | None]) -> float:
        """The slop score: 0 (slop) to 1 (good)."""
        return logistic(self.log_odds(strengths))


def logistic(log_odds: float) -> float:
    """1 / (1 + e^-x), for any x.

    >>> logistic(0.0), logistic(1000.0), logistic(-1000.0)
    (0.5, 1.0, 0.0)
    """
    if log_odds < -700:
        return 0.0
    return 1.0 / (1.0 + math.exp(-log_odds))


@functools.cache
def fitted() -> GateModel:
    """The coefficients that come with the program.

    Raises:
        StoreError: The file is missing or damaged.
    """
    try:
        return GateModel.read(files("asf_core.quality").joinpath(FILE).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(
            "The gate's coefficients cannot be read",
            why=f"{FILE}: {error}",
            hint="Install the program again",
        ) from error
