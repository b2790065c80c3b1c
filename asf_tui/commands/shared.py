"""Commands that belong to no area: of lists, of texts, of dialogs, and those that work anywhere."""

from __future__ import annotations

from asf_tui.commands.declaring import Command, Place

ANYWHERE = Place("Anywhere")
DOCUMENT = Place("Text")
TABLE = Place("Lists")
DIALOG = Place("Dialogs")
CONFIRM = Place("Questions")
PICK = Place("Choices")

OF_LISTS = (
    Command("table.choose", "enter", "Open", "Open what the cursor is on.", TABLE, "choose", "Open", palette=False),
    Command("table.up", "up,k", "Up", "One row up.", TABLE, "move(-1)", palette=False),
    Command("table.down", "down,j", "Down", "One row down.", TABLE, "move(1)", palette=False),
    Command("table.page-up", "pageup", "Page up", "One screen up.", TABLE, "page(-1)", palette=False),
    Command("table.page-down", "pagedown", "Page down", "One screen down.", TABLE, "page(1)", palette=False),
    Command("table.first", "home,g", "First", "To the first row.", TABLE, "first", palette=False),
    Command("table.last", "end,G", "Last", "To the last row.", TABLE, "last", palette=False),
    Command("table.jump", "f", "Go to a name", "Then type the start of a name.", TABLE, "jump", palette=False),
)  # fmt: skip
OF_TEXT = (
    Command("text.up", "up,k", "Up", "One line up.", DOCUMENT, "scroll_up", palette=False),
    Command("text.down", "down,j", "Down", "One line down.", DOCUMENT, "scroll_down", palette=False),
    Command("text.page-up", "pageup", "Page up", "One screen up.", DOCUMENT, "page_up", palette=False),
    Command("text.page-down", "pagedown,space", "Page down", "One screen down.", DOCUMENT, "page_down", palette=False),
    Command("text.first", "home,g", "Start", "To the start.", DOCUMENT, "scroll_home", palette=False),
    Command("text.last", "end,G", "End", "To the end.", DOCUMENT, "scroll_end", palette=False),
)  # fmt: skip
OF_APP = (
    Command("app.sync", "s", "Sync the registries", "Read what changed on disk since the last sync.", ANYWHERE, "sync", "Sync"),
    Command("app.stop", "", "Stop the sync", "What was read is kept; the next sync goes on from there.", ANYWHERE, "stop"),
    Command("app.report", "l", "Show the last sync", "What it added and changed, and what could not be read.", ANYWHERE, "report"),
    Command("app.add", "a", "Add a registry", "Give the path of a directory tree of skills.", ANYWHERE, "add"),
    Command("app.picture", "p", "Save a screenshot", "An SVG of what you see, in the workspace.", ANYWHERE, "save_picture"),
    Command("app.theme", "t", "Next theme", "Dark, light, colour-blind safe, no colour.", ANYWHERE, "next_theme"),
    Command("app.help", "question_mark", "Help", "Keys and signs of the place where you are.", ANYWHERE, "help", "Help"),
    Command("app.palette", "ctrl+p", "Command palette", "Find any command by its name.", ANYWHERE, "command_palette", "Commands", palette=False, priority=True),
    Command("app.quit", "q", "Quit", "Leave the workbench.", ANYWHERE, "quit", "Quit"),
    Command("app.quit-now", "ctrl+q", "Quit", "Leave the workbench, even while typing.", ANYWHERE, "quit", "Quit", palette=False, priority=True),
)  # fmt: skip
OF_DIALOGS = (
    Command("dialog.close", "escape,q,enter", "Close", "Close without doing anything.", DIALOG, "close", "Close", palette=False),
    Command("confirm.yes", "y,enter", "Yes", "Do what is asked.", CONFIRM, "yes", "Yes", palette=False),
    Command("confirm.no", "n,q,escape", "No", "Close without doing anything.", CONFIRM, "no", "No", palette=False),
    Command("pick.close", "escape,q", "Close", "Close without choosing.", PICK, "close", "Close", palette=False),
)  # fmt: skip
