"""Edges of the graph from what skills declare, reach and tell (DESIGN 6).

What the frontmatter declares and what a script imports is EXTRACTED at 1.0; what a script starts and
what the prose tells is INFERRED. A name that can mean several skills gives an AMBIGUOUS edge to
each, at 0.3; one that means none is a finding.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from asf_core.domain.findings import Finding, SkillFinding
from asf_core.domain.graph import (
    Edge,
    EdgeEvidence,
    EdgeKind,
    EdgeOrigin,
    Reference,
    ReferenceForm,
)
from asf_core.domain.routing import Link
from asf_core.graph import unresolved
from asf_core.graph.names import NameIndex, Resolution, directory_name
from asf_core.graph.prose import Mention, read_mentions
from asf_core.graph.requirements import REQUIREMENTS

FOREIGN = 0.5
"""Most that a name in prose is worth that only another registry knows."""
AMBIGUOUS = 0.3
MOST_CHOICES = 5
"""A name with more meanings than this means nothing: no edge."""
MOST_EVIDENCE = 12
"""Kept for an edge, the surest; a long text names a sibling dozens of times."""
CATALOGUE = 25
"""A text that names more skills than this outside its lists is an index of them."""
CATALOGUE_CONFIDENCE = 0.5

PRECEDENCE = (
    EdgeKind.CONFLICTS_WITH,
    EdgeKind.REQUIRED_SUB_SKILLS,
    EdgeKind.DEPENDS_ON,
    EdgeKind.EXTENDS,
    EdgeKind.VERSION_OF,
    EdgeKind.DUPLICATE_OF,
    EdgeKind.TESTED_BY,
    EdgeKind.CO_USED_WITH,
    EdgeKind.COMPLEMENTS,
    EdgeKind.REFERENCES,
)
"""Which kind names an edge where two are equally sure: the one that it would be worse to lose."""
_RANK = {kind: position for position, kind in enumerate(PRECEDENCE)}


@dataclass(frozen=True, slots=True)
class GraphInput:
    """What the graph reads of a skill."""

    id: str
    slug: str
    registry: str
    path: str
    """POSIX path of its directory inside the registry; ``.`` for the root."""
    references: Sequence[Reference]
    """What its frontmatter, scripts and commands reach for."""
    body: str
    body_line: int
    """Line of the file on which ``body`` starts, 1-based."""
    file_name: str = "SKILL.md"

    @property
    def file(self) -> str:
        """POSIX path of its file inside the registry."""
        return self.inside(self.file_name)

    def inside(self, file: str) -> str:
        """POSIX path inside the registry of one of its files."""
        return file if self.path == "." else f"{self.path}/{file}"

    @property
    def names(self) -> frozenset[str]:
        """What it is called."""
        return frozenset((self.slug, directory_name(self.path)))


@dataclass(frozen=True, slots=True)
class GraphResult:
    """All edges, and the names that gave none."""

    edges: tuple[Edge, ...]
    """Sorted by source, then target; one a pair."""
    dangling: tuple[SkillFinding, ...]
    """Sorted by skill, then line: ``graph/dangling-name``, ``graph/ambiguous-name``,
    ``graph/contradiction``."""
    unmet: tuple[Link, ...] = ()
    """Requirements that are declared and that no skill meets, or several: from the skill to the
    name as it is declared, which is no skill's id. No plan may hold the skill without them."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """One place that relates a skill to what a name means."""

    resolution: Resolution
    kind: EdgeKind
    confidence: float
    origin: EdgeOrigin
    file: str
    """POSIX path inside the registry."""
    line: int
    text: str


ReadMentions = Callable[[GraphInput, Collection[str]], tuple[Mention, ...]]
"""What a skill's text tells, given the names of its registry's skills."""


def read_text(skill: GraphInput, known: Collection[str]) -> tuple[Mention, ...]:
    """Read a skill's text anew."""
    return read_mentions(skill.body, known, skill.names)


def build_edges(skills: Iterable[GraphInput], read: ReadMentions = read_text) -> GraphResult:
    """Build all edges.

    Args:
        skills: Every synced skill that can be read, in any order.
        read: Reads texts, or remembers what they told.

    Returns:
        The same result for the same skills in any order. Self edges are left out.
    """
    ordered = sorted(skills, key=lambda skill: skill.id)
    index = NameIndex(ordered)
    edges: list[Edge] = []
    findings: list[SkillFinding] = []
    unmet: list[Link] = []
    for skill in ordered:
        found: list[Finding] = []
        claims = [
            *_reached(skill, index, found, unmet),
            *_told(skill, index, read(skill, index.names_in(skill.registry)), found),
        ]
        own = _edges(skill, claims)
        found += [unresolved.contradiction(skill.file, edge) for edge in own if _contradicts(edge)]
        edges += own
        findings += [
            SkillFinding(skill_id=skill.id, finding=finding)
            for finding in sorted(found, key=_place)
        ]
    return GraphResult(tuple(edges), tuple(findings), tuple(unmet))


def _place(finding: Finding) -> tuple[int, str, str]:
    return finding.line, finding.rule, finding.message


