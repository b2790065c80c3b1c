"""Choosing a setting, and reading back what was recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from asf_core.domain.errors import StoreError
from asf_core.services.calibrating import Measured, choose, recorded
from asf_core.store.workspace import Workspace


def _measured(name: str, p50: float, mrr: float) -> Measured:
    return Measured(setting=name, p50_ms=p50, p95_ms=2 * p50, hit_1=mrr, mrr=mrr)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # The best within the budget, however good one beyond it is.
        ([("fast", 3, 0.7), ("balanced", 15, 0.8), ("cross", 90, 0.9)], ("balanced", True)),
        # As good and quicker.
        ([("fast", 3, 0.797), ("balanced", 15, 0.8)], ("fast", True)),
        # None fits: the quickest, and it is said.
        ([("fast", 70, 0.7), ("balanced", 80, 0.8)], ("fast", False)),
    ],
)
def test_the_quickest_of_the_best_within_the_budget(
    rows: list[tuple[str, float, float]], expected: tuple[str, bool]
) -> None:
    assert choose([_measured(*row) for row in rows], 65.0) == expected


def test_before_the_first_there_is_none(tmp_path: Path) -> None:
    assert recorded(Workspace(tmp_path)) is None


@pytest.mark.parametrize("text", ["", "{}", "[1]", "\x00\xff", '{"setting": 3}'])
def test_a_damaged_record_is_an_error_with_a_remedy(tmp_path: Path, text: str) -> None:
    (tmp_path / "calibration.json").write_text(text, encoding="latin-1")
    with pytest.raises(StoreError) as caught:
        recorded(Workspace(tmp_path))
    assert "--calibrate" in str(caught.value.hint)
