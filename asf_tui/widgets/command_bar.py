"""The line at the bottom: the commands that work here and now, as many as there is room for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import Binding
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Input

from asf_tui.commands import COMMANDS, Command

_LAST = ("app.help", "app.quit", "app.quit-now")
"""Ids of what is always shown, at the right end."""


class CommandBar(Widget):
    """Projects the declared commands; nothing overflows: what does not fit is left to help."""

    ALLOW_SELECT: ClassVar[bool] = False
    DEFAULT_CSS = """
    CommandBar { dock: bottom; height: 1; background: $panel; color: $quiet; &:ansi { text-style: reverse; } }
    """

    def __init__(self) -> None:
        super().__init__()
        self.auto_links = False

    def on_mount(self) -> None:
        """Follow what is bound."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.refresh())

    def render(self) -> Content:
        """Commands of the place from the left, help and quit at the right."""
        entries = list(self._entries())
        last = Content("").join(label for command, label in entries if command.id in _LAST)
        room = self.size.width - last.cell_length
        first = Content("")
        for command, label in entries:
            if command.id not in _LAST and first.cell_length + label.cell_length <= room:
                first += label
        return first + " " * max(0, room - first.cell_length) + last

    def _entries(self) -> Iterator[tuple[Command, Content]]:
        typing = isinstance(self.screen.focused, Input)
        bound: dict[str | None, list[Binding]] = {}
        for active in self.screen.active_bindings.values():
            if active.enabled:
                bound.setdefault(active.binding.id, []).append(active.binding)
        seen: set[str] = set()
        for command in COMMANDS:
            if command.id not in bound or not command.short or command.action in seen:
                continue
            binding = min(bound[command.id], key=command.precedence)
            key = self.app.get_key_display(binding)
            if typing and len(key) == 1 and key.isascii():
                continue  # it would be typed
            seen.add(command.action)
            label = Content.assemble((f" {key}", "bold $foreground"), f" {command.short} ")
            click = Style.from_meta({"@click": f"screen.press('{binding.key}')"})
            yield command, label.stylize(click)
