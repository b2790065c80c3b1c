"""The nearest name: as difflib finds it, and quick on thousands of misses."""

from __future__ import annotations

import difflib
import random
import string
import time

import pytest

from asf_core.graph.similar import SimilarNames

NAMES = ["api-review", "api-patterns", "paper-search", "csv-audit", "pdf", "a", "code-review"]


@pytest.mark.parametrize(
    ("wanted", "nearest"),
    [
        ("api-reviews", "api-review"),
        ("papersearch", "paper-search"),
        ("paper-serach", "paper-search"),
        ("cvs-audit", "csv-audit"),
        ("pdfs", "pdf"),
        ("something-else", None),
        ("", None),
        ("x" * 5_000, None),
    ],
)
def test_cases(wanted: str, nearest: str | None) -> None:
    assert SimilarNames(NAMES).nearest(wanted) == nearest


def test_difflib_agrees_on_typing_errors() -> None:
    rng = random.Random(3)
    words = ["".join(rng.choices(string.ascii_lowercase, k=rng.randint(3, 7))) for _ in range(80)]
    names = sorted({"-".join(rng.sample(words, rng.randint(2, 3))) for _ in range(600)})
    similar = SimilarNames(reversed(names))
    agreed = 0
    for name in rng.sample(names, 150):
        at = rng.randrange(len(name))
        wrong = name[:at] + rng.choice(string.ascii_lowercase) + name[at + 1 :]
        found = similar.nearest(wrong)
        agreed += found in difflib.get_close_matches(wrong, names, 3, 0.75)
    assert agreed >= 148


def test_thousands_of_misses_are_quick() -> None:
    similar = SimilarNames(f"skill-for-{i:04}-things" for i in range(3_000))
    started = time.process_time()
    for i in range(300):
        similar.nearest(f"skil-for-{i:04}-thingz")
    assert time.process_time() - started < 5
