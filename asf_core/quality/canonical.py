"""Which skills are one (DESIGN 7, "Canonicalisation").

*Semantic pass*: descriptions whose vectors have a cosine of at least 0.97. On its own that is not
enough: two stubs with one meaningless description are two skills, and a template can bring the
descriptions of two topics that near. So it takes a confirmation: the same name, or at least a
quarter of the shorter body's lines in common. Lines confirm nothing where the descriptions are one
template filled in with each skill's own name ("stock on shelf 46", "stock on shelf 47"): those are
meant to be two.

*Structural pass*: equal bodies, white space aside; or equal scripts, all of them, by their syntax
trees, under descriptions of one subject (skills of a family share helpers). Short bodies ("to
follow") and trivial scripts prove nothing.

Which pairs are one depends on the two skills alone, and clusters are the connected components of
these pairs, so the result is the same for any order of the input, and canonicalising the canonical
skills again changes nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.quality import DuplicateEvidence, DuplicatePass
from asf_core.quality.facts import DescriptionFacts, SkillFacts

SAME_DESCRIPTION = 0.97
"""Cosine from which two descriptions may be one."""
ONE_SUBJECT = 0.8
"""Cosine from which two descriptions are of one subject, for skills with equal scripts."""
COMMON_LINES = 0.25
"""Of the shorter body's lines, to confirm that two skills are one."""
_LEAST_LINES = 2
_LEAST_BODY = 30
"""Words from which equal bodies prove something."""
_LEAST_TOKENS = 60
"""Of all scripts together, from which they prove something."""
_MOST_EQUAL = 50
"""Larger groups are chained instead of compared pair by pair: a hostile registry of ten thousand
copies must not cost fifty million comparisons, and a chain joins them as well."""
_MOST_NEAR = 20
"""Nearest descriptions that each skill is compared with, for the same reason."""
_BLOCK = 512
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Comparable:
    """A skill as canonicalisation sees it."""

    id: str
    names: frozenset[str]
    """Its slug and its directory's name."""
    facts: SkillFacts


@dataclass(frozen=True, slots=True)
class Duplicates:
    """What was found."""

    pairs: tuple[DuplicateEvidence, ...]
    """Sorted by both ids."""
    unconfirmed: tuple[DuplicateEvidence, ...]
    """Nearly equal descriptions that nothing confirms; sorted likewise."""


def find_duplicates(
    skills: Sequence[Comparable], vectors: NDArray[np.float32] | None
) -> Duplicates:
    """Find the pairs of skills that are one.

    Args:
        skills: In any order, ids unique.
        vectors: (N, D) of their descriptions, L2-normalised, zero for an empty one; ``None``
            without an encoder: then descriptions are alike only when they are equal.
    """
    order = sorted(range(len(skills)), key=lambda i: skills[i].id)
    finder = _Finder([skills[i] for i in order], None if vectors is None else vectors[order])
    pairs: list[DuplicateEvidence] = []
    unconfirmed: list[DuplicateEvidence] = []
    for i, j in sorted(finder.candidates()):
        evidence = finder.compare(i, j)
        if evidence is not None:
            (pairs if evidence.passes else unconfirmed).append(evidence)
    return Duplicates(tuple(pairs), tuple(unconfirmed))


def clusters_of(pairs: Iterable[DuplicateEvidence]) -> list[tuple[str, ...]]:
    """The connected components of pairs: each sorted, and sorted by their first ids."""
    parent: dict[str, str] = {}

    def root(skill_id: str) -> str:
        parent.setdefault(skill_id, skill_id)
        while parent[skill_id] != skill_id:
            parent[skill_id] = parent[parent[skill_id]]
            skill_id = parent[skill_id]
        return skill_id

    for pair in pairs:
        a, b = sorted((root(pair.first), root(pair.second)))
        parent[b] = a
    groups: dict[str, list[str]] = defaultdict(list)
    for skill_id in sorted(parent):
        groups[root(skill_id)].append(skill_id)
    return sorted(tuple(group) for group in groups.values())


def choose_canonical(
    members: Iterable[str], scores: Mapping[str, float], versions: Mapping[str, str | None]
) -> list[str]:
    """Members of a cluster, the canonical one first.

    Args:
        members: Ids.
        scores: Slop scores, without what being a copy takes off.
        versions: As declared.

    Returns:
        Best score first; of equal ones the newest version, then the shortest path, then the
        smallest id.
    """

    def rank(skill_id: str) -> tuple[float, list[int], int, int, str]:
        # Rounded: copies differ in the last digits of sums, never in earnest.
        score = -round(scores[skill_id], 6)
        newest = [-number for number in _numbers(versions.get(skill_id))]
        return score, newest, skill_id.count("/"), len(skill_id), skill_id

    return sorted(members, key=rank)


