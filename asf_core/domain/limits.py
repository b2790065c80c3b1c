"""Bounds of what a request may ask for; apart, so that the command line reads them in no time."""

from __future__ import annotations

MOST_TOKENS = 10_000_000
"""Above it a budget is a slip of the keyboard: no model takes so much."""
MOST_DOLLARS = 1_000_000.0
"""For a million tokens."""
