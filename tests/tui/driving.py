"""Driving the workbench in tests."""

import unicodedata
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fake_engine import FakeEngine
from textual.pilot import Pilot
from textual.widget import Widget

from asf_tui.app import Workbench
from asf_tui.screens.base import ASKING

LOG = Path("/nowhere/asf-tui.log")


def make_app(engine: FakeEngine | None = None, log: Path = LOG, **options: object) -> Workbench:
    """The workbench on an engine in memory, without animations."""
    engine = engine or FakeEngine()
    app = Workbench(lambda: engine.session(log), **options)  # type: ignore[arg-type]
    app.animation_level = "none"
    return app


@asynccontextmanager
async def workbench(
    engine: FakeEngine | None = None, size: tuple[int, int] = (120, 40), **options: object
) -> AsyncIterator[Pilot[int]]:
    """The workbench running, its list read."""
    app = make_app(engine, **options)  # type: ignore[arg-type]
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: app.work.session is not None and at_rest(app))
        yield pilot


def at_rest(app: Workbench) -> bool:
    """Nothing works in the background; to wait for a person is no work."""
    return not any(w.is_running and w.group != ASKING for w in app.workers)


async def until(pilot: Pilot[int], happened: Callable[[], object]) -> None:
    """Let the app work until something has happened."""
    for _ in range(600):
        await pilot.pause()
        if happened():
            await pilot.pause()
            return
        await pilot.pause(0.005)
    raise AssertionError(f"it did not happen; the screen says:\n{screen_text(pilot)}")


async def settle(pilot: Pilot[int]) -> None:
    """Let what was asked for come on the screen: the cursor rests, the skill is read."""
    await pilot.pause(0.06)
    await until(pilot, lambda: at_rest(pilot.app))  # type: ignore[arg-type]


async def write(pilot: Pilot[int], text: str) -> None:
    """Type text."""
    names = {" ": "space", "-": "minus", ":": "colon", ",": "comma", "/": "slash"}
    await pilot.press(*(names.get(char, char) for char in text))


def screen_lines(pilot: Pilot[int]) -> list[str]:
    """What the terminal would show, line by line, after every filter."""
    screen = pilot.app.screen
    return [strip.text for strip in screen._compositor.render_strips()]


def screen_text(pilot: Pilot[int]) -> str:
    """What the terminal would show."""
    return "\n".join(screen_lines(pilot))


def text_of(widget: Widget) -> str:
    """What a widget draws."""
    return "\n".join(strip.text for strip in widget.render_lines(widget.size.region))


def acting(text: str) -> set[str]:
    """Characters that act on a terminal or hide in it."""
    kinds = {"Cc", "Cf", "Zl", "Zp", "Cs"}
    return {f"U+{ord(c):04X}" for c in text if unicodedata.category(c) in kinds and c != "\n"}
