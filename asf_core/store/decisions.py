"""Curators' decisions: added, never changed, and longer-lived than the skills they are about."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, exists, func, or_, select

from asf_core.domain.decision import Decision, DecisionKind
from asf_core.domain.errors import InputError, UnknownSkillError
from asf_core.store.database import add_numbered
from asf_core.store.gate_state import gate_reason
from asf_core.store.group import RecordGroup, stamp, storable
from asf_core.store.tables import decisions, skills


class DecisionRecords(RecordGroup):
    """Quarantine and release.

    The last decision about an id is in force. It does not matter what became of the skill in the
    meantime: another content, a re-sync, gone and come back under the same id. Only against the
    gate a release stands no longer than the content that was looked at.
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
        """The skills that curators put in quarantine, also those that are gone for now.

        Returns:
            Id and reason. What the gate takes out is not among them.
        """
        with self._database.read() as connection:
            return quarantine_in(connection)

    def decisions(self, skill_id: str | None = None) -> tuple[Decision, ...]:
        """All decisions about a skill, or about any, oldest first."""
        query = select(decisions).order_by(decisions.c.number)
        if skill_id is not None:
            query = query.where(decisions.c.skill_id == skill_id)
        with self._database.read() as connection:
            return tuple(
                Decision(number, about, DecisionKind(kind), digest, reason, actor, at)
                for number, about, kind, digest, reason, actor, at in connection.execute(query)
            )

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
        return Decision(number, skill_id, kind, digest, *said)


_WORDS = ("reason", "actor", "decided_at")


def quarantine_in(connection: Connection) -> dict[str, str]:
    """The effective quarantine as one transaction sees it: id and reason."""
    last = select(func.max(decisions.c.number)).group_by(decisions.c.skill_id)
    query = select(decisions.c.skill_id, decisions.c.reason).where(
        decisions.c.number.in_(last), decisions.c.kind == DecisionKind.QUARANTINE.value
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def in_force(connection: Connection, skill_id: str) -> tuple[str, str] | None:
    """The last decision about one skill as (kind, reason); ``None`` when there is none."""
    query = (
        select(decisions.c.kind, decisions.c.reason)
        .where(decisions.c.skill_id == skill_id)
        .order_by(decisions.c.number.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return None if row is None else (row[0], row[1])


def _said(text: str, what: str, kind: DecisionKind) -> str:
    if not text.strip():
        raise InputError(
            f"A {kind.value} needs {'a reason' if what == 'reason' else 'to say who decides'}",
            why=f"The {what} is empty, and a decision is kept for those who come later",
            hint=f"Give one with --{what}",
        )
    return storable(text.strip())


def _check_may(
    connection: Connection, kind: DecisionKind, skill_id: str, digest: str | None
) -> None:
    known = or_(
        exists().where(skills.c.id == skill_id), exists().where(decisions.c.skill_id == skill_id)
    )
    if not connection.scalar(select(known)):
        raise UnknownSkillError(skill_id)
    if kind is not DecisionKind.RELEASE:
        return
    last = in_force(connection, skill_id)
    if last is not None and last[0] == DecisionKind.QUARANTINE:
        return
    if gate_reason(connection, skill_id) is None:
        raise InputError(
            f"{skill_id} is not in quarantine",
            why="Only a quarantined skill can be released",
            hint="List the quarantined ones with: asf skills --state quarantined",
        )
    if digest is None:
        raise InputError(
            f"{skill_id} cannot be released",
            why="Its files were refused, so there is no digest that a release could stand for",
            hint="Mend what its findings name: asf show " + skill_id,
        )
