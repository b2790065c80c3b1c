"""Commands are declared once: nothing of them is wrong, missing or double."""

import pytest
from driving import make_app
from textual.binding import Binding

from asf_tui.app import Workbench
from asf_tui.commands import AREAS, COMMANDS, Command, Place, commands_of
from asf_tui.commands.measure import MEASURE, PATH
from asf_tui.commands.quarantine import QUARANTINE
from asf_tui.commands.review import REVIEW
from asf_tui.commands.routing import PLAN, ROUTING, TASK
from asf_tui.commands.shared import ANYWHERE, CONFIRM, DIALOG, DOCUMENT, PICK, TABLE
from asf_tui.commands.skillbook import ISSUE_FORM, SKILLBOOK
from asf_tui.commands.skills import FILTER, SKILLS
from asf_tui.commands.versions import VERSIONS
from asf_tui.screens.dialogs import AskDialog, ProblemDialog, TextDialog
from asf_tui.screens.forms import ConfirmDialog, FormDialog, PickDialog
from asf_tui.screens.issue_form import IssueForm
from asf_tui.screens.measure import MeasureScreen, PathInput
from asf_tui.screens.quarantine import QuarantineScreen
from asf_tui.screens.review import ReviewScreen
from asf_tui.screens.routing_lab import RoutingScreen, TaskInput
from asf_tui.screens.skillbook import SkillbookScreen
from asf_tui.screens.skills import SkillsScreen
from asf_tui.screens.versions import VersionsScreen
from asf_tui.widgets.document import DocumentView
from asf_tui.widgets.filter_box import FilterInput
from asf_tui.widgets.plan_view import PlanView
from asf_tui.widgets.virtual_table import VirtualTable

TARGETS: dict[Place, tuple[type, ...]] = {
    ANYWHERE: (Workbench,),
    SKILLS: (SkillsScreen,),
    FILTER: (FilterInput,),
    ROUTING: (RoutingScreen,),
    TASK: (TaskInput,),
    QUARANTINE: (QuarantineScreen,),
    REVIEW: (ReviewScreen,),
    VERSIONS: (VersionsScreen,),
    MEASURE: (MeasureScreen,),
    PATH: (PathInput,),
    PLAN: (PlanView,),
    TABLE: (VirtualTable,),
    DOCUMENT: (DocumentView,),
    DIALOG: (AskDialog, FormDialog, ProblemDialog, TextDialog),
    CONFIRM: (ConfirmDialog,),
    PICK: (PickDialog,),
    SKILLBOOK: (SkillbookScreen,),
    ISSUE_FORM: (IssueForm,),
}


def test_every_place_is_tried_here() -> None:
    assert set(TARGETS) == {command.place for command in COMMANDS}


def test_ids_are_unique() -> None:
    ids = [command.id for command in COMMANDS]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_every_command_has_an_action_where_it_applies(command: Command) -> None:
    name = command.action.partition("(")[0]
    for target in TARGETS[command.place]:
        assert hasattr(target, f"action_{name}"), target


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_every_command_has_words(command: Command) -> None:
    assert command.title
    assert command.help.endswith(".")
    assert "[" not in command.title + command.help


@pytest.mark.parametrize("place", TARGETS, ids=lambda place: place.title)
def test_no_key_means_two_things_in_one_place(place: Place) -> None:
    keys = [key for command in commands_of(place) for key in command.keys.split(",") if key]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    "place", [SKILLS, ROUTING, MEASURE, QUARANTINE, REVIEW, VERSIONS, TABLE, PLAN, DOCUMENT]
)
def test_no_key_of_a_place_hides_one_that_works_anywhere(place: Place) -> None:
    here = {key for command in commands_of(place) for key in command.keys.split(",") if key}
    anywhere = {key for c in commands_of(ANYWHERE) for key in c.keys.split(",") if key}
    assert not here & anywhere


@pytest.mark.parametrize("place", TARGETS, ids=lambda place: place.title)
def test_the_bindings_of_a_place_are_its_commands(place: Place) -> None:
    wanted = {command.id for command in commands_of(place) if command.keys}
    for target in TARGETS[place]:
        bound = {b.id for b in target.BINDINGS if isinstance(b, Binding) and b.id}  # type: ignore[attr-defined]
        assert bound == wanted


def test_every_area_has_a_mode_and_a_key() -> None:
    assert [area.id for area in AREAS] == list(Workbench.MODES)
    assert len({area.key for area in AREAS}) == len(AREAS)


async def test_a_keymap_moves_a_command_to_another_key() -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        app.set_keymap({"app.routing": "9"})
        await pilot.press("9")
        await pilot.pause()
        assert isinstance(app.screen, RoutingScreen)
