"""The Quarantine area: what is kept out, taken apart, beside its twins; released or confirmed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from textual.binding import BindingType

from asf_core.domain.errors import AsfError, UnknownSkillError
from asf_core.domain.event import EventKind
from asf_core.domain.quality import Judgement
from asf_core.domain.skill import QuarantinedBy, Skill, SkillRow, SkillState
from asf_core.domain.text import one_line
from asf_tui import judged, markdown, messages
from asf_tui.bridge import Desk, Engine
from asf_tui.commands import bindings
from asf_tui.commands.quarantine import QUARANTINE
from asf_tui.commands.shared import DOCUMENT, TABLE
from asf_tui.judged import Case
from asf_tui.screens.browsing import BrowsingScreen
from asf_tui.screens.dialogs import AskDialog
from asf_tui.widgets.desk_tables import QuarantineTable
from asf_tui.widgets.document import DocumentView
from asf_tui.widgets.tabbed import TabbedDetail

_ORDERS = {
    "score": lambda row: (row.slop_score is None, row.slop_score or 0.0, row.id),
    "name": lambda row: (row.slug.casefold(), row.id),
    "who": lambda row: (row.quarantined_by is not QuarantinedBy.CURATOR, row.slug.casefold()),
}
_TITLES = {
    "score": "Score",
    "twins": "Duplicates",
    "history": "Decisions",
    "text": "Text",
}
_DECIDED = frozenset({EventKind.SKILL_QUARANTINED, EventKind.SKILL_RELEASED})


class QuarantineScreen(BrowsingScreen):
    """Take a quarantined skill apart, then release it or confirm the quarantine."""

    AREA = "quarantine"
    PLACES = (QUARANTINE, TABLE, DOCUMENT)
    BINDINGS: ClassVar[list[BindingType]] = bindings(QUARANTINE)

    def __init__(self) -> None:
        super().__init__()
        self._order = "score"
        self._cases = self.loader(
            "case", "Reading the quarantined skill", self._read_case, self._show_case
        )

    def make_table(self) -> QuarantineTable:
        """The skills that are kept out."""
        return QuarantineTable(self.workbench.glyphs)

    def make_detail(self) -> TabbedDetail:
        """One of them, taken apart."""
        return TabbedDetail({name: DocumentView(name) for name in _TITLES}, _TITLES)

    # The list

    def reload(self) -> None:
        """Show what is kept out now."""
        rows = self.workbench.library.index.rows
        kept_out = [row for row in rows if row.state is SkillState.QUARANTINED]
        self.table.show(sorted(kept_out, key=_ORDERS[self._order]))

    def action_order(self) -> None:
        """Order the list by the next of the orders."""
        names = list(_ORDERS)
        self._order = names[(names.index(self._order) + 1) % len(names)]
        self.reload()
        self.notify(f"By {self._order}", timeout=2, markup=False)

    # One skill

    def read_row(self, row: SkillRow) -> None:
        """Read everything that there is to decide on."""
        self._cases.ask(row.id)

    def clear_detail(self) -> None:
        """Nothing is kept out."""
        self._cases.drop()
        self.detail.clear()

    def _read_case(self, skill_id: str) -> Case:
        work = self.workbench.work
        return read_case(work.engine, work.desk, skill_id)

    def _show_case(self, case: Case) -> None:
        glyphs, detail = self.workbench.glyphs, self.detail
        manifest = case.skill.manifest
        keep = self.again(manifest.id)
        detail.head(judged.head(case, glyphs))
        duplicates = len(case.twins) if case.cluster else 0
        detail.counts({"twins": duplicates, "history": len(case.events)})
        detail.write("score", tuple(judged.score(case, glyphs)), keep=keep)
        detail.write("twins", tuple(judged.twins(case, glyphs)), keep=keep)
        detail.write("history", tuple(judged.history(case, glyphs)), keep=keep)
        text = markdown.document(manifest.description, case.skill.body)
        detail.write("text", text, keep=keep)
        self.refresh_bindings()

    # Commands

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what makes sense for the skill at the cursor."""
        row = self.table.current if self.is_mounted else None
        if action in {"release", "open_skill", "edit_skill"}:
            return row is not None
        if action == "confirm":
            return row is not None and row.quarantined_by is not QuarantinedBy.CURATOR
        return super().check_action(action, parameters)

    def action_release(self) -> None:
        """Ask why, then release."""
        self._decide(
            "release", "Release", "It can be routed again, as long as its files are these."
        )

    def action_confirm(self) -> None:
        """Ask why, then quarantine by a curator's word."""
        self._decide(
            "quarantine", "Keep out", "It stays out whatever its score becomes, until released."
        )

    def _decide(self, kind: str, title: str, effect: str) -> None:
        row = self.table.current
        if row is not None:
            dialog = AskDialog(f"{title} {row.slug}", f"{row.id}\n{effect}", "reason")
            self.app.push_screen(dialog, partial(self._decided, kind, row))

    def _decided(self, kind: str, row: SkillRow, reason: str | None) -> None:
        if reason is not None:
            self.workbench.work.decide(kind, row, reason)

    def action_open_skill(self) -> None:
        """Show the skill in Skills."""
        if self.table.current is not None:
            self.post_message(messages.ShowSkill(self.table.current.id))

    def action_edit_skill(self) -> None:
        """Open the skill in the editor."""
        if self.table.current is not None:
            self.workbench.edit_skill(self.table.current.id)


def read_case(engine: Engine, desk: Desk, skill_id: str) -> Case:
    """Read a quarantined skill and what speaks for and against it; for a worker."""
    skill = engine.skill(skill_id)
    judgement, unjudged = _judgement(desk, skill_id)
    cluster = desk.cluster(skill_id)
    near = judgement.nearest.skill_id if judgement and judgement.nearest else None
    ids = [i for i in cluster.members if i != skill_id] if cluster else [near] if near else []
    events = [event for event in desk.events(skill_id) if event.kind in _DECIDED]
    return Case(skill, judgement, unjudged, cluster, tuple(_known(engine, ids)), tuple(events))


def _judgement(desk: Desk, skill_id: str) -> tuple[Judgement | None, str]:
    try:
        return desk.judgement(skill_id), ""
    except AsfError as error:
        return None, one_line(f"{error.what}. {error.hint}", 300)


def _known(engine: Engine, ids: Iterable[str]) -> Iterable[Skill]:
    """The skills that are still listed: one may be gone since the last sync judged it."""
    for skill_id in ids:
        try:
            yield engine.skill(skill_id)
        except UnknownSkillError:
            continue
