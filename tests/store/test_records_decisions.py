from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import delete, update

from asf_core.domain.decision import DecisionKind
from asf_core.domain.errors import InputError, StoreError, UnknownSkillError
from asf_core.domain.skill import SkillState
from asf_core.store.database import Database
from asf_core.store.records import Records
from asf_core.store.tables import decisions

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def _quarantine(records: Records, skill_id: str = "reg/a", reason: str = "slop") -> None:
    records.set_quarantine(skill_id, digest="1" * 64, reason=reason, actor="ada", when=NOON)


def _release(records: Records, skill_id: str = "reg/a", reason: str = "read it") -> None:
    records.release(skill_id, digest=None, reason=reason, actor="bob", when=NOON)


def _state(records: Records, skill_id: str = "reg/a") -> tuple[SkillState, str]:
    row = {r.id: r for r in records.rows()}[skill_id]
    skill = records.skill(skill_id)
    listed = {r.skill.manifest.id: r.skill for r in records.records()}[skill_id]
    assert (skill.state, skill.state_reason) == (row.state, row.state_reason)
    assert listed == skill
    return row.state, row.state_reason


@pytest.fixture
def held(records: Records, make_record) -> Records:
    records.put_skills("reg", [make_record("a"), make_record("b")])
    _quarantine(records)
    return records


def test_quarantine_is_shown_with_its_reason(held: Records) -> None:
    assert _state(held) == (SkillState.QUARANTINED, "slop")
    assert _state(held, "reg/b") == (SkillState.READY, "")
    assert held.quarantined() == {"reg/a": "slop"}


def test_release_ends_it_and_both_stay_on_record(held: Records) -> None:
    _release(held)
    assert _state(held) == (SkillState.READY, "")
    assert held.quarantined() == {}
    assert [(d.kind, d.reason, d.actor, d.digest) for d in held.decisions("reg/a")] == [
        (DecisionKind.QUARANTINE, "slop", "ada", "1" * 64),
        (DecisionKind.RELEASE, "read it", "bob", None),
    ]


def test_the_last_decision_is_in_force(held: Records) -> None:
    _quarantine(held, reason="worse than thought")
    _release(held)
    _quarantine(held, reason="after all")
    assert held.quarantined() == {"reg/a": "after all"}
    assert [d.number for d in held.decisions()] == sorted(d.number for d in held.decisions())


def _resync(records: Records, make_record) -> None:
    records.put_skills("reg", [make_record("a")])


def _change(records: Records, make_record) -> None:
    records.put_skills("reg", [make_record("a", body="New.\n", view_digest="v9")])


def _remove_and_add(records: Records, make_record) -> None:
    records.drop_skills(["reg/a"])
    assert records.quarantined() == {"reg/a": "slop"}
    records.put_skills("reg", [make_record("a")])


def _remove_and_add_registry(records: Records, make_record) -> None:
    records.remove_registry("reg")
    records.add_registry("reg", Path("/srv/moved"))
    records.put_skills("reg", [make_record("a")])


@pytest.mark.parametrize("event", [_resync, _change, _remove_and_add, _remove_and_add_registry])
def test_quarantine_outlives(held: Records, make_record, event) -> None:
    event(held, make_record)
    assert _state(held) == (SkillState.QUARANTINED, "slop")


def test_it_outlives_the_process(tmp_path, make_record) -> None:
    with Database.open(tmp_path / "asf.db") as database:
        records = Records(database)
        records.add_registry("reg", tmp_path)
        records.put_skills("reg", [make_record("a")])
        _quarantine(records)
    with Database.open(tmp_path / "asf.db") as database:
        assert Records(database).quarantined() == {"reg/a": "slop"}


def test_broken_goes_before_quarantined(held: Records, make_record) -> None:
    held.put_skills("reg", [make_record("a", state=SkillState.BROKEN)])
    assert _state(held) == (SkillState.BROKEN, "No frontmatter")
    assert held.quarantined() == {"reg/a": "slop"}


@pytest.mark.parametrize("reason", ["", "  ", "\n\t"])
@pytest.mark.parametrize("decide", [_quarantine, _release])
def test_a_decision_needs_a_reason(held: Records, decide, reason: str) -> None:
    before = held.decisions()
    with pytest.raises(InputError) as caught:
        decide(held, reason=reason)
    assert "reason" in caught.value.what
    assert held.decisions() == before


def test_a_decision_needs_an_actor(held: Records) -> None:
    with pytest.raises(InputError, match="who decides"):
        held.release("reg/a", digest=None, reason="fine", actor=" ", when=NOON)


def test_what_was_never_there_cannot_be_decided_about(held: Records) -> None:
    for decide in (_quarantine, _release):
        with pytest.raises(UnknownSkillError):
            decide(held, "reg/zzz")


def test_what_is_gone_can_be_released(held: Records) -> None:
    held.drop_skills(["reg/a"])
    _release(held)
    assert held.quarantined() == {}


def test_only_the_quarantined_are_released(held: Records) -> None:
    with pytest.raises(InputError, match="not in quarantine"):
        _release(held, "reg/b")
    _release(held)
    with pytest.raises(InputError, match="not in quarantine"):
        _release(held)


def test_times_are_kept_in_utc(held: Records) -> None:
    there = timezone(timedelta(hours=13))
    made = held.release("reg/a", digest=None, reason="r", actor="a", when=NOON.astimezone(there))
    assert made.decided_at == "2026-11-30T12:00:00.000000Z"
    assert held.decisions()[-1] == made


@pytest.mark.parametrize("statement", [delete(decisions), update(decisions).values(reason="x")])
def test_the_database_refuses_to_rewrite_them(held: Records, database: Database, statement) -> None:
    with pytest.raises(StoreError, match="only added"), database.write() as connection:
        connection.execute(statement)
    assert held.quarantined() == {"reg/a": "slop"}
