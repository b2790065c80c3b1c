"""What the gate and canonicalisation say of skills (DESIGN 7)."""

from __future__ import annotations

from enum import StrEnum

from asf_core.domain.base import Sha256, Value

GATE_BELOW = 0.4
"""Slop score under which the gate takes a skill out of routing."""


class SignalReading(Value):
    """One signal of one skill."""

    signal: str
    """Id, as ``description_uniqueness``."""
    title: str
    explanation: str
    """Why it counts, one sentence."""
    measured: str
    """What was measured: may hold names of skills, so hostile text."""
    strength: float | None
    """0 (nothing wrong) to 1 (as bad as it gets); ``None``: unknown, and without a say."""
    contribution: float
    """What it adds to the log-odds of being worth keeping, against the average labelled skill."""


class Lift(Value):
    """What would lift a score."""

    signal: str
    advice: str
    """In the imperative."""
    score: float
    """The slop score if this signal alone were as in a typical good skill."""


class Near(Value):
    """The skill whose description is nearest."""

    skill_id: str
    cosine: float
    """-1 to 1."""


class Judgement(Value):
    """What the gate says of one skill.

    ``slop_score`` is the logistic function of ``bias`` and all contributions added up.
    """

    skill_id: str
    slop_score: float
    """0 (slop) to 1 (good)."""
    bias: float
    """Log-odds of the average labelled skill."""
    signals: tuple[SignalReading, ...]
    """In the order of the gate's table."""
    description_uniqueness: float | None
    """0 (said word for word elsewhere) to 1; ``None`` without vectors."""
    nearest: Near | None
    lifts: tuple[Lift, ...]
    """Largest gain first."""
    canonical_id: str | None = None
    """The skill that stands for it; ``None`` when it stands for itself."""

    @property
    def gated(self) -> bool:
        """Whether the gate takes it out of routing."""
        return self.slop_score < GATE_BELOW

    @property
    def reason(self) -> str:
        """Why, in one line: the score and the signals that lower it most; empty when it passes."""
        if not self.gated:
            return ""
        worst = sorted(self.signals, key=lambda s: s.contribution)[:3]
        named = "; ".join(f"{s.title} ({s.measured})" for s in worst if s.contribution < 0)
        return f"slop score {self.slop_score:.2f}, under {GATE_BELOW}: {named}"


class DuplicatePass(StrEnum):
    """What shows that two skills are one."""

    SEMANTIC = "semantic"
    """Descriptions at most a hair apart, confirmed by name or text."""
    STRUCTURAL = "structural"
    """Equal text, or equal scripts under descriptions of one subject."""


class DuplicateEvidence(Value):
    """Why two skills are one."""

    first: str
    """The smaller id."""
    second: str
    passes: tuple[DuplicatePass, ...]
    cosine: float | None
    """Of the descriptions; ``None`` without vectors."""
    because: tuple[str, ...]
    """What was found, in words: may hold names, so hostile text."""


class ClusterMember(Value):
    """One skill of a cluster."""

    skill_id: str
    slop_score: float
    """Without what being a copy takes off."""


class DuplicateCluster(Value):
    """Skills that are one."""

    canonical: str
    """Best score; of equal ones the newest version, then the shortest path, then the smallest
    id."""
    aliases: tuple[ClusterMember, ...]
    """Best score first."""
    canonical_score: float
    evidence: tuple[DuplicateEvidence, ...]
    """By pair; enough of them to join all members."""

    @property
    def members(self) -> tuple[str, ...]:
        """Ids, the canonical one first."""
        return (self.canonical, *(member.skill_id for member in self.aliases))

    @property
    def passes(self) -> tuple[DuplicatePass, ...]:
        """All that took part."""
        found = {one for evidence in self.evidence for one in evidence.passes}
        return tuple(one for one in DuplicatePass if one in found)


class RegistryFold(Value):
    """What canonicalisation does to one registry."""

    registry: str
    skills: int
    """Raw: as listed, broken ones left out."""
    aliases: int
    canonical: int


class Canonicalisation(Value):
    """What canonicalisation found in a workspace."""

    skills: int
    """Raw, broken ones left out."""
    canonical: int
    semantic_only: int
    """Aliases that the semantic pass alone found."""
    structural_only: int
    both: int
    registries: tuple[RegistryFold, ...]
    clusters: tuple[DuplicateCluster, ...]
    """By canonical id."""
    unconfirmed: tuple[DuplicateEvidence, ...]
    """Pairs of nearly equal descriptions that nothing else makes one skill: left apart."""


class GateFacts(Value):
    """Where the gate's coefficients come from."""

    fitted_on: str
    """Date."""
    data_sha256: Sha256
    labels: tuple[int, int, int]
    """How many skills of grade 0, 1 and 2."""


class QualityRow(Value):
    """One skill in a list of scores."""

    skill_id: str
    slop_score: float
    gated: bool
    released: bool
    """A curator's release stands against the gate."""
    worst: tuple[str, ...]
    """Titles of the signals that lower it most."""
    canonical_id: str | None
