"""Checks of options that Typer's own types let through."""

from __future__ import annotations

import math

import typer


def finite(value: float | None) -> float | None:
    """Refuse what is no number: comparing it with a bound is false on both sides."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a number to reckon with")
    return value
