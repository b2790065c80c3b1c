"""The graph as the walk and the plan ask it: who needs whom, who goes with whom, who must not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from asf_core.domain.graph import EdgeKind
from asf_core.domain.routing import Link

HARD_FROM = 0.9
"""A requirement this sure binds: what needs it is kept with it or not at all."""
LIKELY_FROM = 0.6
"""A requirement read from prose; taken along where it fits, fatal for nobody."""


class Adjacency:
    """Links by skill, built once and asked many times.

    Requirements (``depends_on``, ``required_sub_skills``) bind from a confidence of ``HARD_FROM``:
    the frontmatter declares them, at 1.0. Prose gives 0.6 or 0.7 ("Prerequisites", "run X first"),
    is often conditional and now and then misread, so that those are only likely: a skill must not
    become unreachable because a sentence names another one.

    ``conflicts_with`` holds both ways and at any confidence: a companion left out costs little, two
    skills that clash cost the task. ``co_used_with`` holds both ways too; ``complements`` only from
    the skill that says so.

    Building takes one pass and no sorting; a skill's links are sorted when they are asked for.
    """

    def __init__(self, links: Iterable[Link] = ()) -> None:
        self._needs: dict[str, list[Link]] = defaultdict(list)
        self._companions: dict[str, list[Link]] = defaultdict(list)
        self._conflicts: dict[str, set[str]] = defaultdict(set)
        for link in links:
            if link.source != link.target:
                self._add(link)

    def _add(self, link: Link) -> None:
        kind = link.kind  # compared by identity: hashing an enum member is a call into Python
        if kind is EdgeKind.COMPLEMENTS:
            self._companions[link.source].append(link)
        elif kind is EdgeKind.DEPENDS_ON or kind is EdgeKind.REQUIRED_SUB_SKILLS:
            self._needs[link.source].append(link)
        elif kind is EdgeKind.CO_USED_WITH:
            self._companions[link.source].append(link)
            self._companions[link.target].append(
                Link(link.target, link.source, kind, link.confidence)
            )
        elif kind is EdgeKind.CONFLICTS_WITH:
            self._conflicts[link.source].add(link.target)
            self._conflicts[link.target].add(link.source)

    def needs(self, skill_id: str) -> tuple[str, ...]:
        """What a skill cannot do without, sorted by id."""
        found = self._needs.get(skill_id, ())
        return tuple(sorted({link.target for link in found if link.confidence >= HARD_FROM}))

    def likely_needs(self, skill_id: str) -> tuple[Link, ...]:
        """What a skill's text calls for, the surest first; none that ``needs`` gives."""
        hard = self.needs(skill_id)
        found = self._needs.get(skill_id, ())
        return _best(
            link for link in found if link.confidence >= LIKELY_FROM and link.target not in hard
        )

    def companions(self, skill_id: str) -> tuple[Link, ...]:
        """What goes with a skill, the surest first; one link for each target."""
        return _best(self._companions.get(skill_id, ()))

    def conflicts(self, skill_id: str) -> frozenset[str]:
        """What must not share a bundle with a skill."""
        return frozenset(self._conflicts.get(skill_id, ()))


def _best(links: Iterable[Link]) -> tuple[Link, ...]:
    ranked = sorted(links, key=lambda link: (-link.confidence, link.target, link.kind))
    best: dict[str, Link] = {}
    for link in ranked:
        best.setdefault(link.target, link)
    return tuple(best.values())
