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
    """Named in a section of references, or in an index of many skills: worth reading, not needed.
    The walk passes over it; it joins two skills in measures and communities as any edge does."""


class EdgeOrigin(StrEnum):
    """How sure the relation is to be meant."""

    EXTRACTED = "EXTRACTED"
    INFERRED = "INFERRED"
    AMBIGUOUS = "AMBIGUOUS"


class ReferenceForm(StrEnum):
    """How a skill's file says which other skill it means."""

    DECLARED = "declared"
    """As the frontmatter declares it: an id, a path or a name."""
    EXACT = "exact"
    """A path from the skill's own directory, fixed by the text of a script."""
    RELATIVE = "relative"
    """A path from wherever it is run: the skill's directory, or the registry's root."""
    TAIL = "tail"
    """The end of a path whose beginning is not known."""
    NAME = "name"
    """A name."""


class Reference(Value):
    """A place in a skill's own files that reaches for another skill, whichever that is.

    It depends on these files alone, so it is read once for each content; the graph finds out which
    skill it means.
    """

    target: str
    """Path or name, by :attr:`form`: hostile text."""
    form: ReferenceForm
    kind: EdgeKind
    confidence: float
    origin: EdgeOrigin
    file: str
    """POSIX path relative to the skill's directory."""
    line: int
    """1-based."""
    text: str
    """The line, cut to 200 characters: hostile text."""


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
