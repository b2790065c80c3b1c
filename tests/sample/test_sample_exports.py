"""The exports of other systems beside the skills: what they hold, and that the workbench takes them."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.whole.process import SAMPLE, Asf

PLAYBOOKS = SAMPLE / "exports/playbooks.json"
RECIPES = SAMPLE / "exports/recipes.json"


def test_seven_families_with_ids_that_say_their_version() -> None:
    export = json.loads(PLAYBOOKS.read_text("utf-8"))
    found = [re.fullmatch(r"skill\.([a-z]+)\.v(\d+)", one["id"]) for one in export["skills"]]
    assert len({match[1] for match in found if match}) == len(found) == 7
    for one, match in zip(export["skills"], found, strict=True):
        assert match
        assert int(match[2]) == one["version"]
        assert one["evaluation_case_ids"]
        assert "Use " in one["description"]
        assert len(one["instructions"].splitlines()) >= 4
    assert re.fullmatch("[0-9a-f]{64}", export["global_prompt_sha256"])


def test_they_come_in_as_candidates_for_whom_they_are_meant(tmp_path: Path) -> None:
    asf = Asf(tmp_path / ".asf", tmp_path)
    asf.run("init", str(tmp_path))
    asf.run("candidate", "add", "--playbook", str(PLAYBOOKS))
    asf.run("candidate", "add", "--recipe", str(RECIPES))
    listed = asf.run("candidate", "list").stdout
    assert listed.count("Built-in, for product:workbench") == 7
    assert listed.count("My skill, for user:acorn/") == 2
    assert listed.count("My skill, for tenant:acorn") == 1
    assert "skill.coding@2.0.0" in listed
