"""Properties of reading frontmatter, with PyYAML's own text loader as the oracle."""

from __future__ import annotations

import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from asf_core.registry.parse import parse_skill
from asf_core.registry.repair import quoted
from asf_core.registry.values import text_of
from asf_core.registry.yamltree import Items, Mapping, Node, Scalar, YamlProblem, parse_tree

relaxed = settings(deadline=None)
YAMLISH = st.text(alphabet="ab:#-[]{},'\"|>&*!%@`?~= \n\t\r.1é\u2028\x85\x00\ufeff", max_size=60)
TEXTS = st.text(
    st.characters(min_codepoint=0x20, exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff"),
    max_size=30,
)
KEYS = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
DOCUMENTS = st.dictionaries(
    KEYS,
    st.recursive(
        TEXTS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
        max_leaves=8,
    ),
    max_size=5,
)


def plain(node: Node | None) -> object:
    match node:
        case None:
            return None
        case Scalar():
            return node.text
        case Items():
            return [plain(item) for item in node.nodes]
        case Mapping():
            return {pair.key.text: plain(pair.value) for pair in node.pairs}


@relaxed
@given(st.binary(max_size=200))
def test_any_bytes_give_a_skill(data):
    parsed = parse_skill(data, registry="r", path="a/b")
    assert parsed.manifest.id == "r/a/b"
    assert parsed.model_dump_json()
    assert parsed.state == "broken" or parsed.body.strip()


@relaxed
@given(YAMLISH, YAMLISH)
@example("a: b\r", "x")
@example("a\u2028b: c: d", "")
def test_any_frontmatter_gives_a_skill_with_places_inside_the_file(block, body):
    text = f"---\n{block}\n---\n{body}"
    parsed = parse_skill(text.encode(), registry="r", path="a")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for finding in parsed.findings:
        assert 1 <= finding.line <= len(lines)
        assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1
    assert "\r" not in parsed.body
    assert parsed.model_dump_json()


@relaxed
@given(YAMLISH)
def test_the_tree_is_what_the_text_loader_reads(text):
    """Where PyYAML's loader of plain text reads a document, so does the tree, and the same."""
    try:
        expected = yaml.load(text, Loader=yaml.CBaseLoader)
    except (yaml.YAMLError, ValueError):
        expected = YamlProblem
    problem, ours = read(text)
    if problem is not None:
        assert 0 <= problem.offset <= len(text)
        stricter = {"yaml-alias", "yaml-tag", "yaml-character", "duplicate-key"}
        is_stricter = problem.rule.id.removeprefix("format/") in stricter
        complex_key = problem.message == "A key must be plain text."
        assert expected is YamlProblem or is_stricter or complex_key
    else:
        assert ours == expected or (ours is None and expected in (None, ""))


def read(text: str) -> tuple[YamlProblem | None, object]:
    try:
        return None, plain(parse_tree(text))
    except YamlProblem as problem:
        return problem, None


@relaxed
@given(DOCUMENTS)
def test_every_text_survives(document):
    written = yaml.safe_dump(document, allow_unicode=True, default_style='"', width=10_000)
    assert plain(parse_tree(written)) == (document or {})


@relaxed
@given(DOCUMENTS)
def test_one_line_yaml_reads_back(document):
    root = parse_tree(yaml.safe_dump(document, allow_unicode=True, default_style='"'))
    assert root is not None
    assert plain(parse_tree(text_of(root))) == plain(root)


@relaxed
@given(st.text(st.characters(min_codepoint=1, exclude_categories=("Cs",)), max_size=30))
@example("\x85\u2028\u2029\ufeff\ufffe\x01\x7f\n\t\U0010ffff")
def test_quoted_text_reads_back(text):
    assert plain(parse_tree(f"key: {quoted(text)}")) == {"key": text}


@relaxed
@given(st.text(alphabet="ab: #'\"!&*[]{}@-", min_size=1, max_size=30))
def test_a_repair_changes_no_word_and_mends_its_line(value):
    text = f"---\nname: seeds\ndescription: {value}\n---\nBody\n"
    parsed = parse_skill(text.encode(), registry="r", path="seeds")
    for finding in parsed.findings:
        if finding.repair is None or finding.repair.summary != "Quote the value":
            continue
        lines = text.split("\n")
        lines[finding.repair.line - 1 : finding.repair.end_line] = [finding.repair.replacement]
        again = parse_skill("\n".join(lines).encode(), registry="r", path="seeds")
        assert not any(other.rule == finding.rule for other in again.findings)
        if value.strip().startswith("["):
            continue  # the items of a list are quoted, not the list
        assert again.manifest.description.replace(" ", "") in {
            value.replace(" ", ""),
            value.strip()[1:-1].replace(" ", ""),
        }
