"""The commands that every list beside a detail has: back, and from tab to tab."""

from __future__ import annotations

from asf_tui.commands.declaring import Command, Place


def browsing(area: str, place: Place, tabs: str) -> tuple[Command, ...]:
    """Declare them for an area.

    Args:
        area: First part of their ids.
        place: Where they apply.
        tabs: Names of the tabs, for the help.
    """
    return (
        Command(f"{area}.back", "escape", "Go back", "From the detail to the list.", place, "back", "Back", palette=False),
        Command(f"{area}.next-tab", "right", "Next tab", f"{tabs}.", place, "turn(1)", "Tabs", palette=False),
        Command(f"{area}.previous-tab", "left", "Previous tab", "The tab to the left.", place, "turn(-1)", palette=False),
    )  # fmt: skip
