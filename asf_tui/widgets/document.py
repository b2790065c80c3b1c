"""A view of blocks that lays out only what it shows, however long the document is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import ClassVar

from textual.binding import BindingType
from textual.cache import LRUCache
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.visual import Visual

from asf_tui.blocks import Block
from asf_tui.commands import bindings
from asf_tui.commands.shared import DOCUMENT


class DocumentView(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows blocks; scrolls; its text can be selected.

    Args:
        id: Its id.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(DOCUMENT)
    DEFAULT_CSS = """
    DocumentView {
        background: $background;
        color: $foreground;
        overflow-x: hidden;
        overflow-y: auto;
        padding: 0 1;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
    }
    """

    CHUNK = 300
    """Lines laid out at a time; the rest follows when the screen has nothing else to do."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._blocks: Sequence[Block] = ()
        self._width = 0
        self._lines: list[Content] = []
        self._more: Iterator[Content] = iter(())
        self._marks: list[int] = []
        self._at: int | None = None
        """Which mark one went to last."""
        self._drawn: LRUCache[int, Strip] = LRUCache(512)

    def show(self, blocks: Sequence[Block], *, keep: bool = False) -> None:
        """Show a document, from its start or from where this view stands."""
        self._blocks = blocks
        if not keep:
            self._at = None
            self.scroll_to(0, 0, animate=False, immediate=True)
        self._lay_out()

    @property
    def text(self) -> str:
        """What has been laid out, as plain text."""
        return "\n".join(line.plain for line in self._lines)

    def on_resize(self) -> None:
        """Lay out anew at another width."""
        if self._width != self._room():
            self._lay_out()

    def notify_style_update(self) -> None:
        """Forget what was drawn in the old theme."""
        super().notify_style_update()
        self._drawn.clear()

    def _room(self) -> int:
        return self.scrollable_content_region.width

    def _lay_out(self) -> None:
        self._width = self._room()
        self._lines = []
        self._marks = []
        self._more = self._flat(self._marks)
        self._drawn.clear()
        if self._width > 0:
            self._pull(self._more)
        self.refresh()

    def _flat(self, marks: list[int]) -> Iterator[Content]:
        """The lines of all blocks, the places of those that are marks noted on the way."""
        count = 0
        for block in self._blocks:
            if getattr(block, "marks", False):
                marks.append(count)
            for line in block.lines(self._width):
                yield line
                count += 1

    def to_mark(self, step: int) -> bool:
        """Go to the next mark of the document, or to one before, round its ends.

        Returns:
            Whether there is one.
        """
        if not self._marks:
            return False
        start = -1 if step > 0 else 0
        self._at = ((start if self._at is None else self._at) + step) % len(self._marks)
        self.scroll_to(y=max(0, self._marks[self._at] - 2), animate=False, immediate=True)
        return True

    def _pull(self, more: Iterator[Content]) -> None:
        if more is not self._more:
            return  # another document came meanwhile
        lines = list(islice(more, self.CHUNK))
        self._lines += lines
        self.virtual_size = Size(self._width, len(self._lines))
        if len(lines) == self.CHUNK:
            self.call_later(self._pull, more)

    def render_line(self, y: int) -> Strip:
        """Draw one line of the screen."""
        index = self.scroll_offset.y + y
        if index >= len(self._lines):
            return Strip.blank(self._width, self.rich_style)
        selection = self.text_selection
        if selection is not None:
            return self._draw(index, selection)
        strip = self._drawn.get(index)
        if strip is None:
            strip = self._drawn[index] = self._draw(index, None)
        return strip

    def _draw(self, index: int, selection: Selection | None) -> Strip:
        line = self._lines[index]
        span = selection.get_span(index) if selection is not None else None
        if span is not None:
            start, end = span
            style = self.screen.get_visual_style("screen--selection")
            line = line.stylize(style, start, len(line) if end == -1 else end)
        strips = Visual.to_strips(
            self, line, self._width, 1, self.visual_style, apply_selection=False
        )
        base = self.rich_style
        strip = strips[0] if strips else Strip.blank(self._width, base)
        return strip.adjust_cell_length(self._width, base).apply_offsets(0, index)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text."""
        return selection.extract(self.text), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw the selection."""
        self._drawn.clear()
        self.refresh()
