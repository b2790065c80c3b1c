"""Tables of the Skillbook: issues, heatmap, effectiveness, keywords, likely duplicates."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from asf_core.domain.skillbook import Advice, Proposal
from asf_core.domain.skillbook_report import KeywordRow, OverTime
from asf_core.domain.text import one_line
from asf_tui import book_blocks, heat
from asf_tui.book_rows import IssueRow
from asf_tui.glyphs import Glyphs
from asf_tui.heat import HeatRow
from asf_tui.text import amount
from asf_tui.widgets.columns import Cell, Column, Piece
from asf_tui.widgets.virtual_table import VirtualTable

_LONGEST = 400
"""Characters of an issue that a row looks at."""


class IssueTable(VirtualTable[IssueRow]):
    """The issues; Enter opens one.

    Args:
        glyphs: The signs.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__((), key=lambda row: row.key, name_of=lambda row: row.text, id="rows")
        self._glyphs = glyphs
        self.arrange_for(found=False)

    def arrange_for(self, *, found: bool) -> None:
        """Show how often each was met, or how a search found it."""

        def sign(row: IssueRow, width: int) -> Cell:
            verdict = book_blocks.state(row.skill, self._glyphs)
            return (Piece(verdict.glyph, verdict.tone),)

        figure = Column("ranks", _ranks, 7, 7, rank=1, right=True)
        if not found:
            figure = Column("met", _met, 5, 6, rank=1, right=True)
        self.columns = (
            Column("", sign, 1, 1),
            Column("issue", _issue, 20, 400, wish=26, searched=True),
            figure,
            Column("+ -", _verdicts, 7, 9, rank=2),
            Column("section", _section, 7, 7, rank=3),
            Column("keywords", _keywords, 14, 30, rank=4, searched=True),
            Column("id", _id, 13, 13, rank=5),
        )
        self.rearrange()


class HeatTable(VirtualTable[HeatRow]):
    """When the issues were met; Enter opens one.

    Args:
        glyphs: The signs.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(
            (),
            key=lambda row: row.key,
            name_of=lambda row: row.text,
            empty="No issue was met yet.\nn records one.",
            id="heat",
        )
        self._glyphs = glyphs

    def show_time(self, over: OverTime, texts: Mapping[str, str]) -> None:
        """Show the figures, a shade for each period."""
        glyphs = self._glyphs
        room = 2 * len(over.columns)

        def name(row: HeatRow, width: int) -> Cell:
            style = "plain" if row.key else "strong"
            return (Piece(one_line(row.text, _LONGEST), style),)

        def shades(row: HeatRow, width: int) -> Cell:
            found = heat.cells(row.counts, row.most, width, glyphs)
            return tuple(Piece(text, tone) for text, tone in found)

        def earlier(row: HeatRow, width: int) -> Cell:
            return (Piece(amount(row.earlier) if row.earlier else "", "quiet"),)

        def total(row: HeatRow, width: int) -> Cell:
            return (Piece(amount(row.total)),)

        self.columns = (
            Column("issue", name, 12, 60, wish=20),
            Column("earlier", earlier, 7, 7, rank=1, right=True),
            Column(heat.span(over), shades, min(room, 24), room),
            Column("in it", total, 5, 6, right=True),
        )
        self.rearrange()
        self.show(heat.rows(over, dict(texts)))


class EffectTable(VirtualTable[IssueRow]):
    """How the insights fared, in figures and bars; Enter opens the issue.

    Args:
        glyphs: The signs.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(
            (),
            key=lambda row: row.key,
            name_of=lambda row: row.text,
            empty="No insight was used yet.\nv records a use, and how it went.",
            id="effect",
        )
        self._glyphs = glyphs

    def show_effects(self, rows: list[IssueRow], order: str, *, backwards: bool) -> None:
        """Show those that were used, the figure that they are ordered by marked."""
        most = max((max(_counts(row)) for row in rows), default=0) or 1
        sign = self._glyphs.up if backwards else self._glyphs.down

        def titled(name: str, title: str) -> str:
            return f"{title}{sign}" if name == order else title

        def bars(row: IssueRow, width: int) -> Cell:
            return _against(row, most, width, self._glyphs)

        def least(row: IssueRow, width: int) -> Cell:
            value = row.effect.at_least if row.effect else None
            return (Piece("-" if value is None else f"{value:.2f}", "quiet"),)

        self.columns = (
            Column("issue", _issue, 12, 400),
            Column(titled("used", "used"), _figure("used_count", "plain"), 5, 6, right=True),
            Column(titled("helpful", "+"), _figure("helpful_count", "good"), 3, 5, right=True),
            Column(titled("harmful", "-"), _figure("harmful_count", "bad"), 3, 5, right=True),
            Column(titled("neutral", "0"), _figure("neutral_count", "quiet"), 3, 5, right=True),
            Column("- and +", bars, 11, 31, rank=1),
            Column(titled("surest", "at least"), least, 9, 9, rank=2, right=True),
        )
        self.rearrange()
        self.show([row for row in rows if row.skill.used_count and row.skill.active])


