"""Attacks on receipts, by name: each must be refused, and refused for the right reason."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from asf_core.domain.errors import ConditionsError
from asf_core.domain.instant import instant
from asf_core.domain.pin import Pin
from asf_core.domain.policy import Role
from asf_core.domain.receipts import ReceiptKind, Verdict
from asf_core.domain.refusal import Condition
from asf_core.governance.receiving import record_receipt
from asf_core.trust import verify
from asf_core.trust.canonical import canonical_json
from asf_core.trust.dsse import open_envelope, seal
from asf_core.trust.statements import write_statement
from asf_core.trust.verify import get_signature_result
from tests.governance.test_candidates import refused
from tests.governance.world import ADA, BOB, BOT, EVE, GIL, NOON, POLICY, World, finding, trusted

Attack = Callable[[World, Pin], bytes]


def _seal(payload: bytes, *keys: Any) -> bytes:
    return seal(payload, keys)


def _review(world: World, pin: Pin, **fields: Any) -> dict[str, Any]:
    return json.loads(write_statement(ReceiptKind.GOVERNANCE, pin, world.review(pin, **fields)))


def _predicate(**changes: Any) -> Attack:
    """A statement whose predicate has other fields, signed by a trusted reviewer."""

    def attack(world: World, pin: Pin) -> bytes:
        statement = _review(world, pin)
        for name, value in changes.items():
            if value is ...:
                del statement["predicate"][name]
            else:
                statement["predicate"][name] = value
        return _seal(canonical_json(statement), ADA)

    return attack


def _statement(**changes: Any) -> Attack:
    def attack(world: World, pin: Pin) -> bytes:
        return _seal(canonical_json({**_review(world, pin), **changes}), ADA)

    return attack


def _raw(change: Callable[[bytes], bytes]) -> Attack:
    """A payload changed as text before it is signed by a trusted reviewer."""

    def attack(world: World, pin: Pin) -> bytes:
        return _seal(change(canonical_json(_review(world, pin))), ADA)

    return attack


def _envelope(change: Callable[[dict[str, Any]], Any]) -> Attack:
    """An envelope changed after it was signed by a trusted reviewer."""

    def attack(world: World, pin: Pin) -> bytes:
        envelope = json.loads(_seal(canonical_json(_review(world, pin)), ADA))
        change(envelope)
        return canonical_json(envelope)

    return attack


def _signed_by(*keys: Any) -> Attack:
    return lambda world, pin: _seal(canonical_json(_review(world, pin)), *keys)


def _flip_payload(envelope: dict[str, Any]) -> None:
    statement = json.loads(base64.b64decode(envelope["payload"]))
    statement["predicate"]["reason"] = "altered"
    envelope["payload"] = base64.b64encode(canonical_json(statement)).decode()


def _claim_another_key(envelope: dict[str, Any]) -> None:
    envelope["signatures"][0]["keyid"] = BOB.public.key_id


def _plain_signature(world: World, pin: Pin) -> bytes:
    """Signed over the payload alone, without the encoding that binds its type."""
    payload = canonical_json(_review(world, pin))
    signature = {
        "keyid": ADA.public.key_id,
        "sig": base64.b64encode(ADA.sign(payload)).decode(),
    }
    return canonical_json(
        {
            "payload": base64.b64encode(payload).decode(),
            "payloadType": "application/vnd.in-toto+json",
            "signatures": [signature],
        }
    )


def _duplicate_envelope_key(world: World, pin: Pin) -> bytes:
    whole = _seal(canonical_json(_review(world, pin)), ADA)
    return b'{"payload":"e30=",' + whole[1:]


def _of_other_kind(world: World, pin: Pin) -> bytes:
    """An approval of an admission is not an approval of a rollback, and neither is the reverse."""
    return _seal(write_statement(ReceiptKind.ROLLBACK, pin, world.review(pin)), ADA)


def _security_by_reviewer(world: World, pin: Pin) -> bytes:
    return _seal(write_statement(ReceiptKind.SECURITY, pin, world.security()), ADA)


def _subject(sha256: str, **other: str) -> list[dict[str, Any]]:
    return [{"name": "x", "digest": {"sha256": sha256, **other}}]


MALFORMED = "malformed"
UNTRUSTED = "not trusted"
HOLDS_NOT = "does not hold"

ATTACKS = [
    pytest.param(_signed_by(EVE), UNTRUSTED, id="signed by a stranger"),
    pytest.param(_signed_by(BOT), "trusted as scanner", id="wrong role"),
    pytest.param(_signed_by(GIL), "trusted as grantor", id="wrong role, another one"),
    pytest.param(_security_by_reviewer, "predicate type", id="wrong predicate"),
    pytest.param(_of_other_kind, "predicate type", id="wrong predicate of the same shape"),
    pytest.param(_envelope(_flip_payload), HOLDS_NOT, id="payload altered after signing"),
    pytest.param(_envelope(_claim_another_key), HOLDS_NOT, id="claims another trusted key"),
    pytest.param(_plain_signature, HOLDS_NOT, id="signature without its encoding"),
    pytest.param(_envelope(lambda e: e["signatures"].clear()), MALFORMED, id="no signature"),
    pytest.param(
        _envelope(lambda e: e["signatures"][0].update(keyid="")), MALFORMED, id="empty key id"
    ),
    pytest.param(
        _envelope(lambda e: e.update(payloadType="application/json")),
        MALFORMED,
        id="another payload type",
    ),
    pytest.param(_envelope(lambda e: e.update(extra=1)), MALFORMED, id="unknown envelope field"),
    pytest.param(
        _envelope(lambda e: e["signatures"][0].update(sig="AA==")), MALFORMED, id="short signature"
    ),
    pytest.param(
        _envelope(lambda e: e.update(payload=e["payload"] + "!")), MALFORMED, id="stray base64"
    ),
    pytest.param(_duplicate_envelope_key, MALFORMED, id="duplicate key in the envelope"),
    pytest.param(
        _raw(
            lambda b: b.replace(b'"verdict":"approve"', b'"verdict":"reject","verdict":"approve"')
        ),
        "stands twice",
        id="duplicate key in the predicate",
    ),
    pytest.param(
        _raw(lambda b: b.replace(b'"_type"', b'"_type":"x","_type"', 1)),
        "stands twice",
        id="duplicate key in the statement",
    ),
    pytest.param(_raw(lambda b: b + b"{}"), MALFORMED, id="two documents"),
    pytest.param(_raw(lambda b: b"\xef\xbb\xbf" + b), MALFORMED, id="byte-order mark"),
    pytest.param(_raw(lambda b: b.replace(b"reads", b"\xff")), MALFORMED, id="not UTF-8"),
    pytest.param(
        _raw(lambda b: b.replace(b'"reads well"', b'"\\ud800"')), MALFORMED, id="lone surrogate"
    ),
    pytest.param(_raw(lambda b: b"[" * 100_000), MALFORMED, id="nested too deeply"),
    pytest.param(_raw(lambda b: b"null"), MALFORMED, id="no object"),
    pytest.param(lambda w, p: b" " * (5 * 1024 * 1024), MALFORMED, id="envelope over the size cap"),
    pytest.param(_statement(_type="https://in-toto.io/Statement/v0.1"), MALFORMED, id="old type"),
    pytest.param(_statement(predicateType="x"), "predicate type", id="unknown predicate type"),
    pytest.param(_statement(subject=[]), MALFORMED, id="no subject"),
    pytest.param(
        lambda w, p: _statement(subject=_subject(p.content_hash) * 2)(w, p),
        MALFORMED,
        id="two subjects",
    ),
    pytest.param(_statement(subject=_subject("A" * 64)), MALFORMED, id="digest in upper case"),
    pytest.param(_statement(subject=_subject("0" * 40)), MALFORMED, id="digest of another length"),
    pytest.param(
        lambda w, p: _statement(subject=_subject(p.content_hash, sha1="0" * 40))(w, p),
        MALFORMED,
        id="another digest beside it",
    ),
    pytest.param(_statement(extra=1), MALFORMED, id="unknown statement field"),
    pytest.param(_predicate(extra=1), MALFORMED, id="unknown predicate field"),
    pytest.param(_predicate(reason=...), MALFORMED, id="a field is missing"),
    pytest.param(_predicate(reason=" "), MALFORMED, id="empty reason"),
    pytest.param(_predicate(verdict="APPROVE"), MALFORMED, id="unknown verdict"),
    pytest.param(_predicate(verdict=True), MALFORMED, id="bool for text"),
    pytest.param(_predicate(reviewed_at=1764504000), MALFORMED, id="number for time"),
    pytest.param(_predicate(reviewed_at="2026-11-30T12:00:00Z"), MALFORMED, id="another time form"),
    pytest.param(
        _predicate(reviewed_at="2026-02-30T12:00:00.000000Z"), MALFORMED, id="no day of the year"
    ),
    pytest.param(
        _predicate(reviewed_at=instant(NOON + timedelta(seconds=31))),
        "still to come",
        id="a time to come",
    ),
    pytest.param(_predicate(security="x"), MALFORMED, id="text for list"),
    pytest.param(_predicate(compared_with=""), MALFORMED, id="empty for none"),
    pytest.param(_predicate(id="short"), MALFORMED, id="id too short"),
    pytest.param(_predicate(id="review-1:2345678"), MALFORMED, id="separator in the id"),
]


@pytest.mark.parametrize(("attack", "why"), ATTACKS)
def test_the_receipt_is_refused(memory: World, attack: Attack, why: str) -> None:
    pin = memory.add().pin
    memory.scan(pin)
    envelope = attack(memory, pin)
    before = memory.ledger.state  # type: ignore[attr-defined]
    with pytest.raises(ConditionsError) as error:
        record_receipt(memory.ledger, envelope, ReceiptKind.GOVERNANCE, now=memory.now)
    assert refused(error) == {Condition.RECEIPT_AUTHENTIC}
    assert why in error.value.refusals[0].why
    assert memory.ledger.state is before  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("complete", 1),
        ("complete", "true"),
        ("findings", None),
        ("findings", [{**json.loads(finding().model_dump_json()), "line": True}]),
        ("findings", [{**json.loads(finding().model_dump_json()), "line": 0}]),
        ("findings", [{**json.loads(finding().model_dump_json()), "line": 1.5}]),
        ("findings", [{**json.loads(finding().model_dump_json()), "code": "harmless"}]),
        ("findings", [{**json.loads(finding().model_dump_json()), "severity": "none"}]),
        ("scanner", {"name": "asf-scan", "version": "1.0.0"}),
    ],
)
def test_a_security_receipt_of_another_shape_is_refused(
    memory: World, field: str, value: object
) -> None:
    pin = memory.add().pin
    statement = json.loads(write_statement(ReceiptKind.SECURITY, pin, memory.security()))
    statement["predicate"][field] = value
    with pytest.raises(ConditionsError) as error:
        record_receipt(
            memory.ledger,
            seal(canonical_json(statement), [BOT]),
            ReceiptKind.SECURITY,
            now=memory.now,
        )
    assert MALFORMED in error.value.refusals[0].why


def test_a_known_id_with_other_fields_is_refused(world: World) -> None:
    pin = world.add().pin
    world.scan(pin)
    first = world.approve(pin, id="review-00000009")
    again = world.approve(pin, id="review-00000009")
    assert again.key == first.key
    with pytest.raises(ConditionsError) as error:
        world.approve(pin, id="review-00000009", reason="reads badly")
    assert refused(error) == {Condition.RECEIPT_UNCHANGED}
    with world.ledger.reading() as reading:
        assert [r.key for r in reading.receipts(pin.content_hash)][1:] == [first.key]


def test_a_known_id_on_another_version_is_refused(world: World) -> None:
    first, second = world.add("1.0.0").pin, world.add("1.1.0", body="New.\n").pin
    world.scan(first, id="scan-00000009")
    with pytest.raises(ConditionsError) as error:
        world.scan(second, id="scan-00000009")
    assert refused(error) == {Condition.RECEIPT_UNCHANGED}


def test_a_receipt_is_known_by_kind_id_and_all_that_it_says(world: World) -> None:
    pin = world.add().pin
    world.scan(pin)
    one = world.approve(pin, id="review-00000001").key
    kind, id_, digest = one.split(":")
    assert (kind, id_, len(digest)) == ("governance", "review-00000001", 64)
    keys = {one, world.approve(pin, id="review-00000002").key}
    keys.add(world.approve(pin, id="review-00000001", kind=ReceiptKind.ROLLBACK).key)
    assert len({key.rpartition(":")[2] for key in keys}) == 3


def test_a_receipt_replayed_for_another_version_proves_nothing_there(world: World) -> None:
    first = world.admitted("1.0.0")
    second = world.add("1.1.0", body="New.\n").pin
    with world.ledger.reading() as reading:
        stored = reading.receipts(first.content_hash)
    for receipt in stored:
        record_receipt(world.ledger, receipt.envelope, receipt.kind, now=world.now)
    with pytest.raises(ConditionsError) as error:
        world.activate(second)
    assert refused(error) == {Condition.SECURITY_RECEIPT, Condition.GOVERNANCE_RECEIPT}


def test_the_subject_of_another_skill_proves_nothing(world: World) -> None:
    """A name in the subject is for people: only the digest is matched."""
    pin = world.add().pin
    other = world.add("1.0.0", skill_id="reg/tools/other", body="Other.\n").pin
    world.scan(other)
    claimed = Pin(skill_id=pin.skill_id, version=pin.version, content_hash=other.content_hash)
    world.take(claimed, world.review(other), ADA)
    world.scan(pin)
    with pytest.raises(ConditionsError) as error:
        world.activate(pin)
    assert refused(error) == {Condition.GOVERNANCE_RECEIPT}


def test_a_receipt_about_an_unknown_content_is_refused(world: World) -> None:
    pin = world.add().pin
    strange = pin.model_copy(update={"content_hash": "0" * 64})
    with pytest.raises(ConditionsError) as error:
        world.take(strange, world.security(), BOT, kind=ReceiptKind.SECURITY)
    assert refused(error) == {Condition.KNOWN_VERSION}


def test_a_receipt_moved_in_the_store_to_another_version_is_refused(memory: World) -> None:
    """The kept bytes are verified again: the row that they stand in says nothing."""
    first = memory.admitted("1.0.0")
    second = memory.add("1.1.0", body="New.\n").pin
    state = memory.ledger.state  # type: ignore[attr-defined]
    for receipt in state.by_content.pop(first.content_hash):
        moved = replace(receipt, content_hash=second.content_hash)
        state.kept_receipts[receipt.kind, receipt.id] = moved
        state.by_content.setdefault(second.content_hash, []).append(moved)
    with pytest.raises(ConditionsError) as error:
        memory.activate(second)
    assert {Condition.SECURITY_RECEIPT, Condition.GOVERNANCE_RECEIPT} <= refused(error)


def test_alias_key_ids_do_not_meet_a_threshold() -> None:
    """One key under two ids is one key, and the id that is not its own is none."""
    envelope_bytes = seal(b"{}", [ADA])
    envelope = json.loads(envelope_bytes)
    alias = "a" * 64
    envelope["signatures"].append({**envelope["signatures"][0], "keyid": alias})
    keys = [trusted(ADA, Role.REVIEWER), trusted(ADA, Role.REVIEWER, key_id=alias)]
    result = get_signature_result(open_envelope(canonical_json(envelope)), keys, Role.REVIEWER)
    assert [key.key_id for key in result.signers] == [ADA.public.key_id]
    assert any(alias[:12] in why for why in result.ignored)


def test_one_reviewer_who_approves_twice_is_one(world: World) -> None:
    world.policy(reviewers_needed=2)
    pin = world.admitted()
    world.later(minutes=1)
    world.approve(pin)
    envelope = seal(write_statement(ReceiptKind.GOVERNANCE, pin, world.review(pin)), [ADA, ADA])
    record_receipt(world.ledger, envelope, ReceiptKind.GOVERNANCE, now=world.now)
    with pytest.raises(ConditionsError) as error:
        world.activate(pin)
    assert "1 of the 2" in error.value.refusals[0].why


def test_a_receipt_within_the_clock_skew_counts_and_beyond_it_does_not(world: World) -> None:
    pin = world.add().pin
    skew = timedelta(seconds=POLICY.clock_skew_seconds)
    world.scan(pin, scanned_at=instant(world.now + skew))
    with pytest.raises(ConditionsError):
        world.scan(pin, scanned_at=instant(world.now + skew + timedelta(microseconds=1)))


def test_a_rejection_cannot_be_taken_away(memory: World) -> None:
    """Deleting what speaks against a version does not let it in: the events name it."""
    pin = memory.admitted()
    memory.later(minutes=1)
    memory.approve(pin, BOB, verdict=Verdict.REJECT)
    memory.ledger.state.by_content[pin.content_hash].pop()  # type: ignore[attr-defined]
    with pytest.raises(ConditionsError) as error:
        memory.activate(pin)
    assert refused(error) == {Condition.LEDGER_INTACT}


def test_a_receipt_put_into_the_store_by_hand_is_missed_in_the_events(memory: World) -> None:
    pin = memory.add().pin
    other = World(memory.ledger.__class__())
    other.policy()
    assert other.add().pin == pin
    other.scan(pin)
    other.approve(pin)
    for receipt in other.ledger.state.all_receipts():  # type: ignore[attr-defined]
        memory.ledger.state.add_receipt(receipt)  # type: ignore[attr-defined]
    with pytest.raises(ConditionsError) as error:
        memory.activate(pin)
    assert refused(error) == {Condition.LEDGER_INTACT}


def test_a_payload_is_not_read_before_its_signature_holds(
    memory: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger's payload may be anything: nothing of ours ever parses it."""
    read: list[bytes] = []
    honest = verify.read_statement

    def watched(payload: bytes) -> Any:
        read.append(payload)
        return honest(payload)

    monkeypatch.setattr(verify, "read_statement", watched)
    pin = memory.add().pin
    payload = canonical_json(_review(memory, pin))
    with pytest.raises(ConditionsError):
        record_receipt(memory.ledger, _seal(payload, EVE), ReceiptKind.GOVERNANCE, now=memory.now)
    assert read == []
    record_receipt(memory.ledger, _seal(payload, ADA), ReceiptKind.GOVERNANCE, now=memory.now)
    assert read == [payload]
