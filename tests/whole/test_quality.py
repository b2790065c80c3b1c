"""``asf quality`` and ``asf dedup`` on the sample registry, and what its README says they find."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from asf_core.domain.text import visible
from tests.whole.process import COPIES, VERDICTS, Asf


@pytest.fixture
def own(synced: Asf, tmp_path: Path) -> Asf:
    """A workspace of the test's own."""
    shutil.copytree(synced.workspace, tmp_path / "workspace")
    return Asf(tmp_path / "workspace", synced.cwd)


def test_the_gate_takes_out_what_the_sample_calls_slop_and_nothing_else(synced: Asf) -> None:
    rows = {row["path"]: row for row in synced.json("skills")}
    out = {path for path, row in rows.items() if row["quarantined_by"] == "gate"}
    assert out == {path for path, verdict in VERDICTS.items() if verdict == "slop"}
    assert all(rows[path]["state_reason"].startswith("by the gate: slop score") for path in out)
    aliases = {path for path, row in rows.items() if row["canonical_id"]}
    assert aliases == set(COPIES)
    assert aliases - out == {path for path, verdict in VERDICTS.items() if verdict == "duplicate"}


@pytest.mark.parametrize(
    ("ref", "named"),
    [
        ("flaky-tests-hunter", "name_collision"),
        ("microservices-excellence", "bare_outline"),
        ("calendar-manager", "empty_content"),
        ("stakeholder-communication", "generic_phrases"),
        ("data-helper", "description_vague"),
    ],
)
def test_each_slop_is_explained_by_its_own_signal(synced: Asf, ref: str, named: str) -> None:
    found = synced.json("quality", ref)
    worst = sorted(found["signals"], key=lambda s: s["contribution"])[:3]
    assert named in [signal["signal"] for signal in worst]
    assert found["slop_score"] < 0.4
    assert found["lifts"][0]["score"] > found["slop_score"]
    assert found["nearest"]["skill_id"]


def test_a_page_says_what_lowers_a_score_and_what_would_lift_it(synced: Asf) -> None:
    text = synced.run("quality", "data-helper").stdout
    for part in ("by the gate", "What makes the score", "vague description", "nearest",
                 "What would lift it", "Use when"):  # fmt: skip
        assert part in text


def test_the_list_shows_the_worst_first_and_counts(synced: Asf) -> None:
    text = synced.run("quality", "--top", "3").stdout
    assert text.index("microservices-excellence") < text.index("with higher scores")
    slop = sum(verdict == "slop" for verdict in VERDICTS.values())
    assert f"{slop} taken out of routing by the gate" in text
    scores = [row["slop_score"] for row in synced.json("quality")]
    assert scores == sorted(scores)
    assert len(synced.run("quality", "--all").stdout.splitlines()) > 2 * len(scores)


def test_duplicates_come_with_evidence(synced: Asf) -> None:
    found = synced.json("dedup")
    pairs = {c["canonical"]: [a["skill_id"] for a in c["aliases"]] for c in found["clusters"]}
    assert pairs == {
        f"sample_registry/{canonical}": [f"sample_registry/{alias}"]
        for alias, canonical in COPIES.items()
    }
    assert found["skills"] - found["canonical"] == len(COPIES)
    text = synced.run("dedup").stdout
    assert "equal scripts: scripts/formulas.py" in text
    assert "both are called csv-data-audit" in text
    only = synced.json("dedup", "--pass", "semantic")
    assert [c["canonical"] for c in only["clusters"]] == [
        "sample_registry/home/recipe-scaler",
        "sample_registry/science/csv-data-audit",
    ]
    assert len(synced.json("dedup", "workbook-formula-checker")["clusters"]) == 1


def test_an_alias_resolves_and_says_of_what(synced: Asf) -> None:
    text = synced.run("show", "workbook-formula-checker").stdout
    assert "alias of" in text
    assert "spreadsheet-formula-audit" in text
    assert "stands for" in synced.run("show", "spreadsheet-formula-audit").stdout
    assert synced.json("show", "workbook-formula-checker")["duplicates"]


def test_a_release_and_a_confirmation_win_over_the_gate(own: Asf) -> None:
    own.run("release", "data-helper", "--reason", "used in a course")
    assert own.json("show", "data-helper")["skill"]["state"] == "ready"
    assert "released by a curator" in own.run("quality", "data-helper").stdout
    own.run("quarantine", "calendar-manager", "--reason", "confirmed: a stub")
    skill = own.json("show", "calendar-manager")["skill"]
    assert (skill["quarantined_by"], skill["state_reason"]) == ("curator", "confirmed: a stub")


def test_a_host_that_cuts_the_list_is_a_finding(synced: Asf) -> None:
    check = synced.json("quality", "--host", "claude-code", code=1)
    assert check["characters"] > check["budget"]
    assert {entry["fate"] for entry in check["entries"]} == {"whole", "name only"}
    assert "does not fit" in synced.run("quality", "--budget", "3000", code=1).stdout
    assert "fits" in synced.run("quality", "--budget", "99999").stdout


def test_collisions_say_what_tells_two_skills_apart(synced: Asf) -> None:
    found = synced.json("quality", "--collisions", "--alike", "0.8")
    assert "linear-history-policy" in found[0]["first"]
    assert found[0]["only_first"]
    assert synced.json("quality", "--collisions") == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("quality", "no-such"),
        ("quality", "--host", "vi"),
        ("quality", "--budget", "0"),
        ("quality", "data-helper", "--collisions"),
        ("quality", "--registry", "none"),
        ("dedup", "--pass", "third"),
    ],
)
def test_wrong_questions_are_refused(synced: Asf, arguments: tuple[str, ...]) -> None:
    done = synced.run(*arguments, code=2)
    assert "do:" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_threshold_for_ci(synced: Asf) -> None:
    assert "score under 0.99" in synced.run("quality", "--fail-under", "0.99", code=1).stderr
    synced.run("quality", "--fail-under", "0.4")


def test_nothing_that_acts_on_a_terminal_is_printed(synced: Asf) -> None:
    for arguments in (("quality", "--all"), ("quality", "quick-translate"), ("dedup",),
                      ("quality", "--budget", "500")):  # fmt: skip
        printed = synced.run(*arguments, code=None).stdout
        assert visible(printed, keep="\n") == printed


def test_a_skill_that_requires_an_alias_still_gets_it(synced: Asf) -> None:
    task = "merge the addresses of a spreadsheet into form letters"
    result = synced.json("route", "--no-sync", task)
    steps = [step["skill_id"] for step in result["bundle"]["steps"]]
    assert "sample_registry/office/csv-data-audit" in steps
    ranked = [c["skill_id"] for c in result["stages"][1]["candidates"]]
    assert "sample_registry/office/csv-data-audit" not in ranked
    assert any("aliases of skills that are offered" in n for n in result["stages"][1]["notes"])
