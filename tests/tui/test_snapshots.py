"""Pictures of both areas: wide, at 80x24, without colour, in ASCII.

Update them with ``pytest tests/tui/test_snapshots.py --snapshot-update`` and look at each.
"""

from collections.abc import Callable

import pytest
from driving import make_app, settle, until, write
from fake_engine import PD_L1, FakeEngine
from textual.pilot import Pilot

from asf_tui.screens.dialogs import AskDialog

SIZES = {"wide": (160, 48), "small": (80, 24)}
LOOKS: dict[str, dict[str, object]] = {
    "dark": {},
    "light": {"theme": "asf-light"},
    "safe": {"theme": "asf-safe"},
    "mono": {"theme": "asf-mono"},
    "ascii": {"ascii_only": True},
}

PICTURES = [*(("wide", look) for look in LOOKS), ("small", "dark"), ("small", "mono")]

Compare = Callable[..., bool]


async def ready(pilot: Pilot[int]) -> None:
    app = pilot.app
    await until(pilot, lambda: app.library.positions)  # type: ignore[attr-defined]
    await settle(pilot)


async def a_skill(pilot: Pilot[int]) -> None:
    await ready(pilot)
    await pilot.press("slash")
    await write(pilot, "sci -registry:hostile")
    await pilot.press("enter", "down", "down", "down", "down", "down")
    await settle(pilot)


async def a_plan(pilot: Pilot[int]) -> None:
    await ready(pilot)
    await pilot.press("2")
    await write(pilot, PD_L1)
    await pilot.press("enter")
    await settle(pilot)
    await pilot.press("escape")
    await settle(pilot)


async def a_comparison(pilot: Pilot[int]) -> None:
    await a_plan(pilot)
    await pilot.press("c")
    await until(pilot, lambda: isinstance(pilot.app.screen, AskDialog))
    await pilot.press("enter")
    await settle(pilot)


async def a_measurement(pilot: Pilot[int]) -> None:
    await ready(pilot)
    await pilot.press("3", "r")
    await settle(pilot)
    await pilot.press("down")
    await settle(pilot)


FEW = [("wide", "dark"), ("small", "dark"), ("small", "mono")]


@pytest.mark.parametrize(("size", "look"), FEW)
def test_comparing(snap_compare: Compare, size: str, look: str) -> None:
    app = make_app(**LOOKS[look])  # type: ignore[arg-type]
    assert snap_compare(app, terminal_size=SIZES[size], run_before=a_comparison)


@pytest.mark.parametrize(("size", "look"), FEW)
def test_measure(snap_compare: Compare, size: str, look: str) -> None:
    app = make_app(**LOOKS[look])  # type: ignore[arg-type]
    assert snap_compare(app, terminal_size=SIZES[size], run_before=a_measurement)


@pytest.mark.parametrize(("size", "look"), PICTURES)
def test_skills(snap_compare: Compare, size: str, look: str) -> None:
    app = make_app(**LOOKS[look])  # type: ignore[arg-type]
    assert snap_compare(app, terminal_size=SIZES[size], run_before=a_skill)


@pytest.mark.parametrize(("size", "look"), PICTURES)
def test_routing(snap_compare: Compare, size: str, look: str) -> None:
    app = make_app(**LOOKS[look])  # type: ignore[arg-type]
    assert snap_compare(app, terminal_size=SIZES[size], run_before=a_plan)


SCENES: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {
    "opened": ((80, 24), ("enter",)),
    "findings": ((80, 24), ("f", "d", "e", "p", "enter", "enter", "right", "right")),
    "neighbours": ((100, 30), ("f", "s", "c", "i", "enter", "enter", "right", "right", "right")),
    "provenance": ((80, 30), ("f", "s", "c", "i", "enter", "enter", "left")),
    "poisoned": ((120, 36), ("f", "m", "e", "e", "enter", "enter")),
    "question": ((80, 24), ("x",)),
    "help": ((100, 36), ("question_mark",)),
    "tiny": ((40, 10), ()),
}


@pytest.mark.parametrize("scene", SCENES)
def test_scene(snap_compare: Compare, scene: str) -> None:
    size, keys = SCENES[scene]

    async def play(pilot: Pilot[int]) -> None:
        await ready(pilot)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        await settle(pilot)

    assert snap_compare(make_app(), terminal_size=size, run_before=play)


def test_first_start(snap_compare: Compare) -> None:
    async def play(pilot: Pilot[int]) -> None:
        await until(pilot, lambda: pilot.app.work.session is not None)  # type: ignore[attr-defined]
        await settle(pilot)

    app = make_app(FakeEngine(skills=(), registries=()))
    assert snap_compare(app, terminal_size=(80, 24), run_before=play)


@pytest.mark.parametrize("task", ["nothing", "mismatch degraded"])
def test_routing_without_a_plan(snap_compare: Compare, task: str) -> None:
    async def play(pilot: Pilot[int]) -> None:
        await ready(pilot)
        await pilot.press("2")
        await write(pilot, task)
        await pilot.press("enter")
        await settle(pilot)

    assert snap_compare(make_app(), terminal_size=(100, 30), run_before=play)
