"""The tables of the control plane.

``versions``, ``pointers`` and ``grants`` say how things stand and follow from ``events``, which say
how it came about; verifying compares the two. A version's content, a receipt, a policy, an
authorisation, a feedback and an event are only ever added. Envelopes are kept as they came.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    event,
)

from asf_core.store.guards import forbid, only_added
from asf_core.store.tables import metadata

blobs = Table(
    "blobs",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)

versions = Table(
    "versions",
    metadata,
    Column("content_hash", Text, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("skill_id", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("tree_digest", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("tree", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("terminal", Boolean, nullable=False),
    Column("reasons", Text, nullable=False),
    UniqueConstraint("skill_id", "version"),
    Index(None, "tree_digest"),
)
_CONTENT = ("content_hash", "number", "skill_id", "version", "tree_digest", "content", "tree")

pointers = Table(
    "pointers",
    metadata,
    Column("skill_id", Text, primary_key=True),
    Column("content_hash", ForeignKey("versions.content_hash"), nullable=False, unique=True),
)

receipts = Table(
    "receipts",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("key", Text, nullable=False, unique=True),
    Column("content_hash", ForeignKey("versions.content_hash"), nullable=False),
    Column("envelope", LargeBinary, nullable=False),
    Column("recorded_at", Text, nullable=False),
    Index(None, "content_hash"),
)

revocations = Table(
    "revocations",
    metadata,
    Column("grant_id", Text, primary_key=True),
    Column("revoked_at", Text, nullable=False),
    Column("revoked_by", Text, nullable=False),
    Column("reason", Text, nullable=False),
)

authorisations = Table(
    "authorisations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("content_hash", ForeignKey("versions.content_hash"), nullable=False),
    Column("document", Text, nullable=False),
    Index(None, "content_hash"),
)

feedback = Table(
    "feedback",
    metadata,
    Column("id", Text, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("content_hash", ForeignKey("versions.content_hash"), nullable=False),
    Column("document", Text, nullable=False),
    Index(None, "content_hash"),
)

policies = Table(
    "policies",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("document", Text, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("digest", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("content_hash", Text),
    Column("document", Text, nullable=False),
    Index(None, "content_hash"),
)

LEDGER_TABLES = (
    blobs, versions, pointers, receipts, revocations, authorisations, feedback, policies, events,
)  # fmt: skip
"""In the order in which foreign keys allow them to be made."""


for _table in (blobs, receipts, revocations, authorisations, feedback, policies, events):
    event.listen(_table, "after_create", only_added)


@event.listens_for(versions, "after_create")
def _content_stays(table: Table, connection: Connection, **_: object) -> None:
    message = "the content of versions is only added"
    forbid(table.name, ("UPDATE", "DELETE"), message, connection, _CONTENT)
