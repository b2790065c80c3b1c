"""Every command, declared once: its key, its words and where it applies.

From here come the bindings of the app, the screens and the tables, the footer, the command palette
and the help screen. A command's id is its binding's id, so a keymap can move it to another key.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from textual.binding import Binding, BindingType


class Place(StrEnum):
    """Where a command applies."""

    ANYWHERE = "Anywhere"
    SKILLS = "Skills"
    FILTER = "The filter"
    ROUTING = "Routing lab"
    TASK = "The task"
    MEASURE = "Measure"
    PATH = "The path"
    PLAN = "The plan"
    DOCUMENT = "Text"
    TABLE = "Lists"
    DIALOG = "Dialogs"


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the workbench with a screen of its own."""

    id: str
    """Name of its mode."""
    key: str
    title: str
    help: str


AREAS = (
    Area("skills", "1", "Skills", "Browse, filter and read the skills."),
    Area("routing", "2", "Routing lab", "Type a task and watch it being routed."),
    Area("measure", "3", "Measure", "How well a router finds its way in a registry or a codebase."),
)
"""In the order of their keys."""


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


COMMANDS: tuple[Command, ...] = (
    # Lists
    Command("table.choose", "enter", "Open", "Open what the cursor is on.", Place.TABLE, "choose", "Open", palette=False),
    Command("table.up", "up,k", "Up", "One row up.", Place.TABLE, "move(-1)", palette=False),
    Command("table.down", "down,j", "Down", "One row down.", Place.TABLE, "move(1)", palette=False),
    Command("table.page-up", "pageup", "Page up", "One screen up.", Place.TABLE, "page(-1)", palette=False),
    Command("table.page-down", "pagedown", "Page down", "One screen down.", Place.TABLE, "page(1)", palette=False),
    Command("table.first", "home,g", "First", "To the first row.", Place.TABLE, "first", palette=False),
    Command("table.last", "end,G", "Last", "To the last row.", Place.TABLE, "last", palette=False),
    Command("table.jump", "f", "Go to a name", "Then type the start of a name.", Place.TABLE, "jump", palette=False),
    # Skills
    Command("skills.filter", "slash", "Filter the list", "Type words, or state: risk: registry: type: has: before a value.", Place.SKILLS, "filter", "Filter"),
    Command("skills.back", "escape", "Go back", "From the skill to the list, then clear the filter.", Place.SKILLS, "back", "Back", palette=False),
    Command("skills.next-tab", "right", "Next tab", "Preview, Manifest, Findings, Neighbours, Provenance.", Place.SKILLS, "turn(1)", "Tabs", palette=False),
    Command("skills.previous-tab", "left", "Previous tab", "The tab to the left.", Place.SKILLS, "turn(-1)", palette=False),
    Command("skills.preview", "", "Show the preview", "SKILL.md as it reads, with nothing hidden.", Place.SKILLS, "tab('preview')"),
    Command("skills.manifest", "", "Show the manifest", "What the skill declares, and what was inferred.", Place.SKILLS, "tab('manifest')"),
    Command("skills.findings", "", "Show the findings", "What the checks found, the worst first.", Place.SKILLS, "tab('findings')"),
    Command("skills.neighbours", "", "Show the neighbours", "Skills that it needs, complements, conflicts with.", Place.SKILLS, "tab('neighbours')"),
    Command("skills.provenance", "", "Show the provenance", "Digest, git commit, files.", Place.SKILLS, "tab('provenance')"),
    Command("skills.order", "o", "Change the order", "By name, registry, findings, risk, size.", Place.SKILLS, "order", "Order"),
    Command("skills.quarantine", "x", "Quarantine the skill", "Keep it listed, never route or run it; asks for a reason.", Place.SKILLS, "quarantine", "Quarantine"),
    Command("skills.release", "u", "Release the skill", "End its quarantine; asks for a reason.", Place.SKILLS, "release", "Release"),
    Command("skills.editor", "e", "Open the skill in the editor", "Its SKILL.md, in $VISUAL or $EDITOR; s then reads what you changed.", Place.SKILLS, "edit_skill", "Edit"),
    Command("filter.done", "enter,down", "To the list", "Keep the filter and go to the list.", Place.FILTER, "done", "To the list", palette=False),
    Command("filter.leave", "escape", "Clear", "Clear the filter and go to the list.", Place.FILTER, "leave", "Clear", palette=False),
    # Routing lab
    Command("task.route", "enter", "Route", "Route what is typed.", Place.TASK, "submit", "Route", palette=False),
    Command("task.leave", "escape,down", "Leave", "From the task to the plan.", Place.TASK, "leave", "Leave", palette=False),
    Command("routing.edit", "slash", "Type a task", "Go to the line where the task is typed.", Place.ROUTING, "edit", "Task"),
    Command("routing.again", "r", "Route again", "Route the same task once more.", Place.ROUTING, "again", "Again"),
    Command("routing.compare", "c", "Compare two settings", "Route the task with both and see what moved, what each saves and costs.", Place.ROUTING, "compare", "Compare"),
    Command("routing.setting", "m", "Choose the setting", "Which evidence decides: fast, balanced, best, cross, or one without a part.", Place.ROUTING, "setting", "Setting"),
    Command("routing.copy", "y", "Copy the plan", "As text, to the clipboard of the terminal.", Place.ROUTING, "copy_plan", "Copy"),
    Command("routing.editor", "e", "Open the skill in the editor", "SKILL.md of the skill at the cursor, in $VISUAL or $EDITOR.", Place.ROUTING, "edit_skill"),
    Command("routing.next-tab", "right", "Next tab", "Plan, Candidates, Near misses, Compare.", Place.ROUTING, "turn(1)", "Tabs", palette=False),
    Command("routing.previous-tab", "left", "Previous tab", "The tab to the left.", Place.ROUTING, "turn(-1)", palette=False),
    # Measure
    Command("measure.path", "slash", "Say what to measure", "Go to the line with the name of a registry, or a path.", Place.MEASURE, "edit", "What"),
    Command("measure.run", "r", "Measure", "Measure what the line names.", Place.MEASURE, "run", "Measure"),
    Command("measure.next", "n", "Next registry", "Put the next registry of the workspace into the line.", Place.MEASURE, "next", "Next registry"),
    Command("measure.cancel", "escape", "Stop measuring", "Nothing is kept of it.", Place.MEASURE, "cancel", "Stop"),
    Command("measure.next-tab", "right", "Next tab", "Failure modes, Hubs, Isolated, Communities, About.", Place.MEASURE, "turn(1)", "Tabs", palette=False),
    Command("measure.previous-tab", "left", "Previous tab", "The tab to the left.", Place.MEASURE, "turn(-1)", palette=False),
    Command("path.run", "enter", "Measure", "Measure what is typed.", Place.PATH, "submit", "Measure", palette=False),
    Command("path.leave", "escape,down", "Leave", "From the line to the figures.", Place.PATH, "leave", "Leave", palette=False),
    Command("plan.choose", "enter", "Open", "Open the skill of the step.", Place.PLAN, "select", "Open", palette=False),
    Command("plan.up", "up,k", "Up", "One step up.", Place.PLAN, "cursor_up", palette=False),
    Command("plan.down", "down,j", "Down", "One step down.", Place.PLAN, "cursor_down", palette=False),
    Command("plan.page-up", "pageup", "Page up", "One screen up.", Place.PLAN, "page_up", palette=False),
    Command("plan.page-down", "pagedown", "Page down", "One screen down.", Place.PLAN, "page_down", palette=False),
    Command("plan.first", "home,g", "First", "To the first step.", Place.PLAN, "first", palette=False),
    Command("plan.last", "end,G", "Last", "To the last step.", Place.PLAN, "last", palette=False),
    # Text
    Command("text.up", "up,k", "Up", "One line up.", Place.DOCUMENT, "scroll_up", palette=False),
    Command("text.down", "down,j", "Down", "One line down.", Place.DOCUMENT, "scroll_down", palette=False),
    Command("text.page-up", "pageup", "Page up", "One screen up.", Place.DOCUMENT, "page_up", palette=False),
    Command("text.page-down", "pagedown,space", "Page down", "One screen down.", Place.DOCUMENT, "page_down", palette=False),
    Command("text.first", "home,g", "Start", "To the start.", Place.DOCUMENT, "scroll_home", palette=False),
    Command("text.last", "end,G", "End", "To the end.", Place.DOCUMENT, "scroll_end", palette=False),
    # Anywhere
    *(Command(f"app.{area.id}", area.key, f"Go to {area.title}", area.help, Place.ANYWHERE, f"area('{area.id}')") for area in AREAS),
    Command("app.sync", "s", "Sync the registries", "Read what changed on disk since the last sync.", Place.ANYWHERE, "sync", "Sync"),
    Command("app.stop", "", "Stop the sync", "What was read is kept; the next sync goes on from there.", Place.ANYWHERE, "stop"),
    Command("app.report", "l", "Show the last sync", "What it added and changed, and what could not be read.", Place.ANYWHERE, "report"),
    Command("app.add", "a", "Add a registry", "Give the path of a directory tree of skills.", Place.ANYWHERE, "add"),
    Command("app.picture", "p", "Save a screenshot", "An SVG of what you see, in the workspace.", Place.ANYWHERE, "save_picture"),
    Command("app.theme", "t", "Next theme", "Dark, light, colour-blind safe, no colour.", Place.ANYWHERE, "next_theme"),
    Command("app.help", "question_mark", "Help", "Keys and signs of the place where you are.", Place.ANYWHERE, "help", "Help"),
    Command("app.palette", "ctrl+p", "Command palette", "Find any command by its name.", Place.ANYWHERE, "command_palette", "Commands", palette=False, priority=True),
    Command("app.quit", "q", "Quit", "Leave the workbench.", Place.ANYWHERE, "quit", "Quit"),
    Command("app.quit-now", "ctrl+q", "Quit", "Leave the workbench, even while typing.", Place.ANYWHERE, "quit", "Quit", palette=False, priority=True),
    # Dialogs
    Command("dialog.close", "escape,q,enter", "Close", "Close without doing anything.", Place.DIALOG, "close", "Close", palette=False),
)  # fmt: skip


def commands_of(*places: Place) -> Iterable[Command]:
    """The commands that apply in the places, in the order of declaration."""
    return (command for command in COMMANDS if command.place in places)


def bindings(place: Place) -> list[BindingType]:
    """The bindings of a place, for a ``BINDINGS`` class variable."""
    return [command.binding() for command in commands_of(place) if command.keys]
