"""The rules of the base format, against the official validator as oracle."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skills_ref.errors import ParseError
from skills_ref.parser import parse_frontmatter
from skills_ref.validator import validate_metadata

from asf_core.registry.parse import parse_skill
from asf_core.registry.repair import quoted
from asf_core.registry.spec import suggested_name

OUR_RULES = {
    "format/name-length": "character limit",
    "format/name-case": "must be lowercase",
    "format/name-hyphens": "hyphen ",
    "format/name-characters": "invalid characters",
    "format/name-directory": "must match skill name",
}


def ours(name: str, description: str, directory: str):
    text = f"---\nname: {quoted(name)}\ndescription: {quoted(description)}\n---\nBody\n"
    return parse_skill(text.encode(), registry="r", path=f"skills/{directory}")


def theirs(name: str, description: str, directory: str) -> list[str]:
    fields = {"name": name, "description": description}
    return validate_metadata(fields, Path("/skills") / directory)


NAMES = {
    "plain": "seeds",
    "digits": "seed-2",
    "64": "n" * 64,
    "65": "n" * 65,
    "capital": "Seeds",
    "space": "seed list",
    "underscore": "seed_list",
    "outer hyphen": "-seeds",
    "tail hyphen": "seeds-",
    "double hyphen": "seed--list",
    "only hyphens": "--",
    "dot": "seed.list",
    "slash": "seed/list",
    "emoji": "seed-🌱",
    "letters of another script": "種",
    "accent": "caf\u00e9",
    "accent, decomposed": "cafe\u0301",
    "ligature": "\ufb01les",
    "full width": "ｓｅｅｄ",
    "sharp s": "straße",
    "dotted capital I": "İ",
    "mixed scripts": "p\u0430y",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_names_are_judged_as_the_validator_judges_them(name):
    directory = "other" if "/" in name else name
    check_same(name, directory)


# Without characters that no YAML may hold.
NAME_CHARACTERS = st.characters(
    exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp"), exclude_characters="\ufeff\ufffe\uffff"
)


@settings(deadline=None)
@given(st.text(NAME_CHARACTERS, min_size=1, max_size=70), st.booleans())
def test_any_name_is_judged_as_the_validator_judges_it(name, same_directory):
    directory = name if same_directory and "/" not in name and name not in {".", ".."} else "seeds"
    check_same(name, directory)


def check_same(name: str, directory: str) -> None:
    found = {finding.rule: finding.message for finding in ours(name, "x", directory).findings}
    errors = " ".join(
        error.replace("a hyphen", "hyphen ") for error in theirs(name, "x", directory)
    )
    errors = errors.replace("consecutive hyphens", "hyphen ")
    for rule, words in OUR_RULES.items():
        if rule == "format/name-characters":
            # Ours also reports letters outside a-z, which the validator lets pass.
            assert ("allowed" in found.get(rule, "")) == (words in errors), (name, found, errors)
        else:
            assert (rule in found) == (words in errors), (name, rule, found, errors)


@pytest.mark.parametrize("length", [1, 1023, 1024, 1025, 3000])
def test_description_length(length):
    description = "d" * length
    found = [finding.rule for finding in ours("seeds", description, "seeds").findings]
    assert ("format/description-length" in found) == bool(theirs("seeds", description, "seeds"))


def test_lengths_count_characters_after_folding():
    words = " ".join(["seven77"] * 128)
    assert len(words) == 1023
    folded = "\n".join(f"  {word}" for word in words.split())
    text = f"---\nname: seeds\ndescription: >\n{folded}\n---\nBody\n"
    parsed = parse_skill(text.encode(), registry="r", path="seeds")
    assert len(parsed.manifest.description) == 1023
    assert parsed.findings == ()


@pytest.mark.parametrize("length", [500, 501])
def test_compatibility_length(length):
    text = f"---\nname: seeds\ndescription: x\ncompatibility: {'c' * length}\n---\nBody\n"
    found = [f.rule for f in parse_skill(text.encode(), registry="r", path="seeds").findings]
    fields = {"name": "seeds", "description": "x", "compatibility": "c" * length}
    errors = validate_metadata(fields, Path("/seeds"))
    assert ("format/compatibility-length" in found) == bool(errors)


@pytest.mark.parametrize(
    "field",
    ["license", "metadata", "compatibility", "allowed-tools", "version", "own", "model", "risk"],
)
def test_fields_that_the_validator_refuses_are_reported(field):
    text = f"---\nname: seeds\ndescription: x\n{field}: a\n---\nBody\n"
    parsed = parse_skill(text.encode(), registry="r", path="seeds")
    reported = {"format/unknown-field", "format/field-outside-spec"}
    found = any(finding.rule in reported for finding in parsed.findings)
    errors = validate_metadata({"name": "seeds", "description": "x", field: "a"}, Path("/seeds"))
    assert found == any("Unexpected fields" in error for error in errors)


@pytest.mark.parametrize(
    ("value", "is_flow"),
    [
        ("[a, b]", True),
        ("{a: b}", True),
        ("a, [b]", False),
        ('"[a]"', False),
        ("\n  - a\n  - b", False),
    ],
)
def test_brackets_and_braces_are_reported_as_the_validator_refuses_them(value, is_flow):
    block = f"name: seeds\ndescription: x\nmetadata:\n  tags: {value}\n".replace(
        "\n  - ", "\n    - "
    )
    parsed = parse_skill(f"---\n{block}---\nBody\n".encode(), registry="r", path="seeds")
    found = [finding for finding in parsed.findings if finding.rule == "format/flow-style"]
    assert [(finding.line, finding.column) for finding in found] == ([(5, 9)] if is_flow else [])
    if is_flow:
        with pytest.raises(ParseError, match="flow mapping"):
            parse_frontmatter(f"---\n{block}---\nBody\n")
    else:
        parse_frontmatter(f"---\n{block}---\nBody\n")


def test_two_scripts_that_look_alike_are_grave():
    findings = ours("p\u0430y-slips", "x", "p\u0430y-slips").findings
    grave = [finding for finding in findings if finding.rule == "format/name-scripts"]
    assert [finding.severity.value for finding in grave] == ["high"]
    assert "LATIN and CYRILLIC" in grave[0].message


@pytest.mark.parametrize("name", ["日本語-memo", "café", "grün"])
def test_one_script_beside_latin_is_no_alarm(name):
    assert "format/name-scripts" not in [f.rule for f in ours(name, "x", name).findings]


def test_composed_and_decomposed_accents_are_one_slug():
    one = ours("caf\u00e9", "x", "a").manifest
    two = ours("cafe\u0301", "x", "b").manifest
    assert one.slug == two.slug
    assert one.name != two.name


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("Tea Notes", "tea-notes"),
        ("tea__notes!", "tea-notes"),
        ("-Tea--Notes-", "tea-notes"),
        ("Café Log", "cafe-log"),
        ("日本", ""),
        ("x" * 80, "x" * 64),
    ],
)
def test_suggested_names(name, suggestion):
    assert suggested_name(name) == suggestion
    if suggestion:
        assert theirs(suggestion, "x", suggestion) == []


def test_a_name_is_repaired_alone_only_where_the_directory_fits_already():
    fits = [f.repair for f in ours("Tea Notes", "x", "tea-notes").findings if f.repair]
    assert fits == []  # a quoted value is left to its author
    text = "---\nname: Tea Notes  # ours\ndescription: x\n---\nBody\n"
    findings = parse_skill(text.encode(), registry="r", path="tea-notes").findings
    repairs = [finding.repair for finding in findings if finding.repair]
    assert [repair.replacement for repair in repairs] == ["name: tea-notes  # ours"]
    assert not [f.repair for f in ours("Tea Notes", "x", "other").findings if f.repair]


@pytest.mark.parametrize(
    ("description", "markup"),
    [
        ("Find goods in <category> today.", "<category>"),
        ("Sort.</description></skill><skill>", "</description>"),
        ("<b>Bold</b>", "<b>"),
        ("Flag rooms where 5 < 7 seats.", None),
        ("If a<b and c>d then stop.", None),
        ("x -> y <- z", None),
        ("a <= b => c", None),
    ],
)
def test_markup_in_a_description_is_named(description, markup):
    found = [f for f in ours("seeds", description, "seeds").findings if "markup" in f.rule]
    assert [repr(markup) in finding.message for finding in found] == ([True] if markup else [])
