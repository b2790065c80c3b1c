"""The issues of the Skillbook as rows: filtered, ordered. Values in, values out; no widget here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from asf_core.domain.skillbook import SearchHit, Section, Skill, id_key
from asf_core.domain.skillbook_report import EffectRow, SkillbookOverview
from asf_core.domain.text import visible
from asf_tui.filtering import folded
from asf_tui.text import amount

_TOKEN = re.compile(r'(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))', re.IGNORECASE)
PREFIXES = ("section", "keyword", "state", "has")
_HAS: dict[str, Callable[[Skill], bool]] = {
    "insight": lambda skill: skill.insight is not None,
    "harm": lambda skill: skill.harmful_count > 0,
    "feedback": lambda skill: any(s.source_system == "asf-control-plane" for s in skill.sources),
}
NOTHING = (
    "No issues yet.\n"
    "n records one; agents do with asf skillbook add. What was learnt of an issue is found "
    "again, and how often it helped is counted."
)
_CHOICES = {"section": tuple(Section), "state": ("active", "removed"), "has": tuple(_HAS)}


@dataclass(frozen=True, slots=True)
class IssueRow:
    """One issue of the list."""

    skill: Skill
    effect: EffectRow | None
    """``None`` for a removed one."""
    hit: SearchHit | None = None
    """How a search found it; ``None`` when nothing was searched for."""

    @property
    def key(self) -> str:
        """The issue's id."""
        return self.skill.id

    @property
    def text(self) -> str:
        """What it says."""
        return self.skill.issue


@dataclass(frozen=True, slots=True)
class BookFilter:
    """What was typed, taken apart: ``word -word section:context keyword:git state:removed``."""

    terms: tuple[tuple[str, str, bool], ...] = ()
    """Prefix (empty for text anywhere), folded value, whether it must not hold."""

    @classmethod
    def parse(cls, text: str) -> BookFilter:
        """Read it; a prefix whose value is still being typed asks nothing yet."""
        terms = []
        for minus, prefix, quoted, bare in _TOKEN.findall(text):
            key, value = prefix.lower(), quoted or bare
            if key and key not in PREFIXES:
                key, value = "", f"{prefix}:{value}"
            if value and not (bare.endswith(":") and bare[:-1].lower() in PREFIXES):
                terms.append((key, folded(value), bool(minus)))
        return cls(tuple(terms))

    @property
    def pattern(self) -> re.Pattern[str] | None:
        """For the parts of a text that it matched; ``None`` when there are none."""
        words = {value for key, value, negated in self.terms if not key and not negated}
        longest_first = sorted(words, key=lambda word: (-len(word), word))
        return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE) if words else None

    @property
    def problem(self) -> str:
        """Why it can match nothing, in words; empty when it can."""
        for key, value, _ in self.terms:
            choices = _CHOICES.get(key, ())
            if choices and not any(choice.startswith(value) for choice in choices):
                return f"{key}: is one of {', '.join(choices)}"
        return ""

    def holds(self, skill: Skill) -> bool:
        """Whether it lets an issue through."""
        return all(_holds(key, value, skill) != negated for key, value, negated in self.terms)


def _holds(key: str, value: str, skill: Skill) -> bool:
    if key == "section":
        return skill.section.value.startswith(value)
    if key == "keyword":
        return any(word == value or word.startswith(value) for word in map(folded, skill.keywords))
    if key == "state":
        return ("active" if skill.active else "removed").startswith(value)
    if key == "has":
        return any(test(skill) for name, test in _HAS.items() if name.startswith(value))
    return value in _searched(skill)


def _searched(skill: Skill) -> str:
    """What is shown of an issue, so that what one sees can be typed."""
    parts = (skill.id, skill.issue, skill.insight or "", ", ".join(skill.keywords))
    return folded(visible("\n".join(parts), keep="\n"))


def keyword_filter(word: str) -> str:
    """The filter that leaves the issues of a keyword."""
    return f'keyword:"{word}"' if " " in word else f"keyword:{word}"


def _surest(row: IssueRow) -> tuple[bool, float, int]:
    effect = row.effect
    if effect is None or effect.at_least is None:
        return True, 0.0, 0
    return False, -effect.at_least, -effect.balance


ORDERS: dict[str, Callable[[IssueRow], Any]] = {
    "met": lambda row: -row.skill.occurrences,
    "surest": _surest,
    "helpful": lambda row: -row.skill.helpful_count,
    "harmful": lambda row: -row.skill.harmful_count,
    "neutral": lambda row: -row.skill.neutral_count,
    "used": lambda row: -row.skill.used_count,
    "newest": lambda row: tuple(-ord(char) for char in row.skill.updated_at),
    "id": lambda row: id_key(row.key),
}
"""Ways to order the issues; ids decide between equals."""


def issue_rows(overview: SkillbookOverview) -> tuple[IssueRow, ...]:
    """All issues, removed ones too."""
    effects = {row.id: row for row in overview.report.effectiveness}
    return tuple(IssueRow(skill, effects.get(skill.id)) for skill in overview.skills)


def found_rows(rows: Iterable[IssueRow], hits: Sequence[SearchHit]) -> tuple[IssueRow, ...]:
    """The issues that a search found, best first; those that are gone since are left out."""
    known = {row.key: row for row in rows}
    return tuple(
        IssueRow(known[hit.skill.id].skill, known[hit.skill.id].effect, hit)
        for hit in hits
        if hit.skill.id in known
    )


def ordered(rows: Iterable[IssueRow], order: str, *, backwards: bool = False) -> list[IssueRow]:
    """Rows in an order of :data:`ORDERS`, removed ones last in any."""
    by_id = sorted(rows, key=lambda row: id_key(row.key))
    found = sorted(by_id, key=ORDERS[order], reverse=backwards)
    return sorted(found, key=lambda row: not row.skill.active)


def matching(rows: Iterable[IssueRow], wanted: BookFilter) -> list[IssueRow]:
    """The rows that a filter lets through, in their order."""
    return [row for row in rows if wanted.holds(row.skill)]


def texts(overview: SkillbookOverview) -> Mapping[str, str]:
    """What each issue says, by its id."""
    return {skill.id: skill.issue for skill in overview.skills}


def count(shown: int, total: int, order: str, *, backwards: bool, best: bool) -> str:
    """How many issues are listed, and in which order.

    Args:
        shown: Those that are listed.
        total: All.
        order: Of :data:`ORDERS`; empty when it goes without saying.
        backwards: The last first.
        best: In the order of a search instead.
    """
    said = amount(shown) if shown == total else f"{amount(shown)} of {amount(total)}"
    if best:
        return f"{said}, best first"
    return f"{said} by {order}" + (", reversed" if backwards else "") if order else said
