"""Repairs that are offered: exact, tried out, and never more than a quotation."""

from __future__ import annotations

import pytest

from asf_core.domain.skill import SkillState

CASES = {
    "colon in prose": (
        "description: Tidy notes in two steps: facts, then dates",
        'description: "Tidy notes in two steps: facts, then dates"',
    ),
    "colon after a quotation": (
        'description: The "fast" way: run it',
        'description: "The \\"fast\\" way: run it"',
    ),
    "text after a quotation": (
        'description: "Fast" mode',
        'description: "\\"Fast\\" mode"',
    ),
    "apostrophe in single quotes": (
        "description: 'it's late'",
        'description: "it\'s late"',
    ),
    "at sign": ("description: @home use", 'description: "@home use"'),
    "backtick": ("description: `ls` lists", 'description: "`ls` lists"'),
    "percent": ("description: %s is a sign", 'description: "%s is a sign"'),
    "glob": ("description: *.md files", 'description: "*.md files"'),
    "alias-like word": ("description: *star", 'description: "*star"'),
    "exclamation": ("description: !important note", 'description: "!important note"'),
    "bracket first": ("description: [Beta] Sort", 'description: "[Beta] Sort"'),
    "flow list": ("keywords: [a, @b, c]", 'keywords: [a, "@b", c]'),
    "flow list with quotes": ("keywords: ['x, y', @b]", "keywords: ['x, y', \"@b\"]"),
    "list item": ("keywords:\n  - good\n  - @bad", '  - "@bad"'),
    "nested key": ("metadata:\n  note: one: two", '  note: "one: two"'),
    "item with a key": ("steps:\n  - run: one: two", '  - run: "one: two"'),
}


@pytest.mark.parametrize(("block", "line"), CASES.values(), ids=CASES.keys())
def test_a_value_that_yaml_takes_for_syntax_can_be_quoted(block, line, parse):
    head = "name: seeds\n" if block.startswith("description") else "name: seeds\ndescription: x\n"
    text = f"---\n{head}{block}\n---\nBody\n"
    parsed = parse(text)
    assert parsed.state is SkillState.BROKEN
    repairs = [finding.repair for finding in parsed.findings if finding.repair]
    assert [repair.replacement for repair in repairs] == [line]
    lines = text.split("\n")
    lines[repairs[0].line - 1 : repairs[0].end_line] = [line]
    mended = parse("\n".join(lines))
    assert mended.state is SkillState.READY
    assert not any(finding.rule == "format/yaml-syntax" for finding in mended.findings)


def test_a_value_over_several_lines_becomes_one(parse):
    parsed = parse(
        "---\nname: seeds\ndescription: Sort seeds.\n  Use when: spring comes.\n  Ask: first.\n"
        "license: MIT\n---\nBody\n"
    )
    assert len(parsed.findings) == 1
    repair = parsed.findings[0].repair
    assert repair is not None
    assert (repair.line, repair.end_line) == (3, 5)
    assert repair.replacement == 'description: "Sort seeds. Use when: spring comes. Ask: first."'
    assert parsed.manifest.description == "Sort seeds. Use when: spring comes. Ask: first."


def test_every_bad_line_gets_its_own_finding_and_repair(parse):
    text = "---\nname: seeds\ndescription: a: b\nlicense: @mit\nauthor: c: d\n---\nBody\n"
    parsed = parse(text)
    places = [(finding.line, finding.column) for finding in parsed.findings]
    assert places == [(3, 15), (4, 10), (5, 10)]
    lines = text.split("\n")
    for finding in parsed.findings:
        assert finding.repair is not None
        lines[finding.repair.line - 1] = finding.repair.replacement
    assert parse("\n".join(lines)).state is SkillState.READY


UNREPAIRED = {
    "duplicate": "description: a\ndescription: b",
    "object tag": "description: !!python/object:os.x {}",
    "alias bomb": "description: &a [x, x]",
    "flow map": "description: {:}",
    "stray line": "description: x\nstray",
    "control character": "description: a\x01b",
}


@pytest.mark.parametrize("block", UNREPAIRED.values(), ids=UNREPAIRED.keys())
def test_what_has_no_safe_repair_gets_none(block, parse):
    parsed = parse(f"---\nname: seeds\n{block}\n---\nBody\n")
    assert parsed.state is SkillState.BROKEN
    assert all(finding.repair is None for finding in parsed.findings)


def test_a_hostile_block_is_not_tried_a_thousand_times(parse):
    block = "\n".join(f"k{number}: a: b" for number in range(5_000))
    parsed = parse(f"---\nname: seeds\n{block}\n---\nBody\n")
    assert len(parsed.findings) == 1
