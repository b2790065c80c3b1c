"""Edges of the graph from what skills declare and from what their texts tell (DESIGN 6).

What the frontmatter declares is EXTRACTED at 1.0, what the prose tells INFERRED. A name that can
mean several skills gives an AMBIGUOUS edge to each, at 0.3; one that means none is a finding.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from asf_core.domain.findings import Finding, SkillFinding
from asf_core.domain.graph import Edge, EdgeEvidence, EdgeKind, EdgeOrigin
from asf_core.domain.manifest import Relations
from asf_core.domain.routing import Link
from asf_core.graph import unresolved
from asf_core.graph.declared import declared
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
    relations: Relations
    body: str
    body_line: int
    """Line of the file on which ``body`` starts, 1-based."""
    file_name: str = "SKILL.md"
    frontmatter: str = ""
    """The file's text above ``body``, to find the line of a declaration; without it evidence
    stands on line 1."""

    @property
    def file(self) -> str:
        """POSIX path of its file inside the registry."""
        return self.file_name if self.path == "." else f"{self.path}/{self.file_name}"

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
    line: int
    text: str


def build_edges(skills: Iterable[GraphInput]) -> GraphResult:
    """Build all edges.

    Args:
        skills: Every synced skill, in any order; broken ones too, they may be named.

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
        claims = [*_declared(skill, index, found, unmet), *_told(skill, index, found)]
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


def _declared(
    skill: GraphInput, index: NameIndex, found: list[Finding], unmet: list[Link]
) -> Iterator[_Claim]:
    for kind, ref, line, text in declared(skill.relations, skill.frontmatter):
        resolution = index.resolve(skill, ref)
        if len(resolution.ids) != 1 and kind in REQUIREMENTS:
            unmet.append(Link(skill.id, ref, kind, 1.0))
        if not resolution.ids:
            near = index.nearest(skill, ref)
            found.append(
                unresolved.dangling_declaration(skill.file, line, kind.value, ref, text, near)
            )
        elif len(resolution.ids) > 1:
            found.append(
                unresolved.ambiguous_declaration(skill.file, line, kind.value, ref, resolution.ids)
            )
        yield _Claim(resolution, kind, 1.0, EdgeOrigin.EXTRACTED, line, text)


def _told(skill: GraphInput, index: NameIndex, found: list[Finding]) -> Iterator[_Claim]:
    mentions = read_mentions(skill.body, index.names_in(skill.registry), skill.names)
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
        yield _Claim(resolution, kind, confidence, EdgeOrigin.INFERRED, line, mention.text)


def _resolve(skill: GraphInput, index: NameIndex, mention: Mention) -> Resolution:
    if mention.is_path:
        return index.by_path(skill, mention.name)
    return index.by_name(skill, mention.name, home=not mention.listed or "-" not in mention.name)


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
            pairs[target].add(_evidence(skill, claim, ambiguous=len(targets) > 1))
    return [_edge(skill.id, target, pairs[target]) for target in sorted(pairs)]


def _evidence(skill: GraphInput, claim: _Claim, *, ambiguous: bool) -> EdgeEvidence:
    return EdgeEvidence(
        kind=claim.kind,
        confidence=AMBIGUOUS if ambiguous else claim.confidence,
        origin=EdgeOrigin.AMBIGUOUS if ambiguous else claim.origin,
        path=skill.file,
        line=claim.line,
        text=claim.text[:200],
    )


def _edge(source: str, target: str, evidence: Iterable[EdgeEvidence]) -> Edge:
    ranked = sorted(evidence, key=lambda e: (-e.confidence, _RANK[e.kind], e.line, e.text))
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
