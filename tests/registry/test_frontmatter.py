"""Where the frontmatter is and what it says, for well and badly made files."""

from __future__ import annotations

import pytest
import yaml

from asf_core.domain.skill import SkillState
from asf_core.registry import yamltree
from asf_core.registry.frontmatter import read_frontmatter
from asf_core.registry.sourcetext import SourceText, decode
from asf_core.registry.values import text_of
from asf_core.registry.yamltree import Items, Mapping, Scalar, YamlProblem, parse_tree

SENTENCE = "Press apples by variety. Note: wash first."


@pytest.fixture(params=["c", "pure"])
def loader(request, monkeypatch):
    """Both scanners: libyaml's, and the one in Python that stands in for it."""
    chosen = yaml.CSafeLoader if request.param == "c" else yaml.SafeLoader
    monkeypatch.setattr(yamltree, "LOADER", chosen)
    return request.param


def rules(parsed):
    return [finding.rule for finding in parsed.findings]


BLOCKS = {
    "folded": "description: >\n  Press apples by variety.\n  Note: wash first.\n",
    "folded, stripped": "description: >-\n  Press apples by variety.\n  Note: wash first.\n",
    "folded, kept": "description: >+\n  Press apples by variety.\n  Note: wash first.\n\n",
    "literal": "description: |\n  Press apples by variety.\n  Note: wash first.\n",
    "literal, stripped": "description: |-\n  Press apples by variety.\n  Note: wash first.\n",
    "indentation indicator": "description: >2-\n  Press apples by variety.\n  Note: wash first.\n",
    "double quotes over two lines": 'description: "Press apples by variety.\n  Note: wash first."\n',
    "single quotes over two lines": "description: 'Press apples by variety.\n  Note: wash first.'\n",
}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS.keys())
def test_every_way_of_writing_a_long_text_gives_the_same_sentence(block, parse, loader):
    parsed = parse(f"---\nname: seeds\n{block}---\nBody\n")
    assert parsed.manifest.description == SENTENCE
    assert parsed.manifest.metadata == ()
    assert parsed.state is SkillState.READY


WORDS = [
    "1.10",
    "1.0",
    "no",
    "null",
    "on",
    "~",
    "0x1F",
    "1e3",
    "2026-01-01",
    "True",
    "012",
    "=",
    ".5",
]


@pytest.mark.parametrize("word", WORDS)
def test_plain_words_stay_the_text_of_their_author(word, parse, loader):
    parsed = parse(f"---\nname: seeds\ndescription: x\nversion: {word}\nown: {word}\n---\nBody\n")
    assert parsed.manifest.version == word
    assert ("own", word) in parsed.manifest.metadata


@pytest.mark.parametrize("name", ["on", "no", "null", "true", "123", "1.10"])
def test_a_name_is_never_a_truth_value_or_a_number(name, parse, loader):
    manifest = parse(f"---\nname: {name}\ndescription: x\n---\nBody\n", f"skills/{name}").manifest
    assert (manifest.name, manifest.slug) == (name, name)


def test_byte_order_mark_is_no_part_of_the_text(parse):
    plain = parse("---\nname: seeds\ndescription: x\n---\nBody\n")
    marked = parse(b"\xef\xbb\xbf---\nname: seeds\ndescription: x\n---\nBody\n")
    assert marked.manifest == plain.manifest
    assert marked.body == plain.body
    assert rules(marked) == ["format/byte-order-mark"]


def test_windows_line_ends_give_the_same_values_and_the_lines_of_an_editor(parse):
    text = (
        "---\nname: Seeds\ndescription: >\n  two\n  lines\nallowed-tools: Read\n---\nBody\n\nmore\n"
    )
    unix, windows = parse(text), parse(text.replace("\n", "\r\n"))
    assert windows == unix
    assert windows.body == "Body\n\nmore\n"
    assert "\r" not in windows.model_dump_json()
    assert [(f.line, f.column) for f in windows.findings] == [(2, 7), (2, 7)]


def test_lone_and_mixed_line_ends_are_noted(parse):
    parsed = parse(b"---\nname: seeds\ndescription: x\r\n---\nOne\rTwo\n")
    assert rules(parsed) == ["format/line-ends"]
    assert "Line 3" in parsed.findings[0].message
    assert parsed.body == "One\nTwo\n"


def test_rules_in_the_body_stay_in_the_body(parse):
    body = "# ALPHA\n\n---\n\n# BETA\n\n---\n\n# GAMMA\n"
    parsed = parse(f"---\nname: seeds\ndescription: x\n---\n{body}")
    assert parsed.body == body
    assert parsed.body_line == 5
    assert parsed.state is SkillState.READY


def test_a_rule_that_stands_first_is_no_frontmatter(parse):
    text = "---\n\nAn essay on yeast.\n\n---\n\nPart two.\n"
    parsed = parse(text)
    assert rules(parsed) == ["format/frontmatter-missing"]
    assert (parsed.body, parsed.body_line) == (text, 1)
    assert parsed.manifest.description == "An essay on yeast."


