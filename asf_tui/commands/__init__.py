"""Every command, declared once: its key, its words and where it applies.

From here come the bindings of the app, the screens and the tables, the footer, the command palette
and the help screen. A command's id is its binding's id, so a keymap can move it to another key.
Each area declares its commands and itself in a module of its own, and is one line in ``AREAS``.
"""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import BindingType

from asf_tui.commands import (
    measure,
    quarantine,
    review,
    routing,
    shared,
    skillbook,
    skills,
    versions,
)
from asf_tui.commands.declaring import Area, Command, Place
from asf_tui.commands.shared import ANYWHERE

__all__ = ["AREAS", "COMMANDS", "Area", "Command", "Place", "bindings", "commands_of"]

AREAS: tuple[Area, ...] = (
    skills.AREA,
    routing.AREA,
    measure.AREA,
    quarantine.AREA,
    review.AREA,
    versions.AREA,
    # 7 watch
    skillbook.AREA,
)
"""In the order of their keys. To add one, put its line here."""


def _going_to(area: Area) -> Command:
    action = f"area('{area.id}')"
    return Command(f"app.{area.id}", area.key, f"Go to {area.title}", area.help, ANYWHERE, action)


COMMANDS: tuple[Command, ...] = (
    *shared.OF_LISTS,
    *(command for area in AREAS for command in area.commands),
    *shared.OF_TEXT,
    *map(_going_to, AREAS),
    *shared.OF_APP,
    *shared.OF_DIALOGS,
)
"""In the order in which footer and palette show them."""


def commands_of(*places: Place) -> Iterable[Command]:
    """The commands that apply in the places, in the order of declaration."""
    return (command for command in COMMANDS if command.place in places)


def bindings(place: Place) -> list[BindingType]:
    """The bindings of a place, for a ``BINDINGS`` class variable."""
    return [command.binding() for command in commands_of(place) if command.keys]
