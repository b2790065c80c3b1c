"""Judgements in the store, and how they stand against a curator's decisions."""

from __future__ import annotations

import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from asf_core.domain.errors import InputError, UnknownSkillError
from asf_core.domain.manifest import Quality
from asf_core.domain.skill import QuarantinedBy, SkillState
from asf_core.store.database import Database
from asf_core.store.quality import JudgedRow
from asf_core.store.quality_tables import TABLES
from asf_core.store.records import Records
from tests.store.conftest import MakeRecord

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
DIGEST = "1" * 64


def judged(skill_id: str, score: float = 0.2, reason: str = "bare lists", **more) -> JudgedRow:
    values = {"description_uniqueness": 0.5, "canonical_id": None, "judgement": "{}"} | more
    return JudgedRow(skill_id, score, gate_reason=reason, **values)


@pytest.fixture
def held(records: Records, make_record: MakeRecord) -> Records:
    records.put_skills("reg", [make_record("a"), make_record("b"), make_record("c")])
    records.put_judgements([judged("reg/a"), judged("reg/b", 0.9, "")])
    return records


def _decide(held: Records, verb: str, digest: str | None = DIGEST) -> None:
    decide = held.set_quarantine if verb == "quarantine" else held.release
    decide("reg/a", digest=digest, reason=f"{verb} it", actor="kim", when=NOW)


def _state(held: Records) -> tuple[SkillState, QuarantinedBy | None, str]:
    row = held.rows()[0]
    skill = held.skill("reg/a")
    (record,) = held.some(["reg/a"])
    assert record.skill.state is SkillState.READY  # as it was put in
    (first, *_) = held.records()
    assert (skill.state, skill.quarantined_by, skill.state_reason) == (
        row.state, row.quarantined_by, row.state_reason,
    )  # fmt: skip
    assert first.skill.state is row.state
    return row.state, row.quarantined_by, row.state_reason


GATED = (SkillState.QUARANTINED, QuarantinedBy.GATE, "by the gate: bare lists")
READY = (SkillState.READY, None, "")


def test_the_gate_takes_a_skill_out_and_says_why(held: Records) -> None:
    assert _state(held) == GATED
    assert held.gated() == {"reg/a": "by the gate: bare lists"}
    assert held.quarantined() == {}
    assert [row.slop_score for row in held.rows()] == [0.2, 0.9, None]
    assert held.skill("reg/b").manifest.quality == Quality(
        slop_score=0.9, description_uniqueness=0.5, is_duplicate=False
    )


@pytest.mark.parametrize(
    ("decisions", "expected"),
    [
        (["release"], READY),
        (["quarantine"], (SkillState.QUARANTINED, QuarantinedBy.CURATOR, "quarantine it")),
        (["release", "quarantine"], (SkillState.QUARANTINED, QuarantinedBy.CURATOR, "quarantine it")),
        (["quarantine", "release"], READY),
    ],
)  # fmt: skip
def test_a_curators_decision_wins(held: Records, decisions: list[str], expected: tuple) -> None:
    for verb in decisions:
        _decide(held, verb)
    assert _state(held) == expected
    assert ("reg/a" in held.released()) == (expected == READY)


def test_a_release_stands_until_the_content_changes(held: Records, make_record: MakeRecord) -> None:
    _decide(held, "release")
    held.put_judgements([judged("reg/a", 0.1, "still bare"), judged("reg/b", 0.9, "")])
    assert _state(held) == READY
    other = make_record("a")
    changed = other.skill.model_copy(update={"digest": "2" * 64})
    held.put_skills("reg", [type(other)(changed, "fp-2", "v2", 1, 1)])
    assert _state(held) == (SkillState.QUARANTINED, QuarantinedBy.GATE, "by the gate: still bare")
    held.put_skills("reg", [other])
    assert _state(held) == READY


def test_a_curators_quarantine_outlives_new_content_and_a_better_score(
    held: Records, make_record: MakeRecord
) -> None:
    _decide(held, "quarantine")
    held.put_judgements([judged("reg/a", 0.99, "")])
    assert _state(held)[1] is QuarantinedBy.CURATOR


def test_only_what_is_out_can_be_released(held: Records) -> None:
    with pytest.raises(InputError, match="not in quarantine"):
        held.release("reg/b", digest=DIGEST, reason="x", actor="kim", when=NOW)
    _decide(held, "release")
    with pytest.raises(InputError, match="not in quarantine"):
        _decide(held, "release")


