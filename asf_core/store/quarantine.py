"""What is in quarantine: by its id, by its bytes, by a version that had these bytes.

The last decision about an id is in force, and so is the last one about a tree digest: a copy, or a
skill under another name, stays in quarantine until somebody looks at it and releases it. The
quarantine of a version is for good: its bytes come back under no name.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select

from asf_core.domain.decision import Decision, DecisionKind, Quarantine
from asf_core.domain.event import EventKind
from asf_core.store.ledger_tables import events, versions
from asf_core.store.tables import decisions, skills
from asf_core.trust.chain import read_event


def quarantine_in(connection: Connection) -> dict[str, str]:
    """The effective quarantine as one transaction sees it: skill id and reason."""
    found = {row.skill_id: row.reason for row in connection.execute(_LAST_BY_ID)}
    for skill_id, about, reason in connection.execute(_SAME_BYTES):
        found.setdefault(skill_id, _shown(reason, about, skill_id))
    for skill_id, content_hash in connection.execute(_OF_VERSIONS):
        if skill_id not in found:
            ended = _ended(connection, content_hash)
            found[skill_id] = _shown(ended.reason, ended.about, skill_id)
    return found


def quarantining(connection: Connection, skill_id: str, digest: str | None) -> Quarantine | None:
    """What keeps a skill in quarantine: a version with its bytes, its id, or its bytes.

    Args:
        connection: Inside a transaction.
        skill_id: Whether it is in the workspace or not.
        digest: Tree digest of its files; ``None`` when it has none.
    """
    if digest is not None:
        query = select(versions.c.content_hash).where(
            versions.c.tree_digest == digest, versions.c.terminal
        )
        ended = connection.scalar(query.limit(1))
        if ended is not None:
            return _ended(connection, ended)
    by_id = _last_decision(connection, decisions.c.skill_id, skill_id)
    return by_id or (_last_decision(connection, decisions.c.digest, digest) if digest else None)


def quarantine_reason(found: Quarantine, skill_id: str) -> str:
    """Why a skill is in quarantine, with where that was decided when it was about another one."""
    return _shown(found.reason, found.about, skill_id)


def read_decisions(connection: Connection, skill_id: str | None = None) -> tuple[Decision, ...]:
    """All decisions about a skill, or about any, oldest first."""
    query = select(decisions).order_by(decisions.c.number)
    if skill_id is not None:
        query = query.where(decisions.c.skill_id == skill_id)
    return tuple(
        Decision(number, about, DecisionKind(kind), digest, reason, actor, at)
        for number, about, kind, digest, reason, actor, at in connection.execute(query)
    )


def _last(column: Any) -> Any:
    return select(func.max(decisions.c.number)).where(column.is_not(None)).group_by(column)


_QUARANTINE = decisions.c.kind == DecisionKind.QUARANTINE.value
_LAST_BY_ID = select(decisions.c.skill_id, decisions.c.reason).where(
    decisions.c.number.in_(_last(decisions.c.skill_id)), _QUARANTINE
)
_SAME_BYTES = (
    select(skills.c.id, decisions.c.skill_id, decisions.c.reason)
    .join(decisions, decisions.c.digest == skills.c.digest)
    .where(decisions.c.number.in_(_last(decisions.c.digest)), _QUARANTINE)
)
_OF_VERSIONS = (
    select(skills.c.id, versions.c.content_hash)
    .join(versions, versions.c.tree_digest == skills.c.digest)
    .where(versions.c.terminal)
)


def _last_decision(connection: Connection, column: Any, value: str) -> Quarantine | None:
    query = select(decisions).where(column == value).order_by(decisions.c.number.desc()).limit(1)
    row = connection.execute(query).first()
    if row is None or row.kind != DecisionKind.QUARANTINE:
        return None
    return Quarantine(row.skill_id, row.reason, row.actor, row.decided_at, terminal=False)


def _ended(connection: Connection, content_hash: str) -> Quarantine:
    """The quarantine of a version, from the event that put it there."""
    query = select(events.c.document).where(
        events.c.content_hash == content_hash,
        events.c.kind == EventKind.VERSION_QUARANTINED.value,
    )
    text = connection.scalar(query.limit(1))
    if text is None:  # the ledger does not verify; the version stays out all the same
        return Quarantine(content_hash, "a version in quarantine has these files", "", "", True)
    event = read_event(text.encode())
    about = content_hash if event.pin is None else f"{event.pin.skill_id}@{event.pin.version}"
    return Quarantine(about, event.reason, event.actor, event.at, terminal=True)


def _shown(reason: str, about: str, skill_id: str) -> str:
    return reason if about == skill_id else f"{reason} (decided about {about}, the same files)"
