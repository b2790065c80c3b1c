"""The audit log: append-only, chained, and told apart from records that say something else."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from asf_core.domain.content import VersionState
from asf_core.domain.decision import Decision, DecisionKind
from asf_core.domain.errors import ConditionsError
from asf_core.domain.event import GENESIS, ChainHead, Event, EventDraft, EventKind
from asf_core.domain.refusal import Condition
from asf_core.domain.use import Feedback, FeedbackOutcome
from asf_core.governance.audit import get_ledger_result, verify_ledger
from asf_core.governance.feedback import record_feedback
from asf_core.governance.grants import revoke
from asf_core.store.database import Database
from asf_core.store.ledger import LedgerRecords
from asf_core.trust.canonical import canonical_json
from asf_core.trust.chain import (
    EMPTY,
    chain_event,
    event_digest,
    event_document,
    get_chain_result,
    read_event,
)
from tests.governance.memory_ledger import MemoryDeciding as State
from tests.governance.test_candidates import refused
from tests.governance.world import POLICY, World


def _lived(world: World) -> World:
    """A world in which everything that makes an event has happened."""
    first, second = world.ready_to_roll_back()
    world.roll_back(first)
    grant = world.grant(first)
    used = world.use(grant).authorisation
    with pytest.raises(ConditionsError):
        world.use(grant, purpose="sales")
    item = Feedback(
        id="feedback-1", authorisation_id=used.id, pin=first, purpose="support", channel="chat",
        tools=(), outcome=FeedbackOutcome.HELPFUL, at=used.at,
    )  # fmt: skip
    record_feedback(world.ledger, item, now=world.now)
    revoke(world.ledger, grant.id, reason="left", actor="gil", now=world.now)
    with pytest.raises(ConditionsError):
        world.activate(world.add("3.0.0", body="Three.\n").pin)
    world.quarantine(second)
    world.policy(reviewers_needed=2)
    return world


def _problems(world: World, expected: ChainHead = EMPTY) -> tuple[str, ...]:
    with world.ledger.reading() as reading:
        return get_ledger_result(reading, expected).problems


def test_an_honest_ledger_verifies(world: World) -> None:
    _lived(world)
    with world.ledger.reading() as reading:
        result = verify_ledger(reading, reading.head())
        kinds = {read_event(document).kind for document in reading.documents()}
    assert result.problems == ()
    assert result.versions == 3
    assert kinds == set(EventKind) - {
        EventKind.SKILL_QUARANTINED, EventKind.SKILL_RELEASED, EventKind.SNAPSHOT_RESTORED,
        EventKind.ROLLBACK_REFUSED,
    }  # fmt: skip


def _edit(index: int, **changes: Any) -> Callable[[list[bytes]], None]:
    def attack(documents: list[bytes]) -> None:
        fields = json.loads(documents[index])
        documents[index] = canonical_json({**fields, **changes})

    return attack


def _swap(documents: list[bytes]) -> None:
    documents[2], documents[3] = documents[3], documents[2]


def _reordered_and_renumbered(documents: list[bytes]) -> None:
    two, three = json.loads(documents[2]), json.loads(documents[3])
    two["number"], three["number"] = three["number"], two["number"]
    documents[2], documents[3] = canonical_json(three), canonical_json(two)


def _inserted(documents: list[bytes]) -> None:
    documents.insert(3, documents[3])


def _rewritten(documents: list[bytes]) -> None:
    """Every event after an edit chained anew: only the head that was seen shows it."""
    events = [read_event(document) for document in documents]
    head = EMPTY
    for index, event in enumerate(events):
        fields = {name: getattr(event, name) for name in EventDraft.model_fields}
        draft = EventDraft(**(fields | ({"actor": "nobody"} if index == 1 else {})))
        documents[index] = event_document(chain_event(draft, head))
        head = ChainHead(index + 1, event_digest(documents[index]))


@pytest.mark.parametrize(
    ("attack", "says"),
    [
        pytest.param(lambda d: d.pop(4), "missing", id="deleted event"),
        pytest.param(lambda d: d.pop(0), "missing", id="deleted first event"),
        pytest.param(_swap, "missing", id="reordered events"),
        pytest.param(_reordered_and_renumbered, "does not follow", id="reordered and renumbered"),
        pytest.param(_inserted, "missing", id="event put in twice"),
        pytest.param(_edit(3, actor="nobody"), "does not follow", id="edited event"),
        pytest.param(_edit(0, previous="1" * 64), "does not follow", id="another beginning"),
        pytest.param(_edit(3, extra=1), "cannot be read", id="unknown field"),
        pytest.param(_edit(3, number=True), "cannot be read", id="bool for number"),
        pytest.param(_edit(3, schema="asf.event/0"), "cannot be read", id="another schema"),
        pytest.param(
            lambda d: d.__setitem__(3, d[3].replace(b",", b", ", 1)),
            "cannot be read",
            id="not canonical",
        ),
        pytest.param(
            lambda d: d.__setitem__(3, d[3].replace(b'"actor"', b'"actor":"x","actor"', 1)),
            "cannot be read",
            id="duplicate key",
        ),
        pytest.param(lambda d: d.__delitem__(slice(-2, None)), "cut off", id="cut tail"),
        pytest.param(lambda d: d.clear(), "cut off", id="all events gone"),
        pytest.param(_rewritten, "written anew", id="chain written anew"),
    ],
)
def test_a_chain_that_was_changed_does_not_verify(
    memory: World, attack: Callable[[list[bytes]], Any], says: str
) -> None:
    _lived(memory)
    with memory.ledger.reading() as reading:
        seen = reading.head()
    attack(memory.ledger.state.log)  # type: ignore[attr-defined]
    problems = _problems(memory, seen)
    assert says in problems[0]


def test_a_cut_tail_says_how_many_were_expected(memory: World) -> None:
    _lived(memory)
    documents = memory.ledger.state.log  # type: ignore[attr-defined]
    seen = ChainHead(5, event_digest(documents[4]))
    result = get_chain_result(documents[:3], seen)
    assert "expected at least 5, found 3" in result.problem
    assert get_chain_result(documents[:3]).problem == ""
    assert get_chain_result(documents, seen).problem == ""


def _any(mapping: dict[Any, Any]) -> Any:
    return next(iter(mapping))


def _state(state: VersionState, **other: Any) -> Callable[[State], None]:
    def attack(state_: State) -> None:
        key = _any(state_.records)
        state_.records[key] = replace(state_.records[key], state=state, **other)

    return attack


def _other_content(state: State) -> None:
    key = _any(state.records)
    record = state.records[key]
    content = record.content.model_copy(update={"tools": ("Bash",)})
    state.records[key] = replace(record, content=content)


def _other_file(state: State) -> None:
    record = state.records[_any(state.records)]
    state.blobs[record.tree[0].sha256] = b"Do harm.\n"


def _move_pointer(state: State) -> None:
    skill, active = next(iter(state.active_pins.items()))
    state.active_pins[skill] = next(key for key in state.records if key != active)


def _unrevoke(state: State) -> None:
    state.revoked.clear()


def _other_feedback(state: State) -> None:
    key = _any(state.said)
    state.said[key] = state.said[key].model_copy(update={"score": 1.0})


def _other_authorisation(state: State) -> None:
    key = _any(state.uses)
    state.uses[key] = state.uses[key].model_copy(update={"tools": ("Bash",)})


def _decision(state: State) -> None:
    state.add_decision(Decision(1, "reg/x", DecisionKind.RELEASE, None, "r", "kim", "t"))


def _swap_envelopes(state: State) -> None:
    one, two = list(state.kept_receipts)[:2]
    first, second = state.kept_receipts[one], state.kept_receipts[two]
    state.kept_receipts[one] = replace(first, envelope=second.envelope)


@pytest.mark.parametrize(
    ("attack", "says"),
    [
        pytest.param(_state(VersionState.CANDIDATE), "by the events", id="another state"),
        pytest.param(
            _state(VersionState.QUARANTINED, terminal=True), "by the events", id="ended by hand"
        ),
        pytest.param(_other_content, "its hash names", id="edited content"),
        pytest.param(_other_file, "were changed", id="edited file"),
        pytest.param(lambda s: s.blobs.clear(), "are gone", id="files gone"),
        pytest.param(lambda s: s.records.popitem(), "is gone", id="version gone"),
        pytest.param(_move_pointer, "Active pin", id="pointer moved"),
        pytest.param(lambda s: s.active_pins.clear(), "Active pin", id="pointer gone"),
        pytest.param(lambda s: s.kept_receipts.popitem(), "Receipt", id="receipt gone"),
        pytest.param(_swap_envelopes, "Receipt", id="receipt with the bytes of another"),
        pytest.param(_unrevoke, "revoked in one", id="revocation gone"),
        pytest.param(_other_feedback, "Feedback", id="edited feedback"),
        pytest.param(lambda s: s.said.clear(), "Feedback", id="feedback gone"),
        pytest.param(_other_authorisation, "Authorisation", id="edited authorisation"),
        pytest.param(lambda s: s.all_policies.append(POLICY), "polic", id="policy put in by hand"),
        pytest.param(
            lambda s: s.all_policies.__setitem__(0, s.all_policies[-1]), "polic", id="edited policy"
        ),
        pytest.param(_decision, "decisions", id="decision put in by hand"),
    ],
)
def test_records_that_say_other_than_the_events_do_not_verify(
    memory: World, attack: Callable[[State], Any], says: str
) -> None:
    _lived(memory)
    attack(memory.ledger.state)  # type: ignore[attr-defined]
    problems = _problems(memory)
    assert any(says in problem for problem in problems), problems
    with memory.ledger.reading() as reading, pytest.raises(ConditionsError) as error:
        verify_ledger(reading)
    assert refused(error) == {Condition.LEDGER_INTACT}


def _forged(world: World, kind: EventKind, **fields: Any) -> str:
    """A forged event, chained as it should be; what replaying says of it."""
    with world.ledger.deciding() as deciding:
        deciding.append(
            EventDraft(at="2026-11-30T12:00:00.000000Z", actor="x", kind=kind, **fields)
        )
    return " ".join(_problems(world))


def test_events_that_could_not_have_happened_do_not_verify(memory: World) -> None:
    pin = memory.add().pin
    scan = memory.scan(pin).key
    assert "does not rest on" in _forged(memory, EventKind.ACTIVATED, pin=pin, evidence=(scan,))
    assert "was candidate, not retired" in _forged(memory, EventKind.ROLLED_BACK, pin=pin)
    assert "was not active" in _forged(memory, EventKind.RETIRED, pin=pin)
    unknown = pin.model_copy(update={"content_hash": "0" * 64})
    assert "never added" in _forged(memory, EventKind.ACTIVATED, pin=unknown)
    assert "in use" in _forged(memory, EventKind.CANDIDATE_ADDED, pin=unknown)
    assert "recorded before" in _forged(
        memory, EventKind.RECEIPT_RECORDED, pin=pin, evidence=(scan,)
    )


def test_evidence_about_another_version_does_not_verify(memory: World) -> None:
    admitted = memory.admitted("1.0.0")
    other = memory.add("2.0.0", body="Two.\n").pin
    with memory.ledger.reading() as reading:
        keys = tuple(r.key for r in reading.receipts(admitted.content_hash))
    said = _forged(memory, EventKind.ACTIVATED, pin=other, evidence=keys)
    assert "is not one about this version" in said


def test_two_active_versions_of_one_skill_do_not_verify(memory: World) -> None:
    memory.activated("1.0.0")
    other = memory.admitted("2.0.0", body="Two.\n")
    with memory.ledger.reading() as reading:
        keys = tuple(r.key for r in reading.receipts(other.content_hash))
    said = _forged(memory, EventKind.ACTIVATED, pin=other, evidence=keys)
    assert "another version of the skill was active" in said


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET document = '{}'",
        "DELETE FROM events",
        "UPDATE receipts SET content_hash = content_hash",
        "DELETE FROM receipts",
        "UPDATE policies SET document = '{}'",
        "UPDATE blobs SET data = x''",
        "DELETE FROM versions",
        "UPDATE versions SET content = '{}'",
        "UPDATE versions SET tree_digest = ''",
        "UPDATE authorisations SET document = '{}'",
        "DELETE FROM feedback",
        "DELETE FROM revocations",
    ],
)
def test_the_database_itself_refuses_to_rewrite_history(tmp_path: Path, statement: str) -> None:
    with Database.open(tmp_path / "asf.db") as database:
        world = World(LedgerRecords(database))
        world.policy()
        _lived(world)
    with sqlite3.connect(tmp_path / "asf.db") as raw, pytest.raises(sqlite3.IntegrityError):
        raw.execute(statement)


def test_events_are_numbered_from_one_and_chained(world: World) -> None:
    _lived(world)
    with world.ledger.reading() as reading:
        documents = list(reading.documents())
        later = list(reading.documents(4))
    events: list[Event] = [read_event(document) for document in documents]
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert events[0].previous == GENESIS
    assert [e.previous for e in events[1:]] == [event_digest(d) for d in documents[:-1]]
    assert later == documents[3:]
