"""One mutation of one skill: a value in, a new value out, a line more in its audit trail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import ValidationError

from asf_core.domain.errors import InputError
from asf_core.domain.skillbook import (
    InsightSource,
    Operation,
    Replaced,
    Section,
    Skill,
    Trace,
    issue_id,
)

RELATIONS: dict[Operation, str] = {
    Operation.ADD: "origin",
    Operation.UPDATE: "revision",
    Operation.TAG: "verdict",
    Operation.REMOVE: "removal",
    Operation.RESTORE: "restoring",
    Operation.MERGE: "merged",
    Operation.KEEP: "distinct",
    Operation.IMPORT: "imported",
    Operation.CONVERT: "converted",
}
"""What a trace is to a skill when it does not say so itself."""
RECURRENCE = "recurrence"
VERDICTS = {1: "helpful", 0: "neutral", -1: "harmful"}


@contextmanager
def checked(what: str) -> Iterator[None]:
    """Say for people what a value's own rules refuse.

    Args:
        what: What was refused, as ``"The issue was not added"``.
    """
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        raise InputError(
            what, why=f"{field}: {said}" if field else said, hint="Mend that and try again"
        ) from error


def source(
    trace: Trace,
    operation: Operation,
    at: str,
    *,
    occurrences: int = 0,
    replaced: Sequence[Replaced] = (),
    relation: str = "",
) -> InsightSource:
    """A line of the audit trail.

    Args:
        trace: Where it came from.
        operation: What was done.
        at: An instant.
        occurrences: How many the mutation reports.
        replaced: What the fields said before.
        relation: Instead of the operation's own, where the trace gives none.
    """
    facts = {name: getattr(trace, name) for name in Trace.model_fields}
    facts["relation"] = trace.relation or relation or RELATIONS[operation]
    return InsightSource(
        **facts,
        operation_type=operation,
        recorded_at=at,
        occurrences=occurrences,
        replaced=tuple(replaced),
    )


def changed(skill: Skill, line: InsightSource, **fields: Any) -> Skill:
    """The skill after a mutation; its own rules are checked again."""
    new = {
        **dict(skill),
        "updated_at": line.recorded_at,
        "sources": (*skill.sources, line),
        "occurrences": skill.occurrences + line.occurrences,
        **fields,
    }
    return Skill(**new)


def added(
    number: int,
    section: Section,
    fields: dict[str, Any],
    line: InsightSource,
) -> Skill:
    """A new skill.

    Args:
        number: Its own in the section.
        section: Where it belongs.
        fields: ``keywords``, ``issue``, ``insight``.
        line: The first of its trail.
    """
    return Skill(
        id=issue_id(section, number),
        section=section,
        created_at=line.recorded_at,
        updated_at=line.recorded_at,
        sources=(line,),
        occurrences=line.occurrences,
        active=True,
        **fields,
    )


def replaced_by(skill: Skill, fields: dict[str, Any]) -> tuple[Replaced, ...]:
    """What the given fields say now, of those that will say something else."""
    return tuple(
        Replaced(field=name, text=text(getattr(skill, name)))
        for name, value in fields.items()
        if getattr(skill, name) != value
    )


def text(value: str | tuple[str, ...] | None) -> str:
    """A field's value as one text."""
    return ", ".join(value) if isinstance(value, tuple) else value or ""


def tagged(skill: Skill, delta: int, trace: Trace, at: str) -> Skill:
    """The skill after one more use with a verdict."""
    verdict = VERDICTS[delta]
    line = source(trace.model_copy(update={"relation": verdict}), Operation.TAG, at)
    count = f"{verdict}_count"
    fields = {"used_count": skill.used_count + 1, count: getattr(skill, count) + 1}
    return changed(skill, line, **fields)


def blank_to_none(insight: str | None) -> str | None:
    """An insight that says nothing is none."""
    return insight if insight is not None and insight.strip() else None
