"""The line at the top: the areas, and what is going on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from asf_tui.commands import AREAS, Area
from asf_tui.glyphs import UNICODE, Glyphs, Tone


@dataclass(frozen=True, slots=True)
class Activity:
    """What the workbench is doing, or what it holds."""

    text: str
    """Safe text."""
    share: float | None = None
    """0 to 1 while something with a known end runs."""
    tone: Tone = Tone.QUIET


class TopBar(Widget):
    """Shows the areas, the current one marked, and the activity at the right.

    Args:
        area: The area that it stands in.
    """

    ALLOW_SELECT: ClassVar[bool] = False
    DEFAULT_CSS = """
    TopBar { height: 1; background: $panel; color: $foreground; &:ansi { text-style: reverse; } }
    """

    activity: reactive[Activity] = reactive(Activity(""))
    glyphs: reactive[Glyphs] = reactive(UNICODE)

    BAR = 12
    """Cells of the progress bar."""
    ROOM = 24
    """Cells that the activity gets before the areas' titles do."""

    def __init__(self, area: str) -> None:
        super().__init__()
        self.auto_links = False
        self.area = area

    def render(self) -> Content:
        """Areas to the left, activity to the right as far as there is room."""
        right = self._activity()
        left = self._areas(self.size.width - min(right.cell_length, self.ROOM))
        gap = self.size.width - left.cell_length - right.cell_length
        if gap < 1:
            right = right.truncate(max(0, self.size.width - left.cell_length - 1), ellipsis=True)
            gap = self.size.width - left.cell_length - right.cell_length
        return Content.assemble(left, " " * max(0, gap), right)

    def _areas(self, room: int) -> Content:
        """The areas in as many words as there is room for; the current one always with its title."""
        whole = Content.assemble(
            (" ASF ", "bold"), *(self._label(area, area.title) for area in AREAS)
        )
        if whole.cell_length <= room:
            return whole
        return Content.assemble(*(self._label(area, self._short(area)) for area in AREAS))

    def _short(self, area: Area) -> str:
        return area.title if area.id == self.area else area.short

    @property
    def _keys(self) -> dict[str, str]:
        """Keys that were given to commands in the place of their own."""
        return getattr(self.app, "keys", {})

    def _label(self, area: Area, words: str) -> Content:
        key = self._keys.get(f"app.{area.id}", area.key)
        text = f" {key} {words} "
        style = "bold on $background" if area.id == self.area else ""
        if area.id == self.area and self.app.native_ansi_color:
            text, style = f"[{key} {words}]", "bold"
        click = Style.from_meta({"@click": f"app.area('{area.id}')"})
        return Content.styled(text, style).stylize(click)

    def _activity(self) -> Content:
        activity = self.activity
        text = Content.styled(f" {activity.text} ", activity.tone.style)
        if activity.share is None:
            return text
        done, left = self.glyphs.bar(activity.share, self.BAR)
        return Content.assemble(text, (done, "$note"), (left, "$quiet"), " ")
