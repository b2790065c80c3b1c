"""Inferred relations that were read in the public registries and judged, and what that says.

``data/edge_judgements.tsv`` holds ids and lines of public registries, the verdict and a reason; none
of their text. Sample 1 (seed 20261130) was drawn before the rules on examples, broken namesakes,
slashes and collections, sample 2 (seed 777) after the first three; ``now`` says whether the edge is
there still.
"""

from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest

ROWS = list(
    csv.DictReader(
        (Path(__file__).parent / "data" / "edge_judgements.tsv").open(encoding="utf-8"),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
)
KINDS = {"complements", "depends_on", "co_used_with", "required_sub_skills", "references"}


def wilson(right: int, of: int, z: float = 1.959964) -> tuple[float, float]:
    """The 95% interval of a proportion."""
    p = right / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return middle - half, middle + half


def sample(number: str) -> list[dict[str, str]]:
    return [row for row in ROWS if row["sample"] == number]


@pytest.mark.parametrize(
    ("number", "right", "low", "high"), [("1", 95, 0.888, 0.978), ("2", 99, 0.946, 0.998)]
)
def test_precision(number: str, right: int, low: float, high: float) -> None:
    rows = sample(number)
    assert len(rows) == 100
    assert sum(row["verdict"] == "right" for row in rows) == right
    assert wilson(right, 100) == pytest.approx((low, high), abs=5e-4)


def test_every_row_is_whole_and_no_pair_is_judged_twice_in_a_sample() -> None:
    for row in ROWS:
        assert row["kind"] in KINDS
        assert row["source"] != row["target"]
        assert int(row["line"]) > 0
        assert float(row["confidence"]) in (0.4, 0.5, 0.6, 0.7)
        assert row["verdict"] in ("right", "wrong")
        assert 10 <= len(row["reason"]) <= 90
    for number in "12":
        pairs = [(row["source"], row["target"]) for row in sample(number)]
        assert len(set(pairs)) == len(pairs)


def test_what_was_wrong_is_gone_or_stands_on_other_evidence_and_what_was_right_is_kept() -> None:
    for row in ROWS:
        kept = row["now"] == "kept"
        assert kept is (row["verdict"] == "right"), row
