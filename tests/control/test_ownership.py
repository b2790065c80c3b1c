"""Whose workspace it is: one that came from elsewhere is never trusted silently."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy.engine import URL

from asf_core.domain.errors import AsfError, ConditionsError, RefusedError, StoreError
from asf_core.domain.policy import Role
from asf_core.domain.receipts import Verdict
from asf_core.domain.refusal import Condition
from asf_core.domain.routing import RouteRequest
from asf_core.services.control.active import local_subject
from asf_core.services.control.session import no_passphrase
from asf_core.services.engine import Engine
from asf_core.store.database import Database
from asf_core.store.keyring import Keyring
from asf_core.trust.keys import SigningKey
from tests.control.conftest import PRODUCT, SKILL, Desk
from tests.governance.test_candidates import refused
from tests.store.schema_1 import take_back_to_schema_1


@pytest.fixture
def stranger(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Engine:
    """A workspace with an active version, as it looks to another user who cloned it."""
    desk.make_active()
    desk.engine.close()
    cloned = tmp_path / "cloned" / ".asf"
    shutil.copytree(tmp_path / "workspace", cloned)
    monkeypatch.setenv("ASF_USER_DIR", str(tmp_path / "other-user"))
    return Engine.open(cloned)


def test_a_workspace_is_its_makers_from_the_first_moment(
    new_desk: Callable[[], Desk], user_directory: Path
) -> None:
    desk = new_desk()
    (note,) = (user_directory / "workspaces").iterdir()
    assert json.loads(note.read_bytes())["place"] == str(desk.engine.workspace.root)
    desk.control.trust.register_tools(["Read"])
    assert new_desk().control.trust.policy().tools == ("Read",)


def test_a_workspace_that_came_with_a_clone_is_refused(stranger: Engine) -> None:
    control = stranger.control
    acts: list[Callable[[], object]] = [
        lambda: control.trust.register_tools(["Bash"]),
        lambda: control.versions.add_skill(SKILL, scope=PRODUCT),
        lambda: control.versions.activate("carver"),
        lambda: control.versions.roll_back("carver@1.0.0"),
        lambda: control.versions.quarantine("carver@1.0.0", "r"),
        lambda: control.use.discover(SKILL, local_subject()),
        lambda: control.use.catalogue(local_subject()),
        lambda: control.use.authorise(
            SKILL, local_subject(), grant_id="grant-12345678", purpose="p", channel="c"
        ),
        lambda: control.use.revoke("grant-12345678", "r"),
        lambda: stranger.route("carve", RouteRequest(active_only=True)),
    ]
    for act in acts:
        with pytest.raises(ConditionsError) as error:
            act()
        assert refused(error) == {Condition.WORKSPACE_BOUND}
        assert "asf trust adopt" in error.value.refusals[0].satisfy


def test_it_may_be_looked_at_and_adopted(stranger: Engine) -> None:
    found = stranger.control.trust.inspect()
    assert not found.mine
    assert [record.content.skill_id for record in found.active] == [SKILL]
    assert {key.role for key in found.policy.keys} == set(Role)
    stranger.control.trust.adopt()
    assert stranger.control.use.discover(SKILL, local_subject()).pin.version == "1.0.0"


def test_a_copy_that_is_adopted_leaves_the_first_one_its_makers(
    desk: Desk, tmp_path: Path, new_desk: Callable[[], Desk]
) -> None:
    desk.engine.close()
    shutil.copytree(tmp_path / "workspace", tmp_path / "copy")
    with Engine.open(tmp_path / "copy") as copy:
        with pytest.raises(ConditionsError) as error:
            copy.control.trust.register_tools(["Bash"])
        assert refused(error) == {Condition.WORKSPACE_BOUND}
        copy.control.trust.adopt()
        copy.control.trust.register_tools(["Bash"])
    again = new_desk()
    again.control.trust.register_tools(["Write"])
    assert "Bash" not in again.control.trust.policy().tools


def test_one_with_triggers_of_its_own_cannot_be_adopted(stranger: Engine) -> None:
    with sqlite3.connect(stranger.workspace.database) as raw:
        raw.execute(
            "CREATE TRIGGER helper AFTER INSERT ON policies BEGIN "
            "INSERT INTO pointers VALUES ('x', 'y'); END"
        )
    with pytest.raises(ConditionsError) as error:
        stranger.control.trust.adopt()
    assert "helper" in error.value.refusals[0].why


def test_one_without_its_guards_cannot_be_adopted(stranger: Engine) -> None:
    with sqlite3.connect(stranger.workspace.database) as raw:
        raw.execute("DROP TRIGGER events_no_update")
    with pytest.raises(ConditionsError) as error:
        stranger.control.trust.adopt()
    assert "events_no_update" in error.value.refusals[0].why


def test_one_whose_ledger_does_not_verify_cannot_be_adopted(stranger: Engine) -> None:
    with sqlite3.connect(stranger.workspace.database) as raw:
        raw.execute("DELETE FROM pointers")
    with pytest.raises(ConditionsError) as error:
        stranger.control.trust.adopt()
    assert refused(error) == {Condition.LEDGER_INTACT}


def test_a_key_file_is_meant_only_where_a_path_is_written(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A registry may hold a file that is called like the reviewer one means."""
    planted = tmp_path / "reviewer"
    stranger = SigningKey.generate().public
    planted.write_bytes(stranger.pem)
    monkeypatch.chdir(tmp_path)
    desk.control.trust.remove("key", "reviewer")
    assert desk.control.trust.add_key("reviewer", Role.REVIEWER).key_id != stranger.key_id
    assert desk.control.trust.add_key("./reviewer", Role.REVIEWER, "x").key_id == stranger.key_id


