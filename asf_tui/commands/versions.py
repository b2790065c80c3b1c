"""Commands of the Versions area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_tui.commands.browsing import browsing
from asf_tui.commands.declaring import Area, Command, Place

if TYPE_CHECKING:
    from asf_tui.screens.base import AreaScreen

VERSIONS = Place("Versions")

COMMANDS = (
    Command("versions.rollback", "B", "Roll back to it", "Make a retired version active again, on fresh receipts, which are made on the way.", VERSIONS, "roll_back", "Roll back"),
    Command("versions.activate", "V", "Make it active", "The one runnable version of its skill; the one before is kept.", VERSIONS, "activate", "Activate"),
    Command("versions.end", "X", "End the version", "Quarantine it for good: its pointer goes at once, no receipt lifts that; asks for a reason.", VERSIONS, "end", "End"),
    Command("versions.verify", "c", "Verify the event chain", "Every event, receipt and record against the others, and against what was last seen.", VERSIONS, "verify", "Verify"),
    Command("versions.open", "v", "Show it in Skills", "The skill as it stands on disk now.", VERSIONS, "open_skill"),
    *browsing("versions", VERSIONS, "Timeline, Version, Events, Log"),
)  # fmt: skip


def _screen() -> AreaScreen:
    from asf_tui.screens.versions import VersionsScreen

    return VersionsScreen()


AREA = Area(
    id="versions",
    key="6",
    title="Versions",
    short="Vers",
    help="Each skill's versions in time: activate, roll back, and the log of events.",
    screen=_screen,
    commands=COMMANDS,
)
