"""Reports on disk, and two of them beside one another."""

from __future__ import annotations

from pathlib import Path

import pytest
from measure_graphs import as_skills, coupled, good, isolated
from measure_trees import config_tree

from asf_core.domain.errors import InputError
from asf_core.domain.measure import FailureMode, MeasureReport
from asf_core.graph.measure import measure, measure_registry
from asf_core.graph.measure_compare import compare, load_report

GOOD = measure_registry(*as_skills(good()), name="r")
ISOLATED = measure_registry(*as_skills(isolated()), name="r")
COUPLED = measure_registry(*as_skills(coupled()), name="r")


def test_a_report_survives_its_json(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(ISOLATED.model_dump_json())
    assert load_report(tmp_path / "old.json") == ISOLATED


def test_what_got_worse_is_said() -> None:
    comparison = compare(ISOLATED, GOOD).comparison
    assert comparison is not None
    by_key = {change.key: change for change in comparison.changes}
    assert list(by_key) == ["tlis", "gnci", "cfi", "rscore"]
    assert by_key["tlis"].better is False
    assert by_key["rscore"].better is False
    assert by_key["gnci"].better is True
    assert by_key["cfi"].better is None
    assert comparison.modes_new == (FailureMode.ISOLATION,)
    assert comparison.modes_gone == ()
    assert comparison.newly_isolated == ISOLATED.isolated


def test_what_got_better_is_said() -> None:
    comparison = compare(COUPLED, ISOLATED).comparison
    assert comparison is not None
    assert comparison.modes_gone == (FailureMode.ISOLATION,)
    assert comparison.modes_new == (FailureMode.COUPLING,)
    assert comparison.no_longer_isolated == ISOLATED.isolated


def test_a_report_against_itself_changes_nothing() -> None:
    comparison = compare(GOOD, GOOD).comparison
    assert comparison is not None
    assert {change.better for change in comparison.changes} == {None}


def test_a_registry_and_a_codebase_cannot_be_compared(tmp_path: Path) -> None:
    code = measure(config_tree(tmp_path, 2, 4))
    with pytest.raises(InputError):
        compare(GOOD, code)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"{}", b'{"format": "asf-measure/0"}', b"\xff\xfe", b"null", b"1e999"],
)
def test_what_is_no_report_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "old.json").write_bytes(content)
    with pytest.raises(InputError) as error:
        load_report(tmp_path / "old.json")
    assert error.value.hint


def test_an_absent_report_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "gone.json", tmp_path):
        with pytest.raises(InputError):
            load_report(path)


def test_the_words_of_the_report_are_explained() -> None:
    for report in (GOOD, ISOLATED):
        terms = {item.term for item in report.explanations}
        assert {"node", "link", "tool", "TLIS", "GNCI", "CFI", "RScore", "community"} <= terms
    assert [p.name for p in GOOD.published] == [
        "gemini-cli",
        "opencode",
        "a clean canonical index",
    ]


def test_values_are_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        GOOD.rscore = 1.0  # type: ignore[misc]
    assert isinstance(GOOD, MeasureReport)
