"""The scripts of the hardware group run, offline, and say what their skills promise."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.sample.running import COPIED, Case, check, covered, rows

DIVIDER = "hardware/resistor-divider-picker/scripts/divider.py"
RUNTIME = "hardware/battery-life-estimate/scripts/runtime.py"
CALIBRATE = "hardware/sensor-calibration/scripts/calibrate.py"
BOM = "hardware/bom-consolidation/scripts/bom.js"

NODE = {
    "cell": "lithium-aa",
    "in_series": 2,
    "cutoff_v": 2.0,
    "temperature": 5,
    "states": [
        {"name": "sleep", "ma": 0.006},
        {"name": "measure", "ma": 4.0, "seconds": 0.8, "every_s": 300},
        {"name": "send", "ma": 42.0, "seconds": 1.6, "every_s": 900},
    ],
    "always_ma": 0.004,
    "target_days": 1825,
}
BOARD = rows(
    "Reference,Value,Footprint,MPN",
    '"R1,R2,R3",4k7,0603,',
    "R4,4.7k,0603,",
    "R5,4.8k,0603,",
    "C1,100n,0603,",
    "C2,0.1uF,0603,",
    "U1,LM358,SO8,",
    "U2,MCU DNP,QFN,",
    "J1,USB,SMD,ABC-1",
    "J2,USB,SMD,XYZ-9",
    "R1,10k,0603,",
)
LINE = rows("reference,reading", "0,10", "25,62", "50,109", "75,161", "100,210")
BOWL = rows("reference,reading", *(f"{x * x / 10 + x},{x}" for x in range(12)))

CASES = [
    Case(
        DIVIDER,
        ["--in", "14.4", "--out", "3.0", "--total", "100k"],
        0,
        out=["91k   24k   3.005 V  +0.17%  worst 2.958..3.053 V  125 uA  19k"],
    ),
    Case(DIVIDER, ["--in", "5", "--out", "4.9", "--series", "E12", "--total", "1k"], 0, out=["V"]),
    Case(
        DIVIDER,
        ["--in", "9", "--out", "3.1", "--series", "E12", "--total", "12"],
        1,
        err=["no pair within 1%"],
    ),
    Case(DIVIDER, ["--in", "3", "--out", "5"], 2, err=["between 0 and the input"]),
    Case(
        RUNTIME,
        ["node.json"],
        1,
        {"node.json": json.dumps(NODE)},
        out=["send              74.7 uA   78%", "2527 mAh usable: 1072 days", "half of 'send'", "1730 days"],
    ),
    Case(
        RUNTIME,
        ["node.json"],
        0,
        {"node.json": json.dumps({**NODE, "states": [{"name": "sleep", "ma": 0.002}]})},
        out=["limited to 10 years"],
    ),
    Case(
        RUNTIME,
        ["node.json"],
        2,
        {"node.json": json.dumps({**NODE, "cell": "potato"})},
        err=["cell 'potato'", "cr2032"],
    ),
    Case(
        CALIBRATE,
        ["p.csv", "--at", "100", "--at", "300"],
        0,
        {"p.csv": LINE},
        out=["gain 0.50", "100 means 44.791", "300 means 144.97", "outside the points: a guess"],
    ),
    Case(CALIBRATE, ["p.csv"], 1, {"p.csv": BOWL}, err=["the residuals bend"]),
    Case(CALIBRATE, ["p.csv", "--degree", "2"], 0, {"p.csv": BOWL}, out=["gain 1, square 0.1\n"]),
    Case(
        CALIBRATE, ["p.csv"], 2, {"p.csv": rows("reference,reading", "1,1", "2,2")}, err=["too few"]
    ),
    Case(
        BOM,
        ["main.csv:50", "--spare", "5"],
        1,
        {"main.csv": BOARD},
        out=["210,4k7,0603,,R1 R2 R3 R4", "105,100n,0603,,C1 C2", "53,LM358,SO8,,U1"],
        err=["twice     R1 in main.csv", "near      4k7 and 4.8k", "odd-value 4.8k (R5)",
             "no-mpn    LM358 (U1)", "two-mpn   USB SMD: ABC-1, XYZ-9"],
        absent=["MCU"],
    ),
    Case(
        BOM,
        ["a.csv:2", "b.csv:3"],
        0,
        {name: rows("Reference,Value,Footprint", "R1,10k,0603") for name in ("a.csv", "b.csv")},
        out=["10,10k,0603,,R1 R1"],
    ),
    Case(BOM, ["main.csv"], 2, {"main.csv": BOARD}, err=["main.csv is not FILE.csv:BOARDS"]),
]  # fmt: skip

CASES += [
    replace(case, script=copy) for case in CASES for copy in COPIED if case.script == COPIED[copy]
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_script_answers(case: Case, answer: Callable) -> None:
    check(case, answer)


def test_every_script_of_the_group_has_a_case(programs: list[str]) -> None:
    covered(CASES, programs, "hardware")


@pytest.mark.parametrize("series", ["E12", "E24", "E96"])
def test_a_divider_lies_within_its_worst_case(series: str, answer: Callable) -> None:
    run = answer(DIVIDER, ["--in", "12", "--out", "2.5", "--series", series, "--total", "20k"])
    found = re.findall(r"([\d.]+) V .* worst ([\d.]+)\.\.([\d.]+) V", run.out)
    assert 1 <= len(found) <= 5
    errors = [abs(float(output) / 2.5 - 1) for output, _, _ in found]
    assert errors == sorted(errors)
    assert all(float(low) < float(output) < float(high) for output, low, high in found)
