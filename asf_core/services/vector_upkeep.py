"""Keeping the vectors of all texts: encoded once, found by digest, mended where they were damaged.

A text that was encoded once, in whatever skill, is not encoded again by the same models as long as
the index or a snapshot still has its vectors.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from asf_core.domain.sync import SyncPhase, SyncProgress

if TYPE_CHECKING:
    from asf_core.domain.skill import Skill
    from asf_core.services.routing import RouterHolder
    from asf_core.store.arrays import IndexRow, StoredVectors
    from asf_core.store.index_seal import IndexSeal
    from asf_core.store.records import Records
    from asf_core.store.vectors import VectorStore
    from asf_core.store.workspace import Workspace

_BATCH = 32
_REUSE_BATCH = 512
_ALL = "all registries"

Progress = Callable[[SyncProgress], None]


class Cancelled(Exception):  # noqa: N818 - a request, not an error
    """Raised inside a sync when it was asked to stop."""


class VectorUpkeep:
    """The index of a workspace, for one that holds its writer lock.

    Args:
        workspace: Where it is kept.
        records: The skills.
        router: Holds the encoders.
    """

    def __init__(self, workspace: Workspace, records: Records, router: RouterHolder) -> None:
        self._workspace = workspace
        self._records = records
        self._router = router
        self._stores: dict[str, VectorStore] = {}
        self.anew = False
        """Encode every text, known or not."""
        self.encoded: Counter[str] = Counter()
        """How many skills were encoded, by registry."""

    def store(self, model: str) -> VectorStore:
        """The index, for the vectors of one model."""
        from asf_core.store.vectors import VectorStore

        if model not in self._stores:
            self._stores[model] = VectorStore(self._workspace.index_target, model=model)
        return self._stores[model]

    def problem(self, *, whole: bool) -> str | None:
        """What is wrong with the first damaged file of the index; ``None`` when none is.

        Args:
            whole: Read every file, not only those that may have changed since.
        """
        return self._seal.problem(whole=whole) if self._seal else None

    def drop(self) -> None:
        """Remove the index, whatever became of it.

        Raises:
            StoreError: It cannot be removed.
        """
        if self._seal:
            self._seal.forget()
        self.store("").rebuild()
        self._stores.clear()

    def bring(self, model: str, progress: Progress, cancel: threading.Event) -> None:
        """Bring the index up to the records.

        Args:
            model: Fingerprint of the encoders.
            progress: Told after every batch.
            cancel: When set, it stops after the batch that is being encoded.

        Raises:
            Cancelled: Asked to stop; the batches that were encoded are kept.
            ModelMissingError: Something has to be encoded, and a model is absent.
            IndexUnusableError: It is damaged in a way that only shows now.
        """
        try:
            self._bring(model, progress, cancel)
        finally:
            if self._seal:
                self._seal.renew()

    @cached_property
    def _seal(self) -> IndexSeal | None:
        """None on object storage, which keeps checksums of its own."""
        from asf_core.store.index_seal import IndexSeal

        if isinstance(self._workspace.index_target, str):
            return None
        return IndexSeal(self._workspace.index, self._workspace.index_seal)

    def _bring(self, model: str, progress: Progress, cancel: threading.Event) -> None:
        store = self.store(model)
        wanted, known = self._records.view_digests(), store.known()
        lacking = {id_ for id_, digest in wanted.items() if known.get(id_) != digest}
        # Before anything is deleted: a skill may only have got another id.
        self._reuse(model, lacking, wanted)
        store.delete(known.keys() - wanted.keys())
        total, done = len(lacking), 0
        for rows in self._encoded(lacking) if lacking else ():
            store.put(rows)
            self.encoded.update(row.registry for row in rows)
            done += len(rows)
            progress(SyncProgress(_ALL, SyncPhase.ENCODE, done, total))
            if cancel.is_set():
                raise Cancelled
        store.compact()

    def _reuse(self, model: str, lacking: set[str], wanted: dict[str, str]) -> None:
        """Give skills the vectors that equal texts have already; takes them out of ``lacking``."""
        from asf_core.store.snapshot_reuse import KeptVectors

        if not lacking or self.anew:
            return
        store = self.store(model)
        kept = KeptVectors(self._workspace.snapshots, model)
        ids = sorted(lacking)
        for start in range(0, len(ids), _REUSE_BATCH):
            some = ids[start : start + _REUSE_BATCH]
            digests = {wanted[id_] for id_ in some}
            found = store.by_digest(digests)
            found |= kept.by_digest(digests - found.keys())
            same = [id_ for id_ in some if wanted[id_] in found]
            store.put(
                [
                    _row(r.skill, r.view_digest, found[r.view_digest])
                    for r in self._records.some(same)
                ]
            )
            lacking.difference_update(same)

    def _encoded(self, lacking: set[str]) -> Iterator[list[IndexRow]]:
        from asf_core.retrieval.indexing import SkillText, encode_skills
        from asf_core.store.arrays import StoredVectors

        encoders = self._router.encoders
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
