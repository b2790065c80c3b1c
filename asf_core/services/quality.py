"""What front ends ask about quality: scores taken apart, duplicates, listings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from asf_core.domain.errors import InputError, ModelMissingError, StoreError
from asf_core.domain.graph import Edge, EdgeEvidence, EdgeKind, EdgeOrigin
from asf_core.domain.quality import (
    Canonicalisation,
    DuplicateCluster,
    DuplicateEvidence,
    DuplicatePass,
    Judgement,
    QualityRow,
    RegistryFold,
)
from asf_core.domain.skill import SkillRow, SkillState

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from asf_core.domain.listing import Collision, ListingCheck
    from asf_core.quality.listing import Listed
    from asf_core.services.routing import RouterHolder
    from asf_core.store.records import Records

_WORST = 3


class QualityDesk:
    """Reads what the last sync judged.

    Args:
        records: Where it is kept.
        router: Knows which encoder the vectors of descriptions are of.
    """

    def __init__(self, records: Records, router: RouterHolder) -> None:
        self._records = records
        self._router = router

    def judgement(self, skill_id: str) -> Judgement:
        """One skill's score taken apart.

        Raises:
            StoreError: It has not been judged yet.
        """
        from asf_core.quality.packing import unpack

        text = self._records.judgement(skill_id)
        if text is None:
            raise _not_judged(skill_id)
        return unpack(skill_id, text)

    def rows(self) -> tuple[QualityRow, ...]:
        """Every judged skill, worst first."""
        from asf_core.quality.packing import unpack

        released, gated = self._records.released(), self._records.gated()
        found = [unpack(i, text) for i, text in self._records.judgements().items()]
        found.sort(key=lambda j: (j.slop_score, j.skill_id))
        return tuple(
            QualityRow(
                skill_id=one.skill_id,
                slop_score=one.slop_score,
                gated=one.skill_id in gated,
                released=one.gated and one.skill_id in released,
                worst=_worst(one),
                canonical_id=one.canonical_id,
            )
            for one in found
        )

    def aliases(self) -> Mapping[str, str]:
        """Id of each alias and of the skill that stands for it."""
        return self._records.aliases()

    def canonicalisation(self) -> Canonicalisation:
        """Raw and canonical, by pass and registry, with every cluster and its evidence."""
        from asf_core.services.judging import UNCONFIRMED

        rows = [row for row in self._records.rows() if row.state is not SkillState.BROKEN]
        clusters = self._clusters()
        passes = _passes(clusters)
        counts = Counter(map(frozenset, passes.values()))
        folds = _folds(rows, passes)
        return Canonicalisation(
            skills=len(rows),
            canonical=len(rows) - len(passes),
            semantic_only=counts[frozenset((DuplicatePass.SEMANTIC,))],
            structural_only=counts[frozenset((DuplicatePass.STRUCTURAL,))],
            both=counts[frozenset(DuplicatePass)],
            registries=folds,
            clusters=clusters,
            unconfirmed=tuple(
                map(DuplicateEvidence.model_validate_json, self._records.duplicates(UNCONFIRMED))
            ),
        )

    def cluster_of(self, skill_id: str) -> DuplicateCluster | None:
        """The cluster that a skill belongs to, as canonical or as alias."""
        aliases = self._records.aliases()
        canonical = aliases.get(skill_id, skill_id)
        if canonical == skill_id and skill_id not in aliases.values():
            return None
        return next((c for c in self._clusters() if c.canonical == canonical), None)

    def _clusters(self) -> tuple[DuplicateCluster, ...]:
        from asf_core.services.judging import CLUSTER

        return tuple(map(DuplicateCluster.model_validate_json, self._records.duplicates(CLUSTER)))

    def duplicate_edges(self, skill_id: str) -> tuple[Edge, ...]:
        """``duplicate_of`` edges from and to a skill, by source."""
        cluster = self.cluster_of(skill_id)
        if cluster is None:
            return ()
        aliases = [member.skill_id for member in cluster.aliases]
        wanted = [skill_id] if skill_id in aliases else aliases
        return tuple(_edge(cluster, alias) for alias in sorted(wanted))

    def listing(
        self, *, host: str | None = None, budget: int | None = None, registry: str | None = None
    ) -> ListingCheck:
        """A host's list of skills against its budget.

        Args:
            host: Its name; ``None`` for one of which only the budget is known.
            budget: Characters, instead of the host's own.
            registry: Name of one registry; ``None`` for all.

        Raises:
            InputError: No host is called that, or neither host nor budget is given.
        """
        from asf_core.quality.listing import HOSTS, check_listing, custom_host

        if host is not None and host not in HOSTS:
            raise InputError(
                f"There is no host {host!r}", hint=f"Use one of: {', '.join(HOSTS)}, or --budget"
            )
        if budget is not None and budget < 1:
            raise InputError(
                "A budget is at least one character", hint="For example: --budget 8000"
            )
        if host is None and budget is None:
            raise InputError("Neither a host nor a budget is given", hint="Give --host or --budget")
        chosen = HOSTS[host] if host is not None else custom_host(budget or 0)
        if budget is not None:
            chosen = chosen.model_copy(update={"budget": budget, "source": "as given"})
        return check_listing(self._listed(lambda row: registry in (None, row.registry)), chosen)

    def collisions(self, *, registry: str | None = None, alike: float) -> tuple[Collision, ...]:
        """Skills that may be routed and can be taken for one another, the nearest first.

        Args:
            registry: Name of one registry; ``None`` for all.
            alike: Cosine from which descriptions run into each other.
        """
        from asf_core.quality.listing import find_collisions

        listed = self._listed(
            lambda row: row.state is SkillState.READY and registry in (None, row.registry)
        )
        return find_collisions(listed, self._vectors(listed), self._records.aliases(), alike)

    def _listed(self, wanted: Callable[[SkillRow], bool]) -> list[Listed]:
        from asf_core.quality.listing import Listed

        silent = self._records.not_invocable()
        return [
            Listed(
                id=row.id,
                name=row.slug,
                description=" ".join(row.description.split()),
                demoted=row.is_duplicate or row.state is SkillState.QUARANTINED,
            )
            for row in self._records.rows()
            if row.state is not SkillState.BROKEN and row.id not in silent and wanted(row)
        ]

    def _vectors(self, listed: Sequence[Listed]) -> NDArray[np.float32] | None:
        import numpy as np

        from asf_core.quality.masking import key

        try:
            known = self._records.description_vectors(self._router.encoders.fingerprint)
        except ModelMissingError:
            return None
        width = next((len(vector) for vector in known.values()), 0)
        rows = np.zeros((len(listed), width), np.float32)
        for row, skill in zip(rows, listed, strict=True):
            found = known.get(key(skill.description))
            if found is not None:
                row[:] = found
        return rows


def _worst(judgement: Judgement) -> tuple[str, ...]:
    ranked = sorted(judgement.signals, key=lambda s: s.contribution)[:_WORST]
    return tuple(s.title for s in ranked if s.contribution < 0)


def _passes(clusters: Sequence[DuplicateCluster]) -> dict[str, set[DuplicatePass]]:
    """Of each alias the passes that found it."""
    found: dict[str, set[DuplicatePass]] = defaultdict(set)
    for cluster in clusters:
        aliases = {member.skill_id for member in cluster.aliases}
        for pair in cluster.evidence:
            for skill_id in aliases & {pair.first, pair.second}:
                found[skill_id].update(pair.passes)
    return found


def _folds(rows: Sequence[SkillRow], aliases: Mapping[str, object]) -> tuple[RegistryFold, ...]:
    skills = Counter(row.registry for row in rows)
    folded = Counter(row.registry for row in rows if row.id in aliases)
    return tuple(
        RegistryFold(
            registry=n, skills=skills[n], aliases=folded[n], canonical=skills[n] - folded[n]
        )
        for n in sorted(skills)
    )


def _edge(cluster: DuplicateCluster, alias: str) -> Edge:
    pairs = [pair for pair in cluster.evidence if alias in (pair.first, pair.second)]
    direct = [pair for pair in pairs if cluster.canonical in (pair.first, pair.second)]
    best = (direct or pairs)[0]
    sure = DuplicatePass.STRUCTURAL in best.passes
    confidence = 1.0 if sure else (best.cosine or 0.0)
    origin = EdgeOrigin.EXTRACTED if sure else EdgeOrigin.INFERRED
    evidence = EdgeEvidence(
        kind=EdgeKind.DUPLICATE_OF,
        confidence=confidence,
        origin=origin,
        path=f"{alias.partition('/')[2]}/SKILL.md",
        line=1,
        text="; ".join(best.because)[:200],
    )
    return Edge(
        source=alias,
        target=cluster.canonical,
        kind=EdgeKind.DUPLICATE_OF,
        confidence=confidence,
        origin=origin,
        evidence=(evidence,),
    )


def _not_judged(skill_id: str) -> StoreError:
    return StoreError(
        f"{skill_id} has not been judged yet",
        why="Scores are made at the end of a sync, and the last one did not get there",
        hint="Sync again: asf sync",
    )
