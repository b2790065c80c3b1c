"""Between the Skillbook and the control plane. Nothing crosses by itself: a person calls each.

Towards the Skillbook: adverse feedback on a pin becomes an issue. Feedback carries no text, so the
person says what went wrong; the trail says on whose word, and of which exact pin.
From it: an insight becomes a draft of a skill directory, for review like any other skill.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from asf_core.domain.base import Value
from asf_core.domain.errors import InputError
from asf_core.domain.skillbook import Section, Skill, Trace
from asf_core.domain.text import visible
from asf_core.domain.use import Feedback, FeedbackOutcome
from asf_core.skillbook.book import Skillbook

SYSTEM = "asf-control-plane"
RELATION = "adverse-feedback"
_ADVERSE = tuple(outcome.value for outcome in FeedbackOutcome if outcome.adverse)
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_NAME = 64
_LONGEST_DESCRIPTION = 1024


def feedback_trace(feedback: Feedback, person: str) -> Trace:
    """The provenance of an issue that a feedback gave rise to.

    Args:
        feedback: As it is retained.
        person: Who says that it is one.

    Raises:
        InputError: The outcome is not adverse.
    """
    outcome, pin = feedback.outcome, feedback.pin
    if not outcome.adverse:
        raise InputError(
            f"Feedback {feedback.id} is not adverse",
            why=f"Its outcome is {outcome.value}",
            hint=f"An issue is made of feedback that is one of: {', '.join(_ADVERSE)}",
        )
    facts = [
        f"authorisation {feedback.authorisation_id}",
        f"pin {pin.skill_id}@{pin.version} sha256:{pin.content_hash}",
        f"evidence {feedback.evidence or 'none'}",
        f"given {feedback.at}",
        f"recorded by {person}",
    ]
    return Trace.of(
        SYSTEM,
        feedback.id,
        display_name=str(pin)[:400],
        relation=RELATION,
        error_identification=f"{outcome.value}, used for {feedback.purpose} on {feedback.channel}",
        learning_text="; ".join(facts),
    )


def recorded_feedback(book: Skillbook) -> dict[str, str]:
    """The ids of feedback that stands in a trail, each with the id of its issue."""
    return {
        line.trace_id: skill.id
        for skill in book.skills(removed=True)
        for line in skill.sources
        if line.source_system == SYSTEM
    }


def record_feedback(
    book: Skillbook,
    feedback: Feedback,
    *,
    person: str,
    issue: str,
    keywords: Sequence[str],
    section: Section = Section.HARNESS,
    insight: str | None = None,
) -> Skill:
    """Record an adverse feedback as a new issue.

    Raises:
        InputError: It is not adverse, or was recorded before.
    """
    trace = feedback_trace(feedback, person)
    _check_new(book, trace)
    return book.add_skill(section, issue, keywords, trace, insight=insight)


def record_recurrence(book: Skillbook, feedback: Feedback, skill_id: str, *, person: str) -> Skill:
    """Record an adverse feedback as one more occurrence of a known issue.

    Raises:
        InputError: It is not adverse, or was recorded before.
    """
    trace = feedback_trace(feedback, person)
    _check_new(book, trace)
    return book.update_skill(skill_id, trace, occurrences=1)


def _check_new(book: Skillbook, trace: Trace) -> None:
    if known := recorded_feedback(book).get(trace.trace_id):
        raise InputError(
            f"Feedback {trace.trace_id} is recorded already",
            why=f"It stands in the trail of {known}",
            hint=f"Look at it with: asf skillbook show {known}",
        )


class SkillDraft(Value):
    """A skill directory that nobody has reviewed."""

    name: str
    """Of the skill and of its directory."""
    source: str
    """Id of the issue that it was made of."""
    text: str
    """Of its ``SKILL.md``."""


def draft_skill(skill: Skill, name: str, description: str | None = None) -> SkillDraft:
    """Turn an insight into the draft of a skill.

    Args:
        skill: An active one of the section context.
        name: Lower-case letters, digits and single hyphens, at most 64.
        description: What it does and when to use it; the issue when left out.

    Raises:
        InputError: The skill has no insight to give, or the name is not legal.
    """
    if skill.section is not Section.CONTEXT or not skill.active or skill.insight is None:
        raise InputError(
            f"{skill.id} cannot become a skill",
            why="Only the insight of an active issue of the section context can",
            hint="List those with: asf skillbook list --section context",
        )
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} is no name for a skill",
            hint="Use up to 64 lower-case letters and digits, with single hyphens between",
        )
    said = _folded(description or f"Use when this happens: {skill.issue}")
    return SkillDraft(name=name, source=skill.id, text=_text(skill, name, said))


def _text(skill: Skill, name: str, description: str) -> str:
    import yaml

    fields = {
        "name": name,
        "description": description[:_LONGEST_DESCRIPTION].rstrip(),
        "version": "0.1.0",
        "metadata": {
            "triggers": list(skill.keywords),
            "skillbook-issue": skill.id,
            "skillbook-occurrences": str(skill.occurrences),
        },
    }
    front = yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=10_000)
    title = name.replace("-", " ").capitalize()
    body = (
        f"# {title}\n\n## When\n\n{_block(skill.issue)}\n\n"
        f"## What to do\n\n{_block(skill.insight or '')}\n"
    )
    return f"---\n{front}---\n\n{body}"


def _folded(text: str) -> str:
    return visible(" ".join(text.split()))


def _block(text: str) -> str:
    return visible(text, keep="\n\t")