def test_a_release_without_a_digest_would_stand_for_nothing(held: Records) -> None:
    with pytest.raises(InputError, match="cannot be released"):
        _decide(held, "release", digest=None)
    assert held.decisions("reg/a") == ()


def test_what_is_broken_stays_broken(held: Records, make_record: MakeRecord) -> None:
    held.put_skills("reg", [make_record("a", state=SkillState.BROKEN)])
    assert held.rows()[0].state is SkillState.BROKEN
    assert held.skill("reg/a").state is SkillState.BROKEN


def test_only_what_differs_is_written(held: Records) -> None:
    rows = [judged("reg/a"), judged("reg/b", 0.9, "")]
    assert held.put_judgements(rows) == 0
    assert held.put_judgements([rows[0], judged("reg/c", 0.5, "")]) == 1
    assert set(held.judgements()) == {"reg/a", "reg/c"}
    assert held.judgement("reg/b") is None
    with pytest.raises(UnknownSkillError):
        held.judgement("reg/none")


def test_a_skill_that_is_read_anew_keeps_its_score_until_it_is_judged(
    held: Records, make_record: MakeRecord
) -> None:
    held.put_judgements([judged("reg/a", 0.2, "bare lists", canonical_id="reg/b")])
    held.put_skills("reg", [make_record("a", body="Other.\n")])
    row = held.rows()[0]
    assert (row.slop_score, row.is_duplicate, row.canonical_id) == (0.2, True, "reg/b")
    assert held.aliases() == {"reg/a": "reg/b"}


def test_judgements_and_facts_go_with_their_skill(held: Records) -> None:
    held.drop_skills(["reg/a"])
    assert set(held.judgements()) == {"reg/b"}
    assert held.gated() == {}


def test_facts_come_out_as_they_went_in(records: Records, make_record: MakeRecord) -> None:
    record = make_record("deep/er/name", slug="called", state=SkillState.BROKEN)
    values = (record.skill, record.fingerprint, record.view_digest, 1, 1, '{"a":1}')
    records.put_skills("reg", [type(record)(*values), make_record("none")])
    (row,) = records.facts()
    assert (row.skill_id, row.path, row.slug, row.broken) == (
        "reg/deep/er/name", "deep/er/name", "called", True,
    )  # fmt: skip
    assert (row.version, row.facts) == ("1.10", '{"a":1}')


def test_vectors_are_kept_by_model_and_key(records: Records) -> None:
    vectors = {2**48 - 1: np.arange(4, dtype=np.float32), 0: np.zeros(4, np.float32)}
    records.put_description_vectors("m1", vectors)
    records.put_description_vectors("m2", {5: np.ones(4, np.float32)})
    found = records.description_vectors("m1")
    assert found.keys() == vectors.keys()
    assert all((found[k] == v).all() for k, v in vectors.items())
    records.drop_description_vectors([0], but_of="m1")
    assert records.description_vectors("m1").keys() == {2**48 - 1}
    assert records.description_vectors("m2") == {}


def test_duplicates_are_replaced_whole_and_keep_their_order(records: Records) -> None:
    records.put_duplicates([("cluster", "1"), ("other", "2"), ("cluster", "3")])
    assert records.duplicates("cluster") == ("1", "3")
    records.put_duplicates([])
    assert records.duplicates("cluster") == ()


def test_skills_that_are_switched_off_for_models(records: Records, make_record: MakeRecord) -> None:
    off = make_record("off")
    silent = off.skill.manifest.model_copy(update={"model_invocable": False})
    off = type(off)(off.skill.model_copy(update={"manifest": silent}), "fp", "v", 1, 1)
    says = make_record("says", description='It says "model_invocable":false of itself')
    records.put_skills("reg", [off, says, make_record("on")])
    assert records.not_invocable() == {"reg/off"}


def test_a_workspace_of_schema_1_gets_the_tables(tmp_path: Path, make_record: MakeRecord) -> None:
    path = tmp_path / "asf.db"
    with Database.open(path) as database:
        old = Records(database)
        old.add_registry("reg", Path("/srv/reg"))
        old.put_skills("reg", [make_record("a")])
    with sqlite3.connect(path) as connection:
        for table in TABLES:
            connection.execute(f"DROP TABLE {table.name}")
        connection.execute("UPDATE meta SET value = '1' WHERE key = 'schema_version'")
    connection.close()
    shutil.copy(path, tmp_path / "copy.db")
    for file in (path, tmp_path / "copy.db"):
        with Database.open(file) as database:
            records = Records(database)
            assert records.rows()[0].slop_score is None
            assert records.facts() == ()
            assert records.put_judgements([judged("reg/a")]) == 1
