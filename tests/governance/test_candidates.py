"""Candidates: immutable, never in place of another, from one reading."""

from __future__ import annotations

from dataclasses import replace

import pytest

from asf_core.domain.content import SourceRecord, VersionState
from asf_core.domain.errors import ConditionsError
from asf_core.domain.instant import instant
from asf_core.domain.pin import Scope, SourceMode
from asf_core.domain.refusal import Condition
from asf_core.governance.candidates import add_candidates
from asf_core.trust.content import content_hash
from asf_core.trust.tree import TreeRefusedError
from tests.governance.world import SKILL, World, draft


def refused(error: pytest.ExceptionInfo[ConditionsError]) -> set[Condition]:
    assert all(r.why and r.satisfy for r in error.value.refusals)
    return {r.condition for r in error.value.refusals}


def test_a_candidate_waits_with_its_bytes_kept(world: World) -> None:
    record = world.add()
    assert record.state is VersionState.CANDIDATE
    assert record.content_hash == content_hash(record.content)
    with world.ledger.reading() as reading:
        assert reading.blob(record.tree[0].sha256) == b"---\nname: carver\n---\nCarve it.\n"
        assert reading.blob(record.content.instructions_sha256) == b"Carve it.\n"


def test_the_same_id_and_version_with_other_content_is_refused(world: World) -> None:
    first = world.add("1.0.0")
    with pytest.raises(ConditionsError) as error:
        world.add("1.0.0", body="Carve something else.\n")
    assert refused(error) == {Condition.VERSION_UNUSED}
    assert world.record(first.pin) == first


@pytest.mark.parametrize(
    "change",
    [
        {"source": SourceRecord(system="git", id=SKILL, version="1.0.0", revision="d" * 40)},
        {"tools": ("Read",)},
        {"tools": None},
    ],
    ids=["another revision", "fewer tools", "no tools declared"],
)
def test_other_bound_fields_are_other_content(world: World, change: dict[str, object]) -> None:
    world.add("1.0.0")
    with pytest.raises(ConditionsError) as error:
        world.add("1.0.0", **change)
    assert refused(error) == {Condition.VERSION_UNUSED}


def test_the_same_content_imported_again_is_the_candidate_that_is_there(world: World) -> None:
    first = world.add("1.0.0")
    again = add_candidates(
        world.ledger,
        [draft("1.0.0", imported_by="lee", imported_at=instant(world.later(days=1)))],
    )[0]
    assert not again.new
    assert again.record == first
    with world.ledger.reading() as reading:
        assert len(reading.versions()) == 1


def test_an_update_is_a_new_candidate_and_leaves_the_active_version(world: World) -> None:
    pin = world.activated("1.0.0")
    update = world.add("1.1.0", body="Carve it well.\n")
    assert update.state is VersionState.CANDIDATE
    assert world.active() == pin.content_hash


def test_a_skill_keeps_the_mode_it_came_in_by(world: World) -> None:
    world.add("1.0.0")
    with pytest.raises(ConditionsError) as error:
        world.add(
            "1.1.0",
            mode=SourceMode.SAVED_RECIPE,
            scope=Scope.parse("tenant:acme"),
        )
    assert refused(error) == {Condition.MODE_KEPT}


def test_labels_follow_from_the_mode() -> None:
    assert {mode.value: mode.label for mode in SourceMode} == {
        "skill_directory": "Organization skill",
        "prompt_playbook": "Built-in",
        "saved_recipe": "My skill",
    }


def test_bytes_other_than_those_that_were_digested_are_refused(world: World) -> None:
    honest = draft()
    for wrong in (
        replace(honest, files={"SKILL.md": b"swapped"}),
        replace(honest, files={}),
        replace(honest, files={**honest.files, "extra": b""}),
        replace(honest, instructions=b"swapped"),
        replace(honest, tree=()),
    ):
        with pytest.raises(ConditionsError) as error:
            add_candidates(world.ledger, [wrong])
        assert refused(error) == {Condition.CONTENT_INTACT}


def test_a_tree_with_names_that_collide_has_no_digest() -> None:
    with pytest.raises(TreeRefusedError):
        draft(files={"Read.md": b"a", "read.MD": b"b"})


def test_several_are_taken_in_all_or_none(world: World) -> None:
    world.add("1.0.0")
    with pytest.raises(ConditionsError):
        add_candidates(
            world.ledger, [draft("2.0.0", body="New.\n"), draft("1.0.0", body="Other.\n")]
        )
    with world.ledger.reading() as reading:
        assert [record.content.version for record in reading.versions()] == ["1.0.0"]
