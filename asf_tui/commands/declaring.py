"""What a declaration is: a place, a command, an area."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.binding import Binding

if TYPE_CHECKING:
    from asf_tui.screens.base import AreaScreen


@dataclass(frozen=True, slots=True)
class Place:
    """Where commands apply; each is declared beside the commands that apply there."""

    title: str
    """Unique: the heading of its commands in the help."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command."""

    id: str
    """Unique and stable: keymaps name it."""
    keys: str
    """Comma-separated; empty for a command that only the palette has."""
    title: str
    """A few words, in the imperative."""
    help: str
    """One sentence."""
    place: Place
    action: str
    """A Textual action, run on the node that binds it."""
    short: str = ""
    """Its word in the footer; empty keeps it out of there."""
    palette: bool = True
    priority: bool = False
    """Whether the key works even while text is being typed."""

    def precedence(self, binding: Binding) -> int:
        """Which of its keys to tell: the one that is declared first."""
        keys = self.keys.split(",")
        return keys.index(binding.key) if binding.key in keys else 0

    def binding(self) -> Binding:
        """The command as a Textual binding."""
        return Binding(
            self.keys,
            self.action,
            self.title,
            show=bool(self.short),
            tooltip=self.help,
            id=self.id,
            priority=self.priority,
        )


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the workbench with a screen of its own."""

    id: str
    """Name of its mode; ``app.<id>`` is the command that goes there."""
    key: str
    title: str
    short: str
    """Its title where there is little room: at most six cells."""
    help: str
    """One sentence."""
    screen: Callable[[], AreaScreen]
    """Makes its screen when it is first gone to; imports it only then."""
    commands: tuple[Command, ...]
    """What can be done there, and nowhere else."""
