"""A ledger taken out of one workspace and brought back in another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from asf_core.domain.content import VersionState
from asf_core.domain.errors import ConditionsError, InputError, StoreError
from asf_core.domain.event import EventKind
from asf_core.domain.refusal import Condition
from asf_core.services.control.active import local_subject
from asf_core.services.engine import Engine
from tests.control.conftest import SKILL, Desk, skill_text
from tests.governance.test_candidates import refused


@pytest.fixture
def file(desk: Desk, tmp_path: Path) -> Path:
    """A snapshot of a ledger with an active and a retired version and a quarantined skill."""
    desk.make_active()
    desk.write("carver/SKILL.md", skill_text("1.1.0", "Carve it well."))
    desk.make_active()
    desk.write("slop/SKILL.md", skill_text(name="slop", body="Slop."))
    desk.engine.quarantine("reg/slop", "slop")
    path = tmp_path / "ledger.jsonl"
    desk.control.snapshots.export(path)
    return path


@pytest.fixture
def elsewhere(tmp_path: Path, file: Path) -> Iterator[Engine]:
    """An empty workspace of the same user."""
    assert file
    with Engine.open(tmp_path / "elsewhere") as engine:
        engine.create()
        yield engine


def test_an_export_is_stable_and_verifies(desk: Desk, file: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.jsonl"
    desk.control.snapshots.export(again)
    assert again.read_bytes() == file.read_bytes()
    result = desk.control.snapshots.verify(file)
    assert (result.refusals, result.active, result.ledger.versions) == ((), 1, 2)


def test_a_workspace_that_trusts_nothing_takes_in_nothing(elsewhere: Engine, file: Path) -> None:
    with pytest.raises(ConditionsError) as error:
        elsewhere.control.snapshots.restore(file)
    assert Condition.GOVERNANCE_RECEIPT in refused(error)
    assert "--adopt-policy" in error.value.refusals[0].satisfy
    assert elsewhere.control.versions.list() == ()
    assert elsewhere.control.audit.events() == ()


def test_a_restored_ledger_serves_what_was_reviewed(elsewhere: Engine, file: Path) -> None:
    restored = elsewhere.control.snapshots.restore(file, adopt_policy=True)
    assert not restored.policy_kept
    control = elsewhere.control
    assert control.use.discover(SKILL, local_subject()).pin.version == "1.1.0"
    states = {r.content.version: r.state for r in control.versions.list()}
    assert states == {"1.0.0": VersionState.RETIRED, "1.1.0": VersionState.ACTIVE}
    assert control.audit.verify().problems == ()
    assert control.audit.events()[-1].kind is EventKind.SNAPSHOT_RESTORED
    assert elsewhere._records.quarantined() == {"reg/slop": "slop"}
    (active,) = control.versions.list(VersionState.ACTIVE)
    with elsewhere._records.reading() as reading:
        text = reading.blob(active.content.instructions_sha256)
    assert text == b"Carve it well.\n"


def test_a_policy_of_ones_own_judges_and_stays(
    elsewhere: Engine, desk: Desk, file: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "policy.json"
    policy = desk.control.trust.policy().model_dump(mode="json")
    mine.write_text(json.dumps({**policy, "tools": ["Read", "Write"]}))
    restored = elsewhere.control.snapshots.restore(file, policy_file=mine)
    assert restored.policy_kept
    assert elsewhere.control.trust.policy().tools == ("Read", "Write")
    assert elsewhere.control.audit.verify().problems == ()


def test_a_source_that_is_no_longer_trusted_fails_closed(
    elsewhere: Engine, desk: Desk, file: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "policy.json"
    policy = desk.control.trust.policy().model_dump(mode="json")
    mine.write_text(json.dumps({**policy, "sources": []}))
    with pytest.raises(ConditionsError) as error:
        elsewhere.control.snapshots.restore(file, policy_file=mine)
    assert refused(error) == {Condition.SOURCE_TRUSTED}
    assert elsewhere.control.audit.events() == ()


def test_a_workspace_that_fell_behind_catches_up(
    elsewhere: Engine, desk: Desk, file: Path, tmp_path: Path
) -> None:
    elsewhere.control.snapshots.restore(file, adopt_policy=True)
    elsewhere.control.trust.register_tools(["Grep"])
    longer = tmp_path / "longer.jsonl"
    elsewhere.control.snapshots.export(longer)
    desk.control.snapshots.restore(longer)
    assert desk.control.audit.verify().problems == ()
    assert "Grep" not in desk.control.trust.policy().tools  # its own policy stays
    with pytest.raises(ConditionsError) as error:
        desk.control.snapshots.restore(file)
    assert "it is older" in error.value.refusals[0].why


def test_the_history_of_another_workspace_does_not_mix_with_ones_own(
    elsewhere: Engine, file: Path
) -> None:
    elsewhere.control.trust.register_tools(["Read"])
    with pytest.raises(ConditionsError) as error:
        elsewhere.control.snapshots.restore(file, adopt_policy=True)
    assert refused(error) == {Condition.SNAPSHOT}
    assert "are not those of this workspace" in error.value.refusals[0].why


def test_an_edited_file_changes_nothing(elsewhere: Engine, file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b'"state":"retired"', b'"state":"active"'))
    with pytest.raises(ConditionsError) as error:
        elsewhere.control.snapshots.restore(file, adopt_policy=True)
    assert refused(error) == {Condition.SNAPSHOT}
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(InputError, match="not a whole snapshot"):
        elsewhere.control.snapshots.restore(file, adopt_policy=True)
    assert elsewhere.control.versions.list() == ()


def test_a_restore_that_fails_midway_leaves_nothing(
    elsewhere: Engine, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from asf_core.store import ledger_restore

    monkeypatch.setattr(ledger_restore, "_event_row", lambda document: {"nothing": document})
    with pytest.raises(StoreError, match=r"events\.digest"):
        elsewhere.control.snapshots.restore(file, adopt_policy=True)
    monkeypatch.undo()
    assert elsewhere.control.versions.list() == ()
    elsewhere.control.snapshots.restore(file, adopt_policy=True)
    assert elsewhere.control.audit.verify().problems == ()


def test_an_export_that_cannot_be_written_leaves_the_one_before(
    desk: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from asf_core.store import files

    before = file.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "sync_path", full)
    with pytest.raises(StoreError, match="No space left"):
        desk.control.snapshots.export(file)
    assert file.read_bytes() == before
    assert [p.name for p in file.parent.iterdir() if p.name.startswith(".ledger")] == []


def test_a_ledger_that_does_not_verify_is_not_exported(desk: Desk, tmp_path: Path) -> None:
    import sqlite3

    desk.make_active()
    with sqlite3.connect(desk.engine.workspace.database) as raw:
        raw.execute("DELETE FROM pointers")
    with pytest.raises(ConditionsError) as error:
        desk.control.snapshots.export(tmp_path / "x.jsonl")
    assert refused(error) == {Condition.LEDGER_INTACT}
    assert not (tmp_path / "x.jsonl").exists()
