"""The Skillbook area: what a person does with issues, when and how they fared, and duplicates."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content

from asf_core.domain.skillbook import Proposal, SearchHit, Skill
from asf_tui import book_blocks
from asf_tui.blocks import Text
from asf_tui.book_rows import IssueRow
from asf_tui.bridge.skillbook import MOST_HITS
from asf_tui.commands import bindings
from asf_tui.commands.shared import DOCUMENT, TABLE
from asf_tui.commands.skillbook import SKILLBOOK
from asf_tui.commands.skills import FILTER
from asf_tui.problems import Problem
from asf_tui.screens.book_browsing import BookBrowsing
from asf_tui.screens.bookkeeping import Bookkeeping
from asf_tui.screens.dialogs import AskDialog, TextDialog
from asf_tui.text import block
from asf_tui.widgets.book_tables import PairTable

_LOOKING = "Looking for likely duplicates…"
_NO_PAIRS = "No two active issues are that much alike."

Pair = tuple[Proposal, Skill, Skill]
"""A proposal, the issue that would stay, the one that would go."""


class SkillbookScreen(BookBrowsing):
    """Find, read and keep in order what was learnt."""

    AREA = "skillbook"
    PLACES = (SKILLBOOK, FILTER, TABLE, DOCUMENT)
    BINDINGS: ClassVar[list[BindingType]] = bindings(SKILLBOOK)

    def __init__(self) -> None:
        super().__init__()
        self.pairs: tuple[Proposal, ...] | None = None
        """Likely duplicates; ``None`` before they were looked for, and after a change."""
        self._question = ""
        self._searches = self.loader("hits", "Searching", self._search, self._found, self.refused)
        self._alike = self.loader(
            "pairs", "Looking for duplicates", self._propose, self._proposed, self._unproposed
        )
        self._prompts = self.loader(
            "prompt", "Reading the prompt", self._read_prompt, self._show_prompt, self.refused
        )

    def on_mount(self) -> None:
        """Look for duplicates when they are to be seen."""
        self.watch(self.detail.strip, "active", self._turned_to, init=False)

    # Search

    def action_ask(self) -> None:
        """Ask what to search for."""
        said = "In plain words; the issues come best first. Esc then shows all again."
        dialog = AskDialog("Search by words and meaning", said, "question", self._question)
        self.app.push_screen(dialog, self._ask)

    def _ask(self, question: str | None) -> None:
        if question:
            self._question = question
            self.filter_box.tell(Content("searching…"))
            self._searches.ask(question)

    def _search(self, question: str) -> tuple[SearchHit, ...]:
        return self.book.find(question, MOST_HITS)

    def _found(self, hits: tuple[SearchHit, ...]) -> None:
        self.show_only(hits=hits)

    # Likely duplicates

    def changed(self) -> None:
        """What was alike may no longer be."""
        self.pairs = None
        self._turned_to(self.detail.strip.active)

    def _turned_to(self, side: str) -> None:
        if side == "pairs" and self.pairs is None and self.overview is not None:
            self._say_of_pairs(_LOOKING)
            self._alike.ask(True)
        self.read_current()  # a pair may have stood in the place of the issue

    def _propose(self, _: bool) -> tuple[Proposal, ...]:
        return self.book.likely_duplicates()

    def _proposed(self, pairs: tuple[Proposal, ...]) -> None:
        self.pairs = pairs
        self._say_of_pairs(_NO_PAIRS)
        self.tell_counts()
        self.refresh_bindings()

    def _unproposed(self, problem: Problem) -> None:
        self._say_of_pairs("\n".join(problem.lines))

    def _say_of_pairs(self, empty: str) -> None:
        table = self.query_one(PairTable)
        table.empty = empty
        table.show(self.pairs or ())

    def tell_counts(self) -> None:
        """How much there is behind the tabs."""
        counts = {"trail": len(self.skill.sources)} if self.skill else {}
        self.detail.counts(counts if self.pairs is None else {**counts, "pairs": len(self.pairs)})

    @property
    def pair(self) -> Pair | None:
        """The pair at the cursor, where it is seen."""
        if not self.is_mounted or self.detail.strip.active != "pairs":
            return None
        found = self.query_one(PairTable).current
        if found is None or (self.one_pane and not self.reading):
            return None
        known = {row.key: row.skill for row in self.issues}
        return found, known[found.keep], known[found.other]

    @on(PairTable.Highlighted, "#pairs")
    def _pair_highlighted(self, event: PairTable.Highlighted) -> None:
        event.stop()
        self._show_pair()

    def _show_pair(self) -> None:
        """In the place of the issue, as long as its tab is seen."""
        if pair := self.pair:
            self.again("")
            self.detail.head(book_blocks.pair_head(pair[0]))
            self.detail.write("issue", tuple(book_blocks.proposal(*pair)))
        self.refresh_bindings()

    def read_row(self, row: IssueRow) -> None:
        """Show the issue at the cursor, unless a pair stands in its place."""
        super().read_row(row)
        self._show_pair()

    @on(PairTable.Chosen, "#pairs")
    def _pair_chosen(self, event: PairTable.Chosen) -> None:
        event.stop()
        if pair := self.pair:
            blocks = tuple(book_blocks.proposal(*pair))
            self.app.push_screen(TextDialog("One issue, or two?", blocks))

    # The prompt

    def action_prompt(self) -> None:
        """Show what an agent reads."""
        self._prompts.ask(True)

    def _read_prompt(self, _: bool) -> str:
        return self.book.as_prompt()

    def _show_prompt(self, prompt: str) -> None:
        text = block(prompt or "Empty: no issue is active.")
        self.app.push_screen(TextDialog("What an agent reads", (Text(text),)))

    # Changes

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what makes sense for the issue, or the pair, at the cursor."""
        if action in {"merge", "widen", "apart"}:
            return self.pair is not None
        if action in {"edit", "verdict", "remove"}:
            return self.skill is not None and self.skill.active and self.pair is None
        if action == "restore":
            return self.skill is not None and not self.skill.active
        return super().check_action(action, parameters)

    def _do(self, change: Coroutine[Any, Any, object], doing: str) -> None:
        async def then_reread() -> None:
            await change
            self.reload()

        self.asking(then_reread(), doing)

    @property
    def _person(self) -> Bookkeeping:
        return Bookkeeping(self.workbench)

    def action_new(self) -> None:
        """Record an issue."""
        self._do(self._person.new(), "Recording an issue")

    def action_edit(self) -> None:
        """Rewrite the issue."""
        if self.skill is not None:
            self._do(self._person.edit(self.skill), "Rewriting the issue")

    def action_verdict(self) -> None:
        """Record a use."""
        if self.skill is not None:
            self._do(self._person.verdict(self.skill), "Recording a use")

    def action_remove(self) -> None:
        """Take the issue out of use."""
        if self.skill is not None:
            self._do(self._person.remove(self.skill), "Removing the issue")

    def action_restore(self) -> None:
        """Bring the issue back."""
        if self.skill is not None:
            self._do(self._person.restore(self.skill), "Restoring the issue")

    def action_merge(self) -> None:
        """Merge the pair."""
        if pair := self.pair:
            self._do(self._person.merge(*pair), "Merging two issues")

    def action_widen(self) -> None:
        """Widen the one that stays, and merge."""
        if pair := self.pair:
            self._do(self._person.widen(*pair), "Widening an issue")

    def action_apart(self) -> None:
        """Record that the pair are two."""
        if pair := self.pair:
            self._do(self._person.keep_apart(*pair), "Keeping both")
