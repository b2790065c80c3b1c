"""Text from skills is hostile: it is shown sign for sign, and nothing of it acts or hides."""

import dataclasses
import re

import pytest
from driving import acting, at_rest, screen_lines, screen_text, settle, until, workbench, write
from fake_skills import HOSTILE
from rich.cells import cell_len
from rich.console import Console
from textual.pilot import Pilot
from textual.widgets import Input

from asf_core.domain.errors import RefusedError
from asf_tui.screens.dialogs import ProblemDialog
from asf_tui.screens.skills import SkillsScreen

SIZES = {"narrow": (80, 24), "normal": (120, 36), "wide": (160, 48)}
ALL = "".join(HOSTILE.values())

SGR = re.compile(r"\x1b\[[0-9;:]*m")


def written(pilot: Pilot[int]) -> str:
    """What the terminal would get for the whole screen, but colours and weights."""
    console = Console(force_terminal=True, color_system="truecolor", legacy_windows=False)
    strips = pilot.app.screen._compositor.render_strips()
    return SGR.sub("", "".join(strip.render(console) for strip in strips))


def assert_safe(pilot: Pilot[int]) -> None:
    """Nothing acts or hides, and every line is as wide as the terminal."""
    assert not acting(written(pilot)), screen_text(pilot)
    assert {cell_len(line) for line in screen_lines(pilot)} == {pilot.app.size.width}


async def open_skill(pilot: Pilot[int], slug: str) -> None:
    await pilot.press("slash")
    await write(pilot, f"hostile/cases/{slug}")
    await pilot.press("enter", "enter")
    await settle(pilot)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES.keys())
@pytest.mark.parametrize("slug", HOSTILE)
async def test_every_tab_of_a_hostile_skill_is_safe(slug: str, size: tuple[int, int]) -> None:
    async with workbench(size=size) as pilot:
        assert_safe(pilot)
        await open_skill(pilot, slug)
        for _ in range(5):
            assert_safe(pilot)
            await pilot.press("end")
            await pilot.pause()
            assert_safe(pilot)
            await pilot.press("right")
            await settle(pilot)


async def test_brackets_are_shown_as_they_are() -> None:
    async with workbench(size=(120, 36)) as pilot:
        await open_skill(pilot, "closing-tag")
        text = " ".join(screen_text(pilot).split())
        assert "See [/unopened] tag and [bold red]no colour[/]" in text


async def test_what_hides_is_shown_as_a_mark() -> None:
    marks = {
        "esc-title": "␛]0;owned␛",
        "bidi-trick": "⟨U+202E⟩",
        "zero-width": "de⟨U+200B⟩ploy",
        "tag-letters": "⟨tag s⟩",
    }
    async with workbench(size=(160, 48)) as pilot:
        for slug, mark in marks.items():
            await pilot.press("escape", "escape")
            await open_skill(pilot, slug)
            assert mark in screen_text(pilot), slug


async def routing(pilot: Pilot[int]) -> None:
    await pilot.press("2")
    await write(pilot, "mismatch degraded")
    await pilot.press("enter")
    await until(pilot, lambda: at_rest(pilot.app))  # type: ignore[arg-type]


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES.keys())
async def test_the_routing_lab_is_safe(size: tuple[int, int]) -> None:
    async with workbench(size=size) as pilot:
        await routing(pilot)
        for _ in range(3):
            assert_safe(pilot)
            await pilot.press("escape", "end", "right")
            await pilot.pause()


@pytest.mark.parametrize("text", [*HOSTILE.values(), ALL], ids=[*HOSTILE, "all"])
async def test_titles_toasts_and_dialogs_are_safe(text: str) -> None:
    async with workbench(size=(100, 30)) as pilot:
        app = pilot.app
        row = app.screen.query_one("#skills").current  # type: ignore[attr-defined]
        app.work.decide("quarantine", dataclasses.replace(row, slug=text), text)  # type: ignore[attr-defined]
        await until(pilot, lambda: "Quarantined" in screen_text(pilot))
        assert_safe(pilot)
        app.notify(text, title=text, markup=False)  # as if making it safe had been forgotten
        await pilot.pause()
        assert not acting(written(pilot))
        app.clear_notifications()
        app.report_failure(RefusedError(text, why=text, hint=text), "x")  # type: ignore[attr-defined]
        await until(pilot, lambda: isinstance(app.screen, ProblemDialog))
        assert_safe(pilot)
        await pilot.press("escape")
        app.report_failure(ValueError(text), "x")  # type: ignore[attr-defined]
        await until(pilot, lambda: isinstance(app.screen, ProblemDialog))
        assert_safe(pilot)
        await settle(pilot)


@pytest.mark.parametrize("slug", HOSTILE)
async def test_the_question_before_a_decision_is_safe(slug: str) -> None:
    async with workbench(size=(100, 30)) as pilot:
        await open_skill(pilot, slug)
        await pilot.press("x")
        pilot.app.screen.query_one(Input).value = HOSTILE[slug]
        await pilot.pause()
        assert_safe(pilot)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
async def test_what_is_pasted_into_the_filter_is_safe(text: str) -> None:
    async with workbench(size=(100, 30)) as pilot:
        await pilot.press("slash")
        pilot.app.screen.query_one(Input).value = text
        await settle(pilot)
        assert_safe(pilot)
        assert isinstance(pilot.app.screen, SkillsScreen)


async def test_the_palette_is_safe_and_opens_over_a_hostile_skill() -> None:
    async with workbench(size=(100, 30)) as pilot:
        await open_skill(pilot, "closing-tag")
        await pilot.press("ctrl+p")
        await write(pilot, "[/x")
        await settle(pilot)
        assert_safe(pilot)


async def test_an_ascii_terminal_gets_ascii_only() -> None:
    async with workbench(size=(120, 36), ascii_only=True) as pilot:
        for slug in HOSTILE:
            await open_skill(pilot, slug)
            assert screen_text(pilot).isascii(), slug
            await pilot.press("escape", "escape")
        for keys in (["question_mark"], ["escape", "x"], ["escape", "ctrl+p"], ["escape", "2"]):
            await pilot.press(*keys)
            await settle(pilot)
            assert screen_text(pilot).isascii(), keys
        await routing(pilot)
        assert screen_text(pilot).isascii()


async def test_without_colour_no_colour_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with workbench(size=(120, 36)) as pilot:
        await open_skill(pilot, "esc-title")
        await pilot.press("t")
        await pilot.pause()
        assert colours(pilot) == set()
        assert "ready" in screen_text(pilot)


async def test_an_empty_no_color_is_no_wish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    async with workbench(size=(120, 36)) as pilot:
        assert colours(pilot)


async def test_the_theme_without_colour_draws_none() -> None:
    async with workbench(size=(120, 36), theme="asf-mono") as pilot:
        assert colours(pilot) == set()
        await routing(pilot)
        assert colours(pilot) == set()


def colours(pilot: Pilot[int]) -> set[object]:
    """Colours other than the terminal's own."""
    return {
        colour
        for strip in pilot.app.screen._compositor.render_strips()
        for segment in strip
        if segment.style is not None
        for colour in (segment.style.color, segment.style.bgcolor)
        if colour is not None and not colour.is_default
    }
