"""The Routing lab, driven by keys."""

import threading

import pytest
from driving import acting, at_rest, screen_text, settle, until, workbench, write
from fake_engine import PD_L1, FakeEngine
from fake_skills import LOOKUP
from textual.pilot import Pilot
from textual.widgets import Input

from asf_core.domain.errors import ModelMissingError
from asf_tui.screens.dialogs import AskDialog, ProblemDialog
from asf_tui.screens.routing_lab import RoutingScreen
from asf_tui.screens.skills import SkillsScreen
from asf_tui.widgets.candidates import CandidateTable
from asf_tui.widgets.compare_view import CompareTable, CompareView
from asf_tui.widgets.plan_view import PlanView
from asf_tui.widgets.stage_bars import StageBars


def lab(pilot: Pilot[int]) -> RoutingScreen:
    assert isinstance(pilot.app.screen, RoutingScreen)
    return pilot.app.screen


async def route(pilot: Pilot[int], task: str) -> None:
    await pilot.press("2")
    await pilot.pause()
    await write(pilot, task)
    await pilot.press("enter")


async def routed(pilot: Pilot[int], task: str) -> None:
    await route(pilot, task)
    await until(pilot, lambda: lab(pilot).result is not None and at_rest(pilot.app))  # type: ignore[arg-type]


async def test_the_lab_says_how_to_begin() -> None:
    async with workbench() as pilot:
        await pilot.press("2")
        await pilot.pause()
        assert "Type a task and press Enter." in screen_text(pilot)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 48)])
async def test_a_task_is_routed_to_a_plan(size: tuple[int, int]) -> None:
    async with workbench(size=size) as pilot:
        await routed(pilot, PD_L1)
        text = screen_text(pilot)
        for words in (
            "A plan of 4 skills",
            "6.4 / 10 ms",
            "57.2 / 50 ms over",
            "76.6 / 65 ms over",
            "takes  query:string  ← the task",
            "takes  papers:list[Paper]  ← 1 scientific-research-lookup",
            "6,700 of 6,214,000 tokens, saves 99.9 %",
            "needs 0.35",
        ):
            assert words in text


async def test_stages_fill_as_they_end_and_typing_goes_on() -> None:
    engine = FakeEngine()
    gate = engine.holds[f"after-recall {PD_L1}"] = threading.Event()
    async with workbench(engine) as pilot:
        await route(pilot, PD_L1)
        await until(pilot, lambda: len(lab(pilot).query_one(StageBars).traces) == 2)
        text = screen_text(pilot)
        assert "6.4 / 10 ms" in text
        assert "57.2" not in text
        assert len(lab(pilot).query_one("#candidates", CandidateTable).rows) == 12
        await write(pilot, " more")
        await pilot.pause()
        assert f"{PD_L1} more" in screen_text(pilot)
        gate.set()
        await until(pilot, lambda: lab(pilot).result is not None)


async def test_a_newer_task_supersedes_the_older_answer() -> None:
    engine = FakeEngine()
    gate = engine.holds["after-recall slow"] = threading.Event()
    async with workbench(engine) as pilot:
        await route(pilot, "slow")
        await until(pilot, lambda: "after-recall slow" in engine.calls)
        await pilot.press("ctrl+u")
        for task in ("skipped", "nothing"):
            await write(pilot, task)
            await pilot.press("enter", "ctrl+u")
        gate.set()
        await until(pilot, lambda: lab(pilot).result is not None and at_rest(pilot.app))  # type: ignore[arg-type]
        result = lab(pilot).result
        assert result is not None
        assert result.query == "nothing"
        assert "route skipped" not in engine.calls
        assert len(lab(pilot).query_one(StageBars).traces) == 5
        assert "No skill fits this task" in screen_text(pilot)


async def test_an_older_failure_is_not_shown_over_a_newer_answer() -> None:
    engine = FakeEngine()
    gate = engine.holds["route bad"] = threading.Event()
    engine.failures["route bad"] = ValueError("old news")
    async with workbench(engine) as pilot:
        await route(pilot, "bad")
        await until(pilot, lambda: "route bad" in engine.calls)
        await pilot.press("ctrl+u")
        await write(pilot, "good")
        await pilot.press("enter")
        gate.set()
        await until(pilot, lambda: lab(pilot).result is not None)
        assert "old news" not in screen_text(pilot)


