"""``asf measure`` on registries: what counts, what is left out, and three that each fail one way."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from measure_graphs import Graph, coupled, fragmented, good, isolated, write_registry
from measure_prose import body, description
from measure_trees import write

from asf_core.domain.measure import MeasureReport
from asf_core.services.engine import Engine
from asf_core.services.measuring import measure_path
from tests.whole.process import READABLE, SAMPLE, VERDICTS

SLOP = tuple(path for path, verdict in VERDICTS.items() if verdict == "slop")
POISONED = tuple(path for path, verdict in VERDICTS.items() if verdict == "poisoned")
UNPLANNED = ("malformed/cycle-one", "malformed/cycle-two", "malformed/dangling-relation")


def asf(program: str, *args: str) -> subprocess.CompletedProcess[str]:
    code = {
        "asf": "from asf_core.cli.main import run",
        "asf-tui": "from asf_tui.main import run",
    }[program]
    return subprocess.run(
        [sys.executable, "-c", f"{code}; run()", *args],
        capture_output=True,
        text=True,
        timeout=120,
    )


def needing_what_is_gone(name: str) -> str:
    head = f"name: {name}\ndescription: {description(name, name)}\ndepends_on: [gone]"
    return f"---\n{head}\n---\n\n{body(name, name)}"


@pytest.mark.parametrize("program", ["asf", "asf-tui"])
@pytest.mark.parametrize(
    ("make", "mode"),
    [
        (isolated, "Tool Isolation"),
        (coupled, "Coupling Lock"),
        (fragmented, "Fragmentation Collapse"),
        (good, ""),
    ],
)
def test_a_bad_registry_fails_in_its_own_mode_only(
    program: str, make: Callable[[], Graph], mode: str, tmp_path: Path
) -> None:
    root = write_registry(tmp_path / "registry", make())
    done = asf(program, "measure", str(root), "--json")
    assert done.returncode == 0, done.stderr
    report = MeasureReport.model_validate_json(done.stdout)
    assert [found.mode.value for found in report.modes] == ([mode] if mode else [])
    page = asf(program, "measure", str(root)).stdout
    assert ("Repair:" in page) is bool(mode)
    assert (mode or "No failure mode") in page


def why(report: MeasureReport) -> dict[str, str]:
    return {one.path: one.reason.partition(":")[0] for one in report.excluded}


def test_the_samples_canonical_index_is_easy_to_route_in(tmp_path: Path) -> None:
    out = {
        **dict.fromkeys(SLOP, "in quarantine"),
        **dict.fromkeys(UNPLANNED, "with a requirement that cannot be met"),
    }
    alone = measure_path(SAMPLE)
    assert not (tmp_path / "workspace").exists()
    assert alone.rscore >= 0.85
    assert alone.modes == ()
    assert why(alone) == out
    assert len(alone.unread) == len(VERDICTS) - READABLE

    with Engine.open(tmp_path / "workspace") as engine:
        engine.add_registry(SAMPLE, name="mine")
        engine.sync()
        for path in POISONED:
            engine.quarantine(f"mine/{path}", "a specimen, as the README says")
    known = measure_path(SAMPLE)
    assert known.rscore >= 0.87
    assert why(known) == {**out, **dict.fromkeys(POISONED, "in quarantine")}
    duplicates = sum(verdict == "duplicate" for verdict in VERDICTS.values())
    assert f"{duplicates} duplicates" in " ".join(known.left_out)


def test_all_counts_what_is_left_out() -> None:
    every = measure_path(SAMPLE, everything=True)
    assert every.excluded == ()
    assert every.counts.files == READABLE
    assert every.rscore < measure_path(SAMPLE).rscore


def test_a_registry_that_only_holds_what_cannot_be_planned_says_so(tmp_path: Path) -> None:
    write(tmp_path / "r", {"a/SKILL.md": needing_what_is_gone("a")})
    done = asf("asf", "measure", str(tmp_path / "r"), "--json")
    assert done.returncode == 2
    assert "1 with a requirement that cannot be met (a)" in done.stderr


def test_json_and_page_name_what_is_left_out(tmp_path: Path) -> None:
    root = write_registry(tmp_path / "registry", good(2, 4))
    write(root, {"z/SKILL.md": needing_what_is_gone("z")})
    report = json.loads(asf("asf", "measure", str(root), "--json").stdout)
    assert report["excluded"] == [
        {
            "path": "z",
            "reason": "with a requirement that cannot be met: needs gone, which is not there",
        }
    ]
    assert "1 with a requirement that cannot be met (z)" in asf("asf", "measure", str(root)).stdout
