"""Keys of one's own."""

from pathlib import Path

import pytest
from driving import screen_text, settle, workbench

from asf_core.domain.errors import InputError
from asf_tui import keymap
from asf_tui.widgets.filter_box import FilterInput


def keys_in(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "keys.toml"
    path.write_text(text, encoding="utf-8")
    return path


WRONG = {
    "not TOML": ("[keys", "Expected"),
    "no table": ("keys = 3", "not a table"),
    "no such command": ('[keys]\n"skills.fly" = "f"', "no command 'skills.fly'"),
    "no key": ('[keys]\n"skills.filter" = ""', "not words"),
    "a number": ('[keys]\n"skills.filter" = 3', "not words"),
    "taken": (
        '[keys]\n"skills.filter" = "o"',
        "skills.filter and skills.order both have the key o",
    ),
    "too long": ("#" * 100_001, "longer"),
}


@pytest.mark.parametrize(("text", "why"), WRONG.values(), ids=WRONG.keys())
def test_what_cannot_be_used_is_refused_with_its_reason(
    tmp_path: Path, text: str, why: str
) -> None:
    with pytest.raises(InputError) as caught:
        keymap.load(keys_in(tmp_path, text))
    assert why in caught.value.why


def test_no_file_is_no_change_unless_it_was_named(tmp_path: Path) -> None:
    assert keymap.load(tmp_path / "none.toml") == {}
    with pytest.raises(InputError):
        keymap.load(tmp_path / "none.toml", asked=True)


def test_the_environment_names_the_file(tmp_path: Path) -> None:
    assert keymap.find({"ASF_KEYS": str(tmp_path / "k")}) == tmp_path / "k"


async def test_a_command_answers_to_its_new_key_alone(tmp_path: Path) -> None:
    path = keys_in(tmp_path, '[keys]\n"skills.filter" = "ctrl+f"\n"app.routing" = "f2"')
    async with workbench(keys=keymap.load(path)) as pilot:
        assert "^f Filter" in screen_text(pilot)
        assert " f2 Routing lab" in screen_text(pilot).lower().replace("routing", "Routing")
        await pilot.press("slash")
        await settle(pilot)
        assert not isinstance(pilot.app.focused, FilterInput)
        await pilot.press("ctrl+f")
        await settle(pilot)
        assert isinstance(pilot.app.focused, FilterInput)
        await pilot.press("escape", "question_mark")
        await settle(pilot)
        assert "^f" in screen_text(pilot)
