"""Commands of the Skills area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_tui.commands.declaring import Area, Command, Place

if TYPE_CHECKING:
    from asf_tui.screens.base import AreaScreen

SKILLS = Place("Skills")
FILTER = Place("The filter")

COMMANDS = (
    Command("skills.filter", "slash", "Filter the list", "Type words, or state: risk: registry: type: has: before a value.", SKILLS, "filter", "Filter"),
    Command("skills.back", "escape", "Go back", "From the skill to the list, then clear the filter.", SKILLS, "back", "Back", palette=False),
    Command("skills.next-tab", "right", "Next tab", "Preview, Manifest, Findings, Neighbours, Provenance.", SKILLS, "turn(1)", "Tabs", palette=False),
    Command("skills.previous-tab", "left", "Previous tab", "The tab to the left.", SKILLS, "turn(-1)", palette=False),
    Command("skills.preview", "", "Show the preview", "SKILL.md as it reads, with nothing hidden.", SKILLS, "tab('preview')"),
    Command("skills.manifest", "", "Show the manifest", "What the skill declares, and what was inferred.", SKILLS, "tab('manifest')"),
    Command("skills.findings", "", "Show the findings", "What the checks found, the worst first.", SKILLS, "tab('findings')"),
    Command("skills.neighbours", "", "Show the neighbours", "Skills that it needs, complements, conflicts with.", SKILLS, "tab('neighbours')"),
    Command("skills.provenance", "", "Show the provenance", "Digest, git commit, files.", SKILLS, "tab('provenance')"),
    Command("skills.order", "o", "Change the order", "By name, registry, findings, risk, size.", SKILLS, "order", "Order"),
    Command("skills.quarantine", "x", "Quarantine the skill", "Keep it listed, never route or run it; asks for a reason.", SKILLS, "quarantine", "Quarantine"),
    Command("skills.release", "u", "Release the skill", "End its quarantine; asks for a reason.", SKILLS, "release", "Release"),
    Command("skills.candidate", "c", "Take it in as a candidate", "An immutable version of it as it stands on disk now, for Review.", SKILLS, "candidate", "Candidate"),
    Command("skills.editor", "e", "Open the skill in the editor", "Its SKILL.md, in $VISUAL or $EDITOR; s then reads what you changed.", SKILLS, "edit_skill", "Edit"),
    Command("filter.done", "enter,down", "To the list", "Keep the filter and go to the list.", FILTER, "done", "To the list", palette=False),
    Command("filter.leave", "escape", "Clear", "Clear the filter and go to the list.", FILTER, "leave", "Clear", palette=False),
)  # fmt: skip


def _screen() -> AreaScreen:
    from asf_tui.screens.skills import SkillsScreen

    return SkillsScreen()


AREA = Area(
    id="skills",
    key="1",
    title="Skills",
    short="Skills",
    help="Browse, filter and read the skills.",
    screen=_screen,
    commands=COMMANDS,
)
