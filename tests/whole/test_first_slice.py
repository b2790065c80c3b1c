"""Real skills in, a routed plan out: the first slice as a script sees it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from asf_core.domain.text import visible
from tests.whole.process import PDL1, SAMPLE, Asf

CHAIN = [
    "scientific-research-lookup",
    "classify-pd-l1-tps",
    "publication-figure-style",
    "citation-verifier",
]


def test_a_second_sync_encodes_nothing(synced: Asf) -> None:
    report = synced.json("sync", "sample_registry")
    (sync,) = report["registries"]
    assert sync["encoded"] == 0
    assert sync["added"] == sync["changed"] == sync["removed"] == 0
    assert sync["unchanged"] == sync["listed"]


def test_every_skill_file_of_the_sample_is_listed(synced: Asf) -> None:
    listed = {row["path"] for row in synced.json("skills")}
    on_disk = {
        file.parent.relative_to(SAMPLE).as_posix()
        for file in SAMPLE.rglob("SKILL.md")
        if "assets" not in file.parts
    }
    assert on_disk <= listed


def test_the_pd_l1_task_gives_its_typed_chain(synced: Asf) -> None:
    result = synced.json("route", "--registry", "sample_registry", PDL1)
    steps = result["bundle"]["steps"]
    assert [stage["stage"] for stage in result["stages"]] == [
        "encode", "recall", "rerank", "walk", "plan",
    ]  # fmt: skip
    assert all(stage["milliseconds"] >= 0 for stage in result["stages"])
    slugs = [step["slug"] for step in steps]
    assert [slug for slug in slugs if slug in CHAIN] == sorted(
        CHAIN, key=slugs.index
    )  # all four, in the plan's order
    assert set(CHAIN) <= set(slugs)
    assert slugs.index(CHAIN[0]) < slugs.index(CHAIN[1]) < slugs.index(CHAIN[2])
    by_slug = {step["slug"]: step for step in steps}
    (bound,) = by_slug["citation-verifier"]["bindings"]
    assert bound["input"] == {"name": "papers", "type": "list[Paper]"}
    assert bound["from_skill"] == by_slug["scientific-research-lookup"]["skill_id"]
    assert result["degraded"] == []
    assert 0 < result["tokens"]["savings"] < 1


def test_the_printed_answer_shows_stages_plan_and_savings(synced: Asf) -> None:
    text = synced.run("route", "--registry", "sample_registry", PDL1).stdout
    for word in ("recall", "rerank", "walk", "plan", "papers:list[Paper] <- papers", "saved"):
        assert word in text
    assert "\x1b" not in text


def test_a_quarantined_skill_is_left_out_before_recall(synced: Asf, tmp_path: Path) -> None:
    asf = Asf(tmp_path / "workspace", synced.cwd)
    shutil.copytree(synced.workspace, asf.workspace)
    ref = "sample_registry/science/citation-verifier"
    asf.run("quarantine", ref, "--reason", "checking a complaint")
    result = asf.json("route", "check the citations of my manuscript", code=None)
    seen = json.dumps([stage["candidates"] for stage in result["stages"]])
    assert f'"{ref}"' not in seen
    assert result["near_misses"] == [c for c in result["near_misses"] if c["skill_id"] != ref]
    asf.run("release", ref, "--reason", "complaint was about another skill")
    again = asf.json("route", "check the citations of my manuscript", code=None)
    assert ref in json.dumps(again["stages"])


def test_a_skill_without_its_declared_requirement_enters_no_plan(synced: Asf) -> None:
    result = synced.json("route", "bind a small book of three sections by hand", code=None)
    (walked,) = (stage for stage in result["stages"] if stage["stage"] == "walk")
    (dropped,) = walked["dropped"]
    assert dropped["skill_id"] == "sample_registry/malformed/dangling-relation"
    assert dropped["reason"].startswith("needs paper-folding-basics, which is the name of no skill")
    assert dropped["skill_id"] not in {step["skill_id"] for step in result["bundle"]["steps"]}


def test_nonsense_gets_no_plan(synced: Asf) -> None:
    result = synced.json("route", "qwrt zzkpl vvxw brrm", code=1)
    assert result["abstained"] is True
    assert result["bundle"]["steps"] == []
    assert result["near_misses"]


def test_errors_are_three_lines_without_a_traceback(synced: Asf) -> None:
    done = synced.run("show", "no-such-skill", code=2)
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("asf: No skill is called 'no-such-skill'")
    assert "why:" in done.stderr
    assert "do:" in done.stderr


def test_no_byte_that_acts_on_a_terminal_is_printed(synced: Asf) -> None:
    refs = [row["id"] for row in synced.json("skills")]
    poisoned = [ref for ref in refs if "lamp-rewiring" in ref or "quick-translate" in ref]
    assert poisoned
    for arguments in (["skills"], *(["show", ref] for ref in (*poisoned, refs[0]))):
        for form in ([], ["--json"]):
            printed = synced.run(*arguments, *form).stdout
            assert visible(printed, keep="\n") == printed


def test_without_its_models_it_says_so_and_answers_only_when_asked_to(
    synced: Asf, tmp_path: Path
) -> None:
    models = tmp_path / "models"
    (models / "dense").mkdir(parents=True)  # named, and empty
    asf = Asf(tmp_path / "workspace", synced.cwd)
    arguments = ("route", "--registry", "sample_registry", "--model-dir", str(models))
    task = "check the citations of my manuscript"
    refused = asf.run(*arguments, task, code=4)
    assert "model" in refused.stderr
    assert str(models) in refused.stderr
    answer = asf.json(*arguments, "--degraded", task)
    assert answer["degraded"]
    assert "citation-verifier" in [step["slug"] for step in answer["bundle"]["steps"]]
    whole = asf.json("route", "--registry", "sample_registry", task)
    assert whole["degraded"] == []


def test_models_are_checked_against_their_checksums(synced: Asf) -> None:
    assert {(row["role"], row["ok"]) for row in synced.json("models")} == {
        ("dense", True), ("late", True), ("cross", True),
    }  # fmt: skip
