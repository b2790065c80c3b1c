"""Commands of the Routing lab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_tui.commands.declaring import Area, Command, Place

if TYPE_CHECKING:
    from asf_tui.screens.base import AreaScreen

ROUTING = Place("Routing lab")
TASK = Place("The task")
PLAN = Place("The plan")

COMMANDS = (
    Command("task.route", "enter", "Route", "Route what is typed.", TASK, "submit", "Route", palette=False),
    Command("task.leave", "escape,down", "Leave", "From the task to the plan.", TASK, "leave", "Leave", palette=False),
    Command("routing.edit", "slash", "Type a task", "Go to the line where the task is typed.", ROUTING, "edit", "Task"),
    Command("routing.again", "r", "Route again", "Route the same task once more.", ROUTING, "again", "Again"),
    Command("routing.compare", "c", "Compare two settings", "Route the task with both and see what moved, what each saves and costs.", ROUTING, "compare", "Compare"),
    Command("routing.setting", "m", "Choose the setting", "Which evidence decides: fast, balanced, best, cross, or one without a part.", ROUTING, "setting", "Setting"),
    Command("routing.copy", "y", "Copy the plan", "As text, to the clipboard of the terminal.", ROUTING, "copy_plan", "Copy"),
    Command("routing.editor", "e", "Open the skill in the editor", "SKILL.md of the skill at the cursor, in $VISUAL or $EDITOR.", ROUTING, "edit_skill"),
    Command("routing.next-tab", "right", "Next tab", "Plan, Candidates, Near misses, Compare.", ROUTING, "turn(1)", "Tabs", palette=False),
    Command("routing.previous-tab", "left", "Previous tab", "The tab to the left.", ROUTING, "turn(-1)", palette=False),
    Command("plan.choose", "enter", "Open", "Open the skill of the step.", PLAN, "select", "Open", palette=False),
    Command("plan.up", "up,k", "Up", "One step up.", PLAN, "cursor_up", palette=False),
    Command("plan.down", "down,j", "Down", "One step down.", PLAN, "cursor_down", palette=False),
    Command("plan.page-up", "pageup", "Page up", "One screen up.", PLAN, "page_up", palette=False),
    Command("plan.page-down", "pagedown", "Page down", "One screen down.", PLAN, "page_down", palette=False),
    Command("plan.first", "home,g", "First", "To the first step.", PLAN, "first", palette=False),
    Command("plan.last", "end,G", "Last", "To the last step.", PLAN, "last", palette=False),
)  # fmt: skip


def _screen() -> AreaScreen:
    from asf_tui.screens.routing_lab import RoutingScreen

    return RoutingScreen()


AREA = Area(
    id="routing",
    key="2",
    title="Routing lab",
    short="Route",
    help="Type a task and watch it being routed.",
    screen=_screen,
    commands=COMMANDS,
)
