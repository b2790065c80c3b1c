"""Names that are nearly the same, and text that many skills share."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.quality.names import collisions, edits
from asf_core.quality.stock import FAMILY, find_stock, own_text, template_share
from tests.quality.writing import facts


def test_names_collide() -> None:
    found = collisions(["flaky-test-hunter", "flaky-tests-hunter", "log-triage", "logtriage"])
    assert found == {
        "flaky-test-hunter": ("flaky-tests-hunter",),
        "flaky-tests-hunter": ("flaky-test-hunter",),
        "log-triage": ("logtriage",),
        "logtriage": ("log-triage",),
    }


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("azure-storage-py", "azure-storage-ts"),  # two languages
        ("report-v1", "report-v2"),  # two versions
        ("video", "videodb"),  # two words
        ("pdf", "pdq"),
        ("report2024", "report2025"),
        ("code-review", "code-preview-pane"),
        ("same", "same"),
    ],
)
def test_names_that_do_not_collide(a: str, b: str) -> None:
    assert collisions([a, b]) == {}


def _levenshtein(a: str, b: str) -> int:
    if not a or not b:
        return len(a) + len(b)
    return min(
        _levenshtein(a[1:], b) + 1,
        _levenshtein(a, b[1:]) + 1,
        _levenshtein(a[1:], b[1:]) + (a[0] != b[0]),
    )


SHORT = st.text("abc", max_size=5)


@settings(deadline=None)
@given(SHORT, SHORT)
def test_edits_are_levenshteins(a: str, b: str) -> None:
    assert edits(a, b) == min(_levenshtein(a, b), 3)


@settings(deadline=None)
@given(st.lists(st.text("abcd", min_size=4, max_size=9), min_size=55, max_size=80, unique=True))
def test_large_groups_give_what_comparing_all_gives(names: list[str]) -> None:
    expected = {
        a: tuple(
            sorted(
                b for b in names if a != b and edits(a, b) <= (1 if min(len(a), len(b)) < 8 else 2)
            )
        )
        for a in names
    }
    assert collisions(names) == {a: others for a, others in sorted(expected.items()) if others}


TEMPLATE = "- Describe what the {0} should look like afterwards\n- Ask what {0} should achieve before you start\n"


def _family(size: int) -> list[str]:
    return [f"topic{letter}-helper" for letter in "abcdefgh"[:size]]


def test_a_line_of_many_names_is_stock() -> None:
    names = _family(FAMILY)
    read = [(name, facts(name, body=TEMPLATE.format(name.split("-")[0]))) for name in names]
    own = own_text(read[0][1], find_stock(read))
    assert own.words == 0
    assert own.stock_share == 1.0
    assert own.stock_lines == 2


def test_a_line_of_few_names_or_of_copies_is_not() -> None:
    few = [
        (name, facts(name, body=TEMPLATE.format(name.split("-")[0])))
        for name in _family(FAMILY - 1)
    ]
    copies = [("one", facts("one", body=TEMPLATE.format("one"))) for _ in range(9)]
    for read in (few, copies):
        assert own_text(read[0][1], find_stock(read)).stock_lines == 0


def test_descriptions_of_one_form_are_a_template() -> None:
    read = [
        (name, facts(name, f"Rigorous challenge profile of {name}: calibrated evidence."))
        for name in _family(FAMILY)
    ]
    assert template_share(read[0][1], find_stock(read)) == 1.0
    assert template_share(read[0][1], find_stock(read[:2])) == 0.0
    assert template_share(facts("x", ""), find_stock([])) == 1.0
