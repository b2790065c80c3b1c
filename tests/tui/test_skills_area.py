"""The Skills area, driven by keys as a curator would."""

import threading
from pathlib import Path

import pytest
from driving import at_rest, make_app, screen_text, settle, text_of, until, workbench, write
from fake_engine import FakeEngine
from fake_skills import LOOKUP, many_rows
from textual.pilot import Pilot
from textual.widgets import Input

from asf_core.domain.errors import StoreError
from asf_tui.app import Workbench
from asf_tui.screens.dialogs import AskDialog, ProblemDialog, TextDialog
from asf_tui.screens.skills import SkillsScreen
from asf_tui.widgets.document import DocumentView
from asf_tui.widgets.filter_box import FilterBox
from asf_tui.widgets.skill_detail import SkillDetail
from asf_tui.widgets.skill_list import SkillList

NARROW, NORMAL, WIDE = (80, 24), (120, 40), (160, 48)


def skills(pilot: Pilot[int]) -> SkillsScreen:
    assert isinstance(pilot.app.screen, SkillsScreen)
    return pilot.app.screen


def slugs(pilot: Pilot[int]) -> list[str]:
    return [row.slug for row in skills(pilot).table.rows]


async def find(pilot: Pilot[int], text: str) -> None:
    await pilot.press("slash")
    await write(pilot, text)
    await pilot.press("enter")
    await settle(pilot)


# The list


async def test_the_list_holds_every_skill_by_name() -> None:
    async with workbench() as pilot:
        assert len(slugs(pilot)) == 30
        assert slugs(pilot) == sorted(slugs(pilot))
        assert "30 skills in 4 registries" in screen_text(pilot)


async def test_the_filter_narrows_as_one_types() -> None:
    async with workbench() as pilot:
        await pilot.press("slash")
        await write(pilot, "slide")
        await pilot.pause()
        assert set(slugs(pilot)) == {"slide-deck"}
        assert "2 of 30" in screen_text(pilot)
        await write(pilot, "x")
        await pilot.pause()
        assert slugs(pilot) == []
        assert "No skill matches the filter." in screen_text(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert len(slugs(pilot)) == 30
        assert isinstance(pilot.app.focused, SkillList)


async def test_a_filter_is_kept_when_one_goes_to_the_list_and_cleared_by_escape() -> None:
    async with workbench() as pilot:
        await find(pilot, "state:quarantined")
        assert slugs(pilot) == ["helper", "meeting-notes"]
        await pilot.press("escape")
        await pilot.pause()
        assert len(slugs(pilot)) == 30


async def test_a_wrong_value_of_the_filter_is_explained() -> None:
    async with workbench() as pilot:
        await find(pilot, "state:foo")
        assert "state: is one of ready, broken, quarantined" in screen_text(pilot)


async def test_the_order_changes_and_is_told() -> None:
    async with workbench() as pilot:
        await pilot.press("o", "o")
        await pilot.pause()
        assert slugs(pilot)[0] == "meeting-notes"
        assert "30 by findings" in screen_text(pilot)


async def test_a_large_list_is_filtered_too() -> None:
    async with workbench(FakeEngine(rows=many_rows(25_000))) as pilot:
        await find(pilot, "registry:reg3 has:findings deploy")
        assert 0 < len(slugs(pilot)) < 1000
        assert "25,030 skills" in screen_text(pilot)


# One skill


@pytest.mark.parametrize("size", [NARROW, NORMAL, WIDE], ids=["narrow", "normal", "wide"])
async def test_open_and_go_back(size: tuple[int, int]) -> None:
    async with workbench(size=size) as pilot:
        await find(pilot, "scientific")
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(pilot.app.focused, DocumentView)
        assert "Finds papers for a question" in screen_text(pilot)
        assert skills(pilot).query_one("#list").display is (size != NARROW)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.focused, SkillList)
        assert skills(pilot).query_one("#list").display
        assert slugs(pilot) == ["scientific-research-lookup"]


async def test_panes_follow_the_width() -> None:
    async with workbench(size=NARROW) as pilot:
        detail = skills(pilot).query_one(SkillDetail)
        seen = {}
        for width in (80, 99, 100, 140, 141):
            await pilot.resize_terminal(width, 30)
            await pilot.pause()
            seen[width] = (detail.display, detail.wide)
        one, two, three = (False, False), (True, False), (True, True)
        assert seen == {80: one, 99: one, 100: two, 140: two, 141: three}


