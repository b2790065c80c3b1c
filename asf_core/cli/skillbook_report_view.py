"""How a person reads the figures of a Skillbook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from asf_core.domain.skillbook_report import OverTime, SkillbookReport

_SHOWN = 20
_SHADES = " .:-=+*#"
"""From none to the most; ASCII, so that it reads everywhere."""


def render(found: SkillbookReport) -> RenderableType:
    """Numbers, keywords, a heatmap of occurrences, effectiveness."""
    t = found.totals
    if not t.active + t.removed + t.purged:
        return Text("No issues yet. Record one with: asf skillbook add --help")
    return Group(
        Text(f"{t.active} issues ({t.context} context, {t.harness} harness), met {t.occurrences}x"),
        Text(f"{t.removed} removed, {t.purged} purged"),
        Text(f"used {t.used}x: helpful {t.helpful}, harmful {t.harmful}, neutral {t.neutral}"),
        _title("Issues by keyword"),
        _keywords(found),
        _title(_span(found.over_time)),
        _heatmap(found.over_time),
        _title("Effectiveness"),
        _effects(found),
    )


def _title(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def _table(*columns: str) -> Table:
    table = Table(*columns, box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
        column.no_wrap = True
    return table


def _keywords(found: SkillbookReport) -> RenderableType:
    rows = _table("keyword", "context", "harness", "met")
    for row in found.keywords[:_SHOWN]:
        counts = (len(row.context), len(row.harness), row.occurrences)
        rows.add_row(Text(one_line(row.keyword, 40)), *map(str, counts))
    return _with_rest(rows, len(found.keywords))


def _span(over: OverTime) -> str:
    last = over.columns[-1]
    return f"Occurrences by {over.period.value}, {over.columns[0]} to {last} (darkest: most)"


def _heatmap(over: OverTime) -> RenderableType:
    most = max((count for row in over.rows for count in row.counts), default=0)
    rows = _table("issue", "earlier", "over time", "in it")
    rows.columns[2].justify = "left"
    for row in over.rows[:_SHOWN]:
        cells = "".join(_shade(count, most) for count in row.counts)
        rows.add_row(row.id, str(row.earlier), Text(f"|{cells}|"), str(sum(row.counts)))
    return _with_rest(rows, len(over.rows))


def _shade(count: int, most: int) -> str:
    steps = len(_SHADES) - 1
    return _SHADES[0 if not count else max(1, round(steps * count / most))]


def _effects(found: SkillbookReport) -> RenderableType:
    rows = _table("issue", "used", "+", "-", "0", "share", "at least", "")
    first, last = rows.columns[0], rows.columns[-1]
    # Only the text gives way where it is narrow, and is then cut instead of wrapped.
    first.no_wrap, last.no_wrap, last.justify = True, False, "left"
    judged = [row for row in found.effectiveness if row.used]
    for row in judged[:_SHOWN]:
        counts = (row.used, row.helpful, row.harmful, row.neutral)
        shares = (_share(row.helpful_share), _share(row.at_least))
        rows.add_row(row.id, *map(str, counts), *shares, _clipped(one_line(row.issue, 80)))
    if not judged:
        return Text("No insight has been tagged yet: asf skillbook tag ID helpful")
    return _with_rest(rows, len(judged))


def _clipped(said: str) -> Text:
    return Text(said, no_wrap=True, overflow="ellipsis")


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _with_rest(rows: Table, number: int) -> RenderableType:
    if number <= _SHOWN:
        return rows
    return Group(rows, Text(f"and {number - _SHOWN} more; all with --json", "dim"))
