"""From records to what routing reads: vectors, graph, snapshot.

Every step is keyed by digests, so that it does only what is missing.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from asf_core.domain.errors import ModelMissingError, StoreError
from asf_core.domain.skill import SkillState
from asf_core.domain.sync import SyncPhase, SyncProgress
from asf_core.services.relating import relate
from asf_core.services.vector_upkeep import Cancelled, VectorUpkeep

if TYPE_CHECKING:
    from pathlib import Path

    from asf_core.domain.skill import Skill
    from asf_core.graph.build import GraphResult
    from asf_core.registry.tree import SkillTree
    from asf_core.services.routing import RouterHolder
    from asf_core.store.records import Records
    from asf_core.store.snapshot_content import SnapshotRow
    from asf_core.store.snapshot_writer import SnapshotWriter
    from asf_core.store.values import SkillRecord
    from asf_core.store.workspace import Workspace

__all__ = ["Cancelled", "Indexer"]

_CHARACTERS_A_TOKEN = 4
"""Of English text: an estimate, for when the tokenizer is missing."""
_ALL = "all registries"

Progress = Callable[[SyncProgress], None]


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
        self._vectors = VectorUpkeep(workspace, records, router)

    @property
    def encoded(self) -> Counter[str]:
        """How many skills this indexer has encoded, by registry."""
        return self._vectors.encoded

    @property
    def generation(self) -> str:
        """The index that routing reads now; empty when there is none that it could read."""
        from asf_core.store.snapshot import current_generation

        try:
            return current_generation(self._workspace.snapshots) or ""
        except StoreError:
            return ""

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

    def run(self, progress: Progress, cancel: threading.Event, *, whole: bool = False) -> None:
        """Bring vectors, graph and snapshot up to the records.

        Damage to the index or the snapshot is mended: the one is made from the other as far as
        that goes, and what neither has any more is encoded again.

        Args:
            progress: Told after every batch.
            cancel: When set, it stops at the next safe point.
            whole: Compare every byte of both with what was written, not only what may have
                changed since that was last done.

        Raises:
            Cancelled: Asked to stop; the batches that were encoded are kept.
            ModelMissingError: A model is needed and absent.
        """
        from asf_core.store.index_text import IndexUnusableError

        if self._vectors.problem(whole=whole) is not None:
            self._drop_vectors()
        elif self._is_current(whole):
            return
        try:
            self._renew(progress, cancel, whole)
        except IndexUnusableError:
            self._drop_vectors()
            self._renew(progress, cancel, whole)
        self._records.set_index_stamp(self._stamp(self._snapshots.model()))

    def _is_current(self, whole: bool) -> bool:
        """Whether the index in use was made from the records as they are, and is undamaged."""
        made_from = self._records.index_stamp()
        # One with vectors is not given up for one of words alone, because a model is missing to
        # this process: routing leaves the vectors out and says so.
        models = {self._model} if self._model else {"", self._snapshots.model()}
        made = any(made_from == self._stamp(model) for model in models)
        return made and self._snapshots.is_whole(whole=whole)

    def _renew(self, progress: Progress, cancel: threading.Event, whole: bool) -> None:
        if self._model and not self._bring(progress, cancel) and self._is_current(whole):
            return
        progress(SyncProgress(_ALL, SyncPhase.GRAPH, 0, 0))
        graph = relate(self._records, self._workspace.graph_memory)
        progress(SyncProgress(_ALL, SyncPhase.INDEX, 0, 0))
        self._publish(graph, whole)

    def _bring(self, progress: Progress, cancel: threading.Event) -> bool:
        """Bring the vectors up to the records; false where that must do without a model."""
        try:
            self._vectors.bring(self._model, progress, cancel)
        except ModelMissingError:
            # Its files are there, and cannot be opened.
            if not self._degraded:
                raise
            self._model = ""
            return False
        return True

    def forget(self) -> None:
        """Drop the vectors, so that the next run makes them anew."""
        self._vectors.anew = True
        self._drop_vectors()

    def _drop_vectors(self) -> None:
        self._records.set_index_stamp("")
        self._vectors.drop()

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

    def _stamp(self, model: str) -> str:
        """Digest of all that an index is made from, with the vectors of a model."""
        from asf_core.graph.version import GRAPH_VERSION
        from asf_core.retrieval.indexing import LEXICAL_VERSION

        digest = hashlib.sha256()
        registries = [row.name for row in self._records.registries()]
        for part in (model, LEXICAL_VERSION, GRAPH_VERSION, *registries):
            digest.update(part.encode() + b"\0")
        for skill_id, fingerprint in sorted(self._records.states().items()):
            digest.update(f"{skill_id}\0{fingerprint}\0".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    @cached_property
    def _snapshots(self) -> SnapshotWriter:
        from asf_core.store.snapshot_writer import SnapshotWriter

        return SnapshotWriter(self._workspace.snapshots, self._records.give_identity())

    def _publish(self, graph: GraphResult, whole: bool) -> None:
        from asf_core.retrieval.indexing import LEXICAL_VERSION, build_lexical
        from asf_core.retrieval.views import lexical_fields
        from asf_core.store.edges import links_of
        from asf_core.store.snapshot_content import SnapshotContent

        rows = [_snapshot_row(r) for r in self._records.records() if r.view_digest]

        def lexical(directory: Path, ids: tuple[str, ...]) -> None:
            fields = (
                lexical_fields(record.skill.manifest, record.skill.body)
                for record in self._records.some(ids)
            )
            build_lexical(directory, fields)

        content = SnapshotContent(
            rows=rows,
            # A requirement that no skill meets is a link to nothing: the walk keeps no skill so.
            links=(*links_of(graph.edges), *graph.unmet),
            model=self._model,
            lexical_version=LEXICAL_VERSION,
            registries=[row.name for row in self._records.registries()],
        )
        source = self._vectors.store(self._model)
        self._snapshots.write(content, source, lexical, whole=whole, anew=self._vectors.anew)


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
