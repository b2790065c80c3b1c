"""What went wrong and what was learnt of it: the values of the Skillbook (DESIGN 9)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from asf_core.domain.base import Value
from asf_core.domain.errors import InputError
from asf_core.domain.instant import Instant

LONGEST_TEXT = 20_000
"""Characters that an issue, an insight or a text of the trail has at most."""
MOST_KEYWORDS = 50


class Section(StrEnum):
    """Which half of the work an issue belongs to; closed."""

    CONTEXT = "context"
    """What the agent should have known: an insight can be given to it."""
    HARNESS = "harness"
    """What stands around the agent and has to be built or mended by people."""


def section_of(name: str) -> Section:
    """The section of a name.

    Raises:
        InputError: There is none of this name.
    """
    if name not in set(Section):
        raise InputError(f"There is no section {name!r}", hint="Use context or harness")
    return Section(name)


class Operation(StrEnum):
    """What a mutation did."""

    ADD = "add"
    UPDATE = "update"
    TAG = "tag"
    REMOVE = "remove"
    RESTORE = "restore"
    MERGE = "merge"
    """Another skill of the same issue was taken in."""
    KEEP = "keep"
    """A person looked at a likely duplicate and found that it is none."""
    IMPORT = "import"
    """Taken over from another Skillbook."""
    CONVERT = "convert"
    """Made from a file of version 1."""


def normalised_keywords(words: Iterable[str]) -> tuple[str, ...]:
    """Keywords as they are kept: white space folded, lower case, each once, in order."""
    folded = (" ".join(word.lower().split()) for word in words)
    return tuple(dict.fromkeys(word for word in folded if word))


def _keywords(words: tuple[str, ...]) -> tuple[str, ...]:
    found = normalised_keywords(words)
    if not found:
        raise ValueError("at least one keyword is needed")
    return found


def _text(text: str) -> str:
    stripped = text.strip()
    if not stripped:
        raise ValueError("it is empty")
    return stripped


Text = Annotated[str, StringConstraints(max_length=LONGEST_TEXT)]
"""Any text, even none."""
Line = Annotated[str, StringConstraints(max_length=400)]
"""A name or an id."""
Said = Annotated[Text, AfterValidator(_text)]
"""Text that says something, without white space around it."""
Keyword = Annotated[str, StringConstraints(max_length=100)]
Keywords = Annotated[
    tuple[Keyword, ...], Field(max_length=MOST_KEYWORDS), AfterValidator(_keywords)
]
"""At least one; see :func:`normalised_keywords`."""
IssueId = Annotated[str, StringConstraints(pattern=r"^(context|harness)-[0-9]{5,9}$")]
"""``context-00001``; a number is given once and never again."""
Count = Annotated[int, Field(ge=0)]


def issue_id(section: Section, number: int) -> str:
    """The id of the ``number``-th skill of a section."""
    return f"{section.value}-{number:05d}"


def id_key(ref: str) -> tuple[str, int]:
    """Sort key of an id: ``context-100000`` comes after ``context-99999``."""
    section, _, number = ref.partition("-")
    return section, int(number)


class Trace(Value):
    """Where something was learnt: the run of an agent, a feedback, a person."""

    trace_uid: Line
    """Unique among all systems, as ``langsmith:run-42``."""
    source_system: Line
    trace_id: Line
    """Of the run, in its own system."""
    display_name: Line = ""
    """What a person calls it."""
    relation: Line = ""
    """What it is to the skill, as ``origin`` or ``recurrence``; the operation's own when empty."""
    sample_question: Text = ""
    """What was asked when it happened."""
    epoch: Count | None = None
    """Round of learning."""
    error_identification: Text = ""
    """What was seen to go wrong."""
    learning_text: Text = ""
    """What was concluded; for a removal its reason."""

    @classmethod
    def of(cls, source_system: str, trace_id: str, **facts: str | int | None) -> Self:
        """A trace whose ``trace_uid`` is made of system and id."""
        return cls.model_validate(
            {
                "trace_uid": f"{source_system}:{trace_id}",
                "source_system": source_system,
                "trace_id": trace_id,
                **facts,
            }
        )


class Replaced(Value):
    """What a field said before a mutation."""

    field: Annotated[str, StringConstraints(pattern=r"^(issue|insight|keywords)$")]
    text: Text
    """Keywords are joined by ``", "``; an absent insight is empty."""


class InsightSource(Trace):
    """One line of a skill's audit trail: one mutation and where it came from.

    Beyond the fields of DESIGN 9 it says when (without that there are no occurrences over time),
    how many occurrences it reports, and what it replaced.
    """

    operation_type: Operation
    recorded_at: Instant
    occurrences: Count = 0
    """Occurrences of the issue that this mutation reports."""
    replaced: Annotated[tuple[Replaced, ...], Field(max_length=3)] = ()


