"""The Measure area, driven by keys."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from driving import acting, at_rest, screen_text, until, workbench
from fake_engine import FakeEngine
from fake_measure import REPORT
from fake_skills import LOOKUP
from textual.pilot import Pilot

from asf_core.domain.errors import InputError
from asf_core.domain.measure import MeasurePhase, MeasureProgress, MeasureReport
from asf_tui.screens.dialogs import ProblemDialog
from asf_tui.screens.measure import MeasureScreen
from asf_tui.screens.skills import SkillsScreen

Tell = Callable[[MeasureProgress], None]


class Measurer:
    """Answers with the report; waits at its second step while it is held."""

    def __init__(self) -> None:
        self.paths: list[Path] = []
        self.going_on = threading.Event()
        self.going_on.set()
        self.error: Exception | None = None

    def __call__(self, path: Path, tell: Tell) -> MeasureReport:
        self.paths.append(path)
        tell(MeasureProgress(MeasurePhase.READ, 10, 40))
        self.going_on.wait(30)
        if self.error is not None:
            raise self.error
        tell(MeasureProgress(MeasurePhase.READ, 40, 40))
        return REPORT


@pytest.fixture
def engine() -> FakeEngine:
    made = FakeEngine(registries=("science", "office"))
    made.measure = Measurer()
    return made


def area(pilot: Pilot[int]) -> MeasureScreen:
    assert isinstance(pilot.app.screen, MeasureScreen)
    return pilot.app.screen


async def measured(pilot: Pilot[int]) -> None:
    await pilot.press("3", "r")
    await until(pilot, lambda: area(pilot).report is not None and at_rest(pilot.app))  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [(80, 24), (160, 48)])
async def test_gauges_modes_and_the_repair_are_shown(
    engine: FakeEngine, size: tuple[int, int]
) -> None:
    async with workbench(engine, size=size) as pilot:
        await measured(pilot)
        text = screen_text(pilot)
        for words in (
            "✗ ROUTING RISK HIGH",
            "RScore",
            "0.21 at least 0.4",
            "✗ risk",
            "0.30 below 0.5",
            "✓ healthy",
            "31.40 below 20",
            "✗ fails",
            "✗ Coupling Lock",
            "scientific-research-lookup",
            "Repair: Declare what it depends on.",
        ):
            assert words in text
        assert not acting(text)
        assert engine.measure.paths == [engine.root / "science"]


async def test_from_a_failure_mode_to_the_skill(engine: FakeEngine) -> None:
    async with workbench(engine) as pilot:
        await measured(pilot)
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SkillsScreen))
        assert pilot.app.screen.table.current.id == LOOKUP  # type: ignore[attr-defined]


async def test_a_node_that_is_no_skill_is_told(engine: FakeEngine) -> None:
    async with workbench(engine) as pilot:
        await measured(pilot)
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: "is no skill of a registry" in screen_text(pilot))
        assert not acting(screen_text(pilot))


async def test_every_tab_has_what_it_says(engine: FakeEngine) -> None:
    async with workbench(engine, size=(120, 40)) as pilot:
        await measured(pilot)
        for words in ("joined to most others", "nowhere", "no name", "gemini-cli"):
            await pilot.press("right")
            await until(pilot, lambda words=words: words in screen_text(pilot))
            assert not acting(screen_text(pilot))


async def test_progress_is_shown_and_escape_stops_it(engine: FakeEngine) -> None:
    engine.measure.going_on.clear()
    async with workbench(engine) as pilot:
        await pilot.press("3", "r")
        await until(pilot, lambda: "Reading 10/40" in screen_text(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: "Stopping" in screen_text(pilot))
        engine.measure.going_on.set()
        await until(pilot, lambda: "Stopped. r measures again." in screen_text(pilot))
        assert area(pilot).report is None
        await measured(pilot)


async def test_a_failure_is_a_dialog_and_one_can_begin_anew(engine: FakeEngine) -> None:
    engine.measure.error = InputError(
        "There is nothing to measure", why="It is empty", hint="Go on"
    )
    async with workbench(engine) as pilot:
        await pilot.press("3", "r")
        await until(pilot, lambda: isinstance(pilot.app.screen, ProblemDialog))
        assert "There is nothing to measure" in screen_text(pilot)
        engine.measure.error = None
        await pilot.press("escape", "r")
        await until(pilot, lambda: area(pilot).report is not None)


async def test_the_next_registry_and_a_path_of_ones_own(engine: FakeEngine, tmp_path: Path) -> None:
    async with workbench(engine) as pilot:
        await pilot.press("3", "n", "r")
        await until(pilot, lambda: area(pilot).report is not None)
        area(pilot).measure(str(tmp_path))
        await until(pilot, lambda: area(pilot).report is not None and at_rest(pilot.app))  # type: ignore[arg-type]
        assert engine.measure.paths == [engine.root / "office", tmp_path]
