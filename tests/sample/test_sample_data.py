"""The scripts of the data group run, offline, and say what their skills promise."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.sample.running import Case, check, covered, rows

DRIFT = "data/schema-drift-check/scripts/drift.py"
MATCH = "data/entity-matching/scripts/match.py"
GRID = "data/time-series-gap-fill/scripts/grid.py"
FORECAST = "data/seasonal-forecast/scripts/forecast.py"
READOUT = "data/ab-test-readout/scripts/readout.py"

WEEK = [0, 5, 9, 4, 2, -20, -30]


def days(count: int, season: list[int], *, without: tuple[int, ...] = ()) -> str:
    """Daily values around 100 with a season, and some days left out."""
    start = date(2026, 1, 1)
    return rows(
        "time,value",
        *(
            f"{start + timedelta(days=n)}T00:00:00Z,{100 + season[n % len(season)] + n % 3}"
            for n in range(count)
            if n not in without
        ),
    )


MONDAY = rows("order_id,amount,status,note", "1,10,OPEN,", "2,20,DONE,x", "3,30,DONE,y")
TUESDAY = rows("order_id,status,amount,channel", "1,OPEN,10,w", "2,ON_HOLD,1 200,w", "2,DONE,30,w")
READINGS = rows(
    "time,value",
    "2026-03-01T10:00:00+01:00,10",
    "2026-03-01T10:15:00+01:00,11",
    "2026-03-01T10:15:20+01:00,13",
    "2026-03-01T10:45:00+01:00,14",
    "2026-03-01T13:00:00+01:00,20",
)

CASES = [
    Case(
        DRIFT,
        ["m.csv", "t.csv", "--key", "order_id"],
        1,
        {"m.csv": MONDAY, "t.csv": TUESDAY},
        out=[
            "breaks  gone       note",
            "int in m.csv, text in t.csv: '1 200' in row 3",
            "breaks  key_twice  order_id   1 values more than once, as '2'",
            "'ON_HOLD' (1 rows)",
            "warns   moved",
            "notes   new        channel",
        ],
    ),
    Case(
        DRIFT,
        ["a.jsonl", "b.jsonl"],
        0,
        {"a.jsonl": '{"a": 1}\n{"a": 2.5}\n', "b.jsonl": '{"a": 1}\n{"a": 2}\n{"a": 3}\n'},
        out=["notes   type       a          float in a.jsonl, int in b.jsonl"],
    ),
    Case(DRIFT, ["a", "b"], 2, {"a": MONDAY, "b": "order_id\n"}, err=["b: no rows"]),
    Case(
        MATCH,
        ["c.csv", "--name", "name", "--strong", "email", "--weak", "postcode"],
        1,
        {
            "c.csv": rows(
                "name,email,postcode",
                "Müller Maschinenbau GmbH,info@m.example,10115",
                "Anna Schmidt,,20095",
                "Mueller Maschinen-Bau,INFO@m.example,10115",
                "Anna Schmitt,,20095",
                "Peter Pan,,10115",
            )
        },
        out=['same 1.00  2 "Müller', "email, postcode", 'look 0.88  3 "Anna Schmidt"'],
        err=["5 records, 1 same, 1 to look at"],
        absent=["Pan"],
    ),
    Case(MATCH, ["c.csv", "--name", "who"], 2, {"c.csv": "name\nx\n"}, err=["no column who"]),
    Case(
        GRID,
        ["r.csv", "--step", "15m", "--longest", "15m"],
        1,
        {"r.csv": READINGS},
        out=[
            "2026-03-01T09:15:00Z,12,mean",
            "2026-03-01T09:30:00Z,13,filled",
            "2026-03-01T10:00:00Z,,gap",
            "2026-03-01T12:00:00Z,20,ok",
        ],
        err=["step 900 s, 13 cells: ok 3, mean 1, filled 1, gap 8"],
    ),
    Case(
        GRID,
        ["r.csv"],
        2,
        {"r.csv": rows("time,value", "2026-10-25T02:30:00,1", "2026-10-25T03:30:00,1")},
        err=["line 2", "has no offset from UTC"],
    ),
    Case(
        FORECAST,
        ["s.csv", "--season", "7"],
        0,
        {"s.csv": days(70, WEEK)},
        out=["time,forecast,low,high", "2026-03-12T00:00:00Z,"],
        err=["forecast: mean: error", "better than naive by"],
    ),
    Case(FORECAST, ["s.csv", "--season", "7"], 2, {"s.csv": days(20, WEEK)}, err=["too few"]),
    Case(
        READOUT,
        ["--a", "10210,612", "--b", "10187,689", "--matters", "0.5"],
        0,
        out=["+0.77 points [0.10, 1.44]", "ship if it costs nothing to keep"],
    ),
    Case(
        READOUT,
        ["--a", "10210,612", "--b", "10187,689", "--matters", "0.5", "--looks", "5"],
        0,
        out=["divided by 5 looks", "too small a test"],
    ),
    Case(
        READOUT,
        ["--a", "10600,612", "--b", "10000,689", "--matters", "0.5"],
        1,
        err=["sample ratio mismatch, 10600 and 10000"],
        absent=["points"],
    ),
    Case(READOUT, ["--a", "9,12", "--b", "10,1", "--matters", "1"], 2, err=["9,12"]),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_script_answers(case: Case, answer: Callable) -> None:
    check(case, answer)


def test_every_script_of_the_group_has_a_case(programs: list[str]) -> None:
    covered(CASES, programs, "data")


def test_a_series_with_a_gap_is_filled_and_then_forecast(answer: Callable, tmp_path: Path) -> None:
    grid = answer(GRID, ["r.csv", "--longest", "1d"], {"r.csv": days(70, WEEK, without=(30,))})
    assert grid.code == 0
    (tmp_path / "series.csv").write_text(grid.out, encoding="utf-8")
    forecast = answer(FORECAST, ["series.csv", "--season", "7", "--ahead", "14"])
    assert forecast.code == 0
    ahead = list(csv.DictReader(io.StringIO(forecast.out)))
    assert len(ahead) == 14
    assert all(float(a["low"]) <= float(a["forecast"]) <= float(a["high"]) for a in ahead)
    weakest = min(ahead[:7], key=lambda row: float(row["forecast"]))
    assert weakest["time"].startswith("2026-03-18")  # the seventh day of the pattern


def test_a_forecast_refuses_a_gap_and_doubts_what_has_no_season(
    answer: Callable, tmp_path: Path
) -> None:
    gappy = answer(GRID, ["r.csv"], {"r.csv": days(70, WEEK, without=(68,))})
    (tmp_path / "gappy.csv").write_text(gappy.out, encoding="utf-8")
    assert "is a gap" in answer(FORECAST, ["gappy.csv", "--season", "7"]).err
    jumps = [0, 40, -35, 12, -3, 28, -22, 7, -41, 19, 33, -9, 2]  # thirteen days, no week
    noise = {"noise.csv": days(91, jumps)}
    assert answer(FORECAST, ["noise.csv", "--season", "7"], noise).code == 1
