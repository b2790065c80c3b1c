"""Where a step's inputs come from.

Types compare exactly, white space aside; names need not match, they only decide who is preferred:

1. A source of the input's name and type. The task's own input of that name stands until a step
   takes it in and gives it out again (a query rewritten, papers with the duplicates gone); among
   steps, the nearest before.
2. A step of that type under another name, the nearest before; of its outputs the first declared.
3. The task's input of that type under another name, where nothing else in the plan offers the type.
   So ``text:string`` is not quietly fed the query while a step could write that text.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from asf_core.domain.iotype import IOType
from asf_core.domain.routing import Binding, RoutableSkill


def same_key(a: IOType, b: IOType) -> bool:
    """One name and one type."""
    return a.name == b.name and a.type == b.type


@dataclass(slots=True)
class Supply:
    """What the task and the steps placed so far offer."""

    task: Sequence[IOType]
    _steps: list[RoutableSkill] = field(default_factory=list)
    _current: dict[tuple[str, str], RoutableSkill] = field(default_factory=dict)

    def add(self, step: RoutableSkill) -> None:
        """Place a step: what it gives out is there for those after it."""
        self._steps.append(step)
        for output in step.outputs:
            given = any(same_key(output, own) for own in self.task)
            refines = any(same_key(output, taken) for taken in step.inputs)
            if refines or not given:
                self._current[output.name, output.type] = step

    def bind(self, wanted: IOType) -> Binding | None:
        """The source of one input; ``None`` where nothing of its type is there."""
        if step := self._current.get((wanted.name, wanted.type)):
            return Binding(input=wanted, output=wanted, from_skill=step.id)
        if any(same_key(wanted, own) for own in self.task):
            return Binding(input=wanted, output=wanted, from_skill=None)
        for step in reversed(self._steps):
            for output in step.outputs:
                if output.type == wanted.type:
                    return Binding(input=wanted, output=output, from_skill=step.id)
        for own in self.task:
            if own.type == wanted.type:
                return Binding(input=wanted, output=own, from_skill=None)
        return None

    def missing(self, step: RoutableSkill) -> list[IOType]:
        """The inputs of a step that nothing placed so far can fill."""
        return [wanted for wanted in step.inputs if self.bind(wanted) is None]


def sources(
    wanted: IOType, consumer: RoutableSkill, steps: Iterable[RoutableSkill], task: Iterable[IOType]
) -> set[str]:
    """The steps that a consumer had better come after, by the preference above.

    Args:
        wanted: One of its inputs.
        consumer: The step itself, never its own source.
        steps: All steps of the plan.
        task: The task's inputs.

    Returns:
        Ids of the steps that offer it as the preferred kind of source.
    """
    others = [step for step in steps if step.id != consumer.id]
    named = [step for step in others if any(same_key(out, wanted) for out in step.outputs)]
    if any(same_key(own, wanted) for own in task):
        return {s.id for s in named if any(same_key(taken, wanted) for taken in s.inputs)}
    return {
        step.id for step in named or others if any(out.type == wanted.type for out in step.outputs)
    }


def nearest_offer(
    wanted: IOType, task: Iterable[IOType], others: Iterable[RoutableSkill]
) -> tuple[IOType, RoutableSkill | None] | None:
    """What comes closest to an input that nothing fills.

    Args:
        wanted: The input.
        task: The task's inputs.
        others: The other steps.

    Returns:
        The offer and the step that makes it (``None`` for the task); one of the same name before
        all others, then by likeness of name and type; ``None`` where nothing is offered at all.
    """
    offers: list[tuple[IOType, RoutableSkill | None]] = [(own, None) for own in task]
    offers += [(output, step) for step in others for output in step.outputs]
    if not offers:
        return None
    return max(
        sorted(offers, key=lambda o: (str(o[0]), o[1].id if o[1] else "")),
        key=lambda offer: (offer[0].name == wanted.name, _likeness(offer[0], wanted)),
    )


def _likeness(a: IOType, b: IOType) -> float:
    return difflib.SequenceMatcher(None, str(a), str(b), autojunk=False).ratio()