class Skill(Value):
    """An issue that was met, and what to do about it; not a skill of a registry.

    The fields stand in the order in which the file has them: what each mutation changes stands
    close together, so that one mutation is one hunk of a diff.
    """

    id: IssueId
    section: Section
    created_at: Instant
    sources: Annotated[tuple[InsightSource, ...], Field(min_length=1)]
    """The audit trail, oldest first; only ever appended to."""
    occurrences: Annotated[int, Field(ge=1)]
    """How often the issue was met; the sum over ``sources``, so it only grows."""
    updated_at: Instant
    """Of the last mutation."""
    active: bool
    """False: removed, with the reason in the trail; neither searched nor shown to an agent."""
    keywords: Keywords
    issue: Said
    """What goes wrong, and when."""
    insight: Said | None = None
    """What to do about it; in the section context always there."""
    used_count: Count = 0
    helpful_count: Count = 0
    harmful_count: Count = 0
    neutral_count: Count = 0

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for holds, why in self._rules():
            if not holds:
                raise ValueError(why)
        return self

    def _rules(self) -> Iterable[tuple[bool, str]]:
        times = [source.recorded_at for source in self.sources]
        verdicts = self.helpful_count + self.harmful_count + self.neutral_count
        reported = sum(source.occurrences for source in self.sources)
        ends = [s.operation_type for s in self.sources if s.operation_type in _ENDS]
        yield self.id.startswith(f"{self.section.value}-"), "the id is of another section"
        yield (
            self.section is not Section.CONTEXT or self.insight is not None,
            "an issue of the section context needs an insight",
        )
        yield verdicts <= self.used_count, "there are more verdicts than uses"
        yield reported == self.occurrences, "the trail reports another number of occurrences"
        yield times == sorted(times), "the trail is not in the order of time"
        yield times[-1] == self.updated_at, "updated_at is not the time of the last mutation"
        yield self.created_at <= self.updated_at, "it was updated before it was created"
        yield (
            self.active != (ends[-1:] == [Operation.REMOVE]),
            "active does not agree with the last removal or restoring",
        )

    @property
    def own_sources(self) -> tuple[InsightSource, ...]:
        """The part of the trail whose ids of other skills are ids of this Skillbook."""
        kinds = [source.operation_type for source in self.sources]
        taken_over = [at for at, kind in enumerate(kinds) if kind is Operation.IMPORT]
        return self.sources[taken_over[-1] + 1 if taken_over else 0 :]

    @property
    def removal_reason(self) -> str:
        """Why it was removed; empty while it is active."""
        if self.active:
            return ""
        removals = (s for s in reversed(self.sources) if s.operation_type is Operation.REMOVE)
        return next(removals).learning_text

    @property
    def embedding_input(self) -> str:
        """The text that is encoded, for searching and for finding duplicates."""
        parts = [self.issue, self.insight, f"Keywords: {', '.join(self.keywords)}"]
        return "\n\n".join(part for part in parts if part)


_ENDS = (Operation.REMOVE, Operation.RESTORE)


class Tombstone(Value):
    """What is left of a purged skill: no word of it, and its id for ever taken."""

    id: IssueId
    purged_at: Instant
    purged_by: Said
    reason: Said


class SearchHit(Value):
    """One answer of a search."""

    skill: Skill
    score: float
    """Sum of reciprocal ranks."""
    bm25: float
    bm25_rank: int | None
    """From 1, equal scores sharing one; ``None`` where no word is met."""
    cosine: float
    dense_rank: int


class Advice(StrEnum):
    """What a likely duplicate may call for; a person decides."""

    MERGE = "merge"
    """The same issue in other words: take one into the other."""
    WIDEN = "widen"
    """Two cases of one issue: rewrite the issue so that it covers both, then merge."""
    KEEP = "keep"
    """Alike in words only: leave both, and do not ask again."""


class Proposal(Value):
    """Two active skills that may be one. Nothing happens until a person confirms it."""

    keep: IssueId
    """The one to go on with: met more often, then more helpful, then older."""
    other: IssueId
    cosine: float
    advice: Advice
    why: str
    shared_keywords: tuple[str, ...]


_WORDS_OF_ID = re.compile(r"(context|harness)-([0-9]{1,9})")


def full_id(ref: str) -> str:
    """The id that a person means by ``context-3``; other texts come back as they are."""
    match = _WORDS_OF_ID.fullmatch(ref.strip().lower())
    return f"{match[1]}-{int(match[2]):05d}" if match else ref
