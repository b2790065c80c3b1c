from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.retrieval.clauses import MOST_CLAUSES, clauses


def _split(task: str) -> list[str]:
    return [task[start:end] for start, end in clauses(task)]


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        (
            "Find papers on PD-L1 expression in lung cancer, classify their TPS scores, "
            "draw a publication figure and check the citations",
            [
                "Find papers on PD-L1 expression in lung cancer",
                "classify their TPS scores",
                "draw a publication figure",
                "check the citations",
            ],
        ),
        (
            "1. clean the data\n2) plot the chart\n- write a report",
            ["clean the data", "plot the chart", "write a report"],
        ),
        (
            "Tidy the export; then mail the letters",
            ["Tidy the export", "mail the letters"],
        ),
        (
            "Translate the readme to German and then make slides from it. Finally, email the team.",
            ["Translate the readme to German", "make slides from it", "email the team."],
        ),
        ("Review and test my code", []),
        ("check my go code for idioms", []),
        ("I use Python, Rust and Go at work", []),
        ("Resize the images", []),
        ("- a single item list", []),
        ("", []),
    ],
)
def test_a_task_falls_into_what_it_asks_for(task: str, expected: list[str]) -> None:
    assert _split(task) == expected


def test_a_page_stays_whole() -> None:
    assert clauses("Check the data, plot the chart and write a report. " * 20) == ()


@given(st.text(alphabet="ab1.,;-\n then and check plot data ", max_size=200))
def test_clauses_are_in_order_apart_and_few(task: str) -> None:
    spans = clauses(task)
    assert len(spans) != 1
    assert len(spans) <= MOST_CLAUSES
    bounds = [bound for span in spans for bound in span]
    assert bounds == sorted(bounds)
    assert all(task[start:end].strip() for start, end in spans)
