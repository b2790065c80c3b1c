"""Discovery gives metadata to the exact scope; instructions need a grant that matches in all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from asf_core.domain.decision import Decision, DecisionKind
from asf_core.domain.errors import ConditionsError, InputError
from asf_core.domain.event import EventKind
from asf_core.domain.instant import instant
from asf_core.domain.pin import Pin, Scope, Subject
from asf_core.domain.policy import Channel
from asf_core.domain.receipts import Grant, ReceiptKind
from asf_core.domain.refusal import Condition
from asf_core.domain.use import Authorisation, AuthorisationOutcome
from asf_core.governance.discovery import catalogue, discover
from asf_core.governance.grants import UseRequest, get_use_result, revoke
from tests.governance.test_candidates import refused
from tests.governance.world import ADA, EVE, GIL, NOON, POLICY, SKILL, SUBJECT, World

OTHERS = {
    "product:shop": Subject(product="bank", tenant="acme", user="ann"),
    "tenant:acme": Subject(product="shop", tenant="beta", user="ann"),
    "user:acme/ann": Subject(product="shop", tenant="acme", user="ben"),
}


def _found(world: World, subject: Subject = SUBJECT, **how: Any) -> Any:
    with world.ledger.reading() as reading:
        return discover(reading, SKILL, subject, **how)


def test_discovery_gives_metadata_and_the_exact_pin(world: World) -> None:
    pin = world.activated()
    found = _found(world)
    assert found.pin == pin
    assert (found.label, found.retrieval.description) == ("Organization skill", "Carves.")
    assert found.tools == ("Read", "Grep")


def test_discovery_never_gives_instructions(world: World) -> None:
    world.activated(body="SECRET-STEPS\n")
    assert "SECRET-STEPS" not in _found(world).model_dump_json()


@pytest.mark.parametrize("scope", OTHERS)
def test_only_the_exact_scope_sees_it(world: World, scope: str) -> None:
    world.activated(scope=Scope.parse(scope))
    assert _found(world).scope == Scope.parse(scope)
    with pytest.raises(ConditionsError) as error:
        _found(world, OTHERS[scope])
    assert refused(error) == {Condition.SCOPE}
    with world.ledger.reading() as reading:
        assert len(catalogue(reading, SUBJECT)) == 1
        assert catalogue(reading, OTHERS[scope]) == ()


def test_a_user_of_the_same_name_in_another_tenant_is_another_user(world: World) -> None:
    world.activated(scope=Scope.parse("user:acme/ann"))
    with pytest.raises(ConditionsError):
        _found(world, Subject(product="shop", tenant="beta", user="ann"))


def _only_a_candidate(world: World) -> None:
    world.admitted()


def _ended(world: World) -> None:
    world.quarantine(world.activated())


def _retired_and_ended(world: World) -> None:
    _, second = world.retired()
    world.quarantine(second)


@pytest.mark.parametrize("prepare", [_only_a_candidate, _ended, _retired_and_ended])
def test_no_other_version_is_given_in_place_of_an_active_one(
    world: World, prepare: Callable[[World], None]
) -> None:
    prepare(world)
    with pytest.raises(ConditionsError) as error:
        _found(world)
    assert refused(error) == {Condition.ACTIVE_PIN}


def test_an_exact_version_that_is_not_active_is_refused_not_replaced(world: World) -> None:
    first, second = world.retired()
    assert _found(world, exactly=second).pin == second
    with pytest.raises(ConditionsError) as error:
        _found(world, exactly=first)
    assert refused(error) == {Condition.ACTIVE_PIN}


def test_a_higher_version_that_is_not_active_is_never_meant(world: World) -> None:
    pin = world.activated("1.0.0")
    world.admitted("9.0.0", body="Newer.\n")
    assert _found(world).pin == pin


def test_a_curators_quarantine_hides_it(memory: World) -> None:
    pin = memory.activated()
    decision = Decision(1, SKILL, DecisionKind.QUARANTINE, None, "slop", "kim", "t")
    memory.ledger.state.add_decision(decision)  # type: ignore[attr-defined]
    with pytest.raises(ConditionsError) as error:
        _found(memory)
    assert refused(error) == {Condition.NOT_QUARANTINED}
    grant = memory.grant(pin)
    with pytest.raises(ConditionsError) as error:
        memory.use(grant)
    assert refused(error) == {Condition.NOT_QUARANTINED}


def test_a_matching_grant_gives_the_instructions_that_were_reviewed(world: World) -> None:
    pin = world.activated(body="Carve it slowly.\n")
    used = world.use(world.grant(pin))
    assert used.instructions == "Carve it slowly.\n"
    assert used.authorisation.pin == pin
    assert used.authorisation.outcome is AuthorisationOutcome.ALLOWED


def test_effective_tools_are_the_ordered_intersection_of_all_four(world: World) -> None:
    world.policy(tools=("Grep", "Read", "Write", "Bash"))
    pin = world.activated(tools=("Write", "Grep", "Read", "Bash"))
    world.policy(
        tools=("Grep", "Read", "Write"),
        channels=(Channel(name="chat", tools=("Bash", "Read", "Grep")),),
    )
    # Bash is not registered any more, Write not allowed on the channel.
    used = world.use(world.grant(pin, tools=("Bash", "Read", "Write", "Grep")))
    assert used.authorisation.tools == ("Grep", "Read")
    assert world.use(world.grant(pin, tools=("Read",))).authorisation.tools == ("Read",)
    assert world.use(world.grant(pin, tools=())).authorisation.tools == ()


def test_a_skill_that_declares_no_tools_gets_none(world: World) -> None:
    pin = world.activated(tools=None)
    assert world.use(world.grant(pin)).authorisation.tools == ()


Case = Callable[[World, Pin], dict[str, Any]]


def _asked(**fields: Any) -> Case:
    return lambda world, pin: {"grant": world.grant(pin), **fields}


def _granted(**fields: Any) -> Case:
    return lambda world, pin: {"grant": world.grant(pin, **fields)}


def _for_another_version(world: World, pin: Pin) -> dict[str, Any]:
    other = world.admitted("1.1.0", body="Other.\n")
    return {"grant": world.grant(other), "pin": pin}


def _for_a_retired_version(world: World, pin: Pin) -> dict[str, Any]:
    grant = world.grant(pin)
    world.activated("1.1.0", body="Other.\n")
    return {"grant": grant}


def _revoked(world: World, pin: Pin) -> dict[str, Any]:
    grant = world.grant(pin)
    revoke(world.ledger, grant.id, reason="left", actor="gil", now=world.now)
    return {"grant": grant}


def _expired(world: World, pin: Pin) -> dict[str, Any]:
    grant = world.grant(pin)
    world.later(hours=8)
    return {"grant": grant}


def _policy_since(**fields: Any) -> Case:
    def case(world: World, pin: Pin) -> dict[str, Any]:
        grant = world.grant(pin)
        world.policy(**fields)
        return {"grant": grant}

    return case


def _unknown_grant(world: World, pin: Pin) -> dict[str, Any]:
    return {"grant": world.grant(pin), "grant_id": "grant-of-nobody"}


MATCH, TIME = Condition.GRANT_MATCHES, Condition.GRANT_IN_TIME


@pytest.mark.parametrize(
    ("case", "missing"),
    [
        pytest.param(
            _asked(subject=Subject(product="shop", tenant="beta", user="ann")), {MATCH}, id="tenant"
        ),
        pytest.param(
            _asked(subject=Subject(product="shop", tenant="acme", user="ben")), {MATCH}, id="user"
        ),
        pytest.param(_asked(purpose="sales"), {MATCH}, id="purpose"),
        pytest.param(_granted(channel="ci"), {MATCH}, id="channel"),
        pytest.param(_granted(tenant="beta"), {MATCH}, id="granted to another tenant"),
        pytest.param(_granted(user="Ann"), {MATCH}, id="granted to another user"),
        pytest.param(_for_another_version, {MATCH}, id="granted for another version"),
        pytest.param(_for_a_retired_version, {Condition.ACTIVE_PIN}, id="of a retired version"),
        pytest.param(_revoked, {Condition.GRANT_NOT_REVOKED}, id="revoked"),
        pytest.param(_expired, {TIME}, id="expired"),
        pytest.param(_granted(not_before=instant(NOON + timedelta(hours=1))), {TIME}, id="not yet"),
        pytest.param(_unknown_grant, {Condition.GRANT}, id="no such grant"),
        pytest.param(_policy_since(keys=()), {Condition.GRANT}, id="grantor no longer trusted"),
        pytest.param(
            _policy_since(channels=()), {Condition.CHANNEL_KNOWN}, id="channel no longer known"
        ),
        pytest.param(
            _policy_since(sources=()), {Condition.SOURCE_TRUSTED}, id="source no longer trusted"
        ),
        pytest.param(
            _asked(subject=Subject(product="bank", tenant="acme", user="ann")),
            {Condition.SCOPE},
            id="out of scope",
        ),
    ],
)
def test_any_mismatch_refuses_and_is_retained(
    world: World, case: Case, missing: set[Condition]
) -> None:
    pin = world.activated()
    how = case(world, pin)
    with pytest.raises(ConditionsError) as error:
        world.use(**how)
    assert refused(error) == missing
    with world.ledger.reading() as reading:
        (kept,) = reading.authorisations()
        assert reading.events_on(pin.content_hash, EventKind.AUTHORISATION_REFUSED)
        assert not reading.events_on(pin.content_hash, EventKind.AUTHORISED)
    assert kept.outcome is AuthorisationOutcome.REFUSED
    assert set(kept.failed) == missing
    assert kept.tools == ()


@pytest.mark.parametrize("field", ["skill_id", "version", "content_hash"])
def test_a_pin_that_differs_in_anything_is_no_version(world: World, field: str) -> None:
    pin = world.activated()
    other = {"skill_id": "reg/x", "version": "1.0.1", "content_hash": "0" * 64}[field]
    with pytest.raises(ConditionsError) as error:
        world.use(world.grant(pin), pin=pin.model_copy(update={field: other}))
    assert refused(error) == {Condition.KNOWN_VERSION}


def test_a_grant_is_checked_again_at_each_use(world: World) -> None:
    grant = world.grant(world.activated())
    world.use(grant)
    world.use(grant)
    revoke(world.ledger, grant.id, reason="left", actor="gil", now=world.now)
    with pytest.raises(ConditionsError) as error:
        world.use(grant)
    assert refused(error) == {Condition.GRANT_NOT_REVOKED}
    with pytest.raises(InputError):
        revoke(world.ledger, grant.id, reason="again", actor="gil", now=world.now)


@pytest.mark.parametrize("key", [EVE, ADA], ids=["a stranger", "a reviewer"])
def test_a_grant_by_anyone_but_a_grantor_is_not_taken_in(world: World, key: Any) -> None:
    pin = world.activated()
    with pytest.raises(ConditionsError) as error:
        world.grant(pin, key)
    assert refused(error) == {Condition.GRANT}


def test_a_grant_whose_pin_is_not_its_subject_is_refused(world: World) -> None:
    pin = world.activated()
    other = pin.model_copy(update={"content_hash": "0" * 64})
    grant = Grant.model_validate({**dict(world.grant(pin)), "id": "grant-forged", "pin": other})
    with pytest.raises(ConditionsError) as error:
        world.take(pin, grant, GIL, kind=ReceiptKind.GRANT)
    assert refused(error) == {Condition.GRANT}


@pytest.mark.parametrize("field", ["skill_id", "version"])
def test_a_grant_that_names_another_version_than_its_content_is_not_taken_in(
    world: World, field: str
) -> None:
    """It would read as one for the active version, and be one for another."""
    pin = world.activated()
    other = world.add("2.0.0", body="Two.\n", skill_id="reg/other").pin
    claimed = other.model_copy(update={field: getattr(pin, field)})
    with pytest.raises(ConditionsError) as error:
        world.grant(claimed)
    assert refused(error) == {Condition.GRANT}


def test_kept_bytes_are_digested_again_at_use(memory: World) -> None:
    pin = memory.activated()
    grant = memory.grant(pin)
    record = memory.record(pin)
    blobs = memory.ledger.state.blobs  # type: ignore[attr-defined]
    blobs[record.content.instructions_sha256] = b"Do harm.\n"
    with pytest.raises(ConditionsError) as error:
        memory.use(grant)
    assert refused(error) == {Condition.CONTENT_INTACT}


def test_what_is_retained_holds_no_text(world: World) -> None:
    pin = world.activated(body="SECRET-STEPS\n")
    world.use(world.grant(pin))
    with world.ledger.reading() as reading:
        (kept,) = reading.authorisations()
        log = b"".join(reading.documents())
    assert b"SECRET-STEPS" not in kept.model_dump_json().encode() + log
    assert set(Authorisation.model_fields) == {
        "id", "grant_id", "pin", "tenant", "user", "purpose", "channel", "tools", "outcome",
        "failed", "at",
    }  # fmt: skip


def test_the_result_for_display_uses_nothing(world: World) -> None:
    grant = world.grant(world.activated())
    request = UseRequest(
        grant_id=grant.id, pin=grant.pin, subject=SUBJECT, purpose="sales", channel="chat"
    )
    with world.ledger.reading() as reading:
        checks = get_use_result(reading, request, world.now)
        assert [c.condition for c in checks if not c.holds] == [MATCH]
        assert reading.authorisations() == ()


def test_policy_knows_the_channel_chat() -> None:
    """The cases above rest on it."""
    assert [channel.name for channel in POLICY.channels] == ["chat"]
