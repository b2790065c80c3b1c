"""Why a step cannot be placed, and what goes with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

from asf_core.domain.iotype import IOType
from asf_core.domain.routing import PlanProblem, RoutableSkill
from asf_core.retrieval.binding import Supply, nearest_offer

Kind = Literal["cycle", "unmet_input", "type_mismatch", "missing"]


@dataclass(frozen=True, slots=True)
class Stuck:
    """What is left when no further step can be placed."""

    left: Mapping[str, RoutableSkill]
    """Steps that could not be placed, by id, sorted."""
    placed: Mapping[str, RoutableSkill]
    needs: Mapping[str, Sequence[str]]
    """What each step cannot do without."""
    task: Sequence[IOType]
    supply: Supply
    """What the task and the placed steps offer."""


def reject(stuck: Stuck) -> tuple[PlanProblem, ...]:
    """Give each reason once, with the step that has it first and then those that need that step.

    Args:
        stuck: The state of a planner that came to a halt.

    Returns:
        Problems whose ``skill_ids`` together are all steps that are left.
    """
    rejection = _Rejection(stuck)
    while rejection.left:
        rejection.next()
    return tuple(rejection.problems)


class _Rejection:
    def __init__(self, stuck: Stuck) -> None:
        self.left = dict(sorted(stuck.left.items()))
        self.problems: list[PlanProblem] = []
        self._stuck = stuck
        everything = [*stuck.placed.values(), *stuck.left.values()]
        self._all = sorted(everything, key=lambda skill: skill.id)

    def next(self) -> None:
        """Find one reason and take what it concerns out of what is left."""
        for skill_id, skill in self.left.items():
            if absent := self._absent_needs(skill_id):
                message = f"{self._name(skill_id)} needs {', '.join(absent)}, not in the plan"
                return self._close([skill_id], [("missing", message)])
            if unmet := [w for w in self._unmet(skill) if not self._offered(w, skill)]:
                return self._close([skill_id], [self._lack(wanted, skill) for wanted in unmet])
        cycle = self._cycle()
        names = [self._name(skill_id) for skill_id in cycle]
        ring = " -> ".join([*names, names[0]])
        return self._close(cycle, [("cycle", f"{ring}: each needs the next, none can be first")])

    def _absent_needs(self, skill_id: str) -> list[str]:
        here = self.left.keys() | self._stuck.placed.keys()
        return [needed for needed in self._stuck.needs[skill_id] if needed not in here]

    def _unmet(self, skill: RoutableSkill) -> list[IOType]:
        return self._stuck.supply.missing(skill)

    def _offered(
        self, wanted: IOType, consumer: RoutableSkill, gone: AbstractSet[str] = frozenset()
    ) -> list[str]:
        """The steps left that would give an input if they could be placed."""
        return [
            skill_id
            for skill_id, skill in self.left.items()
            if skill_id != consumer.id
            and skill_id not in gone
            and any(output.type == wanted.type for output in skill.outputs)
        ]

    def _dependents(self, roots: Sequence[str]) -> list[str]:
        """What cannot do without the roots, or without what cannot, sorted."""
        gone = set(roots)
        while more := {s for s in self.left if s not in gone and self._falls_with(s, gone)}:
            gone |= more
        return sorted(gone - set(roots))

    def _falls_with(self, skill_id: str, gone: AbstractSet[str]) -> bool:
        skill = self.left[skill_id]
        return not gone.isdisjoint(self._stuck.needs[skill_id]) or any(
            not self._offered(wanted, skill, gone) for wanted in self._unmet(skill)
        )

    def _cycle(self) -> list[str]:
        """Steps of which each waits for the next and the last for the first, smallest id first."""
        path = [next(iter(self.left))]
        while (following := self._waits_for(path[-1])) not in path:
            path.append(following)
        cycle = path[path.index(following) :]
        first = cycle.index(min(cycle))
        return cycle[first:] + cycle[:first]

    def _waits_for(self, skill_id: str) -> str:
        skill = self.left[skill_id]
        needed = {needed for needed in self._stuck.needs[skill_id] if needed in self.left}
        for wanted in self._unmet(skill):
            needed.update(self._offered(wanted, skill))
        return min(needed)

    def _lack(self, wanted: IOType, skill: RoutableSkill) -> tuple[Kind, str]:
        """The kind of problem and the words for an input that nothing fills."""
        others = [other for other in self._all if other.id != skill.id]
        start = f"{self._name(skill.id)} needs {wanted}, and nothing offers {wanted.type}"
        offer = nearest_offer(wanted, self._stuck.task, others)
        if offer is None:
            return "unmet_input", f"{start}; nothing is offered at all"
        output, step = offer
        source = self._name(step.id) if step else "the task"
        kind: Kind = "type_mismatch" if output.name == wanted.name else "unmet_input"
        return kind, f"{start}; nearest: {output} of {source}"

    def _close(self, roots: Sequence[str], reasons: Sequence[tuple[Kind, str]]) -> None:
        """Record the reasons and remove what they concern."""
        dependents = self._dependents(roots)
        names = ", ".join(self._name(skill_id) for skill_id in dependents)
        tail = f" (so neither can: {names})" if names else ""
        for kind, reason in reasons:
            self.problems.append(
                PlanProblem(kind=kind, message=reason + tail, skill_ids=(*roots, *dependents))
            )
        for skill_id in (*roots, *dependents):
            del self.left[skill_id]

    def _name(self, skill_id: str) -> str:
        """Its slug, where no other step has the same."""
        slugs = {skill.id: skill.slug for skill in self._all}
        own = slugs.get(skill_id, skill_id)
        return own if list(slugs.values()).count(own) == 1 else skill_id


def supported(
    kept: Mapping[str, str | None], wanted_by: Mapping[str, AbstractSet[str]]
) -> frozenset[str]:
    """The steps that still serve something; the others came in for steps that are gone.

    Args:
        kept: Each step that could be placed and the id of what brought it in (``None``: the router).
        wanted_by: For each step, the steps that need it or take its output.

    Returns:
        What the router chose, what that brought in or uses, and so on.
    """
    stay = {skill_id for skill_id, because_of in kept.items() if because_of is None}
    while more := {
        skill_id
        for skill_id, because_of in kept.items()
        if skill_id not in stay and (because_of in stay or wanted_by.get(skill_id, set()) & stay)
    }:
        stay |= more
    return frozenset(stay)
