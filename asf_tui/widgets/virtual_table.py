"""A table that draws only the rows on screen, however many there are.

``DataTable`` measures and stores every cell, which takes seconds for thousands of rows. This one
keeps a sequence of rows and makes a line when it is drawn, so that showing 25,000 rows costs as
much as showing 50.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Any, ClassVar, Generic, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.cache import LRUCache
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from asf_core.domain.text import one_line
from asf_tui.commands import bindings
from asf_tui.commands.shared import TABLE
from asf_tui.glyphs import Tone
from asf_tui.text import fit
from asf_tui.widgets.columns import GAP, Column, Piece, arrange, excerpt, fill, mark

Row = TypeVar("Row")

_STYLES = (*Tone, "strong", "match", "faint")


class VirtualTable(ScrollView, Generic[Row], can_focus=True, inherit_bindings=False):
    """Rows in columns that adapt to the width, with a cursor, keys, mouse and jump by name.

    Args:
        columns: In the order of the screen.
        key: What a row is known by; the cursor follows it when the rows change.
        name_of: What jumping by name looks at.
        empty: What to say when there is no row.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(TABLE)
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "table--header",
        "table--cursor",
        "table--hover",
        *(f"table--{name}" for name in _STYLES),
    }
    DEFAULT_CSS = """
    VirtualTable {
        background: $background;
        color: $foreground;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;

        & > .table--header { color: $quiet; background: $background; text-style: none; }
        & > .table--cursor { background: $panel; color: $foreground; }
        & > .table--hover { background: $surface; color: $foreground; }
        &:focus > .table--cursor { background: $cursor; color: $foreground; text-style: bold; }
        & > .table--plain { color: $foreground; }
        & > .table--strong { color: $foreground; text-style: bold; }
        & > .table--good { color: $good; }
        & > .table--warn { color: $warn; }
        & > .table--bad { color: $bad; }
        & > .table--note { color: $note; }
        & > .table--quiet { color: $quiet; }
        & > .table--faint { color: $panel; }
        & > .table--match { color: $match; text-style: bold underline; }

        &:ansi > .table--header { text-style: underline; }
        &:ansi > .table--cursor { text-style: bold underline; }
        &:ansi:focus > .table--cursor { text-style: reverse; }
    }
    """

    ALLOW_SELECT: ClassVar[bool] = False
    HEADER = 1
    """Lines above the rows that do not scroll."""

    cursor: reactive[int] = reactive(0, repaint=False)
    """Position of the current row; 0 when there is none."""
    hovered: reactive[int | None] = reactive(None, repaint=False)
    """Position of the row under the mouse."""

    class Highlighted(Message):
        """The cursor came to a row, or to no row."""

        def __init__(self, table: VirtualTable[Any], row: Any) -> None:
            super().__init__()
            self.table = table
            self.row = row

        @property
        def control(self) -> VirtualTable[Any]:
            """The table."""
            return self.table

    class Chosen(Message):
        """Enter or a double click on a row."""

        def __init__(self, table: VirtualTable[Any], row: Any) -> None:
            super().__init__()
            self.table = table
            self.row = row

        @property
        def control(self) -> VirtualTable[Any]:
            """The table."""
            return self.table

    def __init__(
        self,
        columns: Sequence[Column[Row]],
        *,
        key: Callable[[Row], str],
        name_of: Callable[[Row], str],
        empty: str = "",
        id: str | None = None,  # noqa: A002 - Textual's own name
    ) -> None:
        super().__init__(id=id)
        self.columns = columns
        self.empty = empty
        self.typed: str | None = None
        """What was typed to jump by name; ``None`` when not jumping."""
        self._key = key
        self._name_of = name_of
        self._rows: Sequence[Row] = ()
        self._pattern: re.Pattern[str] | None = None
        self._drawn: LRUCache[tuple[int, str], Strip] = LRUCache(512)
        self._styles: dict[str, Style] = {}
        self._arranged: tuple[int, list[tuple[Column[Row], int]]] = (-1, [])

    # Rows

    @property
    def rows(self) -> Sequence[Row]:
        """What is shown, in order."""
        return self._rows

    @property
    def current(self) -> Row | None:
        """The row at the cursor."""
        return self._rows[self.cursor] if self.cursor < len(self._rows) else None

    def show(
        self,
        rows: Sequence[Row],
        *,
        pattern: re.Pattern[str] | None = None,
        keep: bool = True,
    ) -> None:
        """Show other rows.

        Args:
            rows: In order; kept, not copied.
            pattern: Marks its matches in the columns that are searched.
            keep: Keep the cursor on the row that it is on, where that row is still there;
                otherwise go to the first.
        """
        old = self.current
        target = self._position(old, rows) if keep and old is not None else 0
        self._rows, self._pattern = rows, pattern
        self._forget()
        self._fit_size()
        self._go(target, force=True)

    def select(self, key: str) -> bool:
        """Put the cursor on the row of this key; false when it is not shown."""
        for position, row in enumerate(self._rows):
            if self._key(row) == key:
                self._go(position)
                return True
        return False

    def _position(self, old: Row, rows: Sequence[Row]) -> int:
        wanted = self._key(old)
        if self.cursor < len(rows) and self._key(rows[self.cursor]) == wanted:
            return self.cursor
        return next((i for i, row in enumerate(rows) if self._key(row) == wanted), 0)

    def rearrange(self) -> None:
        """Share the width anew: the columns changed."""
        self._arranged = (-1, [])
        self._forget()

    def _fit_size(self) -> None:
        self.virtual_size = Size(0, len(self._rows) + self.HEADER)

    def _go(self, position: int, *, force: bool = False) -> None:
        position = max(0, min(position, len(self._rows) - 1))
        moved = position != self.cursor
        self.cursor = position
        self._reveal()
        if moved or force:
            self.post_message(self.Highlighted(self, self.current))

    def _reveal(self) -> None:
        page, top = self._page(), round(self.scroll_y)
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, immediate=True)
        elif self.cursor >= top + page:
            self.scroll_to(y=self.cursor - page + 1, animate=False, immediate=True)

    def _page(self) -> int:
        return max(1, self.scrollable_content_region.height - self.HEADER)

    # Drawing

    def notify_style_update(self) -> None:
        """Forget what was drawn in the old theme."""
        super().notify_style_update()
        self._styles.clear()
        self._forget()

    def _forget(self) -> None:
        self._drawn.clear()
        self.refresh()

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.rearrange()
        self._reveal()

    def on_focus(self) -> None:
        """The cursor looks otherwise with the focus."""
        self._styles.clear()
        self._forget()

    def on_blur(self) -> None:
        """The cursor looks otherwise without the focus; jumping by name ends."""
        self.typed = None
        self.on_focus()

    def watch_cursor(self, old: int, new: int) -> None:
        """Draw two lines anew."""
        self._refresh_rows(old, new)

    def watch_hovered(self, old: int | None, new: int | None) -> None:
        """Draw two lines anew."""
        self._refresh_rows(*(row for row in (old, new) if row is not None))

    def _refresh_rows(self, *positions: int) -> None:
        width = self.size.width
        for position in positions:
            self.refresh(Region(0, position - self.scroll_offset.y + self.HEADER, width, 1))

    def render_line(self, y: int) -> Strip:
        """Draw one line of the screen."""
        width = self.scrollable_content_region.width
        if y < self.HEADER:
            return self._draw_header(width)
        position = self.scroll_offset.y + y - self.HEADER
        if position >= len(self._rows):
            return self._draw_empty(y, width)
        look = self._look(position)
        strip = self._drawn.get((position, look))
        if strip is None:
            strip = self._drawn[position, look] = self._draw_row(position, look, width)
        return strip

    def _look(self, position: int) -> str:
        if position == self.cursor:
            return "cursor"
        return "hover" if position == self.hovered else ""

    def _columns(self, width: int) -> list[tuple[Column[Row], int]]:
        if self._arranged[0] != width:
            self._arranged = (width, arrange(self.columns, width - 2))
        return self._arranged[1]

    def _draw_row(self, position: int, look: str, width: int) -> Strip:
        row = self._rows[position]
        pieces: list[Piece] = []
        for column, cells in self._columns(width):
            pattern = self._pattern if column.searched else None
            cell = excerpt(column.cell(row, cells), pattern, cells)
            pieces += mark(fill(cell, cells, right=column.right), pattern)
            pieces.append(Piece(" " * GAP))
        return self._strip(pieces, look, width)

    def _strip(self, pieces: Sequence[Piece], look: str, width: int) -> Strip:
        base = self.get_component_rich_style(f"table--{look}") if look else self.rich_style
        segments = [Segment(" ", base)]
        segments += [Segment(text, base + self._style(style)) for text, style in pieces]
        return Strip(segments).adjust_cell_length(width, base)

    def _style(self, name: str) -> Style:
        if name not in self._styles:
            styles = self.get_component_styles(f"table--{name}")
            self._styles[name] = Style(color=styles.color.rich_color) + styles.text_style
        return self._styles[name]

    def _draw_header(self, width: int) -> Strip:
        style = self.get_component_rich_style("table--header")
        if self.typed is not None:
            prompt = f" go to: {one_line(self.typed)}▏  (Enter or Esc ends)"
            return Strip([Segment(fit(prompt, width), style)], width)
        titles = [
            fit(column.title, cells, right=column.right) for column, cells in self._columns(width)
        ]
        text = " " + (" " * GAP).join(titles) if self._rows else ""
        return Strip([Segment(fit(text, width), style)], width)

    def _draw_empty(self, y: int, width: int) -> Strip:
        said: list[tuple[str, str]] = []
        for number, line in enumerate(self.empty.split("\n") if not self._rows else []):
            tone = "strong" if number == 0 else "quiet"
            said += [(text, tone) for text in wrap(line, max(8, width - 3)) or [""]]
        index = y - self.HEADER
        text, tone = said[index] if index < len(said) else ("", "plain")
        style = self.rich_style + self._style(tone)
        return Strip([Segment(fit(f" {text}", width), style)], width)

    # Keys and mouse

    def action_move(self, rows: int) -> None:
        """Move the cursor by rows."""
        self._go(self.cursor + rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by screens."""
        self._go(self.cursor + pages * self._page())

    def action_first(self) -> None:
        """Go to the first row."""
        self._go(0)

    def action_last(self) -> None:
        """Go to the last row."""
        self._go(len(self._rows) - 1)

    def action_choose(self) -> None:
        """Choose the row at the cursor."""
        if self.current is not None:
            self.post_message(self.Chosen(self, self.current))

    def action_jump(self) -> None:
        """Start to jump by name: what is typed next is looked for among the names."""
        self.typed = ""
        self.refresh()

    def on_key(self, event: events.Key) -> None:
        """While jumping by name, take what is typed."""
        if self.typed is None:
            return
        if event.key in {"enter", "escape"}:
            self.typed = None
        elif event.key == "backspace":
            self.typed = self.typed[:-1]
        elif event.character and event.is_printable:
            self.typed += event.character
            self._jump(self.typed)
        else:
            return
        event.stop()
        event.prevent_default()
        self.refresh()

    def _jump(self, text: str) -> None:
        wanted = text.casefold()
        names = [self._name_of(row).casefold() for row in self._rows]
        for test in (str.startswith, str.__contains__):
            for position, name in enumerate(names):
                if test(name, wanted):
                    self._go(position)
                    return

    def _row_at(self, y: int) -> int | None:
        position = self.scroll_offset.y + y - self.HEADER
        return position if y >= self.HEADER and position < len(self._rows) else None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show which row a click would hit."""
        self.hovered = self._row_at(event.y)

    def on_leave(self) -> None:
        """No row is under the mouse."""
        self.hovered = None

    def on_click(self, event: events.Click) -> None:
        """One click moves the cursor, two choose the row."""
        position = self._row_at(event.y)
        if position is None:
            return
        self._go(position)
        if event.chain == 2:
            self.action_choose()
