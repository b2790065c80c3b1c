"""Each of 91 public bug reports has tests here, or a reason why it has none.

``cases.tsv``: case, what it is about, tests as ``file:function`` below ``tests/``, note. A note begins
with ``pending: AREA`` for what is not built yet or ``does not apply:``.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
with (Path(__file__).parent / "cases.tsv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_every_case_is_there_once():
    assert len(ROWS) == 91
    assert len({row["case"] for row in ROWS}) == 91
    assert [row["case"] for row in ROWS] == sorted(row["case"] for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_each_case_has_tests_that_there_are_or_a_reason(row):
    assert row["about"]
    assert row["tests"] or row["note"]
    assert not row["note"] or re.match(r"(?:pending|does not apply): \w", row["note"])
    for test in row["tests"].split():
        name, function = test.split(":")
        text = (TESTS / f"{name}.py").read_text("utf-8")
        assert re.search(rf"^(?:async )?def {function}\(", text, re.MULTILINE), test