def _numbers(version: str | None) -> list[int]:
    """The first three numbers of a version; zeros for none."""
    found = [int(number) for number in _NUMBER.findall(version or "")[:3]]
    return [*found, *[0] * (3 - len(found))]


class _Finder:
    """Skills sorted by id, and what finds equal ones quickly."""

    def __init__(self, skills: list[Comparable], vectors: NDArray[np.float32] | None) -> None:
        self._skills, self._vectors = skills, vectors
        self._lines = [frozenset(line.key for line in s.facts.text.shared) for s in skills]
        self._scripts = [_scripts(s.facts) for s in skills]

    def candidates(self) -> set[tuple[int, int]]:
        """Pairs (i < j) that may be one."""
        found = set(self._near()) if self._vectors is not None else set()
        for keys in (
            [s.facts.description.key if s.facts.description.words else None for s in self._skills],
            [s.facts.body for s in self._skills],
            self._scripts,
        ):
            found.update(_equal(keys))
        return found

    def _near(self) -> Iterator[tuple[int, int]]:
        """Pairs of descriptions that are not the same and nearly are, of each the nearest few."""
        vectors = self._vectors
        if vectors is None:
            return
        keys = np.array([skill.facts.description.key for skill in self._skills])
        for start in range(0, len(vectors), _BLOCK):
            cosines = vectors[start : start + _BLOCK] @ vectors.T
            cosines[keys[start : start + _BLOCK, None] == keys[None, :]] = 0.0
            for i in np.flatnonzero((cosines >= SAME_DESCRIPTION).any(axis=1)):
                near = np.flatnonzero(cosines[i] >= SAME_DESCRIPTION)
                ranked = near[np.lexsort((near, -cosines[i][near]))][:_MOST_NEAR]
                yield from (_in_order(start + int(i), int(j)) for j in ranked)

    def compare(self, i: int, j: int) -> DuplicateEvidence | None:
        """What makes two skills one; ``None`` when nothing even hints at it."""
        cosine = self._cosine(i, j)
        semantic = [] if cosine < SAME_DESCRIPTION else self._confirmed(i, j)
        structural = self._structural(i, j, cosine)
        if not semantic and not structural and cosine < SAME_DESCRIPTION:
            return None
        passes = [p for p, why in zip(DuplicatePass, (semantic, structural), strict=True) if why]
        return DuplicateEvidence(
            first=self._skills[i].id,
            second=self._skills[j].id,
            passes=tuple(passes),
            cosine=None if self._vectors is None else round(cosine, 4),
            because=(*semantic, *structural),
        )

    def _cosine(self, i: int, j: int) -> float:
        a, b = self._skills[i].facts.description, self._skills[j].facts.description
        if not a.words or not b.words:
            return 0.0
        if a.key == b.key:
            return 1.0
        if self._vectors is None:
            return 0.0
        return float(np.dot(self._vectors[i], self._vectors[j]))

    def _confirmed(self, i: int, j: int) -> list[str]:
        a, b = self._skills[i], self._skills[j]
        found = []
        if names := sorted(a.names & b.names):
            found.append(f"both are called {names[0]}")
        if _filled_in(a.facts.description, b.facts.description):
            return found
        common = len(self._lines[i] & self._lines[j])
        shorter = min(len(self._lines[i]), len(self._lines[j]))
        if common >= max(_LEAST_LINES, COMMON_LINES * shorter):
            found.append(f"{common} of {shorter} lines in common")
        return found

    def _structural(self, i: int, j: int, cosine: float) -> list[str]:
        a, b = self._skills[i].facts, self._skills[j].facts
        found = []
        if a.body == b.body and a.text.words >= _LEAST_BODY:
            found.append("equal text")
        if self._scripts[i] and self._scripts[i] == self._scripts[j] and cosine >= ONE_SUBJECT:
            found.append(f"equal scripts: {', '.join(s.path for s in a.scripts[:3])}")
        return found


def _filled_in(a: DescriptionFacts, b: DescriptionFacts) -> bool:
    """Whether two different descriptions are the same but for each skill's own name."""
    return a.key != b.key and a.sentences == b.sentences


def _in_order(i: int, j: int) -> tuple[int, int]:
    return (i, j) if i < j else (j, i)


def _scripts(facts: SkillFacts) -> tuple[str, ...] | None:
    if sum(script.tokens for script in facts.scripts) < _LEAST_TOKENS:
        return None
    return tuple(sorted(script.print for script in facts.scripts))


def _equal(keys: Sequence[object]) -> Iterator[tuple[int, int]]:
    groups: dict[object, list[int]] = defaultdict(list)
    for at, key in enumerate(keys):
        if key is not None:
            groups[key].append(at)
    for group in groups.values():
        for place, i in enumerate(group):
            stop = len(group) if len(group) <= _MOST_EQUAL else place + 2
            yield from ((i, j) for j in group[place + 1 : stop])
