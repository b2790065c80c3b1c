"""Each document, read by the vendor's own types."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from anthropic.types import ToolParam
from google.genai import types as gemini
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from mcp import types as mcp
from openai.types.chat import ChatCompletionFunctionToolParam
from pydantic import TypeAdapter

from asf_core.domain.manifest import Compatibility
from asf_core.export.bundle import ExportBundle, cut_at_word
from asf_core.export.names import exported_names
from asf_core.export.values import ExportFormat
from tests.export.export_values import HARD, make

LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")
BUNDLE = ExportBundle(HARD)
ALL = [format_ for format_ in ExportFormat if format_ is not ExportFormat.DIRECTORY]


def test_anthropic() -> None:
    tools = TypeAdapter(list[ToolParam]).validate_python(BUNDLE.to_anthropic().document)
    assert len(tools) == len(HARD)
    for tool in tools:
        Draft202012Validator.check_schema(tool["input_schema"])


def test_openai() -> None:
    adapter = TypeAdapter(list[ChatCompletionFunctionToolParam])
    tools = adapter.validate_python(BUNDLE.to_openai().document)
    for tool in tools:
        function = tool["function"]
        assert LEGAL.fullmatch(function["name"])
        assert len(function["description"]) <= 1_024
        Draft202012Validator.check_schema(function["parameters"])


def test_gemini() -> None:
    (tool,) = BUNDLE.to_gemini().document
    declared = gemini.Tool.model_validate(tool).function_declarations
    assert declared is not None
    for function in declared:
        assert re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}", function.name or "")
        assert function.parameters is not None
        for schema in _schemas(function.parameters):
            assert (schema.type is gemini.Type.ARRAY) == (schema.items is not None)
            # An object without named properties is refused.
            assert schema.type is not gemini.Type.OBJECT or schema.properties
    assert not _keys(tool) & {"additionalProperties", "$ref", "$defs", "$schema"}


def _schemas(schema: gemini.Schema) -> list[gemini.Schema]:
    below = list((schema.properties or {}).values()) + ([schema.items] if schema.items else [])
    return [schema, *(found for part in below for found in _schemas(part))]


def _keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for part in value.values() for key in _keys(part)}
    if isinstance(value, list):
        return {key for part in value for key in _keys(part)}
    return set()


def test_gemini_cli_activates_by_name() -> None:
    """Its tool takes ``{"name": <skill name>}``, one of those that there are."""
    exported = BUNDLE.to_gemini_activate_tool()
    ((declaration,),) = [tool["function_declarations"] for tool in exported.document]
    assert declaration["name"] == "activate_skill"
    function = gemini.FunctionDeclaration.model_validate(declaration)
    assert function.parameters is not None
    assert list(function.parameters.properties or {}) == ["name"]
    assert set(declaration["parameters"]["properties"]["name"]["enum"]) == set(exported.names)


def test_mcp() -> None:
    for tool in BUNDLE.to_mcp().document:
        read = mcp.Tool.model_validate(tool)
        assert LEGAL.fullmatch(read.name)
        Draft202012Validator.check_schema(tool["inputSchema"])


@pytest.mark.parametrize("format_", ALL)
def test_every_skill_has_a_name_of_its_own(format_: ExportFormat) -> None:
    """B124, B125: legal, unique also without case, the same in any order; good names stay."""
    exported = BUNDLE.to(format_)
    assert sorted(exported.names.values()) == sorted(skill.id for skill in HARD)
    assert len({name.casefold() for name in exported.names}) == len(HARD)
    assert exported.names["plain-name"] == "reg/plain-name"
    assert ExportBundle(HARD[::-1]).to(format_).names == exported.names
    changed = {loss.skill_id for loss in exported.losses if "named" in loss.what}
    assert {"one/a", "two/b", "three/c"} <= changed
    assert "reg/plain-name" not in changed


@pytest.mark.parametrize("format_", ALL)
def test_no_skill_gives_what_the_host_accepts(format_: ExportFormat) -> None:
    """B130: an empty list of declarations is refused by Gemini, a list without tools is not."""
    assert ExportBundle(()).to(format_).document == []


@pytest.mark.parametrize("format_", ALL)
def test_nothing_hidden_goes_out_and_no_unreviewed_one_unsaid(format_: ExportFormat) -> None:
    exported = BUNDLE.to(format_)
    text = str(exported.document)
    assert not re.search("[\x00-\x09\x0b-\x1f\u200b\u202e]", text)
    assert text.count("[unreviewed] ") == 1
    assert exported.unreviewed == ("reg/new",)


def test_a_long_description_is_cut_at_a_word_and_said() -> None:
    """B131: never inside a sign of several code points."""
    exported = BUNDLE.to_openai()
    by_name = {t["function"]["name"]: t["function"] for t in exported.document}
    assert by_name["long"]["description"].endswith("word…")
    assert any(loss.skill_id == "reg/long" and "cut" in loss.what for loss in exported.losses)


@given(st.text("ae \u0301\u20dd👍🏽", max_size=60), st.integers(2, 40))
def test_a_cut_stands_between_signs(text: str, most: int) -> None:
    cut = cut_at_word(text, most)
    assert len(cut) <= most
    if len(text) <= most:
        assert cut == text
        return
    kept = cut.removesuffix("…")
    rest = text[len(kept) :]
    assert text.startswith(kept)
    assert not kept or not rest or not _belongs_to_the_one_before(rest[0])


def _belongs_to_the_one_before(char: str) -> bool:
    return char in "\u0301\u20dd🏽"


@given(st.lists(st.text(max_size=80), max_size=12, unique=True), st.randoms())
def test_names_are_legal_unique_and_free_of_order(slugs: list[str], random: Random) -> None:
    pairs = [(f"reg/{number}", slug) for number, slug in enumerate(slugs)]
    names = exported_names(pairs, LEGAL)
    assert all(LEGAL.fullmatch(name) for name in names.values())
    assert len({name.casefold() for name in names.values()}) == len(slugs)
    shuffled = random.sample(pairs, len(pairs))
    assert exported_names(shuffled, LEGAL) == names


def test_more_tools_than_a_host_takes_is_said_and_none_is_left_out() -> None:
    """B132."""
    exported = ExportBundle(tuple(make(f"s{n}") for n in range(150))).to_openai()
    assert len(exported.document) == 150
    assert any("150 tools" in loss.what and "128" in loss.what for loss in exported.losses)


def test_a_skill_goes_only_where_it_says_that_it_works() -> None:
    bundle = ExportBundle(
        (
            make("anywhere"),
            make("not-there", compatibility=Compatibility(gemini=False)),
            make("there", compatibility=Compatibility(gemini=True)),
        )
    )
    exported = bundle.to_gemini()
    assert set(exported.names) == {"anywhere", "there"}
    ((left, reason),) = [(o.skill_id, o.reason) for o in exported.left_out]
    assert left == "reg/not-there"
    assert "gemini" in reason
    assert len(bundle.to_openai().names) == 3


def test_typed_inputs_are_parameters_and_an_untyped_skill_takes_a_task() -> None:
    typed = make("t", inputs=("papers:list[Paper]", "top:int|None"))
    tools = ExportBundle((typed, make("u"))).to_anthropic().document
    assert tools[0]["input_schema"] == {
        "type": "object",
        "properties": {
            "papers": {
                "type": "array",
                "items": {"type": "object"},
                "description": "papers: list[Paper]",
            },
            "top": {"type": "integer", "description": "top: int|None"},
        },
        "required": ["papers"],
        "additionalProperties": False,
    }
    assert list(tools[1]["input_schema"]["properties"]) == ["task"]