def test_unclosed_block_names_the_line_where_it_opens_and_keeps_the_text(parse):
    text = "\n---\nname: seeds\ndescription: Sow early.\n\n# Body\n"
    parsed = parse(text)
    assert rules(parsed) == ["format/frontmatter-unclosed"]
    assert parsed.findings[0].line == 2
    assert "line 2" in parsed.findings[0].message
    assert parsed.body == text
    assert parsed.manifest.description == "Sow early."


def test_blank_lines_before_the_block_are_a_finding(parse):
    parsed = parse("\n\n---\nname: seeds\ndescription: x\n---\nBody\n")
    assert rules(parsed) == ["format/frontmatter-late"]
    assert parsed.findings[0].line == 3
    assert parsed.body_line == 7
    assert parsed.state is SkillState.READY


@pytest.mark.parametrize("fence", ["---   ", "---\t"])
def test_white_space_after_the_hyphens_is_allowed(fence, parse):
    parsed = parse(f"{fence}\nname: seeds\ndescription: x\n{fence}\nBody\n")
    assert parsed.state is SkillState.READY
    assert parsed.body == "Body\n"


@pytest.mark.parametrize("fence", ["----", "--", " ---", "--- yaml", "+++", "***"])
def test_other_lines_are_no_fence(fence, parse):
    parsed = parse(f"{fence}\nname: seeds\ndescription: x\n{fence}\nBody\n")
    assert rules(parsed) == ["format/frontmatter-missing"]


def test_a_fence_inside_a_block_text_closes_the_block_as_hosts_do(parse):
    parsed = parse("---\nname: seeds\ndescription: |\n  one\n---\n  two\n---\nBody\n")
    assert parsed.manifest.description == "one"
    assert parsed.body == "  two\n---\nBody\n"


BROKEN_YAML = {
    "colon in prose": ("description: a: b", "format/yaml-syntax", (3, 15)),
    "tab": ("description:\n\t- b", "format/yaml-syntax", (4, 1)),
    "open quote": ("description: 'it", "format/yaml-syntax", (4, 1)),
    "open bracket": ("description: [a", "format/yaml-syntax", (4, 1)),
    "at sign": ("description: @home", "format/yaml-syntax", (3, 14)),
    "control character": ("description: a\x07b", "format/yaml-character", (3, 15)),
    "number beyond Unicode": ('description: "\\UFFFFFFFF"', "format/yaml-syntax", None),
    "escaped NUL": ('description: "a\\0b"', "format/yaml-character", (3, 14)),
    "escaped surrogate": ('description: "\\uD800"', None, None),
    "alias": ("description: *other", "format/yaml-alias", (3, 14)),
    "anchor": ("description: &other x", "format/yaml-alias", (3, 14)),
    "tag": ("description: !important x", "format/yaml-tag", (3, 14)),
    "set tag": ("description: !!set {a}", "format/yaml-tag", (3, 14)),
    "binary tag": ("description: !!binary aGk=", "format/yaml-tag", (3, 14)),
    "python tag": ("description: !!python/name:os.system", "security/yaml-object-tag", (3, 14)),
    "ruby tag": ("description: !ruby/object:Gem x", "security/yaml-object-tag", (3, 14)),
    "key that is a list": ("? [a]\n: b", "format/yaml-syntax", (3, 3)),
    "second document": ("...\nb: c", "format/yaml-syntax", (4, 1)),
}


@pytest.mark.parametrize(("line", "rule", "place"), BROKEN_YAML.values(), ids=BROKEN_YAML.keys())
def test_what_is_no_plain_yaml_breaks_the_skill_at_its_place(line, rule, place, parse, loader):
    parsed = parse(f"---\nname: seeds\n{line}\n---\nBody\n")
    assert parsed.state is SkillState.BROKEN
    assert rule is None or rules(parsed)[0] == rule
    assert parsed.model_dump_json()
    if place is not None and loader == "c":
        assert (parsed.findings[0].line, parsed.findings[0].column) == place


def test_plain_tags_are_let_through_and_convert_nothing():
    tree = parse_tree("a: !!str 7\nb: !!int 0x10\nc: !!bool no\n")
    assert [text_of(pair.value) for pair in tree.pairs] == ["7", "0x10", "no"]


def test_a_repeated_key_names_itself_and_both_lines(parse, loader):
    parsed = parse(
        "---\nname: seeds\ndescription: First.\nlicense: MIT\ndescription: Second.\n---\nB\n"
    )
    assert parsed.state is SkillState.BROKEN
    assert rules(parsed) == ["format/duplicate-key"]
    assert "'description'" in parsed.findings[0].message
    assert "lines 3 and 5" in parsed.findings[0].message
    assert (parsed.findings[0].line, parsed.findings[0].column) == (5, 1)
    assert parsed.manifest.description == "First."


