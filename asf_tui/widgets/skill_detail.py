"""One skill: its head, its preview and its facts, in one column or two."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from asf_core.domain.skill import Skill, SkillState
from asf_tui import facts
from asf_tui.blocks import BLANK, Block, Text
from asf_tui.glyphs import Glyphs
from asf_tui.library import SkillView
from asf_tui.problems import Problem
from asf_tui.text import line
from asf_tui.widgets.document import DocumentView
from asf_tui.widgets.neighbours import NeighbourTable
from asf_tui.widgets.tab_strip import Tab, TabStrip

_TITLES = {
    "preview": "Preview",
    "manifest": "Manifest",
    "findings": "Findings",
    "neighbours": "Neighbours",
    "provenance": "Provenance",
}


class SkillDetail(Container):
    """Shows a skill. When wide, the preview stands beside the other tabs.

    Args:
        glyphs: The signs.
    """

    DEFAULT_CSS = """
    SkillDetail { layout: vertical; background: $background; }
    SkillDetail #head { height: auto; padding: 0 1; background: $surface; text-wrap: nowrap; text-overflow: ellipsis; }
    SkillDetail #preview, SkillDetail #facts, SkillDetail #neighbours { height: 1fr; }
    SkillDetail.-wide { layout: grid; grid-size: 2; grid-columns: 1fr 1fr; grid-rows: auto 1fr; }
    SkillDetail.-wide #head { height: 100%; }
    SkillDetail.-wide #tabs { height: 100%; border-left: solid $panel; }
    SkillDetail.-wide #facts, SkillDetail.-wide #neighbours { border-left: solid $panel; }
    """

    wide: reactive[bool] = reactive(False)
    """Whether there is room for two columns."""

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="detail")
        self.glyphs = glyphs
        self.view: SkillView | None = None

    def compose(self) -> ComposeResult:
        """Head, tabs, and all bodies; one or two of these are displayed."""
        yield Static("", id="head", markup=False)
        yield TabStrip(self._tabs(), id="tabs")
        yield DocumentView("preview")
        yield DocumentView("facts")
        yield NeighbourTable(self.glyphs)

    @property
    def strip(self) -> TabStrip:
        """The tabs."""
        return self.query_one(TabStrip)

    def on_mount(self) -> None:
        """Nothing is shown yet."""
        self._turned()

    def show(self, view: SkillView) -> None:
        """Show a skill, on the tab that is active; one that is read again stays where it was."""
        old, self.view = self.view, view
        again = old is not None and old.skill.manifest.id == view.skill.manifest.id
        self.query_one("#head", Static).update(head(view.skill, self.glyphs))
        self.query_one("#preview", DocumentView).show(view.preview, keep=again)
        self.query_one(NeighbourTable).show(view.neighbours, keep=again)
        self.strip.tabs = self._tabs()
        self._fill(keep=again)

    def show_problem(self, problem: Problem) -> None:
        """Say why there is nothing to show."""
        styles = ("bold $bad", "", "$note")
        blocks: list[Block] = [
            Text(Content.styled(text, style))
            for text, style in zip((problem.what, problem.why, problem.hint), styles, strict=True)
            if text
        ]
        self.clear(blocks)

    def clear(self, blocks: list[Block] | None = None) -> None:
        """Show no skill."""
        self.view = None
        self.query_one("#head", Static).update("")
        said = [BLANK, *blocks] if blocks else ()
        alone = "#preview" if self.wide or self.strip.active == "preview" else "#facts"
        self.query_one("#preview", DocumentView).show(())
        self.query_one("#facts", DocumentView).show(())
        self.query_one(alone, DocumentView).show(said)
        self.query_one(NeighbourTable).show(())
        self.strip.tabs = self._tabs()

    def body(self) -> Widget:
        """What the tab shows, for the focus."""
        if self.strip.active == "neighbours":
            return self.query_one(NeighbourTable)
        return self.query_one("#preview" if self.strip.active == "preview" else "#facts")

    def watch_wide(self, wide: bool) -> None:
        """Change between one column and two."""
        self.set_class(wide, "-wide")
        if self.is_mounted:
            self.strip.tabs = self._tabs()
            self._turned()

    def _tabs(self) -> tuple[Tab, ...]:
        view = self.view
        counts = {
            "findings": len(view.skill.findings) if view else None,
            "neighbours": len(view.neighbours) if view else None,
        }
        return tuple(
            Tab(key, title, counts.get(key))
            for key, title in _TITLES.items()
            if not (self.wide and key == "preview")
        )

    @on(TabStrip.Turned)
    def _on_turned(self, event: TabStrip.Turned) -> None:
        event.stop()
        self._turned()

    def _turned(self) -> None:
        active = self.strip.active
        had_focus = self.has_focus_within
        self.query_one("#preview").display = self.wide or active == "preview"
        self.query_one("#facts").display = active not in {"preview", "neighbours"}
        self.query_one("#neighbours").display = active == "neighbours"
        self._fill()
        if had_focus:
            self.body().focus()

    def _fill(self, *, keep: bool = False) -> None:
        if self.view is None:
            return
        blocks: dict[str, tuple[Block, ...]] = {
            "manifest": self.view.manifest,
            "findings": self.view.findings,
            "provenance": self.view.provenance,
        }
        if self.strip.active in blocks:
            self.query_one("#facts", DocumentView).show(blocks[self.strip.active], keep=keep)


def head(skill: Skill, glyphs: Glyphs) -> Content:
    """Two lines or three: name and version; verdicts and id; why it is not ready."""
    manifest = skill.manifest
    version = line(manifest.version or "", "$quiet", 20)
    state, risk = glyphs.state(skill.state), glyphs.risk(manifest.risk)
    gap = "  "
    lines = [
        Content.assemble(line(manifest.slug, "bold"), gap, version),
        Content.assemble(
            facts.verdict(state), gap, facts.verdict(risk), gap, line(manifest.id, "$quiet")
        ),
    ]
    if skill.state is not SkillState.READY:
        lines.append(line(skill.state_reason, state.tone.style))
    return Content("\n").join(lines)
