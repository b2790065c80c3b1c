"""The tables of the workspace's database.

Two tables hold a skill: ``skills`` has the few columns that lists need and stays small enough to
be scanned whole; ``documents`` has the skill itself, as JSON. Decisions name a skill without a
foreign key: they outlive it. Times are RFC 3339 text in UTC, which sorts as time does.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    event,
)

SCHEMA_VERSION = 2
"""Of these tables; raise it together with a step in :mod:`asf_core.store.migrations`."""

metadata = MetaData(
    naming_convention={
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)

meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

registries = Table(
    "registries",
    metadata,
    Column("name", Text, primary_key=True),
    Column("path", Text, nullable=False, unique=True),
    Column("added_at", Text, nullable=False),
    Column("synced_at", Text),
)

registry_findings = Table(
    "registry_findings",
    metadata,
    Column("registry", ForeignKey("registries.name", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("finding", Text, nullable=False),
)

sync_runs = Table(
    "sync_runs",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("registry", ForeignKey("registries.name", ondelete="CASCADE"), nullable=False),
    Column("started_at", Text, nullable=False),
    Column("finished_at", Text),
    Column("outcome", Text),
    Column("report", Text, nullable=False, default=""),
    Index(None, "registry"),
)

skills = Table(
    "skills",
    metadata,
    Column("id", Text, primary_key=True),
    Column("registry", ForeignKey("registries.name", ondelete="CASCADE"), nullable=False),
    Column("path", Text, nullable=False),
    Column("slug", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("version", Text),
    Column("capability", Text, nullable=False),
    Column("risk", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("state_reason", Text, nullable=False),
    Column("findings", Integer, nullable=False),
    Column("worst", Text),
    Column("tokens", Integer, nullable=False),
    Column("listing_tokens", Integer, nullable=False),
    Column("dirty", Boolean),
    Column("slop_score", Float),
    Column("is_duplicate", Boolean, nullable=False),
    Column("digest", Text),
    Column("fingerprint", Text, nullable=False),
    Column("view_digest", Text, nullable=False),
    Index(None, "registry"),
    Index(None, "slug"),
)

documents = Table(
    "documents",
    metadata,
    Column("skill_id", ForeignKey("skills.id", ondelete="CASCADE"), primary_key=True),
    Column("skill", Text, nullable=False),
)

edges = Table(
    "edges",
    metadata,
    Column("source", ForeignKey("skills.id", ondelete="CASCADE"), primary_key=True),
    Column("target", ForeignKey("skills.id", ondelete="CASCADE"), primary_key=True),
    Column("edge", Text, nullable=False),
    Index(None, "target"),
)

dangling = Table(
    "dangling",
    metadata,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("skill_id", ForeignKey("skills.id", ondelete="CASCADE"), nullable=False),
    Column("finding", Text, nullable=False),
    Index(None, "skill_id"),
)

decisions = Table(
    "decisions",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("skill_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("digest", Text),
    Column("reason", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("decided_at", Text, nullable=False),
    Index(None, "skill_id"),
    # Numbers are never given twice, so "the highest number" always means "the last decision".
    sqlite_autoincrement=True,
)

READ_ANEW = frozenset(
    {"skills", "documents", "edges", "dangling", "registry_findings", "sync_runs"}
)
"""Tables that a sync fills from what stands on disk. All others hold what is recorded only there."""


@event.listens_for(decisions, "after_create")
def _only_added(_table: Table, connection: Connection, **_: object) -> None:
    # A bug or a stray statement must not rewrite history, so the database itself refuses.
    for statement in _ONLY_ADDED[connection.dialect.name]:
        connection.exec_driver_sql(statement)


_ONLY_ADDED = {
    "sqlite": [
        f"CREATE TRIGGER decisions_no_{verb.lower()} BEFORE {verb} ON decisions "
        "BEGIN SELECT RAISE(ABORT, 'decisions are only added'); END"
        for verb in ("UPDATE", "DELETE")
    ],
    "postgresql": [
        "CREATE FUNCTION decisions_only_added() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'decisions are only added'; END $$",
        "CREATE TRIGGER decisions_only_added BEFORE UPDATE OR DELETE ON decisions "
        "FOR EACH ROW EXECUTE FUNCTION decisions_only_added()",
    ],
}