async def test_tabs_turn_with_the_arrows_and_show_each_fact() -> None:
    expected = {
        "manifest": "papers:list[Paper]",
        "findings": "No findings.",
        "neighbours": "is needed by",
        "provenance": "Ada Curator <ada@example.invalid>",
        "preview": "When to use",
    }
    async with workbench(size=NARROW) as pilot:
        await find(pilot, "scientific")
        await pilot.press("enter")
        for tab, text in expected.items():
            await pilot.press("right")
            await settle(pilot)
            assert skills(pilot).detail.strip.active == tab
            assert text in screen_text(pilot)
        await pilot.press("left")
        await settle(pilot)
        assert skills(pilot).detail.strip.active == "provenance"


async def test_when_wide_the_preview_stands_beside_the_facts() -> None:
    async with workbench(size=WIDE) as pilot:
        await find(pilot, "deploy-service")
        await pilot.press("right")
        await settle(pilot)
        text = screen_text(pilot)
        assert "Deploy Service" in text
        assert "scan/undeclared-tool" in text


async def test_what_was_inferred_is_marked() -> None:
    async with workbench() as pilot:
        await find(pilot, "scientific")
        await pilot.press("right")
        await settle(pilot)
        assert "network  inferred" in screen_text(pilot)
        assert "retrieval\n" in text_of(skills(pilot).query_one("#facts")).replace(" ", "").replace(
            "type", ""
        )


async def test_a_neighbour_opens_even_when_the_filter_hides_it() -> None:
    async with workbench(size=NARROW) as pilot:
        await find(pilot, "scientific")
        await pilot.press("enter", "right", "right", "right")
        await settle(pilot)
        await pilot.press("f", "c", "l", "a", "enter", "enter")
        await settle(pilot)
        assert "classify-pd-l1-tps" in screen_text(pilot)
        row = skills(pilot).table.current
        assert row is not None
        assert row.slug == "classify-pd-l1-tps"
        assert skills(pilot).query_one(FilterBox).text == ""


async def test_a_broken_skill_says_why() -> None:
    async with workbench() as pilot:
        await find(pilot, "state:broken")
        text = screen_text(pilot)
        assert "broken" in text
        assert "SKILL.md has no frontmatter" in text


async def test_a_held_key_reads_only_where_it_comes_to_rest() -> None:
    engine = FakeEngine()
    async with workbench(engine) as pilot:
        engine.calls.clear()
        for _ in range(12):
            skills(pilot).table.action_move(1)
        await settle(pilot)
        read = [call for call in engine.calls if call.startswith("skill ")]
        row = skills(pilot).table.current
        assert row is not None
        assert read[-1] == f"skill {row.id}"
        assert len(read) == 1


async def test_a_late_answer_does_not_replace_a_newer_one() -> None:
    engine = FakeEngine()
    async with workbench(engine) as pilot:
        gate = engine.holds[f"skill {LOOKUP}"] = threading.Event()
        await find_without_rest(pilot, "scientific")
        await until(pilot, lambda: f"skill {LOOKUP}" in engine.calls)
        await pilot.press("escape", "home")
        await pilot.pause(0.06)
        gate.set()
        await settle(pilot)
        view = skills(pilot).detail.view
        assert view is not None
        assert view.skill.manifest.slug == "api-docs"


async def find_without_rest(pilot: Pilot[int], text: str) -> None:
    await pilot.press("slash")
    await write(pilot, text)
    await pilot.press("enter")


# What goes wrong


async def test_a_skill_that_is_gone_is_said_in_its_place() -> None:
    async with workbench(FakeEngine(rows=many_rows(3))) as pilot:
        await find(pilot, "review-review-0")
        text = screen_text(pilot)
        assert "No skill is called" in text
        assert "Did you mean" in text


async def test_a_failure_while_reading_is_said_and_logged(tmp_path: Path) -> None:
    engine = FakeEngine()
    engine.failures[f"skill {LOOKUP}"] = ValueError("torn page [/x]\x1b[2J")
    log = tmp_path / "asf-tui.log"
    async with workbench(engine, log=log) as pilot:
        await find(pilot, "scientific")
        text = screen_text(pilot)
        assert "Reading the skill failed unexpectedly" in text
        assert "torn page [/x]␛[2J" in text
        assert "Traceback" in log.read_text()
        await pilot.press("escape")
        await settle(pilot)
        assert "api-docs" in screen_text(pilot)