async def test_abstention_is_said_in_words() -> None:
    async with workbench() as pilot:
        await routed(pilot, "nothing")
        text = screen_text(pilot)
        assert "No skill fits this task" in text
        assert "The best candidate reaches 0.19; a plan needs 0.35." in text
        await pilot.press("escape", "left", "left")
        # The table cuts the name at this width.
        await until(pilot, lambda: "scientific-resear" in screen_text(pilot))


async def test_problems_and_what_was_missing_are_said_in_words() -> None:
    async with workbench() as pilot:
        await routed(pilot, "mismatch degraded")
        text = screen_text(pilot)
        assert "The plan does not hold: type mismatch" in text
        assert "takes tps_scores:dict; the nearest that is" in text
        assert "degraded: No late-interaction model" in text


async def test_what_was_left_out_and_the_figures_are_below_the_plan() -> None:
    async with workbench(size=(120, 60)) as pilot:
        await routed(pilot, PD_L1)
        text = screen_text(pilot)
        assert "walk: its closure takes 14,200 tokens" in text
        assert "2,633 skills stay out: 99.8 % of them" in text
        assert "237,700  with the names and descriptions" in text


async def test_candidates_tell_how_they_moved_and_of_what_their_score_is_made() -> None:
    async with workbench() as pilot:
        await routed(pilot, PD_L1)
        await pilot.press("escape", "right")
        await until(pilot, lambda: "▲2" in screen_text(pilot))
        text = screen_text(pilot)
        for words in ("▲2", "▼1", "✦ new", "bm25", "dense", "late", "-0.94"):
            assert words in text


async def test_enter_on_a_candidate_opens_its_skill() -> None:
    async with workbench() as pilot:
        await routed(pilot, PD_L1)
        await pilot.press("escape", "right", "down", "down", "down", "enter")
        await settle(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, SkillsScreen)
        view = screen.detail.view
        assert view is not None
        assert view.skill.manifest.slug == "citation-verifier"
        await pilot.press("2")
        await pilot.pause()
        assert "A plan of 4 skills" in screen_text(pilot)


async def test_enter_on_a_step_opens_its_skill() -> None:
    async with workbench(size=(80, 24)) as pilot:
        await routed(pilot, PD_L1)
        await pilot.press("escape", "down", "down", "enter")
        await settle(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, SkillsScreen)
        assert screen.reading
        assert "publication-figure-style" in screen_text(pilot)


async def test_a_missing_model_is_a_dialog_and_the_task_can_be_routed_again() -> None:
    engine = FakeEngine()
    engine.failures["route"] = ModelMissingError(
        "No dense model", why="The file is absent", hint="Run asf models"
    )
    async with workbench(engine) as pilot:
        await route(pilot, PD_L1)
        await until(pilot, lambda: isinstance(pilot.app.screen, ProblemDialog))
        text = screen_text(pilot)
        assert "Run asf models" in text
        await pilot.press("escape")
        await pilot.pause()
        assert "Routing failed." in screen_text(pilot)
        del engine.failures["route"]
        await pilot.press("escape", "r")
        await until(pilot, lambda: lab(pilot).result is not None)
        assert "A plan of 4 skills" in screen_text(pilot)


async def test_a_failure_during_a_sync_says_to_wait_for_it() -> None:
    engine = FakeEngine()
    engine.failures["route"] = ModelMissingError("Nothing has been indexed yet", hint="Sync first")
    gate = engine.holds["sync"] = threading.Event()
    async with workbench(engine) as pilot:
        await pilot.press("s")
        await route(pilot, PD_L1)
        await until(pilot, lambda: isinstance(pilot.app.screen, ProblemDialog))
        assert "A sync is running: try again when it has ended" in screen_text(pilot)
        await pilot.press("escape")
        gate.set()
        await until(pilot, lambda: at_rest(pilot.app))  # type: ignore[arg-type]
        assert "Routing failed." in screen_text(pilot)


async def test_the_models_are_loaded_when_somebody_comes_to_route() -> None:
    engine = FakeEngine()
    async with workbench(engine) as pilot:
        assert "prepare" not in engine.calls
        await pilot.press("2")
        await until(pilot, lambda: "prepare" in engine.calls)


