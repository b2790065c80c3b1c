"""The scripts of the home group run, offline, and say what their skills promise."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.sample.running import Case, check, covered, rows

SCALE = "home/recipe-scaler/scripts/scale.py"
DOUGH = "home/bread-dough-calculator/scripts/dough.py"
SOW = "home/sowing-calendar/scripts/sow.py"
BILL = "home/energy-bill-check/scripts/bill.py"

CAKE = rows(
    "250 g flour",
    "3 eggs",
    "1 1/2 tsp baking powder",
    "½ cup sugar",
    "1/2 tsp salt",
    "2 cans tomatoes",
    "0,5 g saffron",
    "water as needed",
)
GAS = {
    "kind": "gas",
    "readings": [["2025-01-01", 4210.0], ["2025-12-31", 5875.0]],
    "factor": 10.9,
    "prices": [["2025-01-01", 0.112], ["2025-07-01", 0.104]],
    "base_per_year": 142.8,
    "billed": {"units": 18149, "amount": 2104.12},
    "degree_days": {"now": 3120, "before": 2890, "units_before": 15980},
}
FROST = ["--last-frost", "2026-05-12", "--first-frost", "2026-10-10"]

CASES = [
    Case(
        SCALE,
        ["cake.txt", "--from", "4", "--to", "11", "--metric"],
        1,
        {"cake.txt": CAKE},
        out=["690 g flour", "8 eggs", "4 tsp baking powder", "275 g sugar", "5 1/2 cans", "water as needed"],
        err=["raising: take 3/4", "salt: take 3/4", "factor 2.75"],
    ),
    Case(
        SCALE,
        ["cake.txt", "--from", "4", "--to", "2"],
        1,
        {"cake.txt": CAKE},
        out=["1 1/2 eggs", "a pinch of saffron"],
        err=["half-egg: beat one, take 25 g"],
    ),
    Case(
        SCALE,
        ["cake.txt", "--pan", "round:26", "--into", "square:30"],
        0,
        {"cake.txt": rows("200 g flour")},
        out=["340 g flour"],
        err=["factor 1.70"],
    ),
    Case(SCALE, ["cake.txt", "--from", "4"], 2, {"cake.txt": CAKE}, err=["--pan and --into"]),
    Case(
        DOUGH,
        ["--loaves", "2", "--weight", "850", "--hydration", "72", "--starter", "20",
         "--bake", "18:30", "--dough-temperature", "25", "--room", "22"],
        0,
        out=["water at 29 °C", "06:00 feed the starter", "12:00 mix", "17:30 shape", "18:30 bake"],
    ),
    Case(
        DOUGH,
        ["--loaves", "1", "--weight", "800", "--hydration", "99", "--yeast", "0.2", "--bake", "08:00"],
        1,
        out=["dry yeast      0.8 g", "mix (1 day before)"],
        err=["hydration 99%"],
    ),
    Case(DOUGH, ["--loaves", "1", "--weight", "800", "--hydration", "70"], 2, err=["--starter"]),
    Case(
        SOW,
        [*FROST, "--crops", "tomato,bean"],
        0,
        out=["2026-03-17 tomato     start indoors", "2026-05-19 tomato     plant out",
             "2026-05-19 bean       sow outdoors", "bean       sow again"],
    ),
    Case(
        SOW,
        [*FROST, "--crops", "bean,spinach", "--from", "2026-08-20"],
        1,
        out=["spinach    sow again"],
        err=["bean: too late since 2026-08-08"],
        absent=["bean       sow"],
    ),
    Case(SOW, [*FROST, "--crops", "mango"], 2, err=["unknown: mango"]),
    Case(
        BILL,
        ["gas.json"],
        0,
        {"gas.json": json.dumps(GAS)},
        out=["2025-01-01 to 2025-07-01", "ours 18148.50, billed 18149.00 (+0.0%)",
             "per degree day +5%", "instalment 170 a month"],
        absent=["DIFFERS"],
    ),
    Case(
        BILL,
        ["gas.json"],
        1,
        {"gas.json": json.dumps({**GAS, "billed": {"units": 21000, "amount": 2104.12}})},
        out=["units      ours 18148.50, billed 21000.00 (+15.7%) DIFFERS"],
    ),
    Case(
        BILL,
        ["gas.json"],
        2,
        {"gas.json": json.dumps({k: v for k, v in GAS.items() if k != "factor"})},
        err=["gas needs the factor"],
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_script_answers(case: Case, answer: Callable) -> None:
    check(case, answer)


def test_every_script_of_the_group_has_a_case(programs: list[str]) -> None:
    covered(CASES, programs, "home")


def test_dough_weighs_what_was_asked_for_and_the_starter_counts(answer: Callable) -> None:
    def grams(*more: str) -> dict[str, float]:
        run = answer(DOUGH, ["--loaves", "2", "--weight", "850", "--hydration", "72", *more])
        return {line[:10].strip(): float(line[10:-2]) for line in run.out.splitlines()}

    soured, yeasted = grams("--starter", "20"), grams("--yeast", "1")
    assert sum(soured.values()) == pytest.approx(1700, abs=2)
    assert sum(yeasted.values()) == pytest.approx(1700, abs=2)
    flour = soured["flour"] + soured["starter"] / 2
    assert (soured["water"] + soured["starter"] / 2) / flour == pytest.approx(0.72, abs=0.005)
