"""The hash chain of events: each names the digest of the one before (DESIGN 8).

A chain shows an event that was edited, taken out, put in or moved. It cannot show that its end was
cut off, or that all of it was written anew: for that its head is kept in a second place and given
to :func:`get_chain_result` as the head that is expected.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from asf_core.domain.event import GENESIS, ChainHead, Event, EventDraft
from asf_core.trust.canonical import canonical_json, sha256_hex
from asf_core.trust.strictjson import MalformedError, as_model, parse_strict

EVENT_SCHEMA = "asf.event/1"
"""Names the rule inside each digest."""
EMPTY = ChainHead(0, GENESIS)
"""The head of a chain without events."""


@dataclass(frozen=True, slots=True)
class ChainResult:
    """What a check of a chain found."""

    head: ChainHead
    """Of the part that holds."""
    problem: str = ""
    """The first thing that is wrong, in one sentence; empty when all holds."""
    events: tuple[Event, ...] = ()
    """The events of the part that holds, in order."""


def chain_event(draft: EventDraft, head: ChainHead) -> Event:
    """Give an event its place after the head of a chain."""
    fields = {name: getattr(draft, name) for name in EventDraft.model_fields}
    return Event(**fields, number=head.count + 1, previous=head.digest)


def event_document(event: Event) -> bytes:
    """The event as it is kept, in canonical JSON."""
    return canonical_json({"schema": EVENT_SCHEMA, **event.model_dump(mode="json")})


def event_digest(document: bytes) -> str:
    """The digest that the next event names: of the document's bytes."""
    return sha256_hex(document)


def read_event(document: bytes) -> Event:
    """Read an event back.

    Raises:
        MalformedError: It is none, or is not in canonical JSON.
    """
    value = parse_strict(document)
    if not isinstance(value, dict) or value.pop("schema", None) != EVENT_SCHEMA:
        raise MalformedError(f"it does not say {EVENT_SCHEMA}")
    event = as_model(Event, value)
    if event_document(event) != document:
        raise MalformedError("it is not in canonical form")
    return event


def get_chain_result(documents: Iterable[bytes], expected: ChainHead = EMPTY) -> ChainResult:
    """Check a chain, and say how far it holds.

    Args:
        documents: Events in order, as they are kept.
        expected: A head that the chain had at an earlier time and must still contain.
    """
    head = EMPTY
    events: list[Event] = []
    seen = {0: GENESIS}
    for position, document in enumerate(documents, start=1):
        problem = ""
        try:
            event = read_event(document)
        except MalformedError as error:
            return ChainResult(head, f"Event {position} cannot be read: {error}", tuple(events))
        if event.number != position:
            problem = f"Event {position} is missing: its place holds event {event.number}"
        elif event.previous != head.digest:
            problem = f"Event {position} does not follow the one before it"
        if problem:
            return ChainResult(head, problem, tuple(events))
        head = ChainHead(position, event_digest(document))
        seen[position] = head.digest
        events.append(event)
    return ChainResult(head, _against(expected, head, seen), tuple(events))


def _against(expected: ChainHead, head: ChainHead, seen: dict[int, str]) -> str:
    if expected.count > head.count:
        return f"Events were cut off: expected at least {expected.count}, found {head.count}"
    if seen[expected.count] != expected.digest:
        return f"The chain was written anew: event {expected.count} is not the one that was seen"
    return ""
