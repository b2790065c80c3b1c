"""Commands of the Measure area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_tui.commands.declaring import Area, Command, Place

if TYPE_CHECKING:
    from asf_tui.screens.base import AreaScreen

MEASURE = Place("Measure")
PATH = Place("The path")

COMMANDS = (
    Command("measure.path", "slash", "Say what to measure", "Go to the line with the name of a registry, or a path.", MEASURE, "edit", "What"),
    Command("measure.run", "r", "Measure", "Measure what the line names.", MEASURE, "run", "Measure"),
    Command("measure.next", "n", "Next registry", "Put the next registry of the workspace into the line.", MEASURE, "next", "Next registry"),
    Command("measure.cancel", "escape", "Stop measuring", "Nothing is kept of it.", MEASURE, "cancel", "Stop"),
    Command("measure.next-tab", "right", "Next tab", "Failure modes, Hubs, Isolated, Communities, About.", MEASURE, "turn(1)", "Tabs", palette=False),
    Command("measure.previous-tab", "left", "Previous tab", "The tab to the left.", MEASURE, "turn(-1)", palette=False),
    Command("path.run", "enter", "Measure", "Measure what is typed.", PATH, "submit", "Measure", palette=False),
    Command("path.leave", "escape,down", "Leave", "From the line to the figures.", PATH, "leave", "Leave", palette=False),
)  # fmt: skip


def _screen() -> AreaScreen:
    from asf_tui.screens.measure import MeasureScreen

    return MeasureScreen()


AREA = Area(
    id="measure",
    key="3",
    title="Measure",
    short="Meas",
    help="How well a router finds its way in a registry or a codebase.",
    screen=_screen,
    commands=COMMANDS,
)