async def test_a_failure_to_read_the_list_is_a_dialog_with_its_hint() -> None:
    engine = FakeEngine()
    async with workbench(engine) as pilot:
        engine.failures["skills"] = StoreError(
            "The index cannot be read",
            why="Permission denied",
            hint="Make it readable, then press s",
        )
        await pilot.press("s")
        await until(pilot, lambda: isinstance(pilot.app.screen, ProblemDialog))
        text = screen_text(pilot)
        for words in (
            "The index cannot be read",
            "Permission denied",
            "Make it readable, then press s",
        ):
            assert words in text
        await pilot.press("escape")
        await pilot.pause()
        assert len(slugs(pilot)) == 30
        del engine.failures["skills"]
        await pilot.press("s")
        await settle(pilot)
        assert len(slugs(pilot)) == 30


async def test_a_workspace_that_does_not_open_ends_the_workbench_with_a_code() -> None:
    def fail() -> None:
        raise StoreError("The store is newer than this program", why="Schema 9", hint="Update asf")

    app = Workbench(fail)  # type: ignore[arg-type]
    async with app.run_test(size=NARROW) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ProblemDialog))
        assert "Update asf" in screen_text(pilot)
        await pilot.press("enter")
        await pilot.pause()
    assert app.return_code == 4


# Decisions


async def test_quarantine_asks_for_a_reason_and_is_shown() -> None:
    engine = FakeEngine()
    async with workbench(engine) as pilot:
        await find(pilot, "itinerary")
        await pilot.press("x")
        await pilot.pause()
        assert isinstance(pilot.app.screen, AskDialog)
        await pilot.press("enter")
        await pilot.pause()
        assert "Please give the reason" in screen_text(pilot)
        await write(pilot, "sells [/b] tickets")
        await pilot.press("enter")
        await until(pilot, lambda: "Quarantined itinerary" in screen_text(pilot))
        await settle(pilot)
        assert "quarantine office/travel/itinerary sells [/b] tickets" in engine.calls
        assert "sells [/b] tickets" in screen_text(pilot)
        await pilot.press("u")
        await write(pilot, "fixed")
        await pilot.press("enter")
        await until(pilot, lambda: "release office/travel/itinerary fixed" in engine.calls)
        await settle(pilot)
        row = skills(pilot).table.current
        assert row is not None
        assert row.state == "ready"


async def test_a_decision_can_be_left_undone() -> None:
    engine = FakeEngine()
    async with workbench(engine) as pilot:
        await pilot.press("x")
        await write(pilot, "half a reas")
        await pilot.press("ctrl+c", "escape")
        await settle(pilot)
        assert isinstance(pilot.app.screen, SkillsScreen)
        assert not any(call.startswith("quarantine") for call in engine.calls)


async def test_a_decision_that_fails_is_a_dialog() -> None:
    engine = FakeEngine()
    engine.failures["quarantine"] = StoreError(
        "The workspace is busy", why="asf sync holds it", hint="Try again"
    )
    async with workbench(engine) as pilot:
        await pilot.press("x", "n", "o", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ProblemDialog))
        assert "asf sync holds it" in screen_text(pilot)


async def test_decisions_are_written_one_by_one_while_the_screen_goes_on() -> None:
    engine = FakeEngine()
    gate = engine.holds["quarantine"] = threading.Event()
    async with workbench(engine) as pilot:
        for _ in range(2):
            await pilot.press("x", "n", "o", "enter", "down")
            await pilot.pause()
        await until(pilot, lambda: any(c.startswith("quarantine") for c in engine.calls))
        assert sum(call.startswith("quarantine") for call in engine.calls) == 1
        gate.set()
        await until(pilot, lambda: sum(c.startswith("quarantine") for c in engine.calls) == 2)


# Registries and sync


async def test_the_first_start_says_how_to_begin() -> None:
    async with workbench(FakeEngine(skills=(), registries=())) as pilot:
        text = screen_text(pilot)
        assert "No registry yet." in text
        assert "asf-tui PATH" in text


async def test_a_registry_without_skills_says_so() -> None:
    async with workbench(FakeEngine(skills=(), registries=("empty",))) as pilot:
        assert "No skill yet." in screen_text(pilot)


async def test_a_path_is_added_and_synced_at_the_start(tmp_path: Path) -> None:
    engine = FakeEngine()
    async with workbench(engine, path=tmp_path) as pilot:
        await until(pilot, lambda: "Synced: 3 new, 1 changed" in screen_text(pilot))
        assert (
            engine.calls[1:3] == ["skills", f"add_registry {tmp_path}"]
            or f"add_registry {tmp_path}" in engine.calls
        )
        assert f"sync {tmp_path.name}" in engine.calls


