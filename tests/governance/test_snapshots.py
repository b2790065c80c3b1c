"""Snapshots: stable text, checked whole, restored by the policy of whoever restores."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from asf_core.domain.errors import ConditionsError
from asf_core.domain.event import ChainHead
from asf_core.domain.findings import Severity
from asf_core.domain.policy import Role, TrustPolicy
from asf_core.domain.refusal import Condition
from asf_core.governance.audit import get_ledger_result
from asf_core.governance.ledger_snapshot import LedgerSnapshot
from asf_core.governance.restoring import get_restore_result, verify_restore
from asf_core.governance.snapshot_reading import read_snapshot
from asf_core.governance.snapshot_writing import write_snapshot
from asf_core.governance.trusting import changed
from asf_core.store.database import Database
from asf_core.store.ledger import LedgerRecords
from asf_core.trust.canonical import canonical_json, sha256_hex
from asf_core.trust.chain import EMPTY, event_digest
from asf_core.trust.strictjson import MalformedError
from tests.governance.memory_ledger import MemoryLedger
from tests.governance.test_audit import _lived
from tests.governance.test_candidates import refused
from tests.governance.world import ADA, BOT, POLICY, World, trusted


def _export(world: World) -> list[bytes]:
    with world.ledger.reading() as reading:
        return list(write_snapshot(reading))


def _policy(**fields: Any) -> TrustPolicy:
    return changed(POLICY, **fields)


def test_each_line_is_a_record_in_canonical_json(world: World) -> None:
    lines = _export(_lived(world))
    for line in lines:
        assert line == canonical_json(json.loads(line)) + b"\n"
    header = json.loads(lines[0])
    assert header["records"] == len(lines) - 1
    assert {json.loads(line)["kind"] for line in lines[1:]} == {
        "policy", "version", "pointer", "receipt", "revocation", "authorisation", "feedback",
        "event", "blob",
    }  # fmt: skip


def test_the_same_ledger_gives_the_same_bytes_in_every_store(tmp_path: Path) -> None:
    memory = World(MemoryLedger())
    memory.policy()
    _lived(memory)
    with Database.open(tmp_path / "asf.db") as database:
        records = LedgerRecords(database)
        snapshot = read_snapshot(_export(memory))
        with records.deciding() as deciding:
            deciding.restore(snapshot)
        assert _export(World(records)) == _export(World(records)) == _export(memory)


def test_a_ledger_that_grew_gives_the_same_lines_and_more(world: World) -> None:
    _lived(world)
    before = _export(world)
    world.add("4.0.0", body="Four.\n")
    after = _export(world)
    assert set(before[1:]) <= set(after[1:])
    kept = [line for line in after if line in set(before)]
    assert kept == before[1:]


def test_what_was_read_is_what_was_written(world: World) -> None:
    lines = _export(_lived(world))
    snapshot = read_snapshot(lines)
    assert list(write_snapshot(snapshot)) == lines
    assert get_ledger_result(snapshot).problems == ()


Attack = Callable[[list[Any]], Any]


def _of(records: list[Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(r for r in records if r.get("kind") == kind)
    return found


def _change(where: str, /, **changes: Any) -> Attack:
    return lambda records: _of(records, where).update(changes)


def _drop(kind: str) -> Attack:
    def attack(records: list[Any]) -> None:
        records.remove(_of(records, kind))
        records[0]["records"] -= 1

    return attack


def _drop_last_event(records: list[Any]) -> None:
    last = [r for r in records if r.get("kind") == "event"][-1]
    before = [r for r in records if r.get("kind") == "event"][-2]
    records.remove(last)
    records[0].update(
        records=records[0]["records"] - 1,
        events=records[0]["events"] - 1,
        head=event_digest(before["event"].encode()),
    )


def _swap_events(records: list[Any]) -> None:
    first, second = (
        (i for i, r in enumerate(records) if r.get("kind") == "event")
        if False
        else [i for i, r in enumerate(records) if r.get("kind") == "event"][2:4]
    )
    records[first], records[second] = records[second], records[first]


def _content(**changes: Any) -> Attack:
    return lambda records: _of(records, "version")["content"].update(changes)


def _point_at_another(records: list[Any]) -> None:
    pointer = _of(records, "pointer")
    others = [r["content_hash"] for r in records if r.get("kind") == "version"]
    pointer["content_hash"] = next(h for h in others if h != pointer["content_hash"])


def _other_bytes(records: list[Any]) -> None:
    _of(records, "blob")["data"] = base64.b64encode(b"Do harm.\n").decode()


def _own_key(records: list[Any]) -> None:
    """An attacker's snapshot whose policy trusts the attacker's key in place of a reviewer's."""
    for record in records:
        if record.get("kind") == "policy":
            record["policy"]["keys"] = record["policy"]["keys"][1:]


