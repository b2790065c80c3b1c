"""Tables of what the gate and canonicalisation found (schema 2).

All of it can be made again from the skills; what a curator decided about it is among the decisions.
``skill_facts`` is written with the skill, the rest by the judging step of a sync. ``skills`` itself
keeps the score and whether it is a duplicate, which lists show.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
)

from asf_core.store.tables import metadata

skill_facts = Table(
    "skill_facts",
    metadata,
    Column("skill_id", ForeignKey("skills.id", ondelete="CASCADE"), primary_key=True),
    Column("facts", Text, nullable=False),
)

judgements = Table(
    "judgements",
    metadata,
    Column("skill_id", ForeignKey("skills.id", ondelete="CASCADE"), primary_key=True),
    Column("description_uniqueness", Float),
    # No foreign key: a canonical skill may go, and the next sync finds another one.
    Column("canonical_id", Text),
    Column("gate_reason", Text, nullable=False),
    Column("judgement", Text, nullable=False),
    # Every route asks for both; without them it would read all judgements.
    Index(None, "canonical_id"),
    Index(None, "gate_reason"),
)

duplicates = Table(
    "duplicates",
    metadata,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("value", Text, nullable=False),
)

description_vectors = Table(
    "description_vectors",
    metadata,
    # As text: SQLite's integers are signed, and keys have 48 bits, which PostgreSQL's lack.
    Column("key", Text, primary_key=True),
    Column("model", Text, primary_key=True),
    Column("vector", LargeBinary, nullable=False),
)

TABLES = (skill_facts, judgements, duplicates, description_vectors)


def add_quality_tables(connection: Connection) -> None:
    """The step from schema 1; skills that were read before are judged at the next sync."""
    metadata.create_all(connection, tables=list(TABLES))
