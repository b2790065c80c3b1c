"""Sources project in closed modes; what does not fit is refused with where and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from asf_core.domain.errors import ConditionsError, InputError
from asf_core.domain.manifest import SkillManifest, SourceRef
from asf_core.domain.pin import Scope, SourceMode
from asf_core.domain.refusal import Condition
from asf_core.domain.skill import Commit, Provenance, Skill, SkillState
from asf_core.governance.candidates import CandidateDraft, add_candidates
from asf_core.governance.sources.directory import draft_directory
from asf_core.governance.sources.draft import Import, file_entry
from asf_core.governance.sources.playbook import draft_playbooks
from asf_core.governance.sources.recipe import draft_recipes
from asf_core.trust.tree import tree_digest
from tests.governance.test_candidates import refused
from tests.governance.world import World

FILES = Path(__file__).parent / "exports"
IMPORT = Import("kim", "2026-11-30T12:00:00.000000Z")
FAMILIES = ["analysis", "coding", "planning", "research", "review", "support", "writing"]


def _playbooks(**change: Any) -> bytes:
    export = json.loads((FILES / "playbooks.json").read_bytes())
    return json.dumps({**export, **change}).encode()


def _one(**change: Any) -> bytes:
    export = json.loads((FILES / "playbooks.json").read_bytes())
    skill = {**export["skills"][0], **change}
    return json.dumps({**export, "skills": [skill]}).encode()


def _recipe(**change: Any) -> bytes:
    export = json.loads((FILES / "recipes.json").read_bytes())
    return json.dumps({**export, "recipes": [{**export["recipes"][0], **change}]}).encode()


def test_the_seven_families_become_built_in_skills(world: World) -> None:
    drafts = draft_playbooks((FILES / "playbooks.json").read_bytes(), IMPORT)
    added = add_candidates(world.ledger, drafts)
    contents = [item.record.content for item in added]
    assert sorted(c.skill_id for c in contents) == [f"skill.{name}" for name in FAMILIES]
    for content in contents:
        family, number = content.skill_id.removeprefix("skill."), content.version.split(".")[0]
        assert content.source.id == f"skill.{family}.v{number}"
        assert content.mode.label == "Built-in"
        assert content.scope == Scope.parse("product:workbench")
        assert content.playbook is not None
        assert content.playbook.evaluation_case_ids
        assert content.playbook.global_prompt_sha256 == "7" * 64


@pytest.mark.parametrize(
    ("document", "says"),
    [
        pytest.param(_one(version=9), "says version", id="id and version do not agree"),
        pytest.param(_one(id="skill.research.v02"), "skill.<family>.v<n>", id="leading zero"),
        pytest.param(_one(id="skill.research.v0"), "skill.<family>.v<n>", id="version zero"),
        pytest.param(_one(id="skill.Research.v1"), "skill.<family>.v<n>", id="capital letter"),
        pytest.param(_one(id="research.v1"), "skill.<family>.v<n>", id="no prefix"),
        pytest.param(_one(version="1"), "version", id="text for number"),
        pytest.param(_one(version=True), "version", id="bool for number"),
        pytest.param(_one(evaluation_case_ids=[]), "evaluation_case_ids", id="no cases"),
        pytest.param(_one(instructions=" "), "instructions", id="no instructions"),
        pytest.param(_one(mode="saved_recipe"), "mode", id="relabelled"),
        pytest.param(_playbooks(global_prompt_sha256="x"), "global_prompt", id="no prompt hash"),
        pytest.param(_playbooks(format="smx.playbooks/2"), "format", id="another format"),
        pytest.param(_playbooks(skills=[]), "skills", id="nothing in it"),
        pytest.param(_playbooks()[:-1] + b',"system":"x"}', "stands twice", id="duplicate key"),
        pytest.param(_recipe(), "format", id="an export of recipes"),
        pytest.param(b"", "not JSON", id="empty file"),
    ],
)
def test_a_playbook_export_that_does_not_fit_is_refused(document: bytes, says: str) -> None:
    with pytest.raises(InputError) as error:
        draft_playbooks(document, IMPORT)
    assert says in str(error.value)


def test_a_recipe_belongs_to_its_user_or_tenant() -> None:
    drafts = draft_recipes((FILES / "recipes.json").read_bytes(), IMPORT)
    assert [(d.content.skill_id, str(d.content.scope)) for d in drafts] == [
        ("recipe/acme/ann/weekly-report", "user:acme/ann"),
        ("recipe/acme/house-style", "tenant:acme"),
    ]
    assert {d.content.mode.label for d in drafts} == {"My skill"}


def test_a_recipes_own_id_and_revision_are_provenance_only() -> None:
    one, two = (
        draft_recipes(_recipe(id=id_, revision=revision), IMPORT)[0].content
        for id_, revision in (("rcp_81", 7), ("rcp_82", 8))
    )
    assert (one.skill_id, one.version) == (two.skill_id, two.version)
    assert [(c.source.id, c.source.revision) for c in (one, two)] == [
        ("rcp_81", "7"), ("rcp_82", "8"),
    ]  # fmt: skip


def test_recipes_of_one_name_of_two_users_are_two_skills(world: World) -> None:
    for user in ("ann", "ben"):
        document = _recipe(owner={"tenant": "acme", "user": user})
        add_candidates(world.ledger, draft_recipes(document, IMPORT))
    with world.ledger.reading() as reading:
        assert len({r.content.skill_id for r in reading.versions()}) == 2


@pytest.mark.parametrize(
    ("document", "says"),
    [
        pytest.param(_recipe(version="1.2"), "version", id="no semantic version"),
        pytest.param(_recipe(version=None), "version", id="no version"),
        pytest.param(_recipe(revision=True), "revision", id="bool for revision"),
        pytest.param(_recipe(owner={}), "owner", id="nobody's"),
        pytest.param(_recipe(owner={"tenant": "a/b"}), "owner", id="separator in the tenant"),
        pytest.param(_recipe(name="../x"), "name", id="path for name"),
        pytest.param(_recipe(scope="product:x"), "scope", id="claims another scope"),
        pytest.param(_one(), "format", id="an export of playbooks"),
    ],
)
def test_a_recipe_export_that_does_not_fit_is_refused(document: bytes, says: str) -> None:
    with pytest.raises(InputError) as error:
        draft_recipes(document, IMPORT)
    assert says in str(error.value)


def _skill(**change: Any) -> Skill:
    files = {"SKILL.md": b"---\nname: carver\n---\nCarve.\n"}
    manifest = SkillManifest(
        id="reg/carver", slug="carver", name="carver", version=change.pop("version", "1.2.3"),
        source=SourceRef(registry="reg", path="carver", revision=change.pop("revision", "c" * 40)),
        allowed_tools=change.pop("tools", ("Read",)),
        tools_readable=change.pop("readable", True),
    )  # fmt: skip
    tree = (file_entry("SKILL.md", files["SKILL.md"]),)
    commit = Commit(sha="c" * 40, author="E\x1bve", when="t", subject="s")
    base: dict[str, Any] = {
        "manifest": manifest, "body": "Carve.\n", "body_line": 4, "state": SkillState.READY,
        "tree": tree, "digest": tree_digest(tree), "findings": (),
        "provenance": Provenance(kind="git", remote="https://x.example/\x1br", last_commit=commit),
    }  # fmt: skip
    return Skill(**(base | change))


def _draft(skill: Skill, version: str | None = None) -> CandidateDraft:
    files = {"SKILL.md": b"---\nname: carver\n---\nCarve.\n"}
    scope = Scope.parse("product:shop")
    return draft_directory(skill, files, scope=scope, version=version, importing=IMPORT)


def test_a_skill_directory_becomes_an_organization_skill() -> None:
    content = _draft(_skill()).content
    assert (content.mode, content.mode.label) == (
        SourceMode.SKILL_DIRECTORY, "Organization skill",
    )  # fmt: skip
    assert (content.source.system, content.source.revision) == ("git", "c" * 40)
    assert all("\x1b" not in item.reference for item in content.evidence)


def test_a_dirty_work_tree_is_its_own_source() -> None:
    skill = _skill(revision=None)
    source = _draft(skill).content.source
    assert (source.system, source.revision) == ("git-dirty", f"sha256:{skill.digest}")


def test_tools_that_cannot_be_read_are_none_at_all() -> None:
    assert _draft(_skill(readable=False, tools=("Read",))).content.tools == ()
    assert _draft(_skill(tools=None)).content.tools is None


@pytest.mark.parametrize(
    ("skill", "condition"),
    [
        pytest.param(_skill(digest=None), Condition.TREE_ACCEPTED, id="files refused"),
        pytest.param(
            _skill(state=SkillState.BROKEN, state_reason="No frontmatter."),
            Condition.SKILL_READABLE,
            id="broken",
        ),
        pytest.param(_skill(version=None), Condition.VERSION_DECLARED, id="no version"),
        pytest.param(_skill(version="1.10"), Condition.VERSION_DECLARED, id="two numbers"),
        pytest.param(_skill(version="latest"), Condition.VERSION_DECLARED, id="latest"),
    ],
)
def test_a_skill_that_cannot_be_pinned_is_refused(skill: Skill, condition: Condition) -> None:
    with pytest.raises(ConditionsError) as error:
        _draft(skill)
    assert refused(error) == {condition}


def test_a_version_is_given_only_where_none_is_declared() -> None:
    assert _draft(_skill(version=None), "2.0.0").content.version == "2.0.0"
    assert _draft(_skill(version="1.2.3"), "1.2.3").content.version == "1.2.3"
    with pytest.raises(InputError):
        _draft(_skill(version="1.2.3"), "2.0.0")


def test_a_field_out_of_bounds_is_named() -> None:
    skill = _skill()
    long = skill.manifest.model_copy(update={"description": "x" * 20_001})
    with pytest.raises(InputError) as error:
        _draft(skill.model_copy(update={"manifest": long}))
    assert "description" in str(error.value)