async def test_an_empty_task_is_not_routed() -> None:
    engine = FakeEngine()
    async with workbench(engine) as pilot:
        await route(pilot, "   ")
        await pilot.pause()
        assert not any(call.startswith("route") for call in engine.calls)


async def test_nothing_is_routed_before_the_workspace_is_open() -> None:
    from asf_tui.app import Workbench

    gate = threading.Event()
    engine = FakeEngine()

    def slow() -> object:
        gate.wait(10)
        return engine.session(None)  # type: ignore[arg-type]

    app = Workbench(slow)  # type: ignore[arg-type]
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await route(pilot, "x")
        await until(pilot, lambda: "The workspace is not open yet." in screen_text(pilot))
        gate.set()
        await until(pilot, lambda: app.work.session is not None)


async def test_a_skill_that_is_no_longer_listed_is_said() -> None:
    engine = FakeEngine()
    async with workbench(engine) as pilot:
        del engine.values[LOOKUP]
        await pilot.press("s")
        await until(pilot, lambda: "Synced" in screen_text(pilot) and at_rest(pilot.app))  # type: ignore[arg-type]
        await routed(pilot, PD_L1)
        await pilot.press("escape", "enter")
        await until(pilot, lambda: "lookup is not" in screen_text(pilot))
        assert isinstance(pilot.app.screen, RoutingScreen)


async def test_the_plan_stands_beside_the_candidates_when_wide() -> None:
    async with workbench(size=(160, 48)) as pilot:
        await routed(pilot, PD_L1)
        assert lab(pilot).query_one(PlanView).display
        assert lab(pilot).query_one("#candidates").display
        await pilot.press("escape", "right")
        await until(pilot, lambda: lab(pilot).query_one("#misses").display)
        assert not lab(pilot).query_one("#candidates").display


async def compare(pilot: Pilot[int], answer: str) -> None:
    await pilot.press("escape", "c")
    await until(pilot, lambda: isinstance(pilot.app.screen, AskDialog))
    pilot.app.screen.query_one(Input).value = answer
    await pilot.press("enter")
    await until(pilot, lambda: at_rest(pilot.app))  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [(80, 24), (160, 48)])
async def test_two_settings_are_compared_side_by_side(size: tuple[int, int]) -> None:
    engine = FakeEngine()
    async with workbench(engine, size=size) as pilot:
        await routed(pilot, PD_L1)
        await compare(pilot, "fast balanced")
        await until(pilot, lambda: lab(pilot).query_one(CompareView).compared)
        table = lab(pilot).query_one(CompareTable)
        changes = {row.slug: row.change for row in table.rows}
        assert list(changes.values())[:3] == [1, -1, 0]
        assert [row.first for row in table.rows][-1] is None  # the words alone do not find it
        text = screen_text(pilot)
        for words in ("fast", "balanced", "▲1", "▼1", "$0.020", "76.6 ms"):
            assert words in text
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SkillsScreen))


async def test_a_setting_that_there_is_not_is_told_with_those_that_there_are() -> None:
    async with workbench() as pilot:
        await routed(pilot, PD_L1)
        await compare(pilot, "fast sluggish")
        assert isinstance(pilot.app.screen, ProblemDialog)
        assert "sluggish" in screen_text(pilot)
        assert "balanced-pairs" in screen_text(pilot)


async def test_the_chosen_setting_routes_from_then_on() -> None:
    async with workbench() as pilot:
        await routed(pilot, PD_L1)
        await pilot.press("escape", "m")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskDialog))
        await write(pilot, "best-late")
        await pilot.press("enter")
        await until(pilot, lambda: lab(pilot).result and lab(pilot).result.setting == "best-late")


async def test_the_plan_is_copied_as_text() -> None:
    async with workbench() as pilot:
        await routed(pilot, PD_L1)
        await pilot.press("escape", "y")
        await pilot.pause()
        text = pilot.app.clipboard
        assert "1. scientific-research-lookup  (" in text
        assert "takes papers:list[Paper] from " in text
        assert not acting(text)


async def test_what_is_lost_goes_to_the_left() -> None:
    async with workbench(size=(160, 48)) as pilot:
        await routed(pilot, PD_L1)
        rows = [line for line in screen_text(pilot).splitlines() if "-0.94" in line]
        assert len(rows) == 1
        bars = rows[0][: rows[0].index("-0.94")].rpartition("-")[2]
        assert "━│" in bars or "╺│" in bars