class KeywordTable(VirtualTable[KeywordRow]):
    """The issues by keyword; Enter leaves those in the list.

    Args:
        glyphs: The signs.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        def word(row: KeywordRow, width: int) -> Cell:
            return (Piece(one_line(row.keyword, _LONGEST)),)

        def context(row: KeywordRow, width: int) -> Cell:
            return (Piece(str(len(row.context)) if row.context else "", "note"),)

        def harness(row: KeywordRow, width: int) -> Cell:
            return (Piece(str(len(row.harness)) if row.harness else "", "warn"),)

        def met(row: KeywordRow, width: int) -> Cell:
            most = max((one.occurrences for one in self.rows), default=1)
            full, rest = glyphs.bar(row.occurrences / most, max(1, width - 6))
            return (
                Piece(full, "note"),
                Piece(rest, "faint"),
                Piece(f" {amount(row.occurrences):>5}", "quiet"),
            )

        super().__init__(
            (
                Column("keyword", word, 14, 40, wish=16),
                Column("context", context, 7, 7, right=True),
                Column("harness", harness, 7, 7, right=True),
                Column("met", met, 12, 30, rank=1),
            ),
            key=lambda row: row.keyword,
            name_of=lambda row: row.keyword,
            empty="No keywords yet.",
            id="keywords",
        )


class PairTable(VirtualTable[Proposal]):
    """Issues that may be one, most alike first; Enter shows both whole.

    Args:
        glyphs: The signs.
    """

    def __init__(self, glyphs: Glyphs) -> None:
        self.texts: Mapping[str, str] = {}
        """What each issue says, by its id."""
        tones = {Advice.MERGE: "note", Advice.WIDEN: "warn", Advice.KEEP: "quiet"}
        signs = {Advice.MERGE: glyphs.same, Advice.WIDEN: glyphs.both, Advice.KEEP: glyphs.axis}

        def advice(row: Proposal, width: int) -> Cell:
            return (Piece(f"{signs[row.advice]} {row.advice.value}", tones[row.advice]),)

        def alike(row: Proposal, width: int) -> Cell:
            return (Piece(f"{row.cosine:.3f}", "quiet"),)

        def keep(row: Proposal, width: int) -> Cell:
            return (Piece(one_line(self.texts.get(row.keep, ""), _LONGEST)),)

        def other(row: Proposal, width: int) -> Cell:
            return (Piece(one_line(self.texts.get(row.other, ""), _LONGEST), "quiet"),)

        super().__init__(
            (
                Column("advice", advice, 8, 8),
                Column("cosine", alike, 6, 6, rank=1),
                Column("issue", keep, 14, 200),
                Column("and", other, 14, 200),
            ),
            key=lambda row: f"{row.keep} {row.other}",
            name_of=lambda row: row.keep,
            id="pairs",
        )


def _issue(row: IssueRow, width: int) -> Cell:
    return (Piece(one_line(row.text, _LONGEST), "plain" if row.skill.active else "quiet"),)


def _met(row: IssueRow, width: int) -> Cell:
    return (Piece(f"{amount(row.skill.occurrences)}x", "quiet"),)


def _ranks(row: IssueRow, width: int) -> Cell:
    """By words and by meaning."""
    if row.hit is None:
        return ()
    return (Piece(f"{row.hit.bm25_rank or '-'} {row.hit.dense_rank:>3}", "note"),)


def _keywords(row: IssueRow, width: int) -> Cell:
    return (Piece(one_line(", ".join(row.skill.keywords), _LONGEST), "quiet"),)


def _id(row: IssueRow, width: int) -> Cell:
    return (Piece(row.key, "quiet"),)


def _section(row: IssueRow, width: int) -> Cell:
    return (Piece(row.skill.section.value, "note" if row.skill.insight else "quiet"),)


def _verdicts(row: IssueRow, width: int) -> Cell:
    skill = row.skill
    if not skill.used_count:
        return (Piece("not used", "quiet"),) if width >= 8 else ()
    return (
        Piece(f"+{skill.helpful_count}", "good" if skill.helpful_count else "quiet"),
        Piece(" "),
        Piece(f"-{skill.harmful_count}", "bad" if skill.harmful_count else "quiet"),
    )


def _counts(row: IssueRow) -> tuple[int, int]:
    return row.skill.helpful_count, row.skill.harmful_count


def _figure(field: str, tone: str) -> Callable[[IssueRow, int], Cell]:
    def cell(row: IssueRow, width: int) -> Cell:
        count: int = getattr(row.skill, field)
        return (Piece(amount(count), tone if count else "quiet"),)

    return cell


def _against(row: IssueRow, most: int, width: int, glyphs: Glyphs) -> Cell:
    """Harm to the left of an axis, help to the right of it, on one scale."""
    helpful, harmful = _counts(row)
    before, left, _ = glyphs.diverging(-harmful / most, width)
    _, right, after = glyphs.diverging(helpful / most, width)
    before = before.removesuffix(glyphs.axis)  # it has the axis where there is no harm
    return (
        Piece(before, "faint"),
        Piece(left, "bad"),
        Piece(glyphs.axis, "faint"),
        Piece(right, "good"),
        Piece(after, "faint"),
    )
