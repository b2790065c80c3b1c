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

    def __init__(self, area: str) -> None:
        super().__init__()
        self.auto_links = False
        self.area = area

    def render(self) -> Content:
        """Areas to the left, activity to the right as far as there is room."""
        left = Content.assemble((" ASF ", "bold"), *(self._label(area) for area in AREAS))
        right = self._activity()
        gap = self.size.width - left.cell_length - right.cell_length
        if gap < 1:
            right = right.truncate(max(0, self.size.width - left.cell_length - 1), ellipsis=True)
            gap = self.size.width - left.cell_length - right.cell_length
        return Content.assemble(left, " " * max(0, gap), right)

    @property
    def _keys(self) -> dict[str, str]:
        """Keys that were given to commands in the place of their own."""
        return getattr(self.app, "keys", {})

    def _label(self, area: Area) -> Content:
        key = self._keys.get(f"app.{area.id}", area.key)
        text = f" {key} {area.title} "
        style = "bold on $background" if area.id == self.area else ""
        if area.id == self.area and self.app.native_ansi_color:
            text, style = f"[{key} {area.title}]", "bold"
        click = Style.from_meta({"@click": f"app.area('{area.id}')"})
        return Content.styled(text, style).stylize(click)

    def _activity(self) -> Content:
        activity = self.activity
        text = Content.styled(f" {activity.text} ", activity.tone.style)
        if activity.share is None:
            return text
        done, left = self.glyphs.bar(activity.share, self.BAR)
        return Content.assemble(text, (done, "$note"), (left, "$quiet"), " ")
