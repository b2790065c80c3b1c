"""``asf measure`` on registries: what counts, what is left out, and three that each fail one way."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from measure_graphs import Graph, coupled, fragmented, good, isolated, write_registry
from measure_trees import write

from asf_core.domain.measure import MeasureReport
from asf_core.services.engine import Engine
from asf_core.services.measuring import measure_path

SAMPLE = Path(__file__).resolve().parents[2] / "sample_registry"
SPECIMENS = (
    "engineering/env-doctor",
    "engineering/flaky-tests-hunter",
    "engineering/microservices-excellence",
    "office/calendar-manager",
    "office/quick-translate",
    "office/stakeholder-communication",
    "science/data-helper",
)
"""What the sample's README puts into quarantine."""


@pytest.fixture(autouse=True)
def _own_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASF_WORKSPACE", str(tmp_path / "workspace"))


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


def test_the_samples_canonical_index_is_easy_to_route_in(tmp_path: Path) -> None:
    with Engine.open(tmp_path / "workspace") as engine:
        engine.add_registry(SAMPLE)
        engine.sync(degraded=True)
        for path in SPECIMENS:
            engine.quarantine(f"sample_registry/{path}", "a specimen, as the README says")
    report = measure_path(SAMPLE)
    assert report.rscore >= 0.85
    assert report.modes == ()
    reasons = {one.path: one.reason.partition(":")[0] for one in report.excluded}
    assert reasons == {
        **dict.fromkeys(SPECIMENS, "in quarantine"),
        **dict.fromkeys(
            ("malformed/cycle-one", "malformed/cycle-two", "malformed/dangling-relation"),
            "with a requirement that cannot be met",
        ),
    }
    assert len(report.unread) == 6


def test_without_a_workspace_none_is_made_and_nothing_is_in_quarantine(tmp_path: Path) -> None:
    report = measure_path(SAMPLE)
    assert not (tmp_path / "workspace").exists()
    assert not any(one.reason.startswith("in quarantine") for one in report.excluded)
    assert report.counts.nodes == report.counts.files - len(report.excluded)


def test_a_registry_that_only_holds_what_cannot_be_planned_says_so(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: A.\ndepends_on: [gone]\n---\n\n# A\n\nDo.\n"
    write(tmp_path / "r", {"a/SKILL.md": text})
    done = asf("asf", "measure", str(tmp_path / "r"), "--json")
    assert done.returncode == 2
    assert "1 with a requirement that cannot be met (a)" in done.stderr


def test_json_and_page_name_what_is_left_out(tmp_path: Path) -> None:
    root = write_registry(tmp_path / "registry", good(2, 4))
    text = "---\nname: z\ndescription: Z.\ndepends_on: [gone]\n---\n\n# Z\n\nDo.\n"
    write(root, {"z/SKILL.md": text})
    report = json.loads(asf("asf", "measure", str(root), "--json").stdout)
    assert report["excluded"] == [
        {
            "path": "z",
            "reason": "with a requirement that cannot be met: needs gone, which is not there",
        }
    ]
    assert "1 with a requirement that cannot be met (z)" in asf("asf", "measure", str(root)).stdout
