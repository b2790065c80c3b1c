"""The Skillbook as it is read: issues in a list, one of them and the whole from several sides."""

from __future__ import annotations

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from asf_core.domain.skillbook import SearchHit, Skill
from asf_core.domain.skillbook_report import Period, SkillbookOverview
from asf_tui import book_blocks, book_rows
from asf_tui.book_rows import ORDERS, BookFilter, IssueRow
from asf_tui.bridge.skillbook import Skillbook, open_skillbook
from asf_tui.library import Library
from asf_tui.live import PULSE
from asf_tui.problems import Problem
from asf_tui.screens.browsing import BrowsingScreen
from asf_tui.screens.dialogs import ProblemDialog
from asf_tui.text import line
from asf_tui.widgets.book_tables import EffectTable, IssueTable, KeywordTable, PairTable
from asf_tui.widgets.document import DocumentView
from asf_tui.widgets.filter_box import FilterBox
from asf_tui.widgets.heat_view import HeatView
from asf_tui.widgets.tabbed import TabbedDetail
from asf_tui.widgets.virtual_table import VirtualTable

TITLES = {
    "issue": "Issue",
    "trail": "Trail",
    "time": "Over time",
    "effect": "Effect",
    "keywords": "Keywords",
    "pairs": "Duplicates",
}


