"""From records to what routing reads: vectors, graph, snapshot.

Every step is keyed by digests, so that it does only what is missing: a text that was encoded once,
in whatever skill, is never encoded again by the same models.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from asf_core.domain.errors import ModelMissingError
from asf_core.domain.skill import SkillState
from asf_core.domain.sync import SyncPhase, SyncProgress

if TYPE_CHECKING:
    from pathlib import Path

    from asf_core.domain.skill import Skill
    from asf_core.registry.tree import SkillTree
    from asf_core.retrieval.models.loading import Encoders
    from asf_core.services.routing import RouterHolder
    from asf_core.store.arrays import IndexRow, StoredVectors
    from asf_core.store.records import Records
    from asf_core.store.snapshot_content import SnapshotRow
    from asf_core.store.values import SkillRecord
    from asf_core.store.vectors import VectorStore
    from asf_core.store.workspace import Workspace

_BATCH = 32
_CHARACTERS_A_TOKEN = 4
"""Of English text: an estimate, for when the tokenizer is missing."""
_ALL = "all registries"
_GRAPH_VERSION = "1"
"""Raised when equal skills give other edges, so that workspaces renew theirs."""

Progress = Callable[[SyncProgress], None]


class Cancelled(Exception):  # noqa: N818 - a request, not an error
    """Raised inside a sync when it was asked to stop."""


class Indexer:
    """Renews what routing reads, when records have changed.

    Args:
        workspace: Where it is kept.
        records: What it is made from.
        router: Holds the encoders.
        degraded: Make an index without vectors where a model is missing, instead of raising.
    """

    def __init__(
        self,
        workspace: Workspace,
        records: Records,
        router: RouterHolder,
        *,
        degraded: bool = False,
    ) -> None:
        self._workspace = workspace
        self._records = records
        self._router = router
        self._degraded = degraded
        self.encoded: Counter[str] = Counter()
        """How many skills this indexer has encoded, by registry."""

    @property
    def generation(self) -> str:
        """The index that routing reads now; empty before the first."""
        from asf_core.store.snapshot import current_generation

        return current_generation(self._workspace.snapshots) or ""

    def record(self, skill: Skill, tree: SkillTree | None, fingerprint: str) -> SkillRecord:
        """What the store keeps of a skill that was just read."""
        from asf_core.retrieval.views import view_digest
        from asf_core.services.reading_quality import facts_of
        from asf_core.store.values import SkillRecord

        manifest = skill.manifest
        listing = self._count(f"{manifest.name}: {manifest.description}")
        return SkillRecord(
            skill=skill,
            fingerprint=fingerprint,
            view_digest=(
                "" if skill.state is SkillState.BROKEN else view_digest(manifest, skill.body)
            ),
            tokens=listing + self._count(skill.body),
            listing_tokens=listing,
            facts=facts_of(skill, tree).dump(),
        )

    def run(self, progress: Progress, cancel: threading.Event) -> None:
        """Bring vectors, graph and snapshot up to the records.

        Raises:
            Cancelled: Asked to stop; the batches that were encoded are kept.
            ModelMissingError: A model is needed and absent.
        """
        stamp = self._stamp()
        if self.generation and self._records.index_stamp() == stamp:
            return
        if self._model:
            self._encode(progress, cancel)
        progress(SyncProgress(_ALL, SyncPhase.GRAPH, 0, 0))
        self._relate()
        progress(SyncProgress(_ALL, SyncPhase.INDEX, 0, 0))
        self._publish()
        self._records.set_index_stamp(stamp)

    def forget(self) -> None:
        """Drop the vectors, so that the next run makes them anew."""
        self._vectors.rebuild()
        self._records.set_index_stamp("")

    @cached_property
    def _model(self) -> str:
        """Fingerprint of the encoders; empty when the index is to be made without them."""
        try:
            return self._router.encoders.fingerprint
        except ModelMissingError:
            if not self._degraded:
                raise
            return ""

    def _count(self, text: str) -> int:
        try:
            return self._router.counter.count(text)
        except ModelMissingError:
            if not self._degraded:
                raise
            return len(text) // _CHARACTERS_A_TOKEN

    def _stamp(self) -> str:
        """Digest of all that the index is made from."""
        from asf_core.retrieval.indexing import LEXICAL_VERSION

        digest = hashlib.sha256()
        for part in (self._model, LEXICAL_VERSION, _GRAPH_VERSION):
            digest.update(part.encode() + b"\0")
        for skill_id, fingerprint in sorted(self._records.states().items()):
            digest.update(f"{skill_id}\0{fingerprint}\0".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    @cached_property
    def _vectors(self) -> VectorStore:
        from asf_core.store.vectors import VectorStore

        return VectorStore(self._workspace.index, model=self._model)

    def _encode(self, progress: Progress, cancel: threading.Event) -> None:
        wanted = self._records.view_digests()
        known = self._vectors.known()
        self._vectors.delete(known.keys() - wanted.keys())
        lacking = {id_ for id_, digest in wanted.items() if known.get(id_) != digest}
        self._reuse(lacking, wanted)
        if not lacking:
            return
        encoders = self._router.encoders
        total, done = len(lacking), 0
        for rows in self._encoded(lacking, encoders):
            self._vectors.put(rows)
            self.encoded.update(row.registry for row in rows)
            done += len(rows)
            progress(SyncProgress(_ALL, SyncPhase.ENCODE, done, total))
            if cancel.is_set():
                raise Cancelled
        self._vectors.compact()

    def _reuse(self, lacking: set[str], wanted: dict[str, str]) -> None:
        """Give skills the vectors that equal texts have already; takes them out of ``lacking``."""
        found = self._vectors.by_digest({wanted[id_] for id_ in lacking})
        same = sorted(id_ for id_ in lacking if wanted[id_] in found)
        rows = [
            _row(record.skill, record.view_digest, found[record.view_digest])
            for record in self._records.some(same)
        ]
        self._vectors.put(rows)
        lacking.difference_update(same)

    def _encoded(self, lacking: set[str], encoders: Encoders) -> Iterator[list[IndexRow]]:
        from asf_core.retrieval.indexing import SkillText, encode_skills
        from asf_core.store.arrays import StoredVectors

        records = {}

        def texts() -> Iterator[SkillText]:
            for record in self._records.some(sorted(lacking)):
                manifest = record.skill.manifest
                records[manifest.id] = record
                yield SkillText(manifest, record.skill.body)

        for batch in encode_skills(texts(), encoders.dense, encoders.late, _BATCH):
            rows = []
            for item in batch:
                record = records.pop(item.skill_id)
                stored = StoredVectors(item.vector, item.tokens, item.scales)
                rows.append(_row(record.skill, record.view_digest, stored))
            yield rows

    def _relate(self) -> None:
        from asf_core.graph.build import GraphInput, build_edges

        result = build_edges(
            GraphInput(
                id=(manifest := record.skill.manifest).id,
                slug=manifest.slug,
                registry=manifest.source.registry,
                path=manifest.source.path,
                relations=manifest.graph,
                body=record.skill.body,
                body_line=record.skill.body_line,
            )
            for record in self._records.records()
            if record.skill.state is not SkillState.BROKEN
        )
        self._records.replace_edges(result.edges, result.dangling)

    def _publish(self) -> None:
        from asf_core.retrieval.indexing import LEXICAL_VERSION, build_lexical
        from asf_core.retrieval.views import lexical_fields
        from asf_core.store.snapshot_content import SnapshotContent
        from asf_core.store.snapshot_writer import SnapshotWriter

        rows = [_snapshot_row(r) for r in self._records.records() if r.view_digest]

        def lexical(directory: Path, ids: tuple[str, ...]) -> None:
            fields = (
                lexical_fields(record.skill.manifest, record.skill.body)
                for record in self._records.some(ids)
            )
            build_lexical(directory, fields)

        content = SnapshotContent(
            rows=rows,
            links=self._records.links(),
            model=self._model,
            lexical_version=LEXICAL_VERSION,
        )
        SnapshotWriter(self._workspace.snapshots).write(content, self._vectors, lexical)


def _row(skill: Skill, view_digest: str, vectors: StoredVectors) -> IndexRow:
    from asf_core.store.arrays import IndexRow

    manifest = skill.manifest
    return IndexRow(
        id=manifest.id,
        registry=manifest.source.registry,
        view_digest=view_digest,
        manifest=manifest.model_dump_json(),
        vectors=vectors,
    )


def _snapshot_row(record: SkillRecord) -> SnapshotRow:
    from asf_core.domain.routing import RoutableSkill
    from asf_core.retrieval.views import lexical_fields
    from asf_core.store.snapshot_content import SnapshotRow

    manifest = record.skill.manifest
    fields = lexical_fields(manifest, record.skill.body)
    text = "\0".join(f"{name}\0{value}" for name, value in sorted(fields.items()))
    return SnapshotRow(
        skill=RoutableSkill(
            id=manifest.id,
            slug=manifest.slug,
            registry=manifest.source.registry,
            description=manifest.description,
            version=manifest.version,
            tokens=record.tokens,
            listing_tokens=record.listing_tokens,
            inputs=manifest.capability.inputs,
            outputs=manifest.capability.outputs,
        ),
        view_digest=record.view_digest,
        lexical_digest=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        model_invocable=manifest.model_invocable,
    )
