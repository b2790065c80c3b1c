"""The chain of events in the database: its head, and one event more."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from asf_core.domain.decision import Decision, DecisionKind
from asf_core.domain.event import ChainHead, Event, EventDraft, EventKind
from asf_core.store.ledger_tables import events
from asf_core.trust.chain import EMPTY, chain_event, event_digest, event_document


def chain_head(connection: Connection) -> ChainHead:
    """How long the chain is and what it ends in."""
    query = select(events.c.number, events.c.digest).order_by(events.c.number.desc()).limit(1)
    row = connection.execute(query).first()
    return EMPTY if row is None else ChainHead(row[0], row[1])


def append_event(connection: Connection, draft: EventDraft) -> Event:
    """Append an event, inside a writing transaction."""
    event = chain_event(draft, chain_head(connection))
    document = event_document(event)
    connection.execute(
        insert(events).values(
            number=event.number,
            digest=event_digest(document),
            kind=event.kind.value,
            content_hash=None if event.pin is None else event.pin.content_hash,
            document=document.decode(),
        )
    )
    return event


def decision_event(decision: Decision) -> EventDraft:
    """A curator's decision about a skill as an event."""
    quarantine = decision.kind is DecisionKind.QUARANTINE
    facts = {"skill_id": decision.skill_id}
    return EventDraft(
        at=decision.decided_at,
        actor=decision.actor,
        kind=EventKind.SKILL_QUARANTINED if quarantine else EventKind.SKILL_RELEASED,
        reason=decision.reason,
        facts=facts | ({"digest": decision.digest} if decision.digest else {}),
    )