def _reached(
    skill: GraphInput, index: NameIndex, found: list[Finding], unmet: list[Link]
) -> Iterator[_Claim]:
    for said in skill.references:
        resolution = _meant(skill, index, said)
        if said.form is ReferenceForm.DECLARED:
            _check_declared(skill, index, said, resolution, found)
            if len(resolution.ids) != 1 and said.kind in REQUIREMENTS:
                unmet.append(Link(skill.id, said.target, said.kind, 1.0))
        elif said.form is ReferenceForm.NAME and not resolution.ids:
            near = index.nearest(skill, said.target)
            file = skill.inside(said.file)
            found.append(unresolved.dangling_call(file, said.line, said.target, said.text, near))
        yield _Claim(
            resolution,
            said.kind,
            said.confidence,
            said.origin,
            skill.inside(said.file),
            said.line,
            said.text,
        )


def _meant(skill: GraphInput, index: NameIndex, said: Reference) -> Resolution:
    if said.form is ReferenceForm.DECLARED:
        return index.resolve(skill, said.target)
    if said.form is ReferenceForm.NAME:
        return index.by_name(skill, said.target, home=True)
    if said.form is ReferenceForm.TAIL:
        return index.by_tail(skill, said.target)
    if (there := index.at(skill, said.target)).ids or said.form is ReferenceForm.EXACT:
        return there
    return index.by_tail(skill, said.target)


def _check_declared(
    skill: GraphInput,
    index: NameIndex,
    said: Reference,
    resolution: Resolution,
    found: list[Finding],
) -> None:
    file, field = skill.inside(said.file), said.kind.value
    if not resolution.ids:
        near = index.nearest(skill, said.target)
        found.append(
            unresolved.dangling_declaration(file, said.line, field, said.target, said.text, near)
        )
    elif len(resolution.ids) > 1:
        found.append(
            unresolved.ambiguous_declaration(file, said.line, field, said.target, resolution.ids)
        )


def _told(
    skill: GraphInput, index: NameIndex, mentions: Sequence[Mention], found: list[Finding]
) -> Iterator[_Claim]:
    resolved = [(mention, _resolve(skill, index, mention)) for mention in mentions]
    catalogue = _is_catalogue(resolved)
    for mention, resolution in resolved:
        line = skill.body_line + mention.line - 1
        if mention.must_resolve and not resolution.ids:
            near = index.nearest(skill, mention.name)
            found.append(
                unresolved.dangling_mention(skill.file, line, mention.name, mention.text, near)
            )
        kind, confidence = mention.kind, mention.confidence
        if catalogue and not mention.listed:
            kind, confidence = EdgeKind.REFERENCES, min(confidence, CATALOGUE_CONFIDENCE)
        if resolution.foreign:
            confidence = min(confidence, FOREIGN)
        yield _Claim(
            resolution, kind, confidence, EdgeOrigin.INFERRED, skill.file, line, mention.text
        )


def _resolve(skill: GraphInput, index: NameIndex, mention: Mention) -> Resolution:
    if mention.is_path:
        return index.by_path(skill, mention.name)
    home = (not mention.listed or "-" not in mention.name) and ":" not in mention.name
    # A plain word is a name among neighbours only: another collection's `search` is not meant.
    return index.by_name(
        skill, mention.name, home=home, near=not mention.listed and mention.name.isalnum()
    )


def _is_catalogue(resolved: Sequence[tuple[Mention, Resolution]]) -> bool:
    aside = {r.ids for mention, r in resolved if r.ids and not mention.listed}
    return len(aside) > CATALOGUE


def _edges(skill: GraphInput, claims: Iterable[_Claim]) -> list[Edge]:
    pairs: dict[str, set[EdgeEvidence]] = defaultdict(set)
    for claim in claims:
        targets = claim.resolution.ids
        if len(targets) > MOST_CHOICES or skill.id in targets:
            continue
        for target in targets:
            pairs[target].add(_evidence(claim, ambiguous=len(targets) > 1))
    return [_edge(skill.id, target, pairs[target]) for target in sorted(pairs)]


def _evidence(claim: _Claim, *, ambiguous: bool) -> EdgeEvidence:
    return EdgeEvidence(
        kind=claim.kind,
        confidence=AMBIGUOUS if ambiguous else claim.confidence,
        origin=EdgeOrigin.AMBIGUOUS if ambiguous else claim.origin,
        path=claim.file,
        line=claim.line,
        text=claim.text[:200],
    )


def _edge(source: str, target: str, evidence: Iterable[EdgeEvidence]) -> Edge:
    ranked = sorted(evidence, key=lambda e: (-e.confidence, _RANK[e.kind], e.path, e.line, e.text))
    best = ranked[0]
    return Edge(
        source=source,
        target=target,
        kind=best.kind,
        confidence=best.confidence,
        origin=best.origin,
        evidence=tuple(ranked[:MOST_EVIDENCE]),
    )


def _contradicts(edge: Edge) -> bool:
    sure = {e.kind for e in edge.evidence if e.origin is EdgeOrigin.EXTRACTED}
    return EdgeKind.CONFLICTS_WITH in sure and any(kind in sure for kind in REQUIREMENTS)