ATTACKS = [
    pytest.param(lambda r: r.pop(), "announced", id="last line gone"),
    pytest.param(lambda r: r.clear(), "empty", id="empty file"),
    pytest.param(lambda r: r.pop(0), "does not begin", id="first line gone"),
    pytest.param(lambda r: r[0].update(schema="asf.snapshot/2"), "begin", id="another schema"),
    pytest.param(lambda r: r[0].update(events=1), "first line names", id="another chain"),
    pytest.param(lambda r: r[0].update(extra=1), "begin", id="unknown field in the first line"),
    pytest.param(lambda r: r[0].update(events=True), "begin", id="bool for number"),
    pytest.param(_change("event", extra=1), "unknown field", id="unknown field"),
    pytest.param(_change("event", kind="party"), "no kind", id="unknown kind"),
    pytest.param(_change("event", event=1), "no text", id="number for text"),
    pytest.param(_change("version", terminal=1), "neither true", id="number for bool"),
    pytest.param(_change("version", state="gone"), "line", id="unknown state"),
    pytest.param(_change("receipt", envelope="!"), "base64", id="no base64"),
    pytest.param(_other_bytes, "were changed", id="edited bytes"),
    pytest.param(_content(skill_id="a\nb"), "skill_id", id="content out of bounds"),
    pytest.param(lambda r: r.append(dict(r[-1])), "twice", id="a record twice"),
]


@pytest.mark.parametrize(("attack", "says"), ATTACKS)
def test_a_malformed_snapshot_is_refused_by_its_line(
    memory: World, attack: Attack, says: str
) -> None:
    records = [json.loads(line) for line in _export(_lived(memory))]
    attack(records)
    if records and "records" in records[0] and says == "twice":
        records[0]["records"] += 1
    with pytest.raises(MalformedError) as error:
        read_snapshot([canonical_json(record) + b"\n" for record in records])
    assert says in str(error.value)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda line: line.replace(b'"kind"', b'"kind" ', 1),
        lambda line: line.replace(b"{", b'{"kind":"x",', 1),
        lambda line: line.removesuffix(b"\n") + b"\r\n",
        lambda line: line.replace(b"event", b"\xff", 1),
    ],
    ids=["white space", "duplicate key", "CRLF", "not UTF-8"],
)
def test_a_line_with_a_second_reading_is_refused(
    memory: World, spoil: Callable[[bytes], bytes]
) -> None:
    lines = _export(_lived(memory))
    at = next(i for i, line in enumerate(lines) if b'"kind":"event"' in line)
    lines[at] = spoil(lines[at])
    with pytest.raises(MalformedError, match=f"line {at + 1}"):
        read_snapshot(lines)


def _stray_bytes(records: list[Any]) -> None:
    records[0]["records"] += 1
    records.append({"kind": "blob", "sha256": sha256_hex(b"x"), "data": "eA=="})


def _stray_revocation(records: list[Any]) -> None:
    records[0]["records"] += 1
    records.insert(1, {**_of(records, "revocation"), "grant": "grant-of-nobody"})


@pytest.mark.parametrize(
    ("attack", "says"),
    [
        pytest.param(_stray_bytes, "no version binds", id="bytes that nothing binds"),
        pytest.param(_stray_revocation, "is not there", id="revocation of nothing"),
        pytest.param(_drop("version"), "is gone", id="version gone"),
        pytest.param(_drop("pointer"), "Active pin", id="pointer gone"),
        pytest.param(_drop("receipt"), "Receipt", id="receipt gone"),
        pytest.param(_drop("blob"), "are gone", id="bytes gone"),
        pytest.param(_drop("policy"), "polic", id="policy gone"),
        pytest.param(_drop("feedback"), "Feedback", id="feedback gone"),
        pytest.param(_drop("authorisation"), "Authorisation", id="authorisation gone"),
        pytest.param(_drop("revocation"), "revoked", id="revocation gone"),
        pytest.param(_drop_last_event, "polic", id="last event gone"),
        pytest.param(_point_at_another, "Active pin", id="pointer moved"),
        pytest.param(_content(tools=["Bash"]), "its hash names", id="edited content"),
        pytest.param(
            _content(scope={"kind": "tenant", "name": "evil", "tenant": None}),
            "another scope",
            id="edited scope",
        ),
        pytest.param(_change("version", state="retired"), "by the events", id="edited state"),
        pytest.param(_change("receipt", key="x"), "Receipt", id="edited receipt key"),
        pytest.param(
            _change("receipt", content_hash="0" * 64), "Receipt", id="receipt bound elsewhere"
        ),
        pytest.param(_own_key, "polic", id="edited policy"),
    ],
)
def test_an_edited_snapshot_does_not_verify(memory: World, attack: Attack, says: str) -> None:
    records = [json.loads(line) for line in _export(_lived(memory))]
    attack(records)
    snapshot = read_snapshot([canonical_json(record) + b"\n" for record in records])
    result = get_restore_result(snapshot, snapshot.policy(), EMPTY)
    assert any(says in refusal.why for refusal in result.refusals), result.refusals
    with pytest.raises(ConditionsError) as error:
        verify_restore(snapshot, snapshot.policy(), EMPTY)
    assert refused(error) == {Condition.SNAPSHOT}


