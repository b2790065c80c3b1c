"""Stage 4: the members of the bundle in an order in which each has what it needs.

A step comes after what it depends on and after what its inputs are bound to. Steps that could come
next are taken by score, then by id; one that had better wait (a preferred source, or a requirement
that only prose tells, is still to come) waits while any other can go. A skill that declares no types
is placed by its edges and marked untyped.

What cannot be placed is rejected with a problem that says why, and with it what needs it and what
came in for it alone; the rest of the plan stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from asf_core.domain.iotype import IOType
from asf_core.domain.routing import Bundle, PlanProblem, PlanStep, RoutableSkill
from asf_core.retrieval.adjacency import Adjacency
from asf_core.retrieval.binding import Supply, sources
from asf_core.retrieval.rejection import Stuck, reject, supported
from asf_core.retrieval.walk import Member

_COMPANIONS = ("complements", "co_used_with")


def plan(
    members: Sequence[Member],
    skills: Mapping[str, RoutableSkill],
    links: Adjacency,
    task_inputs: Sequence[IOType],
    *,
    problems: Iterable[PlanProblem] = (),
) -> Bundle:
    """Order the members and bind their inputs.

    Args:
        members: What the walk gathered, in any order.
        skills: The members' skills by id.
        links: The graph.
        task_inputs: What the task brings along.
        problems: Those of earlier stages, to stand before this one's own.

    Returns:
        Steps in order, each input bound to the task or to an earlier step, and the problems.
    """
    found = list(problems)
    left = {member.skill_id: member for member in members}
    while True:
        attempt = _Attempt(left, skills, links, task_inputs)
        rejected = reject(attempt.stuck())
        if not rejected:
            break
        kept = {skill_id: left[skill_id] for skill_id in attempt.placed}
        left = attempt.without_orphans(kept)
        found += [
            _with(problem, frozenset(kept.keys() - left.keys()), kept) for problem in rejected
        ]
    return Bundle(
        steps=tuple(attempt.placed.values()), problems=tuple(found), task_inputs=tuple(task_inputs)
    )


class _Attempt:
    """One run over a set of members: places what can be placed."""

    def __init__(
        self,
        members: Mapping[str, Member],
        skills: Mapping[str, RoutableSkill],
        links: Adjacency,
        task: Sequence[IOType],
    ) -> None:
        self.placed: dict[str, PlanStep] = {}
        self._members = members
        self._skills = {skill_id: skills[skill_id] for skill_id in sorted(members)}
        self._task = task
        self._supply = Supply(task)
        self._needs = {skill_id: links.needs(skill_id) for skill_id in self._skills}
        self._waits = {skill_id: self._preferred(skill_id, links) for skill_id in self._skills}
        self._rank = {skill_id: (-self._score(skill_id), skill_id) for skill_id in self._skills}
        while ready := [s for s in self._skills if s not in self.placed and self._ready(s)]:
            self._place(min(ready, key=lambda s: (self._waiting(s), self._rank[s])))

    def _preferred(self, skill_id: str, links: Adjacency) -> AbstractSet[str]:
        """What a step had better come after, and can do without."""
        skill, member = self._skills[skill_id], self._members[skill_id]
        preferred = {link.target for link in links.likely_needs(skill_id)}
        if member.reason in _COMPANIONS and member.because_of:
            preferred.add(member.because_of)
        for wanted in skill.inputs:
            preferred |= sources(wanted, skill, self._skills.values(), self._task)
        return preferred & self._skills.keys()

    def _score(self, skill_id: str) -> float:
        """Its own; a requirement goes with what requires it, a companion after all others."""
        seen: set[str] = set()
        while (member := self._members.get(skill_id)) and skill_id not in seen:
            if member.score is not None:
                return member.score
            if member.reason in _COMPANIONS:
                break
            seen.add(skill_id)
            skill_id = member.because_of or ""
        return float("-inf")

    def _ready(self, skill_id: str) -> bool:
        needs_met = all(needed in self.placed for needed in self._needs[skill_id])
        return needs_met and not self._supply.missing(self._skills[skill_id])

    def _waiting(self, skill_id: str) -> int:
        return sum(source not in self.placed for source in self._waits[skill_id])

    def _place(self, skill_id: str) -> None:
        skill, member = self._skills[skill_id], self._members[skill_id]
        self.placed[skill_id] = PlanStep(
            position=len(self.placed) + 1,
            skill_id=skill_id,
            slug=skill.slug,
            description=skill.description,
            reason=member.reason,
            because_of=member.because_of,
            score=member.score,
            tokens=skill.tokens,
            inputs=skill.inputs,
            outputs=skill.outputs,
            bindings=tuple(b for wanted in skill.inputs if (b := self._supply.bind(wanted))),
            typed=bool(skill.inputs or skill.outputs),
        )
        self._supply.add(skill)

    def stuck(self) -> Stuck:
        """What could not be placed, with what its diagnosis takes."""
        return Stuck(
            left={s: skill for s, skill in self._skills.items() if s not in self.placed},
            placed={s: self._skills[s] for s in self.placed},
            needs=self._needs,
            task=self._task,
            supply=self._supply,
        )

    def without_orphans(self, kept: Mapping[str, Member]) -> dict[str, Member]:
        """The members that stay, each with a reason that stays too."""
        wanted_by: dict[str, set[str]] = defaultdict(set)
        for step in self.placed.values():
            for needed in self._needs[step.skill_id]:
                wanted_by[needed].add(step.skill_id)
            for binding in step.bindings:
                wanted_by[binding.from_skill or ""].add(step.skill_id)
        serving = supported({s: member.because_of for s, member in kept.items()}, wanted_by)
        stay = {s: member for s, member in kept.items() if s in serving}
        return {s: _adopted(member, stay, wanted_by[s]) for s, member in stay.items()}


def _adopted(member: Member, stay: Mapping[str, Member], wanted_by: AbstractSet[str]) -> Member:
    """A member whose reason is gone stays for the sake of what still needs it."""
    if member.because_of is None or member.because_of in stay:
        return member
    return replace(member, reason="required", because_of=min(wanted_by & stay.keys()))


def _with(
    problem: PlanProblem, orphaned: frozenset[str], kept: Mapping[str, Member]
) -> PlanProblem:
    """Add to a problem what came in for its steps alone."""
    chain = list(problem.skill_ids)
    while more := [s for s in sorted(orphaned.difference(chain)) if kept[s].because_of in chain]:
        chain += more
    return problem.model_copy(update={"skill_ids": tuple(chain)})
