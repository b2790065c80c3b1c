"""``asf skillbook feedback`` and ``draft``: between the Skillbook and the control plane."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.session import Session, command
from asf_core.cli.skillbook_options import (
    FileOption,
    IdArgument,
    KeywordOption,
    YesOption,
    confirm,
    section_named,
    skillbook,
    split_keywords,
)
from asf_core.domain.text import one_line, visible

if TYPE_CHECKING:
    from asf_core.domain.skillbook import Section, Skill
    from asf_core.domain.use import Feedback
    from asf_core.services.skillbook import SkillbookService


def register(group: typer.Typer) -> None:
    """Add the commands to the group."""
    command(group, "feedback")(feedback)
    command(group, "draft")(draft)


def feedback(
    session: Session,
    ref: Annotated[
        str | None,
        typer.Argument(metavar="FEEDBACK", help="Id of a feedback; left out, adverse ones."),
    ] = None,
    issue: Annotated[
        str | None,
        typer.Option("--issue", metavar="TEXT", help="A new issue: what goes wrong, and when."),
    ] = None,
    keywords: KeywordOption = None,
    section: Annotated[
        str, typer.Option("--section", metavar="NAME", help="Of a new issue: context or harness.")
    ] = "harness",
    insight: Annotated[
        str | None,
        typer.Option("--insight", metavar="TEXT", help="Of a new issue: what to do about it."),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option("--on", metavar="ID", help="One more occurrence of this issue instead."),
    ] = None,
    yes: YesOption = False,
    file: FileOption = None,
) -> None:
    """Make an issue of an adverse feedback (harmful, failed, unsafe, corrected) on a use.

    Feedback holds no text, so a person says what went wrong: as a new issue (--issue, -k, and
    --insight where the section is context), or as one more occurrence of a known one (--on). The
    issue's trail keeps the exact pin, the authorisation and who recorded it. Nothing is recorded
    unless a person confirms it, and a feedback is recorded once.

    Without FEEDBACK: lists the adverse feedback, and what was made of it.
    """
    service = skillbook(session, file)
    retained = session.engine.control.use.retained()
    if ref is None:
        _list(session, retained, service)
        return
    found = _named(ref, retained)
    where, words = section_named(section), split_keywords(keywords)
    assert where is not None  # noqa: S101 - it has a default
    _check_one_way(issue, on, given=bool(words or insight))
    if issue is not None:
        said = f"becomes a new {where.value} issue: {one_line(issue, 160)}"
    else:
        known = service.read_skill(on or "")
        said = f"is one more occurrence of {known.id}: {one_line(known.issue, 160)}"
    confirm(session, f"{_about(found)}\n{said}", yes=yes)
    made = _record(service, found, issue, words, where, insight, on)
    session.emit(made, lambda: f"Recorded {found.id} as {made.id}: met {made.occurrences} times")


def draft(
    session: Session,
    ref: IdArgument,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Of the new skill.")],
    into: Annotated[
        Path, typer.Option("--into", metavar="DIR", help="Where its directory is made.")
    ],
    description: Annotated[
        str | None,
        typer.Option("--description", metavar="TEXT", help="What it does, and when to use it."),
    ] = None,
    file: FileOption = None,
) -> None:
    """Write an insight as the draft of a skill, to become a candidate for review.

    Makes NAME/SKILL.md in DIR; nothing takes it in by itself. Edit it, sync DIR, and take it in
    with asf candidate add: from there on it is reviewed like any other skill.
    """
    found, path = skillbook(session, file).draft(ref, name, into, description)
    value = {"path": str(path), **found.model_dump(mode="json")}
    where = visible(str(path))
    session.emit(
        value,
        lambda: (
            f"Drafted from {found.source}, unreviewed:\n  {where}\n"
            f"For review, once it reads well:\n  asf sync {visible(str(into))}\n"
            f"  asf candidate add {found.name}"
        ),
    )


def _list(session: Session, retained: tuple[Feedback, ...], service: SkillbookService) -> None:
    from asf_core.cli.skillbook_view import adverse_feedback

    recorded = service.recorded_feedback()
    adverse = [item for item in retained if item.outcome.adverse]
    value = [
        {"feedback": item.model_dump(mode="json"), "issue": recorded.get(item.id)}
        for item in adverse
    ]
    session.emit(value, lambda: adverse_feedback(adverse, recorded))


def _named(ref: str, retained: tuple[Feedback, ...]) -> Feedback:
    from asf_core.domain.errors import InputError

    found = next((item for item in retained if item.id == ref), None)
    if found is None:
        raise InputError(
            f"There is no feedback {ref!r}", hint="List adverse ones with: asf skillbook feedback"
        )
    return found


def _check_one_way(issue: str | None, on: str | None, *, given: bool) -> None:
    from asf_core.domain.errors import InputError

    if (issue is None) == (on is None):
        raise InputError(
            "Say what the feedback is",
            why="Either a new issue or one more occurrence of a known one",
            hint="Use --issue TEXT -k WORD, or --on ID",
        )
    if on is not None and given:
        raise InputError(
            "Keywords and insight are of a new issue",
            why="With --on, only one more occurrence is recorded",
            hint="Rewrite the known one with: asf skillbook update",
        )


def _record(
    service: SkillbookService,
    found: Feedback,
    issue: str | None,
    keywords: tuple[str, ...],
    section: Section,
    insight: str | None,
    on: str | None,
) -> Skill:
    if issue is None:
        return service.record_recurrence(found, on or "")
    return service.record_feedback(
        found, issue=issue, keywords=keywords, section=section, insight=insight
    )


def _about(item: Feedback) -> str:
    return (
        f"{item.id}: {item.outcome.value}, {one_line(str(item.pin))}, "
        f"used for {item.purpose} on {item.channel}"
    )