def test_events_in_another_order_do_not_verify(memory: World) -> None:
    records = [json.loads(line) for line in _export(_lived(memory))]
    _swap_events(records)
    snapshot = read_snapshot([canonical_json(record) + b"\n" for record in records])
    result = get_restore_result(snapshot, snapshot.policy(), EMPTY)
    assert "missing" in result.refusals[0].why


S, G = Condition.SECURITY_RECEIPT, Condition.GOVERNANCE_RECEIPT


@pytest.mark.parametrize(
    ("policy", "missing"),
    [
        pytest.param(POLICY, set(), id="the same policy"),
        pytest.param(
            TrustPolicy(),
            {S, G, Condition.SOURCE_TRUSTED, Condition.TOOLS_REGISTERED},
            id="a policy that trusts nothing",
        ),
        pytest.param(_policy(sources=()), {Condition.SOURCE_TRUSTED}, id="source untrusted"),
        pytest.param(_policy(tools=()), {Condition.TOOLS_REGISTERED}, id="tools unregistered"),
        pytest.param(_policy(scanners=()), {S}, id="scanner untrusted"),
        pytest.param(_policy(keys=(trusted(BOT, Role.SCANNER),)), {G}, id="reviewer untrusted"),
        pytest.param(
            _policy(keys=(trusted(ADA, Role.REVIEWER),), scanners=()), {S}, id="scanner's key"
        ),
        pytest.param(_policy(reviewers_needed=2), {G}, id="more reviewers needed"),
    ],
)
@pytest.mark.parametrize("back", [False, True], ids=["activated", "rolled back"])
def test_an_active_version_must_stand_by_the_policy_of_whoever_restores(
    memory: World, policy: TrustPolicy, missing: set[Condition], back: bool
) -> None:
    if back:
        memory.roll_back(memory.ready_to_roll_back()[0])
    else:
        memory.activated()
    snapshot = read_snapshot(_export(memory))
    result = get_restore_result(snapshot, policy, EMPTY)
    assert {refusal.condition for refusal in result.refusals} == missing


def test_what_was_fresh_when_it_became_active_stays_active(memory: World) -> None:
    memory.activated()
    memory.later(days=400)
    memory.policy(block_at=Severity.LOW)
    assert get_restore_result(read_snapshot(_export(memory)), POLICY, EMPTY).refusals == ()


def _forge(world: World) -> LedgerSnapshot:
    return read_snapshot(_export(world))


def test_a_snapshot_must_go_on_from_what_is_here(memory: World) -> None:
    memory.activated()
    snapshot = _forge(memory)
    with memory.ledger.reading() as reading:
        head = reading.head()
        second = list(reading.documents())[1]
    for here, says in (
        (head, ""),
        (ChainHead(2, event_digest(second)), ""),
        (ChainHead(2, "1" * 64), "are not those"),
        (ChainHead(head.count + 1, "1" * 64), "older"),
    ):
        found = get_restore_result(snapshot, POLICY, here).refusals
        assert (says in found[0].why) if says else not found


def test_ten_thousand_records_are_checked_and_written_in_ten_seconds(tmp_path: Path) -> None:
    """In processor time: the machine that runs it is shared."""
    world = World(MemoryLedger())
    world.policy()
    started = time.process_time()
    number = 0
    while len(world.ledger.state.log) < 4_010:  # type: ignore[attr-defined]
        number += 1
        fields = {"skill_id": f"reg/skill-{number}", "body": f"Do {number}.\n"}
        pin = world.add("1.0.0", **fields).pin
        world.scan(pin)
        world.approve(pin)
        world.activate(pin)
    lines = _export(world)
    made = time.process_time() - started
    started = time.process_time()
    snapshot = read_snapshot(lines)
    verify_restore(snapshot, POLICY, EMPTY)
    with Database.open(tmp_path / "asf.db") as database:
        records = LedgerRecords(database)
        with records.deciding() as deciding:
            deciding.restore(snapshot)
    took = time.process_time() - started
    print(f"{len(lines)} lines made in {made:.1f} s, restored in {took:.1f} s")
    assert len(lines) > 10_000
    assert took < 10
