"""What a Skillbook says as a whole: the figures that its views draw (DESIGN 9)."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from asf_core.domain.base import Value
from asf_core.domain.instant import Instant
from asf_core.domain.skillbook import Section, Skill

FORMAT: Literal["asf-skillbook-report/1"] = "asf-skillbook-report/1"


class Period(StrEnum):
    """The columns of occurrences over time."""

    DAY = "day"
    WEEK = "week"
    """ISO weeks, from Monday."""
    MONTH = "month"


class Totals(Value):
    """The Skillbook in numbers."""

    active: int
    removed: int
    purged: int
    context: int
    """Active ones."""
    harness: int
    """Active ones."""
    occurrences: int
    """Of the active ones."""
    used: int
    helpful: int
    harmful: int
    neutral: int


class KeywordRow(Value):
    """The active issues of one keyword."""

    keyword: str
    context: tuple[str, ...]
    """Ids, in order."""
    harness: tuple[str, ...]
    occurrences: int


class TimeRow(Value):
    """Occurrences of one active issue over time."""

    id: str
    earlier: int
    """Before the first column."""
    counts: tuple[int, ...]
    """One for each column. With ``earlier`` they sum to the issue's occurrences."""


class OverTime(Value):
    """Occurrences over time: a heatmap, issues by periods."""

    period: Period
    columns: tuple[str, ...]
    """``2026-11-30``, ``2026-W49`` or ``2026-11``, without a gap, up to now."""
    rows: tuple[TimeRow, ...]
    """Most occurrences first."""
    totals: tuple[int, ...]
    """The sum of the rows, one for each column."""
    earlier: int


class EffectRow(Value):
    """How one active issue's insight fared."""

    id: str
    section: Section
    issue: str
    occurrences: int
    used: int
    helpful: int
    harmful: int
    neutral: int
    balance: int
    """Helpful minus harmful."""
    helpful_share: float | None
    """Helpful of helpful and harmful; ``None`` without either."""
    at_least: float | None
    """Lower bound of that share at 95% (Wilson 1927): ranks 9 of 10 over 1 of 1."""


class SkillbookReport(Value):
    """Issues by keyword, occurrences over time, effectiveness."""

    format: Literal["asf-skillbook-report/1"] = FORMAT
    made_at: Instant
    totals: Totals
    keywords: tuple[KeywordRow, ...]
    """Most issues first."""
    over_time: OverTime
    effectiveness: tuple[EffectRow, ...]
    """Best bound first, those without a verdict last."""


class SkillbookOverview(Value):
    """A whole Skillbook with its figures, of one reading."""

    skills: tuple[Skill, ...]
    """Removed ones too, in the order in which they came."""
    report: SkillbookReport
