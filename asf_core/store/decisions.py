"""Curators' decisions: added, never changed, and longer-lived than the skills they are about."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, exists, func, or_, select

from asf_core.domain.decision import Decision, DecisionKind
from asf_core.domain.errors import InputError, UnknownSkillError
from asf_core.domain.event import EventDraft, EventKind
from asf_core.store.database import add_numbered
from asf_core.store.event_log import append_event
from asf_core.store.group import RecordGroup, stamp, storable
from asf_core.store.tables import decisions, skills


class DecisionRecords(RecordGroup):
    """Quarantine and release.

    The last decision about an id is in force, whatever became of the skill in the meantime: another
    content, a re-sync, gone and come back under the same id. So is the last decision about a tree
    digest: a copy, or the skill itself under another name, stays in quarantine.
    """

    def set_quarantine(
        self, skill_id: str, *, digest: str | None, reason: str, actor: str, when: datetime
    ) -> Decision:
        """Keep a skill out of routing until it is released.

        Args:
            skill_id: Of a skill that is or was in the workspace.
            digest: Tree digest of what was looked at.
            reason: In the curator's words.
            actor: Who decides.
            when: With a time zone.

        Raises:
            InputError: Reason or actor is empty.
            UnknownSkillError: No skill ever had that id.
        """
        return self._decide(DecisionKind.QUARANTINE, skill_id, digest, reason, actor, when)

    def release(
        self, skill_id: str, *, digest: str | None, reason: str, actor: str, when: datetime
    ) -> Decision:
        """Let a quarantined skill be routed again.

        Args:
            skill_id: Of a quarantined skill.
            digest: Tree digest of what was looked at.
            reason: In the curator's words.
            actor: Who decides.
            when: With a time zone.

        Raises:
            InputError: Reason or actor is empty, or the skill is not in quarantine.
            UnknownSkillError: No skill ever had that id.
        """
        return self._decide(DecisionKind.RELEASE, skill_id, digest, reason, actor, when)

    def quarantined(self) -> dict[str, str]:
        """The skills in quarantine, also those that are gone for now: id and reason."""
        with self._database.read() as connection:
            return quarantine_in(connection)

    def decisions(self, skill_id: str | None = None) -> tuple[Decision, ...]:
        """All decisions about a skill, or about any, oldest first."""
        query = select(decisions).order_by(decisions.c.number)
        if skill_id is not None:
            query = query.where(decisions.c.skill_id == skill_id)
        with self._database.read() as connection:
            return tuple(_decision(row) for row in connection.execute(query))

    def _decide(
        self,
        kind: DecisionKind,
        skill_id: str,
        digest: str | None,
        reason: str,
        actor: str,
        when: datetime,
    ) -> Decision:
        said = (_said(reason, "reason", kind), _said(actor, "actor", kind), stamp(when))
        values = {"skill_id": skill_id, "kind": kind.value, "digest": digest}
        values |= dict(zip(_WORDS, said, strict=True))
        # The check and the row are one transaction, so of two curators who release at once the
        # second learns that it is done.
        with self._database.write() as connection:
            _check_may(connection, kind, skill_id, digest)
            number = add_numbered(connection, decisions, values)
            append_event(connection, _event(kind, values))
        return Decision(number, skill_id, kind, digest, *said)


_WORDS = ("reason", "actor", "decided_at")


def quarantine_in(connection: Connection) -> dict[str, str]:
    """The effective quarantine as one transaction sees it: id and reason.

    A skill is in it by its id, or because a decision about the same bytes under another id is.
    """
    found = {row.skill_id: row.reason for row in connection.execute(_LAST_BY_ID)}
    for skill_id, about, reason in connection.execute(_SAME_BYTES):
        found.setdefault(skill_id, _shown(reason, about, skill_id))
    return found


def quarantining(connection: Connection, skill_id: str, digest: str | None) -> Decision | None:
    """The decision that keeps a skill in quarantine: about its id, else about its bytes.

    Args:
        connection: Inside a transaction.
        skill_id: Whether it is in the workspace or not.
        digest: Tree digest of its files; ``None`` when it has none.
    """
    for column, value in ((decisions.c.skill_id, skill_id), (decisions.c.digest, digest)):
        if value is None:
            continue
        query = select(decisions).where(column == value).order_by(decisions.c.number.desc())
        row = connection.execute(query.limit(1)).first()
        if row is not None and row.kind == DecisionKind.QUARANTINE:
            return _decision(row)
    return None


def quarantine_reason(decision: Decision, skill_id: str) -> str:
    """Why a skill is in quarantine, with where that was decided when it was about another id."""
    return _shown(decision.reason, decision.skill_id, skill_id)


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


def _shown(reason: str, about: str, skill_id: str) -> str:
    return reason if about == skill_id else f"{reason} (decided about {about}, the same files)"


def _decision(row: Any) -> Decision:
    number, about, kind, digest, reason, actor, at = row
    return Decision(number, about, DecisionKind(kind), digest, reason, actor, at)


def _said(text: str, what: str, kind: DecisionKind) -> str:
    if not text.strip():
        raise InputError(
            f"A {kind.value} needs {'a reason' if what == 'reason' else 'to say who decides'}",
            why=f"The {what} is empty, and a decision is kept for those who come later",
            hint=f"Give one with --{what}",
        )
    return storable(text.strip())


def _event(kind: DecisionKind, values: Mapping[str, Any]) -> EventDraft:
    quarantine = kind is DecisionKind.QUARANTINE
    facts = {"skill_id": values["skill_id"]}
    return EventDraft(
        at=values["decided_at"],
        actor=values["actor"],
        kind=EventKind.SKILL_QUARANTINED if quarantine else EventKind.SKILL_RELEASED,
        reason=values["reason"],
        facts=facts | ({"digest": values["digest"]} if values["digest"] else {}),
    )


def _check_may(
    connection: Connection, kind: DecisionKind, skill_id: str, digest: str | None
) -> None:
    known = or_(
        exists().where(skills.c.id == skill_id), exists().where(decisions.c.skill_id == skill_id)
    )
    if not connection.scalar(select(known)):
        raise UnknownSkillError(skill_id)
    if kind is DecisionKind.RELEASE and quarantining(connection, skill_id, digest) is None:
        raise InputError(
            f"{skill_id} is not in quarantine",
            why="Only a quarantined skill can be released",
            hint="List the quarantined ones with: asf skills --state quarantined",
        )