def test_a_repeated_key_is_refused_at_any_depth(parse):
    parsed = parse(
        "---\nname: seeds\ndescription: x\nmetadata:\n  a: 1\n  b: {c: 1, c: 2}\n---\nB\n"
    )
    assert rules(parsed) == ["format/duplicate-key"]
    assert parsed.findings[0].line == 6


def test_an_alias_bomb_is_refused_before_it_grows(parse):
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for last, name in zip("abcdefghij", "bcdefghijk", strict=True):
        lines.append(f"{name}: &{name} [{', '.join([f'*{last}'] * 9)}]")
    parsed = parse("---\nname: seeds\ndescription: Grow.\n" + "\n".join(lines) + "\n---\nBody\n")
    assert rules(parsed) == ["format/yaml-alias"]
    assert parsed.manifest.description == "Grow."


LIMITS = {
    "too long": "a: " + "x" * 70_000,
    "too deep": "a: " + "[" * 40 + "]" * 40,
    "too many values": "a: [" + "x, " * 5_000 + "]",
    "too deep and never closed": "[" * 60_000,
}


@pytest.mark.parametrize("block", LIMITS.values(), ids=LIMITS.keys())
def test_limits_are_findings(block, loader):
    with pytest.raises(YamlProblem) as caught:
        parse_tree(block)
    assert caught.value.rule.id in {"format/yaml-limit", "format/yaml-syntax"}


def test_places_of_keys_and_values():
    tree = parse_tree("é: 日本\nmap:\n  - one\n  - {k: v}\n")
    assert isinstance(tree, Mapping)
    first, second = tree.pairs
    assert (first.key.start, first.value.start, first.value.end) == (0, 3, 5)
    assert isinstance(second.value, Items)
    inner = second.value.nodes[1]
    assert isinstance(inner, Mapping)
    key = inner.pairs[0].key
    assert isinstance(key, Scalar)
    source = SourceText("SKILL.md", "é: 日本\nmap:\n  - one\n  - {k: v}\n")
    assert source.place(key.start) == (4, 6)


def test_frontmatter_that_is_empty_or_a_list(parse):
    assert rules(parse("---\n---\nBody\n")) == ["format/identity-missing"]
    assert rules(parse("---\n# a comment\nname:\n---\nBody\n")) == ["format/identity-missing"]
    assert (
        rules(parse("---\n- name: seeds\n- x: y\n---\nBody\n"))[0] == "format/frontmatter-missing"
    )
    assert rules(parse("---\n{a: b}: [c]\nx: y\n---\nBody\n"))[0] == "format/yaml-syntax"


@pytest.mark.parametrize(
    ("data", "place", "offset"),
    [
        (b"---\nname: seeds\ndescription: \xc4\xe3\n---\n", (3, 14), 29),
        (b"\xef\xbb\xbf---\r\nname: \xff\r\n---\r\n", (2, 7), 14),
        (b"\xff\xfe-\0-\0-\0", (1, 1), 0),
        (b"---\nname: s\n---\nBo\0dy\n", (4, 3), 18),
    ],
)
def test_bytes_that_are_not_utf8_are_named_by_offset(data, place, offset, parse):
    parsed = parse(data)
    assert parsed.state is SkillState.BROKEN
    assert rules(parsed) == ["format/encoding"]
    assert f"Byte {offset} " in parsed.findings[0].message
    assert (parsed.findings[0].line, parsed.findings[0].column) == place
    assert parsed.body == ""


def test_utf16_is_recognised_but_never_decoded(parse):
    parsed = parse("---\nname: seeds\n---\n".encode("utf-16"))
    assert "UTF-16" in parsed.findings[0].message
    assert parsed.manifest.description == ""


def test_a_file_over_the_cap_is_broken_and_not_read(parse):
    parsed = parse(b"---\nname: seeds\ndescription: x\n---\n" + b"x" * (4 * 1024 * 1024))
    assert rules(parsed) == ["format/too-large"]
    assert parsed.state is SkillState.BROKEN


def test_an_empty_file_has_neither_frontmatter_nor_body(parse):
    assert rules(parse("")) == ["format/body-empty", "format/frontmatter-missing"]


def test_frontmatter_without_instructions_is_broken_but_keeps_its_fields(parse):
    parsed = parse("---\nname: other\ndescription: Rest.\nallowed-tools: Read\n---\n \n\n")
    assert parsed.state is SkillState.BROKEN
    assert "format/body-empty" in rules(parsed)
    assert parsed.manifest.slug == "other"
    assert parsed.manifest.allowed_tools == ("Read",)


def test_snippets_are_the_line_cut_short():
    source = decode(b"---\nname: " + b"x" * 500 + b"\n---\n", "SKILL.md")
    assert isinstance(source, SourceText)
    frontmatter = read_frontmatter(source)
    assert frontmatter.root is not None
    from asf_core.registry import rules as table

    finding = source.finding(table.NAME_LENGTH, "long", frontmatter.offset)
    assert finding.snippet == "name: " + "x" * 154
