"""The judging step of a sync: scores, aliases and the gate, from what the store holds.

Skills are not read again: what the gate needs of each was kept when it was read. Descriptions are
encoded by content, each text once, and the vectors are kept, so that a second run encodes nothing.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from asf_core.domain.errors import ModelMissingError
from asf_core.domain.quality import Judgement
from asf_core.domain.sync import SyncPhase, SyncProgress
from asf_core.services.indexing import Cancelled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from asf_core.quality.facts import SkillFacts
    from asf_core.quality.gate import GateInput, GateResult
    from asf_core.services.routing import RouterHolder
    from asf_core.store.quality import FactsRow, JudgedRow
    from asf_core.store.records import Records

_BATCH = 64
_CHARACTERS = 2_000
"""Of a description that are encoded; more than any encoder reads."""
_ALL = "all registries"
_VERSION = "1"
"""Raised when equal facts give other judgements, so that workspaces renew theirs."""
CLUSTER, UNCONFIRMED = "cluster", "unconfirmed"
"""Kinds of what is kept of canonicalisation."""

_MOST_UNCONFIRMED = 1_000
"""Kept: a registry of stubs with one description must not fill the workspace."""

Progress = Callable[[SyncProgress], None]
Vectors = dict[int, "NDArray[np.float32]"]


class Judging:
    """Renews the judgements when skills, relations or coefficients have changed.

    Args:
        records: What is judged, and where it is kept.
        router: Holds the encoders.
        degraded: Judge without description vectors where a model is missing, instead of raising.
    """

    def __init__(self, records: Records, router: RouterHolder, *, degraded: bool = False) -> None:
        self._records = records
        self._router = router
        self._degraded = degraded

    def run(self, progress: Progress, cancel: threading.Event) -> bool:
        """Bring the judgements up to the records; the index has been brought up before.

        Returns:
            Whether there was anything to do.

        Raises:
            Cancelled: Asked to stop; the vectors that were encoded are kept.
            ModelMissingError: The encoder is needed and absent.
        """
        stamp = self._stamp()
        if self._records.quality_stamp() == stamp:
            return False
        rows = self._records.facts()
        progress(SyncProgress(_ALL, SyncPhase.JUDGE, 0, len(rows)))
        facts = {row.skill_id: _facts(row) for row in rows}
        vectors = self._vectors(rows, facts, progress, cancel)
        broken = frozenset(row.skill_id for row in rows if row.broken)
        self._keep(_judged(rows, facts, self._degrees(), vectors), broken)
        self._records.set_quality_stamp(stamp)
        return True

    def forget(self) -> None:
        """Drop the vectors of descriptions, so that the next run makes them anew."""
        self._records.drop_description_vectors((), but_of="")
        self._records.set_quality_stamp("")

    def _stamp(self) -> str:
        from asf_core.quality.facts import VERSION
        from asf_core.quality.model import fitted

        model = fitted().model_dump_json()
        parts = (self._records.index_stamp(), model, VERSION, _VERSION)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _degrees(self) -> Mapping[str, int]:
        from asf_core.quality.gate import degrees

        return degrees(self._records.edges())

    def _vectors(
        self,
        rows: tuple[FactsRow, ...],
        facts: Mapping[str, SkillFacts],
        progress: Progress,
        cancel: threading.Event,
    ) -> Vectors | None:
        """The vector of each description by its key; ``None`` without an encoder."""
        try:
            return self._brought(rows, facts, progress, cancel)
        except ModelMissingError:  # absent, or there and not to be opened
            if not self._degraded:
                raise
            return None

    def _brought(
        self,
        rows: tuple[FactsRow, ...],
        facts: Mapping[str, SkillFacts],
        progress: Progress,
        cancel: threading.Event,
    ) -> Vectors:
        model = self._router.encoders.fingerprint
        texts = {facts[r.skill_id].description.key: encoded_text(r.description) for r in rows}
        known = self._records.description_vectors(model)
        self._records.drop_description_vectors(known.keys() - texts.keys(), but_of=model)
        lacking = [key for key, text in texts.items() if text and key not in known]
        for done, some in self._encoded(lacking, texts):
            self._records.put_description_vectors(model, some)
            known.update(some)
            progress(SyncProgress(_ALL, SyncPhase.JUDGE, done, len(lacking)))
            if cancel.is_set():
                raise Cancelled
        return known

    def _encoded(self, keys: list[int], texts: Mapping[int, str]) -> Iterator[tuple[int, Vectors]]:
        for start in range(0, len(keys), _BATCH):
            some = keys[start : start + _BATCH]
            found = self._router.encoders.dense.encode([texts[key] for key in some])
            yield start + len(some), dict(zip(some, found, strict=True))

    def _keep(self, result: GateResult, broken: frozenset[str]) -> None:
        self._records.put_judgements(
            [_row(judgement, judgement.skill_id in broken) for judgement in result.judgements]
        )
        self._records.put_duplicates(
            [
                *((CLUSTER, cluster.model_dump_json()) for cluster in result.clusters),
                *(
                    (UNCONFIRMED, p.model_dump_json())
                    for p in result.unconfirmed[:_MOST_UNCONFIRMED]
                ),
            ]
        )


def encoded_text(description: str) -> str:
    """What is encoded of a description; empty when there is nothing."""
    from asf_core.retrieval.views import clean

    return clean(" ".join(description.split())[:_CHARACTERS])


def _facts(row: FactsRow) -> SkillFacts:
    from asf_core.quality.facts import SkillFacts

    return SkillFacts.load(row.facts)


def _judged(
    rows: tuple[FactsRow, ...],
    facts: Mapping[str, SkillFacts],
    degree: Mapping[str, int],
    vectors: Vectors | None,
) -> GateResult:
    from asf_core.quality.gate import judge

    return judge(
        (_input(row, facts[row.skill_id], degree.get(row.skill_id, 0)) for row in rows), vectors
    )


def _input(row: FactsRow, facts: SkillFacts, degree: int) -> GateInput:
    from asf_core.quality.gate import GateInput

    return GateInput(
        id=row.skill_id,
        registry=row.registry,
        slug=row.slug,
        path=row.path,
        version=row.version,
        facts=facts,
        degree=degree,
        broken=row.broken,
    )


def _row(judgement: Judgement, broken: bool) -> JudgedRow:
    from asf_core.quality.packing import pack
    from asf_core.store.quality import JudgedRow

    return JudgedRow(
        skill_id=judgement.skill_id,
        slop_score=judgement.slop_score,
        description_uniqueness=judgement.description_uniqueness,
        canonical_id=judgement.canonical_id,
        # What is broken is out of routing anyway, and no release would let it in.
        gate_reason="" if broken else judgement.reason,
        judgement=pack(judgement),
    )
