"""Commands of the Skillbook area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_tui.commands.browsing import browsing
from asf_tui.commands.declaring import Area, Command, Place

if TYPE_CHECKING:
    from asf_tui.screens.base import AreaScreen

SKILLBOOK = Place("Skillbook")
ISSUE_FORM = Place("The form of an issue")

COMMANDS = (
    *browsing("skillbook", SKILLBOOK, "Issue, Trail, Over time, Effect, Keywords, Duplicates"),
    Command("skillbook.filter", "slash", "Filter the issues", "Type words, or section: keyword: state: has: before a value.", SKILLBOOK, "filter", "Filter"),
    Command("skillbook.ask", "w", "Search by words and meaning", "Ask in plain words; the issues come best first.", SKILLBOOK, "ask", "Search"),
    Command("skillbook.new", "n", "Record an issue", "What went wrong, what was learnt of it, keywords.", SKILLBOOK, "new", "New"),
    Command("skillbook.edit", "e", "Rewrite the issue", "Its text, insight and keywords, or that it was met again; the trail keeps what it said.", SKILLBOOK, "edit", "Edit"),
    Command("skillbook.verdict", "v", "Record a use", "Whether the insight was helpful, neutral or harmful.", SKILLBOOK, "verdict", "Used"),
    Command("skillbook.remove", "x", "Remove the issue", "Out of searches and prompts; it stays in the list with the reason.", SKILLBOOK, "remove", "Remove"),
    Command("skillbook.restore", "u", "Restore the issue", "Bring a removed issue back; asks for a reason.", SKILLBOOK, "restore", "Restore"),
    Command("skillbook.merge", "y", "Merge the two", "The second goes into the first, whose keywords and count grow; asks for a reason.", SKILLBOOK, "merge", "Merge"),
    Command("skillbook.widen", "b", "Widen and merge", "Rewrite the first so that it covers both, then merge.", SKILLBOOK, "widen", "Widen"),
    Command("skillbook.apart", "z", "Keep both", "They are two issues; not proposed again until a text changes.", SKILLBOOK, "apart", "Keep both"),
    Command("skillbook.order", "o", "Change the order", "By how often met, surest help, helpful, harmful, neutral, used, newest, id.", SKILLBOOK, "order", "Order"),
    Command("skillbook.reverse", "O", "Reverse the order", "The last first.", SKILLBOOK, "reverse"),
    Command("skillbook.period", "d", "Day, week or month", "What a column of the heatmap stands for.", SKILLBOOK, "period", "Period"),
    Command("skillbook.issue", "", "Show the issue", "What it says and how it fared.", SKILLBOOK, "side('issue')"),
    Command("skillbook.trail", "", "Show the audit trail", "Every change, where it came from and what it replaced.", SKILLBOOK, "side('trail')"),
    Command("skillbook.time", "", "Show occurrences over time", "A heatmap of when the issues were met.", SKILLBOOK, "side('time')"),
    Command("skillbook.effect", "", "Show effectiveness", "Helpful against harmful, neutral, used.", SKILLBOOK, "side('effect')"),
    Command("skillbook.keywords", "", "Show keywords", "The issues of each, by section.", SKILLBOOK, "side('keywords')"),
    Command("skillbook.pairs", "", "Show likely duplicates", "Pairs that may be one issue; you decide.", SKILLBOOK, "side('pairs')"),
    Command("skillbook.prompt", "c", "Show the prompt", "The active issues as an agent reads them.", SKILLBOOK, "prompt"),
    Command("skillbook.again", "r", "Read it again", "What others saved is read by itself; this does it now.", SKILLBOOK, "reread"),
    Command("issue.save", "ctrl+s", "Save", "Take what is typed.", ISSUE_FORM, "save", "Save", palette=False, priority=True),
    Command("issue.close", "escape", "Close", "Close without doing anything.", ISSUE_FORM, "close", "Close", palette=False),
)  # fmt: skip


def _screen() -> AreaScreen:
    from asf_tui.screens.skillbook import SkillbookScreen

    return SkillbookScreen()


AREA = Area(
    id="skillbook",
    key="8",
    title="Skillbook",
    short="Book",
    help="Issues that agents met, what was learnt of them, and how it helped.",
    screen=_screen,
    commands=COMMANDS,
)
