"""Stage 3: from the skills that the router kept to a set that can work, within a token budget.

Three passes, each over what the one before left of the budget:

1. The kept skills by score, each with everything it needs (``Adjacency.needs``, transitively). The
   closure enters whole or the skill does not: it may not fit, need a skill that is missing,
   quarantined or declared by a name that means no skill, or clash with a better one. What two
   skills share is counted once.
2. What their texts call for (``Adjacency.likely_needs``), likewise with its closure, where it fits.
3. Companions, by confidence: at most ``WalkConfig.companions``, none below
   ``WalkConfig.companion_floor``, so that an index page or a "for that use X instead" fills no plan.

Nothing that enters late pushes out what entered before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Literal

from asf_core.domain.graph import EdgeKind
from asf_core.domain.routing import Candidate, Dropped, Link, PlanProblem, RoutableSkill
from asf_core.retrieval.adjacency import Adjacency

Reason = Literal["routed", "required", "complements", "co_used_with"]


@dataclass(frozen=True, slots=True)
class WalkConfig:
    """What the walk may add of its own accord."""

    likely: int = 4
    """Most skills that the second pass may start from."""
    companions: int = 3
    """Most companions."""
    companion_floor: float = 0.6
    """Least confidence of a companion: a relation told in prose passes (0.7); a pointer away (0.4),
    a line of a catalogue (0.5) and an ambiguous name (0.3) do not."""


@dataclass(frozen=True, slots=True)
class Member:
    """A skill of the bundle, and how it got there."""

    skill_id: str
    reason: Reason
    because_of: str | None = None
    """Id of the skill that needs or names it; ``None`` where the router chose it."""
    score: float | None = None
    """The router's score; ``None`` where the walk brought it in."""


@dataclass(frozen=True, slots=True)
class WalkResult:
    """What the walk kept and what it left out."""

    members: tuple[Member, ...]
    """In the order in which they entered."""
    dropped: tuple[Dropped, ...]
    """Of the router's choice only, best first."""
    problems: tuple[PlanProblem, ...]
    """The same, for the plan: ``over_budget``, ``missing`` or ``conflict``."""
    tokens: int
    """Of all members' instructions."""


@dataclass(frozen=True, slots=True)
class _Refusal:
    kind: Literal["over_budget", "missing", "conflict"]
    reason: str
    skill_ids: tuple[str, ...]


@dataclass(slots=True)
class _Walk:
    """The bundle as it grows."""

    skills: Mapping[str, RoutableSkill]
    links: Adjacency
    budget: int
    excluded: AbstractSet[str]
    members: dict[str, Member] = field(default_factory=dict)
    spent: int = 0

    def admit(self, root: Member) -> _Refusal | None:
        """Take a skill in with all that it needs, or say why not."""
        closure = self._closure(root.skill_id)
        refusal = self._unavailable(closure) or self._clash(closure) or self._too_big(closure)
        if refusal:
            return refusal
        for skill_id, needed_by in closure.items():
            if skill_id not in self.members:
                self.spent += self.skills[skill_id].tokens
                self.members[skill_id] = (
                    Member(skill_id, "required", needed_by) if needed_by else root
                )
        return None

    def _closure(self, root: str) -> dict[str, str | None]:
        """The skill and what it needs, nearest first, each with what needs it."""
        closure: dict[str, str | None] = {root: None}
        queue = [root]
        for skill_id in queue:
            for needed in self.links.needs(skill_id):
                if needed not in closure:
                    closure[needed] = skill_id
                    queue.append(needed)
        return closure

    def _unavailable(self, closure: Mapping[str, str | None]) -> _Refusal | None:
        for skill_id, needed_by in closure.items():
            if skill_id in self.skills and skill_id not in self.excluded:
                continue
            why = "not in the index"
            if skill_id in self.excluded:
                why = "quarantined or excluded"
            elif needed_by and "/" not in skill_id:  # as declared: the graph found no one skill
                why = "the name of no skill, or of several"
            reason = f"needs {_path(closure, skill_id)}, which is {why}" if needed_by else why
            return _Refusal("missing", reason, _chain(closure, skill_id))
        return None

    def _clash(self, closure: Mapping[str, str | None]) -> _Refusal | None:
        for skill_id in closure:
            foes = self.links.conflicts(skill_id)
            for foe in [*self.members, *closure]:
                if foe in foes:
                    place = "it needs itself" if foe in closure else "scored better"
                    through = _path(closure, skill_id)
                    reason = f"{through} conflicts with {foe}, which {place}"
                    return _Refusal("conflict", reason, (*_chain(closure, skill_id), foe))
        return None

    def _too_big(self, closure: Iterable[str]) -> _Refusal | None:
        new = [skill_id for skill_id in closure if skill_id not in self.members]
        size = sum(self.skills[skill_id].tokens for skill_id in new)
        left = self.budget - self.spent
        if size <= left:
            return None
        what = "takes" if len(new) == 1 else f"with the {len(new) - 1} it needs takes"
        return _Refusal("over_budget", f"{what} {size} tokens, {left} are left", tuple(new))


