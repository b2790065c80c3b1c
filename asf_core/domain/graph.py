"""Edges of the skill knowledge graph (DESIGN 6)."""

from __future__ import annotations

from enum import StrEnum

from asf_core.domain.base import Value


class EdgeKind(StrEnum):
    """What one skill is to another."""

    DEPENDS_ON = "depends_on"
    REQUIRED_SUB_SKILLS = "required_sub_skills"
    COMPLEMENTS = "complements"
    DUPLICATE_OF = "duplicate_of"
    CO_USED_WITH = "co_used_with"
    TESTED_BY = "tested_by"
    CONFLICTS_WITH = "conflicts_with"
    VERSION_OF = "version_of"
    EXTENDS = "extends"
    REFERENCES = "references"


class EdgeOrigin(StrEnum):
    """How sure the relation is to be meant."""

    EXTRACTED = "EXTRACTED"
    INFERRED = "INFERRED"
    AMBIGUOUS = "AMBIGUOUS"


class EdgeEvidence(Value):
    """A place that says so."""

    kind: EdgeKind
    confidence: float
    """0 to 1."""
    origin: EdgeOrigin
    path: str
    """POSIX path inside the registry."""
    line: int
    """1-based."""
    text: str
    """The line, cut to 200 characters: hostile text."""


class Edge(Value):
    """A directed relation. One a pair: the evidence of highest confidence names its kind."""

    source: str
    target: str
    kind: EdgeKind
    confidence: float
    origin: EdgeOrigin
    evidence: tuple[EdgeEvidence, ...]
    """Highest confidence first."""
