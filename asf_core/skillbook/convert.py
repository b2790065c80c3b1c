"""From a file of version 1 to a Skillbook, saying what the old file could not tell.

A version-1 file keeps advice under free section names::

    {"skills": {"id": {"id", "section", "content", "justification", "evidence", "helpful",
                       "harmful", "neutral", "created_at", "updated_at", "status", "embedding"}},
     "sections": {name: [ids]}, "next_id": 7, "similarity_decisions": {...}}

``skills`` may be called ``bullets``, and may be a list. It has no issue, no keywords and no
occurrences: what is put in their place is listed, so that a person can write the real thing.
Justification and evidence go into the trail; whatever else an entry says is listed as left behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from asf_core.domain.base import Value
from asf_core.domain.errors import InputError
from asf_core.domain.instant import instant
from asf_core.domain.skillbook import (
    LONGEST_TEXT,
    InsightSource,
    Operation,
    Section,
    Skill,
    Trace,
    issue_id,
    normalised_keywords,
)
from asf_core.domain.text import one_line
from asf_core.skillbook.book import Clock, Skillbook
from asf_core.skillbook.changes import checked, source
from asf_core.skillbook.format import SCHEMA_VERSION, read_json

SYSTEM = "skillbook-v1"
_COUNTS = {"used_count": "used", "helpful_count": "helpful", "harmful_count": "harmful",
           "neutral_count": "neutral"}  # fmt: skip
_READ = frozenset({"id", "section", "content", "issue", "problem", "insight", "keywords", "tags",
                   "justification", "evidence", "sources", "created_at", "status", "active",
                   *_COUNTS, *_COUNTS.values()})  # fmt: skip
_WORTHLESS = frozenset({"updated_at", "embedding"})
"""Fields that nothing is lost with: the conversion is the last mutation, vectors are made anew."""
_GONE = frozenset({"invalid", "inactive", "removed", "deleted", "archived"})


class Unknown(Value):
    """Something that the old file did not say."""

    id: str
    """Of the new skill; empty when the whole entry was left out."""
    old_id: str
    field: str
    put: str
    """What stands there now, or why nothing does."""


@dataclass(frozen=True, slots=True)
class Converted:
    """A Skillbook, and what could not be known."""

    book: Skillbook
    unknown: tuple[Unknown, ...]


def convert(data: bytes, now: Clock, section: Section = Section.CONTEXT) -> Converted:
    """Make a Skillbook of a version-1 file.

    Args:
        data: The file.
        now: The clock.
        section: For advice whose old section is neither context nor harness.

    Raises:
        InputError: It is no version-1 file.
    """
    value = read_json(data)
    entries = list(_entries(value))
    at = instant(now())
    numbers = dict.fromkeys(Section, 0)
    skills: list[Skill] = []
    unknown = [*_decisions(value)]
    for old_id, entry in entries:
        reading = _Reading(old_id, entry, at, section)
        if not reading.content:
            unknown.append(Unknown(id="", old_id=old_id, field="content", put="left out: no text"))
            continue
        numbers[reading.section] += 1
        skill = reading.skill(issue_id(reading.section, numbers[reading.section]))
        skills.append(skill)
        unknown += [
            Unknown(id=skill.id, old_id=old_id, field=field, put=put)
            for field, put in reading.unknown
        ]
    return Converted(Skillbook(skills, now=now), tuple(unknown))


def _entries(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict) and value.get("schema_version") == SCHEMA_VERSION:
        raise InputError(
            "The file is a Skillbook of version 2 already",
            hint="Take its skills over with: asf skillbook import FILE",
        )
    found = value.get("skills", value.get("bullets")) if isinstance(value, dict) else None
    if isinstance(found, dict):
        pairs = list(found.items())
    elif isinstance(found, list):
        pairs = [
            (str(entry.get("id", at)) if isinstance(entry, dict) else str(at), entry)
            for at, entry in enumerate(found, start=1)
        ]
    else:
        pairs = []
    if not pairs or not all(isinstance(entry, dict) for _, entry in pairs):
        raise InputError(
            "The file is no Skillbook of version 1",
            why="It has no object or list of skills (or bullets) under that name",
            hint="See: asf skillbook convert --help",
        )
    yield from ((one_line(old_id, 200), entry) for old_id, entry in pairs)


def _decisions(value: dict[str, Any]) -> Iterator[Unknown]:
    found = value.get("similarity_decisions")
    if isinstance(found, (dict, list)) and found:
        put = f"left behind: {len(found)}; the pairs are proposed again as likely duplicates"
        yield Unknown(id="", old_id="", field="similarity_decisions", put=put)


class _Reading:
    """What one entry says, and what it does not."""

    def __init__(self, old_id: str, entry: dict[str, Any], at: str, section: Section) -> None:
        self.old_id, self.entry, self.at = old_id, entry, at
        self.unknown: list[tuple[str, str]] = []
        self.content = self._text("content") or self._text("insight") or self._text("issue")
        self.old_section = self._text("section").lower()
        self.section = self._section(section)

    def skill(self, new_id: str) -> Skill:
        """The skill under its new id; notes what it had to make up."""
        lines = self._lines()
        for name in sorted(self.entry.keys() - _READ - _WORTHLESS):
            if self.entry[name] not in (None, "", [], {}):
                self._note(one_line(name, 60), "left behind")
        with checked(f"The entry {self.old_id} cannot be converted"):
            return Skill(
                id=new_id,
                section=self.section,
                created_at=self._created(),
                updated_at=self.at,
                sources=lines,
                occurrences=sum(line.occurrences for line in lines),
                active=not self._gone,
                keywords=self._keywords(),
                issue=self._issue(),
                insight=self._insight(),
                **self._counts(),
            )

    @property
    def _gone(self) -> bool:
        status = self._text("status").lower()
        return status in _GONE or self.entry.get("active") is False

    def _section(self, default: Section) -> Section:
        if self.old_section in set(Section):
            return Section(self.old_section)
        self._note("section", f"{default.value} (was {self.old_section or 'absent'})")
        return default

    def _issue(self) -> str:
        said = self._text("issue") or self._text("problem")
        if not said:
            self._note("issue", "the advice itself; say what goes wrong with: update --issue")
        return said or self.content

    def _insight(self) -> str | None:
        if self.section is Section.HARNESS and not self._text("insight"):
            return None if self._text("issue") in ("", self.content) else self.content
        return self._text("insight") or self.content

    def _keywords(self) -> tuple[str, ...]:
        given = self.entry.get("keywords", self.entry.get("tags"))
        listed = given if isinstance(given, list) else []
        words = [word for word in listed if isinstance(word, str)]
        found = normalised_keywords(word[:100] for word in words)[:50]
        if not found:
            found = normalised_keywords([self.old_section.replace("_", " ")[:100]])
            found = found or ("converted",)
            self._note("keywords", ", ".join(found))
        return found

    def _counts(self) -> dict[str, int]:
        counts = {new: self._count(old) for new, old in _COUNTS.items()}
        verdicts = sum(counts.values()) - counts["used_count"]
        if counts["used_count"] < verdicts or "used" not in self.entry:
            counts["used_count"] = verdicts
            self._note("used_count", f"{verdicts}, the number of verdicts")
        return counts

    def _count(self, name: str) -> int:
        value = self.entry.get(name, self.entry.get(f"{name}_count", 0))
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9:
            return value
        self._note(f"{name}_count", "0 (was no number)")
        return 0

    def _created(self) -> str:
        try:
            when = datetime.fromisoformat(self._text("created_at"))
        except ValueError:
            self._note("created_at", "the time of the conversion")
            return self.at
        if when.tzinfo is None:
            self._note("created_at", f"{when.isoformat()} taken for UTC")
            when = when.replace(tzinfo=UTC)
        try:
            return min(instant(when), self.at)
        except (ValueError, OverflowError):
            self._note("created_at", "the time of the conversion")
            return self.at

    def _lines(self) -> tuple[InsightSource, ...]:
        self._note("occurrences", "1")
        left = self.entry.get("sources")
        more = f", {len(left)} left behind" if isinstance(left, list) and left else ""
        self._note("sources", f"the conversion alone{more}")
        trace = Trace.of(
            SYSTEM,
            self.old_id,
            display_name=self.old_section[:200],
            error_identification=self._text("evidence"),
            learning_text=self._text("justification"),
        )
        first = source(trace, Operation.CONVERT, self.at, occurrences=1)
        if not self._gone:
            return (first,)
        why = trace.model_copy(update={"learning_text": "removed in version 1, reason not kept"})
        return first, source(why, Operation.REMOVE, self.at)

    def _text(self, name: str) -> str:
        value = self.entry.get(name)
        return value.strip()[:LONGEST_TEXT] if isinstance(value, str) else ""

    def _note(self, field: str, put: str) -> None:
        self.unknown.append((field, one_line(put, 200)))
