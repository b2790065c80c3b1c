"""What the gate takes out of routing, as far as no curator decided otherwise.

A curator's quarantine goes first: it is shown with the curator's reason. A curator's release stands
against the gate for the content that was looked at, which the tree digest names; other content is
judged anew.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, func, select

from asf_core.domain.decision import DecisionKind
from asf_core.store.quality_tables import judgements
from asf_core.store.tables import decisions, skills

PREFIX = "by the gate: "
"""Begins the reason of a quarantine that no person decided."""


def gated_in(connection: Connection) -> dict[str, str]:
    """Skills that the gate takes out and nobody released: id and reason."""
    released = released_in(connection)
    rows = connection.execute(_GATED)
    return {id_: f"{PREFIX}{reason}" for id_, reason in rows if id_ not in released}


def gate_reason(connection: Connection, skill_id: str) -> str | None:
    """Why the gate takes one skill out; ``None`` where it does not, or a release stands."""
    reason = connection.scalar(
        select(judgements.c.gate_reason).where(judgements.c.skill_id == skill_id)
    )
    if not reason or skill_id in released_in(connection, skill_id):
        return None
    return f"{PREFIX}{reason}"


def released_in(connection: Connection, skill_id: str | None = None) -> frozenset[str]:
    """Skills whose last decision is a release of the content that they have now.

    Args:
        connection: Inside a transaction.
        skill_id: Look at this one only.
    """
    query = _RELEASED if skill_id is None else _RELEASED.where(decisions.c.skill_id == skill_id)
    return frozenset(connection.scalars(query))


def _last() -> Select[Any]:
    return select(func.max(decisions.c.number)).group_by(decisions.c.skill_id)


_GATED = select(judgements.c.skill_id, judgements.c.gate_reason).where(
    judgements.c.gate_reason > ""  # as "!=", but an index can answer it
)
_RELEASED = (
    select(decisions.c.skill_id)
    .join(skills, skills.c.id == decisions.c.skill_id)
    .where(
        decisions.c.number.in_(_last()),
        decisions.c.kind == DecisionKind.RELEASE.value,
        decisions.c.digest == skills.c.digest,
    )
)
