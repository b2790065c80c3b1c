"""The figures of a Skillbook: by keyword, over time, by effect."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta

from asf_core.domain.instant import instant, moment
from asf_core.domain.skillbook import Operation, Section, Skill, id_key
from asf_core.domain.skillbook_report import (
    EffectRow,
    KeywordRow,
    OverTime,
    Period,
    SkillbookReport,
    TimeRow,
    Totals,
)
from asf_core.skillbook.book import Skillbook

_Z = 1.959964
"""Of a 95% interval."""


def report(
    book: Skillbook, now: datetime, period: Period = Period.WEEK, columns: int = 12
) -> SkillbookReport:
    """Count everything.

    Args:
        book: The Skillbook.
        now: The last column is the period that this falls in.
        period: What a column is.
        columns: How many; what is older is counted as earlier.
    """
    active = sorted(book.skills(), key=lambda skill: id_key(skill.id))
    return SkillbookReport(
        made_at=instant(now),
        totals=_totals(book, active),
        keywords=by_keyword(active),
        over_time=over_time(book, active, now, period, columns),
        effectiveness=effectiveness(active),
    )


def _totals(book: Skillbook, active: Sequence[Skill]) -> Totals:
    return Totals(
        active=len(active),
        removed=len(book.skills(removed=True)) - len(active),
        purged=len(book.purged),
        context=sum(skill.section is Section.CONTEXT for skill in active),
        harness=sum(skill.section is Section.HARNESS for skill in active),
        occurrences=sum(skill.occurrences for skill in active),
        used=sum(skill.used_count for skill in active),
        helpful=sum(skill.helpful_count for skill in active),
        harmful=sum(skill.harmful_count for skill in active),
        neutral=sum(skill.neutral_count for skill in active),
    )


def by_keyword(active: Iterable[Skill]) -> tuple[KeywordRow, ...]:
    """The issues of each keyword, most issues first."""
    found: dict[str, list[Skill]] = {}
    for skill in active:
        for word in skill.keywords:
            found.setdefault(word, []).append(skill)
    rows = [
        KeywordRow(
            keyword=word,
            context=tuple(s.id for s in skills if s.section is Section.CONTEXT),
            harness=tuple(s.id for s in skills if s.section is Section.HARNESS),
            occurrences=sum(skill.occurrences for skill in skills),
        )
        for word, skills in found.items()
    ]
    return tuple(
        sorted(rows, key=lambda r: (-len(r.context + r.harness), -r.occurrences, r.keyword))
    )


def over_time(
    book: Skillbook, active: Iterable[Skill], now: datetime, period: Period, columns: int
) -> OverTime:
    """When the issues were met.

    What a merged issue brought along counts when it was met, not when it was merged.
    """
    names = _columns(moment(instant(now)).date(), period, columns)
    place = {name: at for at, name in enumerate(names)}
    known = {skill.id: skill for skill in book.skills(removed=True)}
    rows = []
    for skill in active:
        counts, earlier = [0] * len(names), 0
        for at, number in sightings(known, skill):
            name = _name(moment(at).date(), period)
            if name in place:
                counts[place[name]] += number
            elif name < names[0]:
                earlier += number
            else:  # recorded by a clock ahead of this one
                counts[-1] += number
        rows.append(TimeRow(id=skill.id, earlier=earlier, counts=tuple(counts)))
    rows.sort(key=lambda row: (-row.earlier - sum(row.counts), id_key(row.id)))
    return OverTime(
        period=period,
        columns=names,
        rows=tuple(rows),
        totals=tuple(sum(row.counts[at] for row in rows) for at in range(len(names))),
        earlier=sum(row.earlier for row in rows),
    )


def sightings(
    known: Mapping[str, Skill], skill: Skill, until: str = "", seen: frozenset[str] = frozenset()
) -> list[tuple[str, int]]:
    """When a skill's issue was met, and how often; the numbers sum to its occurrences.

    Args:
        known: All skills by id, removed ones too.
        skill: The skill.
        until: Only what was recorded up to then; all when empty.
        seen: Skills that this one was merged into.
    """
    own = len(skill.sources) - len(skill.own_sources)
    found: list[tuple[str, int]] = []
    for place, line in enumerate(skill.sources):
        if not line.occurrences or (until and line.recorded_at > until):
            continue
        merged = known.get(line.trace_id) if line.operation_type is Operation.MERGE else None
        parts: list[tuple[str, int]] = []
        if merged and place >= own and merged.id not in seen and merged.id != skill.id:
            parts = sightings(known, merged, line.recorded_at, seen | {skill.id})
        # A merged skill that is gone, or that has changed since, is counted when it was merged.
        whole = sum(number for _, number in parts) == line.occurrences
        found += parts if whole else [(line.recorded_at, line.occurrences)]
    return found


def effectiveness(active: Iterable[Skill]) -> tuple[EffectRow, ...]:
    """How each insight fared, the surest first."""
    rows = map(_effect, active)
    return tuple(
        sorted(
            rows,
            key=lambda r: (r.at_least is None, -(r.at_least or 0.0), -r.balance, id_key(r.id)),
        )
    )


def _effect(skill: Skill) -> EffectRow:
    judged = skill.helpful_count + skill.harmful_count
    return EffectRow(
        id=skill.id,
        section=skill.section,
        issue=skill.issue,
        occurrences=skill.occurrences,
        used=skill.used_count,
        helpful=skill.helpful_count,
        harmful=skill.harmful_count,
        neutral=skill.neutral_count,
        balance=skill.helpful_count - skill.harmful_count,
        helpful_share=skill.helpful_count / judged if judged else None,
        at_least=_lower_bound(skill.helpful_count, judged) if judged else None,
    )


def _lower_bound(right: int, of: int) -> float:
    """Lower end of Wilson's 95% interval of a share."""
    share, z = right / of, _Z * _Z / of
    middle = share + z / 2
    return max(0.0, (middle - math.sqrt(z * (share * (1 - share) + z / 4))) / (1 + z))


def _columns(last: date, period: Period, number: int) -> tuple[str, ...]:
    names = [_name(last, period)]
    day = last
    while len(names) < number and day.toordinal() > 31:
        day = _before(day, period)
        names.append(_name(day, period))
    return tuple(reversed(names))


def _before(day: date, period: Period) -> date:
    """A day of the period before."""
    if period is Period.MONTH:
        return day.replace(day=1) - timedelta(days=1)
    return day - timedelta(days=1 if period is Period.DAY else 7)


def _name(day: date, period: Period) -> str:
    if period is Period.MONTH:
        return f"{day.year:04d}-{day.month:02d}"
    if period is Period.DAY:
        return day.isoformat()
    year, week, _ = day.isocalendar()
    return f"{year:04d}-W{week:02d}"
