"""Records of skills."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, select

from asf_core.domain.decision import DecisionKind
from asf_core.domain.errors import AmbiguousSkillError, UnknownSkillError
from asf_core.domain.findings import Severity
from asf_core.domain.manifest import Quality, Risk
from asf_core.domain.skill import QuarantinedBy, Skill, SkillRow, SkillState
from asf_core.store.database import upsert
from asf_core.store.decisions import in_force, quarantine_in
from asf_core.store.gate_state import gate_reason, gated_in
from asf_core.store.group import RecordGroup, chunks, storable
from asf_core.store.quality_tables import judgements, skill_facts
from asf_core.store.tables import dangling, documents, registries, skills
from asf_core.store.values import SkillRecord

_RISKS = {risk.value: risk for risk in Risk}
_STATES = {state.value: state for state in SkillState}
_SEVERITIES = {severity.value: severity for severity in Severity}
_LIGHT = (
    "id", "slug", "registry", "path", "description", "version", "capability", "risk", "state",
    "state_reason", "findings", "worst", "tokens", "dirty", "slop_score", "is_duplicate",
)  # fmt: skip
_NEAREST = 5
_PAGE = 500


class SkillRecords(RecordGroup):
    """Skills by id."""

    def put_skills(self, registry: str, records: Sequence[SkillRecord]) -> None:
        """Insert skills, or replace those whose id is there already, all in one transaction.

        Args:
            registry: Name of a registry of the workspace; all records are of it.
            records: In batches of any size; a sync that is stopped keeps the whole batches.

        Raises:
            StoreError: The registry is not in the workspace.
            ValueError: A record is of another registry.
        """
        strangers = [r for r in records if r.skill.manifest.source.registry != registry]
        if strangers:
            raise ValueError(f"{strangers[0].skill.manifest.id} is not of registry {registry}")
        light = [_light_columns(record) for record in records]
        whole = [
            {"skill_id": r.skill.manifest.id, "skill": r.skill.model_dump_json()} for r in records
        ]
        facts = [{"skill_id": r.skill.manifest.id, "facts": r.facts} for r in records if r.facts]
        with self._database.write() as connection:
            # The last judgement stays until the next one: what a stopped sync has read anew must
            # not be routed in the meantime because nobody has judged it.
            upsert(connection, skills, light, keep=("slop_score", "is_duplicate"))
            upsert(connection, documents, whole)
            upsert(connection, skill_facts, facts)

    def drop_skills(self, ids: Sequence[str]) -> None:
        """Forget skills with their edges; decisions about them stay. Unknown ids are passed over."""
        statement = delete(skills).where(skills.c.id.in_(bindparam("ids", expanding=True)))
        with self._database.write() as connection:
            for some in chunks(ids):
                connection.execute(statement, {"ids": list(some)})

    def fingerprints(self, registry: str) -> dict[str, str]:
        """What the last sync saw: path of each skill's directory and its fingerprint."""
        return self._pairs(skills.c.path, skills.c.fingerprint, registry)

    def ids(self, registry: str) -> set[str]:
        """The ids of all skills of a registry."""
        return set(self._pairs(skills.c.id, skills.c.registry, registry))

    def drop_strays(self) -> None:
        """Forget what belongs to no registry or no skill: only damage leaves such rows."""
        with self._database.write() as connection:
            known = select(registries.c.name)
            connection.execute(delete(skills).where(skills.c.registry.not_in(known)))
            for table in (documents, dangling, judgements, skill_facts):
                stray = table.c.skill_id.not_in(select(skills.c.id))
                connection.execute(delete(table).where(stray))

    def view_digests(self, registry: str | None = None) -> dict[str, str]:
        """Id and digest of the encoded text of each skill that is encoded."""
        pairs = self._pairs(skills.c.id, skills.c.view_digest, registry)
        return {skill_id: digest for skill_id, digest in pairs.items() if digest}

    def rows(self, registry: str | None = None) -> tuple[SkillRow, ...]:
        """One light row a skill, by id, with its effective state."""
        query = (
            select(*(skills.c[name] for name in _LIGHT), judgements.c.canonical_id)
            .select_from(skills.outerjoin(judgements))
            .order_by(skills.c.id)
        )
        if registry is not None:
            query = query.where(skills.c.registry == registry)
        with self._understood(), self._database.read() as connection:
            standing = _Standing(connection)
            return tuple(_row(values, standing) for values in connection.execute(query))

    def skill(self, skill_id: str) -> Skill:
        """A whole skill, with its effective state.

        Raises:
            UnknownSkillError: No skill has that id.
        """
        query = select(documents.c.skill).where(documents.c.skill_id == skill_id)
        with self._database.read() as connection:
            text = connection.scalar(query)
            if text is None:
                raise UnknownSkillError(skill_id, _nearest(connection, skill_id))
            decision = in_force(connection, skill_id)
            gate = gate_reason(connection, skill_id)
            quality = connection.execute(_QUALITY.where(skills.c.id == skill_id)).one()
        with self._understood():
            skill = _with_quality(Skill.model_validate_json(text), quality)
        if decision is not None and decision[0] == DecisionKind.QUARANTINE:
            return _with_quarantine(skill, decision[1], QuarantinedBy.CURATOR)
        return skill if gate is None else _with_quarantine(skill, gate, QuarantinedBy.GATE)

    def records(self, registry: str | None = None) -> Iterator[SkillRecord]:
        """Whole skills one by one, by id, for what must look at all of them.

        It reads a page at a time and holds no transaction in between; the caller holds the writer
        lock when it needs one state throughout.
        """
        last = ""
        while page := self._page(registry, last):
            yield from page
            last = page[-1].skill.manifest.id

    def resolve(self, ref: str) -> str:
        """Find the id that an id or slug stands for; an id goes first.

        Raises:
            UnknownSkillError: None; it names the nearest ones.
            AmbiguousSkillError: The slug is carried by several skills.
        """
        with self._database.read() as connection:
            if connection.scalar(select(skills.c.id).where(skills.c.id == ref)) is not None:
                return ref
            query = select(skills.c.id).where(skills.c.slug == ref).order_by(skills.c.id)
            choices = connection.scalars(query).all()
            if not choices:
                raise UnknownSkillError(ref, _nearest(connection, ref))
        if len(choices) > 1:
            raise AmbiguousSkillError(ref, choices)
        return str(choices[0])

    def _pairs(self, key: Any, value: Any, registry: str | None) -> dict[str, str]:
        query = select(key, value)
        if registry is not None:
            query = query.where(skills.c.registry == registry)
        with self._database.read() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def _page(self, registry: str | None, after: str) -> list[SkillRecord]:
        query = document_query().where(skills.c.id > after).order_by(skills.c.id).limit(_PAGE)
        if registry is not None:
            query = query.where(skills.c.registry == registry)
        with self._database.read() as connection:
            standing = _Standing(connection)
            found = connection.execute(query).all()
        with self._understood():
            return [_record(row, standing) for row in found]


