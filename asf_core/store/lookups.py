"""What a sync asks of the skills' records, and where it notes how far it came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import bindparam, select

from asf_core.store.database import IDENTITY_KEY, new_identity, upsert
from asf_core.store.group import RecordGroup
from asf_core.store.skills import document_query, read_record
from asf_core.store.tables import meta, skills
from asf_core.store.values import SkillMarkRow, SkillRecord

_INDEX_STAMP = "index_stamp"
_PAGE = 500


class LookupRecords(RecordGroup):
    """Skills by the digests that a sync compares."""

    def states(self) -> dict[str, str]:
        """Id and fingerprint of every skill."""
        with self._database.read() as connection:
            rows = connection.execute(select(skills.c.id, skills.c.fingerprint))
            return {row[0]: row[1] for row in rows}

    def marks(self) -> tuple[SkillMarkRow, ...]:
        """Every skill without its content, by id."""
        columns = (skills.c.id, skills.c.slug, skills.c.registry, skills.c.path, skills.c.digest)
        query = select(*columns)
        with self._database.read() as connection:
            return tuple(SkillMarkRow(*row) for row in connection.execute(query.order_by("id")))

    def some(self, ids: Sequence[str]) -> Iterator[SkillRecord]:
        """The whole skills of these ids, in their order; unknown ids are passed over.

        Args:
            ids: Any number; a page of them is read at a time.
        """
        query = document_query().where(skills.c.id.in_(bindparam("ids", expanding=True)))
        for start in range(0, len(ids), _PAGE):
            page = ids[start : start + _PAGE]
            with self._database.read() as connection:
                found = connection.execute(query, {"ids": list(page)}).all()
            with self._understood():
                records = {r.skill.manifest.id: r for r in map(read_record, found)}
            yield from (records[id_] for id_ in page if id_ in records)

    def identity(self) -> str:
        """What tells this database from every other; empty for one of an earlier program."""
        query = select(meta.c.value).where(meta.c.key == IDENTITY_KEY)
        with self._database.read() as connection:
            return connection.scalar(query) or ""

    def give_identity(self) -> str:
        """The identity, given now to a database that has none yet."""
        if not self.identity():
            with self._database.write() as connection:
                upsert(connection, meta, [{"key": IDENTITY_KEY, "value": new_identity()}])
        return self.identity()

    def index_stamp(self) -> str:
        """What the last finished index was made from; empty before the first."""
        query = select(meta.c.value).where(meta.c.key == _INDEX_STAMP)
        with self._database.read() as connection:
            return connection.scalar(query) or ""

    def set_index_stamp(self, stamp: str) -> None:
        """Note what the index was made from, after it has been published."""
        with self._database.write() as connection:
            upsert(connection, meta, [{"key": _INDEX_STAMP, "value": stamp}])