async def test_a_known_path_is_not_added_again() -> None:
    engine = FakeEngine()
    async with workbench(engine, path=Path("/srv/registries/science")) as pilot:
        await until(pilot, lambda: "sync science" in engine.calls)
        assert not any(call.startswith("add_registry") for call in engine.calls)
        await settle(pilot)


async def test_a_registry_is_added_by_its_path(tmp_path: Path) -> None:
    engine = FakeEngine()
    async with workbench(engine) as pilot:
        await pilot.press("a")
        pilot.app.screen.query_one(Input).value = str(tmp_path / "no\x1b[31mwhere")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ProblemDialog))
        assert "is not a directory" in screen_text(pilot)
        await pilot.press("escape", "a")
        pilot.app.screen.query_one(Input).value = str(tmp_path)
        await pilot.press("enter")
        await until(pilot, lambda: f"sync {tmp_path.name}" in engine.calls)
        await settle(pilot)


async def test_a_sync_shows_its_progress_and_can_be_stopped() -> None:
    engine = FakeEngine()
    gate = engine.holds["sync"] = threading.Event()
    async with workbench(engine) as pilot:
        await pilot.press("s")
        await until(pilot, lambda: "Syncing…" in screen_text(pilot))
        await pilot.press("s")
        await until(pilot, lambda: "A sync is running already." in screen_text(pilot))
        await pilot.app.run_action("stop")
        gate.set()
        await until(pilot, lambda: "Sync stopped" in screen_text(pilot))
        assert engine.calls.count("sync") == 1
        await settle(pilot)


async def test_the_last_sync_can_be_read() -> None:
    async with workbench() as pilot:
        await pilot.press("l")
        await until(pilot, lambda: "No sync was run" in screen_text(pilot))
        await pilot.press("s")
        await until(pilot, lambda: "Synced" in screen_text(pilot))
        await pilot.press("l")
        await pilot.pause()
        assert isinstance(pilot.app.screen, TextDialog)
        assert "office/broken/no-frontmatter" in screen_text(pilot)
        await pilot.press("escape")


async def test_reading_again_keeps_the_place_in_the_text() -> None:
    async with workbench(size=(80, 16)) as pilot:
        await find(pilot, "scientific")
        await pilot.press("enter", "down", "down", "down")
        await pilot.press("s")
        await until(pilot, lambda: "Synced" in screen_text(pilot))
        await settle(pilot)
        assert skills(pilot).query_one("#preview", DocumentView).scroll_offset.y == 3


# All of it


async def test_help_and_palette_show_the_commands_of_the_place() -> None:
    async with workbench(size=(100, 60)) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        text = pilot.app.screen.query_one(DocumentView).text
        for words in ("Filter the list", "Go to a name", "Next theme", "has:", "quarantined"):
            assert words in text
        await pilot.press("escape", "ctrl+p")
        await write(pilot, "provenance")
        await until(pilot, lambda: "Digest, git commit, files." in screen_text(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SkillsScreen))
        await settle(pilot)
        assert skills(pilot).detail.strip.active == "provenance"


async def test_every_theme_can_be_chosen() -> None:
    async with workbench() as pilot:
        first = pilot.app.theme
        seen = set()
        for _ in range(4):
            await pilot.press("t")
            await pilot.pause()
            seen.add(pilot.app.theme)
        assert len(seen) == 4
        assert pilot.app.theme == first


async def test_resizing_in_a_loop_loses_nothing() -> None:
    async with workbench(size=(200, 60)) as pilot:
        await pilot.press("down", "down", "down")
        row = skills(pilot).table.current
        for size in [(200, 60), (20, 5), (1, 1)] * 8 + [(100, 30)]:
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert skills(pilot).table.current == row


@pytest.mark.parametrize("size", [(40, 10), (20, 5), (10, 3)])
async def test_a_tiny_terminal_can_be_used(size: tuple[int, int]) -> None:
    async with workbench(size=size) as pilot:
        await pilot.press(
            "down", "enter", "right", "escape", "2", "escape", "1", "question_mark", "escape"
        )
        await settle(pilot)
        assert isinstance(pilot.app.screen, SkillsScreen)


async def test_quitting_leaves_no_decision_behind() -> None:
    engine = FakeEngine()
    gate = engine.holds["quarantine"] = threading.Event()
    app = make_app(engine)
    async with app.run_test(size=NORMAL) as pilot:
        await until(pilot, lambda: app.work.session is not None and at_rest(app))
        await pilot.press("x", "n", "o", "enter", "q")
        await pilot.pause()
    assert app.return_code == 0
    gate.set()
    app.work.writes.finish()
    assert engine.states["engineering/docs/api-docs"][0] == "quarantined"
