"""Records of what the gate and canonicalisation found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import bindparam, delete, insert, select, update

from asf_core.domain.errors import UnknownSkillError
from asf_core.store.database import upsert
from asf_core.store.gate_state import gated_in, released_in
from asf_core.store.group import RecordGroup, chunks
from asf_core.store.quality_tables import description_vectors, duplicates, judgements, skill_facts
from asf_core.store.tables import documents, meta, skills

_STAMP = "quality_stamp"


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """What is kept of one skill's judgement."""

    skill_id: str
    slop_score: float
    description_uniqueness: float | None
    canonical_id: str | None
    gate_reason: str
    """Empty for a skill that passes."""
    judgement: str
    """The whole of it, in the text that the caller reads again."""


@dataclass(frozen=True, slots=True)
class FactsRow:
    """What the gate reads of one skill."""

    skill_id: str
    registry: str
    path: str
    slug: str
    description: str
    version: str | None
    broken: bool
    facts: str


class QualityRecords(RecordGroup):
    """Facts, judgements, duplicates, vectors of descriptions."""

    def facts(self) -> tuple[FactsRow, ...]:
        """Of every skill that has any, by id."""
        query = (
            select(
                skills.c.id, skills.c.registry, skills.c.path, skills.c.slug, skills.c.description,
                skills.c.version, skills.c.state, skill_facts.c.facts,
            )
            .join_from(skills, skill_facts)
            .order_by(skills.c.id)
        )  # fmt: skip
        with self._database.read() as connection:
            return tuple(
                FactsRow(*values[:6], broken=values[6] == "broken", facts=values[7])
                for values in connection.execute(query)
            )

    def put_judgements(self, rows: Sequence[JudgedRow]) -> int:
        """Put all judgements in place of the last ones; only those that differ are written.

        Args:
            rows: Of every skill that was judged; the others have none afterwards.

        Returns:
            How many were written.
        """
        with self._database.write() as connection:
            known = {r[0]: tuple(r) for r in connection.execute(select(*_JUDGED))}
            wanted = {row.skill_id: _values(row) for row in rows}
            changed = [v for i, v in wanted.items() if known.get(i) != tuple(v.values())]
            upsert(connection, judgements, changed)
            _delete(connection, judgements.c.skill_id, known.keys() - wanted.keys())
            light = [_light(row) for row in rows]
            if light:
                connection.execute(_SET_SCORE, light)
        return len(changed)

    def judgement(self, skill_id: str) -> str | None:
        """The judgement of one skill; ``None`` before it was judged.

        Raises:
            UnknownSkillError: No skill has that id.
        """
        query = (
            select(judgements.c.judgement)
            .select_from(skills.outerjoin(judgements))
            .where(skills.c.id == skill_id)
        )
        with self._database.read() as connection:
            found = connection.execute(query).first()
        if found is None:
            raise UnknownSkillError(skill_id)
        return None if found[0] is None else str(found[0])

    def judgements(self) -> dict[str, str]:
        """Every judgement by id, in order."""
        query = select(judgements.c.skill_id, judgements.c.judgement).order_by("skill_id")
        with self._database.read() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def gated(self) -> dict[str, str]:
        """Skills that the gate takes out of routing and nobody released: id and reason."""
        with self._database.read() as connection:
            return gated_in(connection)

    def released(self) -> frozenset[str]:
        """Skills for which a curator's release stands."""
        with self._database.read() as connection:
            return released_in(connection)

    def not_invocable(self) -> frozenset[str]:
        """Skills that are switched off for models."""
        # Looked for in the text: to read every document for one flag would take a second.
        query = select(documents.c.skill_id).where(
            documents.c.skill.contains('"model_invocable":false', autoescape=True)
        )
        with self._database.read() as connection:
            return frozenset(connection.scalars(query))

    def aliases(self) -> dict[str, str]:
        """Id of each alias and of the skill that stands for it."""
        query = select(judgements.c.skill_id, judgements.c.canonical_id)
        with self._database.read() as connection:
            rows = connection.execute(query.where(judgements.c.canonical_id.is_not(None)))
            return {row[0]: row[1] for row in rows}

    def put_duplicates(self, values: Sequence[tuple[str, str]]) -> None:
        """Put the whole of what canonicalisation found in place of the last.

        Args:
            values: Kind and JSON, in the order in which they are to be read.
        """
        rows = [{"position": at, "kind": k, "value": v} for at, (k, v) in enumerate(values)]
        with self._database.write() as connection:
            connection.execute(delete(duplicates))
            if rows:
                connection.execute(insert(duplicates), rows)

    def duplicates(self, kind: str) -> tuple[str, ...]:
        """What canonicalisation found of one kind, as JSON, in order."""
        query = select(duplicates.c.value).where(duplicates.c.kind == kind)
        with self._database.read() as connection:
            return tuple(connection.scalars(query.order_by(duplicates.c.position)))

    def description_vectors(self, model: str) -> dict[int, NDArray[np.float32]]:
        """The vectors of all texts that one model has encoded, by key."""
        query = select(description_vectors.c.key, description_vectors.c.vector).where(
            description_vectors.c.model == model
        )
        with self._database.read() as connection:
            rows = connection.execute(query)
            return {int(row[0]): np.frombuffer(row[1], "<f4") for row in rows}

    def put_description_vectors(
        self, model: str, vectors: Mapping[int, NDArray[np.float32]]
    ) -> None:
        """Keep vectors, a batch at a time."""
        rows = [
            {"key": str(key), "model": model, "vector": vector.astype("<f4").tobytes()}
            for key, vector in vectors.items()
        ]
        with self._database.write() as connection:
            upsert(connection, description_vectors, rows)

    def drop_description_vectors(self, keys: Iterable[int], *, but_of: str = "") -> None:
        """Forget the vectors of texts that no skill has, and those of other models.

        Args:
            keys: Of the texts.
            but_of: The model whose vectors stay.
        """
        with self._database.write() as connection:
            connection.execute(
                delete(description_vectors).where(description_vectors.c.model != but_of)
            )
            _delete(connection, description_vectors.c.key, {str(key) for key in keys})

    def quality_stamp(self) -> str:
        """What the judgements were made from; empty before the first."""
        query = select(meta.c.value).where(meta.c.key == _STAMP)
        with self._database.read() as connection:
            return connection.scalar(query) or ""

    def set_quality_stamp(self, stamp: str) -> None:
        """Note what the judgements were made from, after all of them were written."""
        with self._database.write() as connection:
            upsert(connection, meta, [{"key": _STAMP, "value": stamp}])


_JUDGED = (
    judgements.c.skill_id,
    judgements.c.description_uniqueness,
    judgements.c.canonical_id,
    judgements.c.gate_reason,
    judgements.c.judgement,
)
_SET_SCORE = (
    update(skills)
    .where(skills.c.id == bindparam("of"))
    .values(slop_score=bindparam("score"), is_duplicate=bindparam("duplicate"))
)


def _values(row: JudgedRow) -> dict[str, Any]:
    return {
        "skill_id": row.skill_id,
        "description_uniqueness": row.description_uniqueness,
        "canonical_id": row.canonical_id,
        "gate_reason": row.gate_reason,
        "judgement": row.judgement,
    }


def _light(row: JudgedRow) -> dict[str, Any]:
    return {
        "of": row.skill_id,
        "score": row.slop_score,
        "duplicate": row.canonical_id is not None,
    }


def _delete(connection: Any, column: Any, values: Collection[str]) -> None:
    statement = delete(column.table).where(column.in_(bindparam("gone", expanding=True)))
    for some in chunks(sorted(values)):
        connection.execute(statement, {"gone": list(some)})
