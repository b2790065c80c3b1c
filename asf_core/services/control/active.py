"""Routing over active pins only: what may appear, and whether it still is what was reviewed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from asf_core.domain.content import VersionRecord
from asf_core.domain.errors import ConditionsError
from asf_core.domain.pin import Pin, Subject
from asf_core.domain.refusal import Condition, Refusal
from asf_core.domain.routing import Bundle, Dropped, RouteResult, StageName, StageTrace
from asf_core.governance.checks import check_content, check_source, refusals
from asf_core.governance.discovery import active_record, visibility
from asf_core.governance.ports import Reading
from asf_core.services.control.session import ControlSession
from asf_core.services.person import current_user

DEFAULT = "default"
"""Product and tenant of a workspace that has no others."""


@dataclass(frozen=True, slots=True)
class ActiveSkills:
    """The skills that may be routed to."""

    pins: dict[str, Pin]
    """By skill id."""
    left_out: tuple[Dropped, ...]
    """Active pins that may not, and why."""


def local_subject(
    product: str | None = None, tenant: str | None = None, user: str | None = None
) -> Subject:
    """Who asks on this machine, unless it is said."""
    name = user or re.sub("[^A-Za-z0-9._@-]", "-", current_user())
    return Subject(product=product or DEFAULT, tenant=tenant or DEFAULT, user=name)


def active_skills(session: ControlSession, subject: Subject) -> ActiveSkills:
    """Find the skills whose files on disk are those of an active pin that a subject may see.

    The description by which a skill is found is the one on disk, so a skill that differs from its
    pin by a single byte is left out: it was not reviewed.

    Raises:
        ConditionsError: The workspace is not the user's.
    """
    session.require_own()
    digests = session.records.digests()
    pins, left_out = {}, []
    with session.records.reading() as reading:
        for skill_id in reading.pointers():
            record = active_record(reading, skill_id)
            if record is None or skill_id not in digests:
                continue
            why = _why_not(reading, record, subject, digests[skill_id])
            if why:
                left_out.append(Dropped(skill_id=skill_id, reason=why))
            else:
                pins[skill_id] = record.pin
    return ActiveSkills(pins, tuple(left_out))


def with_pins(session: ControlSession, result: RouteResult, allowed: ActiveSkills) -> RouteResult:
    """Put its pin on each step, after checking each once more against what is kept.

    Raises:
        ConditionsError: A pin changed while the task was routed, or its kept bytes did.
    """
    steps = result.bundle.steps
    with session.records.reading() as reading:
        for step in steps:
            _check_again(reading, allowed.pins[step.skill_id])
    bundle = Bundle(
        steps=tuple(s.model_copy(update={"pin": allowed.pins[s.skill_id]}) for s in steps),
        problems=result.bundle.problems,
        task_inputs=result.bundle.task_inputs,
    )
    stages = tuple(_with_left_out(stage, allowed) for stage in result.stages)
    return result.model_copy(update={"bundle": bundle, "stages": stages, "active_only": True})


def _why_not(reading: Reading, record: VersionRecord, subject: Subject, digest: str | None) -> str:
    if digest != record.content.tree_digest:
        return f"its files are not those of active version {record.content.version}"
    checks = (*visibility(reading, record, subject), check_source(reading.policy(), record.content))
    return " ".join(refusal.why for refusal in refusals(checks))


def _check_again(reading: Reading, pin: Pin) -> None:
    record = reading.version(pin.content_hash)
    what = f"{pin} was not routed to"
    if record is None or reading.active(pin.skill_id) != pin.content_hash:
        refusal = Refusal(
            condition=Condition.ACTIVE_PIN,
            why="Another decision was made while the task was routed.",
            satisfy="Route the task again",
        )
        raise ConditionsError(what, [refusal])
    if found := refusals([check_content(reading, record)]):
        raise ConditionsError(what, found)


def _with_left_out(stage: StageTrace, allowed: ActiveSkills) -> StageTrace:
    if stage.stage is not StageName.RECALL:
        return stage
    note = f"active pins only: {len(allowed.pins)} may appear"
    return stage.model_copy(
        update={
            "notes": (*stage.notes, note),
            "dropped": (*stage.dropped, *allowed.left_out),
        }
    )
