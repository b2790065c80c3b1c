"""The Review area: candidates, what each lacks, and the signed decision."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import BindingType

from asf_core.domain.receipts import Verdict
from asf_tui import dossier_view, in_place, messages
from asf_tui.bridge import Desk
from asf_tui.commands import bindings
from asf_tui.commands.review import REVIEW
from asf_tui.commands.shared import DOCUMENT, TABLE
from asf_tui.dossier import WAITING, Dossier, Step
from asf_tui.problems import Problem
from asf_tui.screens.browsing import BrowsingScreen
from asf_tui.screens.deciding import Deciding
from asf_tui.widgets.desk_tables import ReviewTable, Waiting
from asf_tui.widgets.document import DocumentView
from asf_tui.widgets.tabbed import TabbedDetail

_TITLES = {
    "needs": "Needs",
    "findings": "Findings",
    "changes": "Changes",
    "receipts": "Receipts",
    "content": "Content",
}
_OF_A_WAITING_ONE = frozenset(
    {"next_step", "scan", "scan_waived", "approve", "reject", "activate", "trust", "end"}
)


class ReviewScreen(BrowsingScreen):
    """Read a candidate from all sides, and decide on it."""

    AREA = "review"
    PLACES = (REVIEW, TABLE, DOCUMENT)
    BINDINGS: ClassVar[list[BindingType]] = bindings(REVIEW)

    def __init__(self) -> None:
        super().__init__()
        self.dossier: Dossier | None = None
        """Of the version that is shown."""
        self._lists = self.loader(
            "waiting", "Reading the candidates", self._read_list, self._show_list
        )
        self._dossiers = self.loader(
            "dossier", "Reading the version", self._read_dossier, self._show_dossier
        )

    def make_table(self) -> ReviewTable:
        """The versions that wait."""
        return ReviewTable(self.workbench.glyphs)

    def make_detail(self) -> TabbedDetail:
        """One of them from all sides."""
        return TabbedDetail({name: DocumentView(name) for name in _TITLES}, _TITLES)

    # The list

    def reload(self) -> None:
        """Read what waits now."""
        self._lists.ask(True)

    def _read_list(self, _: bool) -> tuple[Waiting, ...]:
        return read_waiting(self.workbench.work.desk)

    def _show_list(self, rows: tuple[Waiting, ...]) -> None:
        self.table.show(rows)

    # One version

    def read_row(self, row: Waiting) -> None:
        """Read its dossier."""
        self._dossiers.ask(row.key)

    def clear_detail(self) -> None:
        """Nothing waits."""
        self._dossiers.drop()
        self.dossier = None
        self.detail.clear()
        self.detail.counts({})
        self.refresh_bindings()

    def _read_dossier(self, content_hash: str) -> Dossier:
        return Dossier.read(self.workbench.work.desk, content_hash)

    def _show_dossier(self, dossier: Dossier) -> None:
        glyphs, detail = self.workbench.glyphs, self.detail
        self.dossier = dossier
        keep = self.again(dossier.record.content_hash)
        detail.head(dossier_view.head(dossier.record, glyphs, dossier.step))
        detail.counts(
            {
                "needs": len(dossier.lacking),
                "findings": len(dossier.examination.result.findings),
                "changes": len(dossier.difference.files),
                "receipts": len(dossier.standing.result.worth),
            }
        )
        sides = {
            "needs": dossier_view.needs(dossier, glyphs),
            "findings": in_place.findings(dossier.examination, glyphs),
            "changes": dossier_view.difference(dossier.difference, glyphs),
            "receipts": dossier_view.receipts(dossier, glyphs),
            "content": dossier_view.bound(dossier.record, dossier.standing.drift, glyphs),
        }
        for side, blocks in sides.items():
            detail.write(side, tuple(blocks), keep=keep)
        self.refresh_bindings()

    def _show_problem(self, problem: Problem) -> None:
        self.dossier = None
        super()._show_problem(problem)

    # Commands

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what makes sense for the version at the cursor."""
        row = self.table.current if self.is_mounted else None
        if action in _OF_A_WAITING_ONE:
            return row is not None and not row.record.terminal
        if action == "open_skill":
            return row is not None
        return super().check_action(action, parameters)

    def _current(self) -> Dossier | None:
        """The dossier of the version at the cursor; said where it is still being read."""
        row, dossier = self.table.current, self.dossier
        if row is not None and dossier is not None and dossier.record.content_hash == row.key:
            return dossier
        self.notify("The version is still being read.", markup=False)
        return None

    def action_next_step(self) -> None:
        """Do what the candidate lacks first."""
        dossier = self._current()
        if dossier is None:
            return
        if dossier.step is Step.FINDINGS:
            self.open_detail("findings")
        elif dossier.step is Step.BLOCKED:
            self.open_detail("needs")
        elif dossier.step in {Step.REVIEW, Step.REVIEWER} and not self._is_reading_it:
            self.open_detail("changes")
            self.notify("Read what it changes; the next step then is to approve.", markup=False)
            return
        self.asking(Deciding(self.workbench).step(dossier), "Doing the next step")

    @property
    def _is_reading_it(self) -> bool:
        """Whether the person is at what a reviewer reads."""
        seen = self.reading or not self.one_pane
        return seen and self.detail.strip.active in {"findings", "changes"}

    def action_scan(self) -> None:
        """Scan and sign."""
        if dossier := self._current():
            self.asking(Deciding(self.workbench).scan(dossier), "Scanning")

    def action_scan_waived(self) -> None:
        """Scan with waivers, and sign."""
        if dossier := self._current():
            self.asking(Deciding(self.workbench).scan_waived(dossier), "Scanning")

    def action_approve(self) -> None:
        """Sign an approval."""
        if dossier := self._current():
            self.asking(Deciding(self.workbench).review(dossier, Verdict.APPROVE), "Approving")

    def action_reject(self) -> None:
        """Sign a rejection."""
        if dossier := self._current():
            self.asking(Deciding(self.workbench).review(dossier, Verdict.REJECT), "Rejecting")

    def action_activate(self) -> None:
        """Make it active."""
        if dossier := self._current():
            self.asking(Deciding(self.workbench).activate(dossier), "Activating")

    def action_trust(self) -> None:
        """Trust its source and its tools."""
        dossier = self._current()
        if dossier is None:
            return
        if dossier.step in {Step.SOURCE, Step.TOOLS} or dossier.unknown_tools:
            self.asking(Deciding(self.workbench).trust(dossier), "Changing whom we trust")
        else:
            self.notify("Its source is trusted and its tools are registered.", markup=False)

    def action_end(self) -> None:
        """End it for good."""
        if dossier := self._current():
            self.asking(Deciding(self.workbench).end(dossier.record), "Ending the version")

    def action_finding(self, step: int) -> None:
        """Go to the next finding in the text, or to the one before."""
        self.open_detail("findings")
        view = self.detail.sides["findings"]
        if isinstance(view, DocumentView) and not view.to_mark(step):
            self.notify("There is no finding.", markup=False)

    def action_open_skill(self) -> None:
        """Show the skill in Skills."""
        if self.table.current is not None:
            self.post_message(messages.ShowSkill(self.table.current.record.content.skill_id))


def read_waiting(desk: Desk) -> tuple[Waiting, ...]:
    """Versions that wait, those that lack least first, then what has ended; for a worker."""
    found = [record for record in desk.versions() if record.state in WAITING]
    rows = []
    for record in found:
        lacking: tuple[Any, ...] = ()
        if not record.terminal:
            result = desk.standing(record.content_hash).result
            lacking = tuple(refusal.condition for refusal in result.refusals)
        rows.append(Waiting(record, lacking))
    return tuple(sorted(rows, key=lambda row: (row.record.terminal, len(row.lacking))))
