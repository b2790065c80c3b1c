"""The scripts of the teaching group run, offline, and say what their skills promise."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.sample.running import Case, check, covered, rows

ITEMS = "teaching/exam-item-analysis/scripts/items.py"
GROUPS = "teaching/student-group-maker/scripts/groups.js"

# Forty students, the second half knows more: item 1 is fair, item 2 has a wrong key, item 3 is easy.
ANSWERS = rows(
    "student,q1,q2,q3",
    *(
        f"s{n},{'A' if n >= 20 or n % 4 == 0 else 'BCD'[n % 3]},{'B' if n >= 20 else 'A'},D"
        for n in range(40)
    ),
)
# Who knows the one mostly knows the other; each wrong option is taken by some.
FAIR = [*["AB"] * 15, *["AC"] * 3, *["BB"] * 3, *["BA"] * 3, *["CC"] * 3, *["DD"] * 3]
NAMES = ("Ada", "Bo", "Cleo", "Dana", "Eli", "Finn", "Gus")
CLASS = {
    "students": [
        {"name": name, "level": level, "tags": ["uk"] if name in {"Ada", "Cleo"} else []}
        for name, level in zip(NAMES, (3, 1, 2, 3, 1, 2, 2), strict=True)
    ],
    "apart": [["Bo", "Cleo"]],
    "together": [["Ada", "Dana"]],
    "past": [[["Ada", "Bo", "Finn"], ["Cleo", "Dana"]]],
}  # fmt: skip

CASES = [
    Case(
        ITEMS,
        ["a.csv", "--key", "A,A,D"],
        1,
        {"a.csv": ANSWERS},
        out=["q1        62% right", "q2        50% right", "key?", "too-easy", "40 students"],
    ),
    Case(
        ITEMS,
        ["a.csv", "--key", "a,b"],
        0,
        {"a.csv": rows("student,q1,q2", *(f"s{n},{a},{b}" for n, (a, b) in enumerate(FAIR)))},
        out=["q1        60% right  +0.58", "KR-20 0.74"],
        absent=["flat", "idle", "key?"],
    ),
    Case(ITEMS, ["a.csv", "--key", "A,B"], 2, {"a.csv": ANSWERS}, err=["row 1 has 3 answers, the key 2"]),
    Case(
        GROUPS,
        ["c.json", "--size", "4", "--seed", "17"],
        0,
        {"c.json": json.dumps(CLASS)},
        out=["1: Ada, "],
        err=["2 groups of 3-4", "1 repeated pairs"],
    ),
    Case(
        GROUPS,
        ["c.json", "--size", "7"],
        1,
        {"c.json": json.dumps(CLASS)},
        err=["no arrangement keeps all of: Bo and Cleo apart"],
    ),
    Case(
        GROUPS,
        ["c.json", "--size", "3"],
        2,
        {"c.json": json.dumps({**CLASS, "apart": [["Bo", "Zed"]]})},
        err=["apart names Zed, who is not in the class"],
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_script_answers(case: Case, answer: Callable) -> None:
    check(case, answer)


def test_every_script_of_the_group_has_a_case(programs: list[str]) -> None:
    covered(CASES, programs, "teaching")


def test_an_item_judged_by_chance_alone_says_nothing_of_the_students(answer: Callable) -> None:
    """One item only: there is no other score to compare it with."""
    one = answer(
        ITEMS, ["a.csv", "--key", "D"], {"a.csv": rows("s,q", *(f"{n},D" for n in range(9)))}
    )
    assert "100% right  +0.00" in one.out
    assert "standard error 0.0" in one.out


def test_groups_keep_their_rules_and_repeat_by_seed(answer: Callable) -> None:
    files = {"c.json": json.dumps(CLASS)}
    for size in ("2", "3", "4"):
        runs = [answer(GROUPS, ["c.json", "--size", size, "--seed", "5"], files) for _ in range(2)]
        assert runs[0] == runs[1]
        groups = [line.partition(": ")[2].split(", ") for line in runs[0].out.splitlines()]
        assert sorted(name for group in groups for name in group) == [
            student["name"] for student in CLASS["students"]
        ]
        assert all(("Ada" in group) == ("Dana" in group) for group in groups)
        assert not any({"Bo", "Cleo"} <= set(group) for group in groups)
        assert max(map(len, groups)) - min(map(len, groups)) <= 1
