"""``asf export`` and ``asf route --format``, as a script uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.whole.process import PDL1, Asf

ID = "sample_registry/science/citation-verifier"


def test_a_round_trip_has_the_same_digests_and_routes_the_same(synced: Asf, tmp_path: Path) -> None:
    out = tmp_path / "given"
    lock = synced.json(
        "route", PDL1, "--no-sync", "--format", "skill-md", "-o", str(out), "--allow-unreviewed"
    )
    before = synced.json("route", PDL1, "--no-sync")
    assert len(lock["skills"]) == len(before["bundle"]["steps"]) >= 3
    again = Asf(tmp_path / "workspace", tmp_path)
    again.run("sync", str(out))
    for skill in lock["skills"]:
        shown = again.json("show", f"given/{skill['directory']}")
        assert shown["skill"]["digest"] == skill["digest"]
    after = again.json("route", PDL1, "--no-sync")
    assert [s["slug"] for s in after["bundle"]["steps"]] == [
        s["slug"] for s in before["bundle"]["steps"]
    ]
    assert again.run("export", "--verify", str(out)).stdout.startswith(f"{len(lock['skills'])} sk")
    (out / lock["skills"][0]["directory"] / "SKILL.md").write_text("edited")
    found = again.json("export", "--verify", str(out), code=1)
    assert [d["what"] for d in found["differences"]] == ["changed"]


def test_standard_output_is_what_the_api_takes(synced: Asf) -> None:
    done = synced.run("export", ID, "--format", "openai", "--allow-unreviewed")
    (tool,) = json.loads(done.stdout)
    assert tool["function"]["name"] == "citation-verifier"
    assert "was not reviewed by anybody" in done.stderr
    assert "1 exported for openai" in done.stderr
    whole = synced.json("export", ID, "--format", "openai", "--allow-unreviewed")
    assert whole["document"] == [tool]
    assert whole["names"] == {"citation-verifier": ID}
    assert whole["unreviewed"] == [ID]
    assert whole["tokens"] > 50


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("export", ID, "--format", "openai"), 3, "no reviewed version"),
        (("export", "no-such-skill", "--format", "mcp"), 2, "No skill is called"),
        (("export", ID, "--format", "word"), 2, "is one of"),
        (("export", ID), 2, "names the directory"),
        (("export", "--format", "mcp"), 2, "name at least one"),
        (("export", ID, "--format", "mcp", "-o", "x"), 2, "for skill-md"),
        (("export", "--verify", "."), 2, "not exported by this program"),
        (("route", "x", "--allow-unreviewed"), 2, "--format"),
        (("route", "--stdin", "--format", "mcp"), 2, "one task"),
    ],
)
def test_what_cannot_be_is_refused(
    arguments: tuple[str, ...], code: int, says: str, synced: Asf
) -> None:
    done = synced.run(*arguments, code=code)
    assert says in done.stderr
    assert done.stdout == ""


def test_no_skill_fits_prints_nothing(synced: Asf) -> None:
    done = synced.run(
        "route", "asdkjh qwpoeiu zmxnb", "--no-sync", "--format", "gemini",
        "--allow-unreviewed", code=1,
    )  # fmt: skip
    assert done.stdout == ""
    assert "0 exported" in done.stderr
