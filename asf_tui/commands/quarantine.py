"""Commands of the Quarantine area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_tui.commands.browsing import browsing
from asf_tui.commands.declaring import Area, Command, Place

if TYPE_CHECKING:
    from asf_tui.screens.base import AreaScreen

QUARANTINE = Place("Quarantine")

COMMANDS = (
    Command("quarantine.release", "u", "Release the skill", "End its quarantine; asks for a reason.", QUARANTINE, "release", "Release"),
    Command("quarantine.confirm", "x", "Confirm the quarantine", "Keep the skill out whatever its score becomes; asks for a reason.", QUARANTINE, "confirm", "Confirm"),
    Command("quarantine.order", "o", "Change the order", "By score, name, who keeps it out.", QUARANTINE, "order", "Order"),
    Command("quarantine.open", "v", "Show it in Skills", "The skill with its manifest, findings and neighbours.", QUARANTINE, "open_skill", "In Skills"),
    Command("quarantine.editor", "e", "Open the skill in the editor", "Its SKILL.md, in $VISUAL or $EDITOR; s then reads what you changed.", QUARANTINE, "edit_skill", "Edit"),
    *browsing("quarantine", QUARANTINE, "Score, Duplicates, Decisions, Text"),
)  # fmt: skip


def _screen() -> AreaScreen:
    from asf_tui.screens.quarantine import QuarantineScreen

    return QuarantineScreen()


AREA = Area(
    id="quarantine",
    key="4",
    title="Quarantine",
    short="Quar",
    help="Skills that are kept out: why, and whether they should be.",
    screen=_screen,
    commands=COMMANDS,
)
