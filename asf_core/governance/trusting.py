"""Changes of the trust policy, each on record with who made it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from asf_core.domain.errors import InputError
from asf_core.domain.event import EventDraft, EventKind
from asf_core.domain.instant import instant
from asf_core.domain.pin import is_identifier
from asf_core.domain.policy import (
    Channel,
    Role,
    TrustedKey,
    TrustedScanner,
    TrustedSource,
    TrustPolicy,
)
from asf_core.governance.checks import policy_digest
from asf_core.governance.ports import Ledger
from asf_core.trust.keys import PublicKey

PolicyChange = Callable[[TrustPolicy], TrustPolicy]


def change_policy(
    ledger: Ledger, change: PolicyChange, *, what: str, actor: str, now: datetime
) -> TrustPolicy:
    """Change the trust policy.

    Args:
        ledger: Where it is kept; earlier policies stay.
        change: From the policy in force to the new one; the same one changes nothing.
        what: The change in a few words, for the audit log.
        actor: Who makes it.
        now: The reference time.

    Raises:
        InputError: The new policy would contradict itself.
    """
    with ledger.deciding() as deciding:
        before = deciding.policy()
        after = change(before)
        if after == before:
            return before
        deciding.set_policy(after)
        deciding.append(
            EventDraft(
                at=instant(now),
                actor=actor,
                kind=EventKind.POLICY_CHANGED,
                reason=what,
                facts={"policy": policy_digest(after), "before": policy_digest(before)},
            )
        )
        return after


def add_key(public: PublicKey, role: Role, name: str, now: datetime) -> PolicyChange:
    """Trust a key in one role; its id is computed from what it is.

    Raises:
        InputError: The name is empty or has control characters.
    """
    if not is_identifier(name):
        raise InputError(f"{name!r} cannot be a name", hint="Give one with --name")

    def change(policy: TrustPolicy) -> TrustPolicy:
        known = next((key for key in policy.keys if key.key_id == public.key_id), None)
        if known is not None and (known.role, known.name) == (role, name):
            return policy
        if known is not None:
            raise InputError(
                f"Key {public.key_id[:12]} is trusted already",
                why=f"It is {known.name}'s, as {known.role.value}; one key has one role",
                hint="Use another key, or take this one out first: asf trust remove key KEY",
            )
        key = TrustedKey(
            key_id=public.key_id, spki=public.base64, role=role, name=name, added_at=instant(now)
        )
        return changed(policy, keys=(*policy.keys, key))

    return change


def add_scanner(scanner: TrustedScanner) -> PolicyChange:
    """Trust one version of a scanner, when a trusted key speaks for it."""

    def change(policy: TrustPolicy) -> TrustPolicy:
        keys = {key.key_id for key in policy.keys if key.role is Role.SCANNER}
        if scanner.key_id not in keys:
            raise InputError(
                f"Key {scanner.key_id[:12]} is not trusted as a scanner's",
                hint="Trust the key first: asf trust add-scanner KEY",
            )
        return changed(policy, scanners=_with(policy.scanners, scanner))

    return change


def allow_source(sources: Iterable[TrustedSource]) -> PolicyChange:
    """Trust revisions of sources."""
    wanted = tuple(sources)

    def change(policy: TrustPolicy) -> TrustPolicy:
        known = policy.sources
        for source in wanted:
            known = _with(known, source)
        return changed(policy, sources=known)

    return change


def register_tool(tools: Iterable[str]) -> PolicyChange:
    """Register tools."""
    wanted = tuple(tools)

    def change(policy: TrustPolicy) -> TrustPolicy:
        return changed(policy, tools=tuple(dict.fromkeys((*policy.tools, *wanted))))

    return change


def set_channel(channel: Channel) -> PolicyChange:
    """Say which tools a channel allows, in place of what it allowed before."""

    def change(policy: TrustPolicy) -> TrustPolicy:
        others = tuple(known for known in policy.channels if known.name != channel.name)
        return changed(policy, channels=(*others, channel))

    return change


def remove_key(key_id: str) -> PolicyChange:
    """Trust a key, and the scanners that it speaks for, no longer."""

    def change(policy: TrustPolicy) -> TrustPolicy:
        return changed(
            policy,
            keys=_without(policy.keys, lambda key: key.key_id == key_id, "key"),
            scanners=tuple(s for s in policy.scanners if s.key_id != key_id),
        )

    return change


def remove_source(id_: str, revision: str | None) -> PolicyChange:
    """Trust a source no longer, at one revision or at any."""

    def same(source: TrustedSource) -> bool:
        return source.id == id_ and revision in {None, source.revision}

    return lambda policy: changed(policy, sources=_without(policy.sources, same, "source"))


def remove_tool(tool: str) -> PolicyChange:
    """Register a tool no longer."""
    return lambda policy: changed(
        policy, tools=_without(policy.tools, lambda known: known == tool, "tool")
    )


def remove_channel(name: str) -> PolicyChange:
    """Know a channel no longer."""
    return lambda policy: changed(
        policy, channels=_without(policy.channels, lambda known: known.name == name, "channel")
    )


def changed(policy: TrustPolicy, **fields: Any) -> TrustPolicy:
    """A policy with other fields, validated anew.

    Raises:
        InputError: It would contradict itself, or a value is out of range.
    """
    try:
        return TrustPolicy.model_validate({**_fields(policy), **fields})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(
            "The trust policy cannot be changed to that", why=f"{where} {first['msg']}".strip()
        ) from error


def _fields(policy: TrustPolicy) -> dict[str, Any]:
    return {name: getattr(policy, name) for name in TrustPolicy.model_fields}


def _with(known: tuple[Any, ...], item: Any) -> tuple[Any, ...]:
    return known if item in known else (*known, item)


def _without(known: tuple[Any, ...], gone: Callable[[Any], bool], what: str) -> tuple[Any, ...]:
    kept = tuple(item for item in known if not gone(item))
    if kept == known:
        raise InputError(
            f"The trust policy has no such {what}", hint="See what it has: asf trust show"
        )
    return kept