def walk(
    seeds: Sequence[Candidate],
    skills: Mapping[str, RoutableSkill],
    links: Adjacency,
    budget: int,
    excluded: AbstractSet[str] = frozenset(),
    *,
    copies: AbstractSet[str] = frozenset(),
    scores: Mapping[str, float] | None = None,
    config: WalkConfig | None = None,
) -> WalkResult:
    """Gather the bundle.

    Args:
        seeds: What the router kept, in any order; ties of score go by id.
        skills: Everything that may enter, by id.
        links: The graph.
        budget: Most tokens of all instructions together.
        excluded: Ids that must not enter, as quarantined skills.
        copies: Ids for which another skill stands: they enter where they are needed, never as
            companions, or a plan would hold one skill twice.
        scores: The router's scores of skills that it did not keep; among companions of one
            confidence the better goes first.
        config: What may be added beyond need.

    Returns:
        Members whose needs are all members, no two of which conflict, within the budget.
    """
    bounds = config or WalkConfig()
    state = _Walk(skills, links, budget, excluded)
    refused = list(_route(state, seeds))
    _take_likely(state, bounds.likely)
    _take_companions(state, bounds, scores or {}, copies)
    refused = [(seed, no) for seed, no in refused if seed not in state.members]
    return WalkResult(
        members=tuple(state.members.values()),
        dropped=tuple(Dropped(skill_id=seed, reason=no.reason) for seed, no in refused),
        problems=tuple(_problem(seed, no, skills) for seed, no in refused),
        tokens=state.spent,
    )


def _route(state: _Walk, seeds: Sequence[Candidate]) -> Iterator[tuple[str, _Refusal]]:
    for seed in sorted(seeds, key=lambda c: (-c.score, c.skill_id)):
        member = Member(seed.skill_id, "routed", None, seed.score)
        if seed.skill_id in state.members:
            known = state.members[seed.skill_id]
            if known.reason != "routed":
                state.members[seed.skill_id] = member
        elif refusal := state.admit(member):
            yield seed.skill_id, refusal


def _take_likely(state: _Walk, most: int) -> None:
    queue = list(state.members)
    for skill_id in queue:
        for link in state.links.likely_needs(skill_id):
            if most == 0:
                return
            if link.target not in state.members:
                before = len(state.members)
                if state.admit(Member(link.target, "required", skill_id)) is None:
                    queue.extend(list(state.members)[before:])
                    most -= 1


def _take_companions(
    state: _Walk, bounds: WalkConfig, scores: Mapping[str, float], copies: AbstractSet[str]
) -> None:
    offers = _offers(state, bounds.companion_floor)
    ranked = sorted(
        (offer for offer in offers.items() if offer[0] not in copies),
        key=lambda o: (-o[1][0].confidence, -len(o[1]), -scores.get(o[0], float("-inf")), o[0]),
    )
    taken = 0
    for target, links in ranked:
        if taken == bounds.companions:
            return
        if target not in state.members:
            reason: Reason = (
                "complements" if links[0].kind is EdgeKind.COMPLEMENTS else "co_used_with"
            )
            taken += state.admit(Member(target, reason, links[0].source)) is None


def _offers(state: _Walk, floor: float) -> dict[str, list[Link]]:
    """Companions that the members name, each with its links, the surest first."""
    offers: dict[str, list[Link]] = {}
    for skill_id in state.members:
        for link in state.links.companions(skill_id):
            if link.confidence >= floor and link.target not in state.members:
                offers.setdefault(link.target, []).append(link)
    for links in offers.values():
        links.sort(key=lambda link: -link.confidence)
    return offers


def _chain(closure: Mapping[str, str | None], skill_id: str) -> tuple[str, ...]:
    """From the root of a closure down to one of its skills."""
    chain = [skill_id]
    while (above := closure[chain[-1]]) is not None:
        chain.append(above)
    return tuple(reversed(chain))


def _path(closure: Mapping[str, str | None], skill_id: str) -> str:
    """What stands below the root on the way to a skill, as ``b -> c``; the root itself as "it"."""
    return " -> ".join(_chain(closure, skill_id)[1:]) or "it"


def _problem(seed: str, refusal: _Refusal, skills: Mapping[str, RoutableSkill]) -> PlanProblem:
    name = skills[seed].slug if seed in skills else seed
    return PlanProblem(
        kind=refusal.kind, message=f"{name}: {refusal.reason}", skill_ids=refusal.skill_ids
    )
