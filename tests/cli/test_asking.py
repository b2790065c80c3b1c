"""The short way of reading a route's arguments reads what the real parser reads, or nothing."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.main import get_command
from typer.testing import CliRunner

from asf_core.cli import asking, client
from asf_core.cli.app import app

LONG_WAY = {"--help", "-h", "--stdin", "--no-server"}
LONG_WAY |= {"--format", "--output", "-o", "--overwrite", "--allow-unreviewed"}

words = st.sampled_from(["a task", "x", "", "check: this", "é", "route", "10"]) | st.text(
    st.characters(exclude_categories=["Cs", "Cc"]), max_size=6
)
NUMBERS = ("5", "0", "12000", "1.5", "3", "-1", "nan", "1e3", "10000001", "007", "1_000", "٣", ".5")
values = st.sampled_from(
    [*NUMBERS, "5.", "", "fast", "reg", "a:list[b]", "/tmp", "--json", "-q", "--", "x=y"]
)
options = st.sampled_from(sorted({*asking.VALUES, *asking.FLAGS, *LONG_WAY, "--budge", "-qq", "-"}))
pieces = st.one_of(
    words.map(lambda word: [word]),
    options.map(lambda option: [option]),
    st.tuples(options, values).map(list),
    st.tuples(options, values).map(lambda pair: [f"{pair[0]}={pair[1]}"]),
)
lines = st.lists(pieces, max_size=5).map(lambda found: [word for piece in found for word in piece])


def _parsed(arguments: list[str]) -> dict[str, Any] | None:
    """What the command is asked, as the real parser reads it; ``None`` where it refuses."""
    asked: list[dict[str, Any]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "answer_ask", lambda ask: asked.append(ask) or 0)
        CliRunner().invoke(app, ["route", *arguments])
    return asked[0] if asked else None


@settings(max_examples=400, deadline=None)
@given(arguments=lines)
def test_both_ways_read_the_same(arguments: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ASF_WORKSPACE", "ASF_MODEL_DIR", "ASF_DEBUG"):
            patch.delenv(name, raising=False)
        short = asking.read_plain(["route", *arguments])
        if short is not None:
            parsed = _parsed(arguments)
            assert parsed is not None
            # Whether a traceback is wanted is asked of the whole command line.
            assert {**parsed, "debug": short["debug"]} == short


@pytest.mark.parametrize("name", ["ASF_WORKSPACE", "ASF_MODEL_DIR"])
def test_variables_count_as_options(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    key = {"ASF_WORKSPACE": "workspace", "ASF_MODEL_DIR": "model_dir"}[name]
    for value, wanted in (("", None), ("/w", "/w")):
        monkeypatch.setenv(name, value)
        short = asking.read_plain(["route", "task"])
        assert short is not None
        assert short[key] == wanted
        assert _parsed(["task"])[key] == wanted


def test_it_knows_every_option_of_the_command() -> None:
    command = get_command(app).commands["route"]  # type: ignore[attr-defined]
    options = {name for param in command.params for name in param.opts if name.startswith("-")}
    assert options - LONG_WAY == {*asking.VALUES, *asking.FLAGS}


@pytest.mark.parametrize(
    "arguments",
    [[], ["skills"], ["--version"], ["route"], ["route", "a", "b"], ["route", "--", "a"]],
)
def test_the_rest_is_left_to_the_real_parser(arguments: list[str]) -> None:
    assert asking.read_plain(arguments) is None


def test_a_completion_is_left_to_the_real_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "_ASF_COMPLETE", "complete_bash")
    assert asking.read_plain(["route", "task"]) is None