def _light_columns(record: SkillRecord) -> dict[str, Any]:
    skill, manifest = record.skill, record.skill.manifest
    worst = max((f.severity for f in skill.findings), key=lambda s: s.rank, default=None)
    return {
        "id": manifest.id,
        "registry": manifest.source.registry,
        "path": manifest.source.path,
        "slug": storable(manifest.slug),
        "description": storable(manifest.description),
        "version": None if manifest.version is None else storable(manifest.version),
        "capability": storable(manifest.capability.type),
        "risk": manifest.risk.value,
        "state": skill.state.value,
        "state_reason": storable(skill.state_reason),
        "findings": len(skill.findings),
        "worst": None if worst is None else worst.value,
        "tokens": record.tokens,
        "listing_tokens": record.listing_tokens,
        "dirty": skill.provenance.dirty,
        "slop_score": manifest.quality.slop_score,
        "is_duplicate": manifest.quality.is_duplicate,
        "digest": skill.digest,
        "fingerprint": record.fingerprint,
        "view_digest": record.view_digest,
    }


class _Standing:
    """Who took which skills out of routing, as one transaction sees it."""

    def __init__(self, connection: Connection) -> None:
        self._curators = quarantine_in(connection)
        self._gate = gated_in(connection)

    def of(self, skill_id: str) -> tuple[QuarantinedBy | None, str]:
        """Who, and why."""
        if skill_id in self._curators:
            return QuarantinedBy.CURATOR, self._curators[skill_id]
        if skill_id in self._gate:
            return QuarantinedBy.GATE, self._gate[skill_id]
        return None, ""


def _row(values: Any, standing: _Standing) -> SkillRow:
    (id_, slug, registry, path, description, version, capability, risk, state, why, *rest) = values
    findings, worst, tokens, dirty, slop_score, is_duplicate, canonical_id = rest
    effective = _STATES[state]
    by, reason = standing.of(id_) if effective is not SkillState.BROKEN else (None, "")
    if by is not None:
        effective, why = SkillState.QUARANTINED, reason
    return SkillRow(
        id_, slug, registry, path, description, version, capability, _RISKS[risk], effective, why,
        findings, _SEVERITIES[worst] if worst else None, tokens, dirty, slop_score, is_duplicate,
        by, canonical_id,
    )  # fmt: skip


def document_query() -> Select[Any]:
    """The columns that :func:`read_record` makes a record from."""
    return select(
        documents.c.skill,
        skills.c.fingerprint,
        skills.c.view_digest,
        skills.c.tokens,
        skills.c.listing_tokens,
    ).join_from(skills, documents)


def read_record(row: Any) -> SkillRecord:
    """A record as it was put in: without decisions."""
    return SkillRecord(Skill.model_validate_json(row[0]), *row[1:])


def _record(row: Any, standing: _Standing) -> SkillRecord:
    record = read_record(row)
    by, reason = standing.of(record.skill.manifest.id)
    if by is None:
        return record
    return replace(record, skill=_with_quarantine(record.skill, reason, by))


def _with_quarantine(skill: Skill, reason: str, by: QuarantinedBy) -> Skill:
    # What cannot be read cannot be released into use either, so broken goes first.
    if skill.state is SkillState.BROKEN:
        return skill
    state = {"state": SkillState.QUARANTINED, "state_reason": reason, "quarantined_by": by}
    return skill.model_copy(update=state)


_QUALITY = select(
    skills.c.slop_score, skills.c.is_duplicate, judgements.c.description_uniqueness
).select_from(skills.outerjoin(judgements))


def _with_quality(skill: Skill, values: Any) -> Skill:
    score, duplicate, unique = values
    quality = Quality(slop_score=score, description_uniqueness=unique, is_duplicate=duplicate)
    manifest = skill.manifest.model_copy(update={"quality": quality})
    return skill.model_copy(update={"manifest": manifest})


def _nearest(connection: Connection, ref: str) -> list[str]:
    """Ids whose slug or id comes close to a reference, best first."""
    wanted = ref.casefold()
    names: dict[str, str] = {}
    for skill_id, slug in connection.execute(select(skills.c.id, skills.c.slug)):
        names.setdefault(skill_id.casefold(), skill_id)
        names.setdefault(slug.casefold(), skill_id)
    close = difflib.get_close_matches(wanted, names, n=2 * _NEAREST, cutoff=0.6)
    return list(dict.fromkeys(names[name] for name in close))[:_NEAREST]
