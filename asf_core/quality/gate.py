"""Judging all skills of a workspace: signals, scores, clusters of duplicates."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.graph import Edge, EdgeKind
from asf_core.domain.quality import (
    ClusterMember,
    DuplicateCluster,
    DuplicateEvidence,
    Judgement,
    Lift,
    Near,
    SignalReading,
)
from asf_core.quality.canonical import (
    Comparable,
    Duplicates,
    choose_canonical,
    clusters_of,
    find_duplicates,
)
from asf_core.quality.facts import SkillFacts
from asf_core.quality.model import GateModel, fitted, logistic
from asf_core.quality.names import collisions
from asf_core.quality.signals import SIGNALS, Reading, Surroundings, uniqueness
from asf_core.quality.stock import find_stock, own_text, template_share

_BLOCK = 512
_LEAST_LIFT = 0.005
"""A smaller gain is not worth an advice."""


@dataclass(frozen=True, slots=True)
class GateInput:
    """One skill. A broken one is judged too, for what it would be worth once it is mended."""

    id: str
    registry: str
    slug: str
    path: str
    """POSIX path of its directory inside the registry."""
    version: str | None
    """As declared."""
    facts: SkillFacts
    degree: int
    """Other skills that it has a relation with, duplicates left out."""
    broken: bool = False
    """It stands for no other skill, and no other for it."""

    @property
    def names(self) -> frozenset[str]:
        """What it is called."""
        return frozenset((self.slug, self.path.rpartition("/")[2]))

    @property
    def group(self) -> str:
        """The directory that it stands in with its peers."""
        return f"{self.registry}/{self.path.rpartition('/')[0]}"


@dataclass(frozen=True, slots=True)
class GateResult:
    """What was found."""

    judgements: tuple[Judgement, ...]
    """By id."""
    clusters: tuple[DuplicateCluster, ...]
    """By canonical id."""
    unconfirmed: tuple[DuplicateEvidence, ...]


def judge(
    skills: Iterable[GateInput],
    vectors: Mapping[int, NDArray[np.float32]] | None,
    model: GateModel | None = None,
) -> GateResult:
    """Judge skills by themselves and by one another.

    Args:
        skills: In any order, ids unique.
        vectors: Of each description by its key, (D,), L2-normalised; ``None`` without an encoder.
        model: The coefficients; default: those that come with the program.

    Returns:
        The same for the same skills in any order.
    """
    ordered = sorted(skills, key=lambda skill: skill.id)
    matrix = None if vectors is None else _matrix(ordered, vectors)
    duplicates = _duplicates(ordered, matrix)
    groups = clusters_of(duplicates.pairs)
    around, near = surroundings(ordered, matrix, groups)
    judge_one = _Judge(model or fitted())
    base = {s.id: judge_one.score(s.facts, a) for s, a in zip(ordered, around, strict=True)}
    versions = {skill.id: skill.version for skill in ordered}
    ranked = [choose_canonical(group, base, versions) for group in groups]
    canonical = {alias: group[0] for group in ranked for alias in group[1:]}
    judgements = tuple(
        judge_one.judgement(s, replace(a, copy_of=canonical.get(s.id)), n)
        for s, a, n in zip(ordered, around, near, strict=True)
    )
    return GateResult(judgements, _clusters(ranked, base, duplicates.pairs), duplicates.unconfirmed)


def degrees(edges: Iterable[Edge]) -> dict[str, int]:
    """How many other skills each skill has a relation with; being its copy is none."""
    near: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        if edge.kind is not EdgeKind.DUPLICATE_OF:
            near[edge.source].add(edge.target)
            near[edge.target].add(edge.source)
    return {skill_id: len(others) for skill_id, others in near.items()}


def surroundings(
    skills: Sequence[GateInput],
    matrix: NDArray[np.float32] | None,
    groups: Sequence[Sequence[str]],
) -> tuple[list[Surroundings], list[Near | None]]:
    """What each skill's neighbours have to do with it; copies of it are no neighbours.

    Args:
        skills: Sorted by id.
        matrix: (N, D) of their descriptions, or ``None``.
        groups: Clusters of duplicates.
    """
    head = {member: group[0] for group in groups for member in group}
    # Copies carry one name here: what only they share is not stock, however they are called.
    slug_of = {skill.id: skill.slug for skill in skills}
    names = [slug_of[head.get(skill.id, skill.id)] for skill in skills]
    stock = find_stock(zip(names, (skill.facts for skill in skills), strict=True))
    alike = collisions(skill.slug for skill in skills)
    all_peers = Counter(skill.group for skill in skills)
    linked = Counter(skill.group for skill in skills if skill.degree > 1)
    near = _nearest(skills, matrix, head)
    around = [
        Surroundings(
            own=own_text(skill.facts, stock),
            template=template_share(skill.facts, stock),
            nearest_cosine=None if matrix is None else (found.cosine if found else 0.0),
            degree=skill.degree,
            linked_peers=linked[skill.group] - (skill.degree > 1),
            peers=all_peers[skill.group] - 1,
            colliding=alike.get(skill.slug, ()),
            copy_of=None,
        )
        for skill, found in zip(skills, near, strict=True)
    ]
    return around, near


def _duplicates(skills: Sequence[GateInput], matrix: NDArray[np.float32] | None) -> Duplicates:
    places = [at for at, skill in enumerate(skills) if not skill.broken]
    whole = [Comparable((s := skills[at]).id, s.names, s.facts) for at in places]
    return find_duplicates(whole, None if matrix is None else matrix[places])


def _matrix(
    skills: Sequence[GateInput], vectors: Mapping[int, NDArray[np.float32]]
) -> NDArray[np.float32]:
    width = next((len(vector) for vector in vectors.values()), 0)
    rows = np.zeros((len(skills), width), np.float32)
    for row, skill in zip(rows, skills, strict=True):
        if skill.facts.description.words and skill.facts.description.key in vectors:
            row[:] = vectors[skill.facts.description.key]
    return rows


def _nearest(
    skills: Sequence[GateInput],
    matrix: NDArray[np.float32] | None,
    head: Mapping[str, str],
) -> list[Near | None]:
    if matrix is None or len(skills) < 2:
        return [None] * len(skills)
    numbers: dict[str, int] = {}
    group = np.array([numbers.setdefault(head.get(s.id, s.id), len(numbers)) for s in skills])
    found: list[Near | None] = []
    for start in range(0, len(skills), _BLOCK):
        cosines = matrix[start : start + _BLOCK] @ matrix.T
        cosines[group[start : start + _BLOCK, None] == group[None, :]] = -1.0
        for best, row in zip(cosines.argmax(1), cosines, strict=True):
            cosine = float(row[best])
            known = cosine > 0
            near = Near(skill_id=skills[int(best)].id, cosine=round(min(cosine, 1.0), 4))
            found.append(near if known else None)
    return found


def _clusters(
    ranked: Sequence[Sequence[str]],
    scores: Mapping[str, float],
    pairs: Sequence[DuplicateEvidence],
) -> tuple[DuplicateCluster, ...]:
    of = {member: group[0] for group in ranked for member in group}
    evidence: dict[str, list[DuplicateEvidence]] = {group[0]: [] for group in ranked}
    for pair in pairs:
        evidence[of[pair.first]].append(pair)
    return tuple(
        DuplicateCluster(
            canonical=group[0],
            canonical_score=scores[group[0]],
            aliases=tuple(ClusterMember(skill_id=i, slop_score=scores[i]) for i in group[1:]),
            evidence=tuple(evidence[group[0]]),
        )
        for group in sorted(ranked, key=lambda group: group[0])
    )


class _Judge:
    """One model over single skills."""

    def __init__(self, model: GateModel) -> None:
        self._model = model

    def score(self, facts: SkillFacts, around: Surroundings) -> float:
        """The slop score alone."""
        return self._model.score({s.id: s.read(facts, around).strength for s in SIGNALS})

    def judgement(self, skill: GateInput, around: Surroundings, near: Near | None) -> Judgement:
        """The score taken apart."""
        readings = {s.id: s.read(skill.facts, around) for s in SIGNALS}
        strengths = {id_: reading.strength for id_, reading in readings.items()}
        log_odds = self._model.log_odds(strengths)
        cosine = around.nearest_cosine
        return Judgement(
            skill_id=skill.id,
            slop_score=round(logistic(log_odds), 4),
            bias=self._model.bias,
            signals=self._signals(readings),
            description_uniqueness=None if cosine is None else round(uniqueness(cosine), 4),
            nearest=near,
            lifts=self._lifts(strengths, log_odds),
            canonical_id=around.copy_of,
        )

    def _signals(self, readings: Mapping[str, Reading]) -> tuple[SignalReading, ...]:
        return tuple(
            SignalReading(
                signal=signal.id,
                title=signal.title,
                explanation=signal.explanation,
                measured=readings[signal.id].measured,
                strength=_rounded(readings[signal.id].strength),
                contribution=round(
                    self._model.contribution(signal.id, readings[signal.id].strength), 4
                ),
            )
            for signal in SIGNALS
        )

    def _lifts(self, strengths: Mapping[str, float | None], log_odds: float) -> tuple[Lift, ...]:
        before, found = logistic(log_odds), []
        for signal in SIGNALS:
            coefficient, strength = self._model.coefficients[signal.id], strengths[signal.id]
            if strength is None or strength <= coefficient.good:
                continue
            after = logistic(log_odds + coefficient.weight * (coefficient.good - strength))
            if after - before >= _LEAST_LIFT:
                found.append(Lift(signal=signal.id, advice=signal.advice, score=round(after, 4)))
        return tuple(sorted(found, key=lambda lift: (-lift.score, lift.signal)))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