class BookBrowsing(BrowsingScreen):
    """Shows the Skillbook, and reads it again when somebody saved it."""

    DEFAULT_CSS = """
    BookBrowsing #totals { height: 1; padding: 0 1; color: $quiet; text-wrap: nowrap; text-overflow: ellipsis; }
    BookBrowsing.-low #totals { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.overview: SkillbookOverview | None = None
        """As it was last read."""
        self.hits: tuple[SearchHit, ...] | None = None
        """What the last search found; ``None`` when all issues are shown."""
        self.period, self.order, self.backwards = Period.WEEK, "met", False
        self.issues: tuple[IssueRow, ...] = ()
        """All issues, removed ones too."""
        self._stamp = ""
        self._books = self.loader(
            "book", "Reading the Skillbook", self._read, self._show, self._unread
        )
        self._stamps = self.loader(
            "stamp", "Looking for changes", self._read_stamp, self._stamped, self.refused
        )

    def make_table(self) -> IssueTable:
        """The issues."""
        return IssueTable(self.workbench.glyphs)

    def make_detail(self) -> TabbedDetail:
        """One issue, and the Skillbook as a whole."""
        glyphs = self.workbench.glyphs
        sides: dict[str, Widget] = {
            "issue": DocumentView("issue"),
            "trail": DocumentView("trail"),
            "time": HeatView(glyphs),
            "effect": EffectTable(glyphs),
            "keywords": KeywordTable(glyphs),
            "pairs": PairTable(glyphs),
        }
        return TabbedDetail(sides, TITLES)

    def compose_area(self) -> ComposeResult:
        """The figures of the whole; filter and list; the detail."""
        yield Static("", id="totals", markup=False)
        with Horizontal():
            with Vertical(id="list"):
                yield FilterBox("filter: words, section: keyword: state: has:")
                yield self.make_table()
            yield self.make_detail()

    def on_mount(self) -> None:
        """Follow what others save."""
        self.set_interval(PULSE, self._look)

    @property
    def book(self) -> Skillbook:
        """The Skillbook; only for work that starts once the workspace is open."""
        return open_skillbook(self.workbench.work.engine)

    @property
    def filter_box(self) -> FilterBox:
        """The line above the list."""
        return self.query_one(FilterBox)

    # Reading

    def show_library(self, library: Library) -> None:
        """The workspace may just have been opened."""
        if self.overview is None and self.workbench.work.session is not None:
            self.reload()

    def reload(self) -> None:
        """Read the Skillbook anew."""
        if self.workbench.work.session is not None:
            self._books.ask(self.period)

    def _look(self) -> None:
        if self.app.screen is self and self.workbench.work.session and not self._stamps.busy:
            self._stamps.ask(True)

    def _stamped(self, stamp: str) -> None:
        if stamp != self._stamp:
            self.reload()

    def _read_stamp(self, _: bool) -> str:
        return self.book.stamp()

    def _read(self, period: Period) -> tuple[str, SkillbookOverview]:
        book = self.book
        return book.stamp(), book.overview(period)

    def _show(self, found: tuple[str, SkillbookOverview]) -> None:
        before = self.overview.skills if self.overview else None
        self._stamp, self.overview = found
        self.issues = book_rows.issue_rows(self.overview)
        self._show_totals()
        self.query_one(KeywordTable).show(self.overview.report.keywords)
        self.query_one(PairTable).texts = book_rows.texts(self.overview)
        self.refill(keep=True)
        if before != self.overview.skills:
            self.changed()

    def _show_totals(self) -> None:
        if self.is_mounted and self.overview is not None:
            said = book_blocks.totals(self.overview.report, short=self.one_pane)
            self.query_one("#totals", Static).update(line(said))

    def on_resize(self, event: events.Resize) -> None:
        """Say as much of the whole as there is room for."""
        self._show_totals()

    def changed(self) -> None:
        """Issues are not what they were."""

    def _unread(self, problem: Problem) -> None:
        """Said where the issues would be."""
        self.overview, self.issues = None, ()
        self.query_one("#totals", Static).update("")
        self.table.empty = "\n".join(problem.lines)
        self.table.show(())

    def refused(self, problem: Problem) -> None:
        """Something could not be read: said over what is shown."""
        self.refill(keep=True)
        self.app.push_screen(ProblemDialog(problem))

    # The list

    def refill(self, *, keep: bool) -> None:
        """Show what filter, search and order leave now; the cursor kept or at the first."""
        wanted = BookFilter.parse(self.filter_box.text)
        in_order = book_rows.ordered(self.issues, self.order, backwards=self.backwards)
        left = book_rows.matching(in_order, wanted)
        shown = left
        if self.hits is not None:
            shown = book_rows.matching(book_rows.found_rows(self.issues, self.hits), wanted)
        self.table.empty = (
            "No issue matches.\nEsc shows all again." if self.issues else book_rows.NOTHING
        )
        self.query_one(IssueTable).arrange_for(found=self.hits is not None)
        self.table.show(shown, pattern=wanted.pattern, keep=keep)
        self._count(len(shown), wanted)
        self.query_one(EffectTable).show_effects(left, self.order, backwards=self.backwards)
        if self.overview is not None:
            texts = {row.key: row.text for row in left}
            self.query_one(HeatView).show_time(self.overview.report.over_time, texts)

    def _count(self, shown: int, wanted: BookFilter) -> None:
        order = "" if self.order == "met" and not self.backwards else self.order
        said = book_rows.count(
            shown, len(self.issues), order, backwards=self.backwards, best=self.hits is not None
        )
        label = Content.styled(wanted.problem, "$warn") if wanted.problem else Content(said)
        self.filter_box.tell(label)

    @on(FilterBox.Changed)
    def _filter_changed(self) -> None:
        self.refill(keep=False)

    @on(FilterBox.Left)
    def _filter_left(self, event: FilterBox.Left) -> None:
        if event.clear:
            self.filter_box.clear()
            self.refill(keep=True)
        self.table.focus()

    def show_only(self, *, text: str = "", hits: tuple[SearchHit, ...] | None = None) -> None:
        """Leave the issues of a filter, or of a search, and go to the list."""
        self.hits = hits
        self.filter_box.put(text)
        self.refill(keep=False)
        self.to_list()

    def to_list(self) -> None:
        """From the detail to the list."""
        super().action_back()

    # One issue

    def read_row(self, row: IssueRow) -> None:
        """Show the issue at the cursor."""
        if self.overview is None:
            return
        glyphs, keep = self.workbench.glyphs, self.again(row.key)
        over = self.overview.report.over_time
        self.detail.head(book_blocks.head(row.skill, row.hit, glyphs))
        issue = tuple(book_blocks.issue(row.skill, row.effect, over, glyphs))
        self.detail.write("issue", issue, keep=keep)
        self.detail.write("trail", tuple(book_blocks.trail(row.skill)), keep=keep)
        self.tell_counts()
        self.refresh_bindings()

    def tell_counts(self) -> None:
        """How much there is behind the tabs."""
        skill = self.skill
        self.detail.counts({"trail": len(skill.sources)} if skill else {})

    def clear_detail(self) -> None:
        """No issue is shown."""
        self.detail.clear()

    @property
    def skill(self) -> Skill | None:
        """The issue at the cursor."""
        row = self.table.current if self.is_mounted else None
        return row.skill if isinstance(row, IssueRow) else None

    # The Skillbook as a whole

    @on(VirtualTable.Highlighted, "#heat, #effect")
    def _also_highlighted(self, event: VirtualTable.Highlighted) -> None:
        """The list follows, so that every command is about the row that the cursor is on."""
        event.stop()
        if event.table.has_focus and event.row is not None:
            self.table.select(event.row.key)

    @on(VirtualTable.Chosen, "#heat, #effect")
    def _also_chosen(self, event: VirtualTable.Chosen) -> None:
        event.stop()
        if self.table.select(event.row.key):
            self.detail.turn_to("issue")
            self.set_focus(self.detail.body())

    @on(KeywordTable.Chosen, "#keywords")
    def _keyword_chosen(self, event: KeywordTable.Chosen) -> None:
        event.stop()
        self.show_only(text=book_rows.keyword_filter(event.row.keyword))

    # Commands

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to go back from where one went, filtered or searched."""
        if action == "back":
            narrowed = self.is_mounted and bool(self.filter_box.text)
            return self.reading or self.hits is not None or narrowed
        return super().check_action(action, parameters)

    def action_back(self) -> None:
        """From the detail to the list, then to all issues."""
        if self.reading:
            self.to_list()
        else:
            self.show_only()

    def action_filter(self) -> None:
        """Type a filter."""
        self.remove_class("-reading")
        self.filter_box.focus_input()

    def action_order(self) -> None:
        """Order by the next of the orders."""
        names = list(ORDERS)
        self.order = names[(names.index(self.order) + 1) % len(names)]
        self.refill(keep=True)

    def action_reverse(self) -> None:
        """The last first."""
        self.backwards = not self.backwards
        self.refill(keep=True)

    def action_period(self) -> None:
        """The next of day, week and month."""
        periods = list(Period)
        self.period = periods[(periods.index(self.period) + 1) % len(periods)]
        self.notify(f"By {self.period.value}", timeout=2, markup=False)
        self.reload()

    def action_side(self, side: str) -> None:
        """Show a side."""
        self.open_detail(side)

    def action_reread(self) -> None:
        """Read the file again."""
        self.reload()