def test_a_team_shares_a_database_and_each_takes_it_as_theirs(
    postgresql_url: URL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desk: Desk
) -> None:
    """The second one who adopts it leaves it the first one's; so does a second directory."""
    address = postgresql_url.render_as_string(hide_password=False)
    monkeypatch.setenv("ASF_DATABASE", address)
    with Engine.open(tmp_path / "first") as first:
        first.create()
        first.control.trust.register_tools(["Read"])
        monkeypatch.setenv("ASF_USER_DIR", str(tmp_path / "colleague"))
        with Engine.open(tmp_path / "second") as second:
            second.create()
            with pytest.raises(ConditionsError) as error:
                second.control.trust.register_tools(["Write"])
            assert refused(error) == {Condition.WORKSPACE_BOUND}
            second.control.trust.adopt()
            second.control.trust.register_tools(["Write"])
        monkeypatch.setenv("ASF_USER_DIR", str(tmp_path / "user"))
        with Engine.open(tmp_path / "third") as third:
            third.create()
            third.control.trust.register_tools(["Grep"])
        assert first.control.trust.policy().tools == ("Read", "Write", "Grep")
        assert first.control.audit.verify().problems == ()


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("mysql://host/name", "not supported"),
        ("no address", "no address of a database"),
        ("postgresql://nobody@127.0.0.1:1/none", "cannot be opened"),
    ],
)
def test_an_address_that_leads_nowhere_is_said_in_words(
    address: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASF_DATABASE", address)
    with Engine.open(tmp_path / "w") as engine, pytest.raises(AsfError, match=says):
        engine.create()


def test_a_forged_id_reaches_no_other_file(stranger: Engine, tmp_path: Path) -> None:
    (tmp_path / "forged.json").write_text("{}")
    stranger._records.set_workspace_id("../../forged")
    with pytest.raises(StoreError, match="not one that this program gives"):
        stranger.control.trust.register_tools(["Bash"])


def test_events_that_were_cut_off_are_missed(desk: Desk) -> None:
    """The head that was last seen is kept apart from the database."""
    desk.control.trust.register_tools(["Write"])
    seen = len(desk.control.audit.events())
    with sqlite3.connect(desk.engine.workspace.database) as raw:
        raw.execute("DROP TRIGGER events_no_delete")
        raw.execute("DROP TRIGGER policies_no_delete")
        raw.execute("DELETE FROM events WHERE number = (SELECT max(number) FROM events)")
        raw.execute("DELETE FROM policies WHERE number = (SELECT max(number) FROM policies)")
    assert f"expected at least {seen}, found {seen - 1}" in desk.control.audit.verify().problems[0]
    with pytest.raises(ConditionsError) as error:
        desk.control.trust.register_tools(["Grep"])
    assert refused(error) == {Condition.LEDGER_INTACT}


def test_an_older_copy_of_the_database_put_back_is_missed(desk: Desk, tmp_path: Path) -> None:
    named = desk.make_active()
    database = desk.engine.workspace.database
    old = tmp_path / "old.db"
    with sqlite3.connect(database) as raw, sqlite3.connect(old) as copy:
        raw.backup(copy)
    desk.control.versions.quarantine(named, "leaks")
    with sqlite3.connect(old) as copy, sqlite3.connect(database) as raw:
        copy.backup(raw)
    with pytest.raises(ConditionsError) as error:
        desk.control.use.discover(SKILL, local_subject())
    assert refused(error) == {Condition.LEDGER_INTACT}


def test_a_database_of_schema_1_keeps_its_decisions_as_events(tmp_path: Path) -> None:
    from asf_core.governance.audit import get_ledger_result
    from asf_core.store.ledger import LedgerRecords
    from asf_core.store.records import Records

    path = tmp_path / "asf.db"
    Database.open(path).close()
    take_back_to_schema_1(path)
    with sqlite3.connect(path) as raw:
        raw.execute(
            "INSERT INTO decisions (skill_id, kind, digest, reason, actor, decided_at) "
            "VALUES ('reg/a', 'quarantine', NULL, 'slop', 'ada', '2026-11-30T12:00:00.000000Z')"
        )
    with Database.open(path) as database:
        with LedgerRecords(database).reading() as reading:
            result = get_ledger_result(reading)
        assert (result.head.count, result.problems) == (1, ())
        assert Records(database).quarantined() == {"reg/a": "slop"}
        assert LedgerRecords(database).strange_schema() == ()


def test_a_private_key_that_others_may_read_signs_nothing(desk: Desk) -> None:
    desk.control.versions.add_skill(SKILL, scope=PRODUCT)
    info = desk.control.session.keyring.find(None, Role.REVIEWER)
    assert info.path.stat().st_mode & 0o777 == 0o600
    info.path.chmod(0o644)
    with pytest.raises(RefusedError, match="read by others"):
        desk.control.receipts.review(
            SKILL, Verdict.APPROVE, "r", key=None, passphrase=no_passphrase
        )


def test_a_locked_key_signs_with_its_passphrase_only(desk: Desk) -> None:
    made = desk.control.trust.new_key(Role.REVIEWER, "locked", b"correct horse")
    assert made.locked
    keyring = Keyring()
    with pytest.raises(RefusedError):
        keyring.load(made, None)
    with pytest.raises(RefusedError):
        keyring.load(made, b"wrong")
    assert keyring.load(made, b"correct horse").public == made.public


def test_an_untrusted_key_of_ones_own_signs_nothing_that_counts(desk: Desk) -> None:
    desk.control.versions.add_skill(SKILL, scope=PRODUCT)
    desk.control.trust.new_key(Role.REVIEWER, "second", None)
    with pytest.raises(ConditionsError) as error:
        desk.control.receipts.review(
            SKILL, Verdict.APPROVE, "r", key="second", passphrase=no_passphrase
        )
    assert refused(error) == {Condition.RECEIPT_AUTHENTIC}
