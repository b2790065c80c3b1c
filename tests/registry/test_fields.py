"""Fields in all the ways in which authors write them."""

from __future__ import annotations

import pytest

from asf_core.domain.iotype import IOType
from asf_core.domain.manifest import Compatibility, Risk
from asf_core.domain.skill import SkillState
from asf_core.registry.values import split_outside


def found(parsed, rule):
    return [finding for finding in parsed.findings if finding.rule == rule]


TOOLS = {
    "space text": ("allowed-tools: Read Grep", ("Read", "Grep")),
    "comma text": ("allowed-tools: Read, Grep", ("Read", "Grep")),
    "comma text without space": ("allowed-tools: Read,Grep", ("Read", "Grep")),
    "quoted text": ('allowed-tools: "Read, Grep"', ("Read", "Grep")),
    "flow list": ("allowed-tools: [Read, Grep]", ("Read", "Grep")),
    "block list": ("allowed-tools:\n  - Read\n  - Grep", ("Read", "Grep")),
    "block text": ("allowed-tools: |\n  Read\n  Grep", ("Read", "Grep")),
    "one word": ("allowed-tools: Read", ("Read",)),
    "the same twice": ("allowed-tools: Read, Read", ("Read",)),
    "empty list": ("allowed-tools: []", ()),
    "snake case": ("allowed_tools: Read", ("Read",)),
    "camel case": ("allowedTools: Read", ("Read",)),
    "patterns": (
        "allowed-tools: Bash(git:*, ls) Read, WebFetch(domain:example.invalid)",
        ("Bash(git:*, ls)", "Read", "WebFetch(domain:example.invalid)"),
    ),
    "pattern split by a flow list": (
        "allowed-tools: [Bash(git:*, ls), Read]",
        ("Bash(git:*, ls)", "Read"),
    ),
    "pattern in a quoted item": ('allowed-tools: ["Bash(a, b)", Read]', ("Bash(a, b)", "Read")),
    "servers": ("allowed-tools: mcp__db__* srv/tool x.y", ("mcp__db__*", "srv/tool", "x.y")),
    "spaces in a list": ("allowed-tools: [Azure MCP/search]", ("Azure MCP/search",)),
    "star": ("allowed-tools: '*'", ("*",)),
}


@pytest.mark.parametrize(("line", "tools"), TOOLS.values(), ids=TOOLS.keys())
def test_tools_in_every_shape(line, tools, fields):
    parsed = fields(f"{line}\n")
    assert parsed.manifest.allowed_tools == tools
    assert parsed.manifest.tools_readable
    assert found(parsed, "format/allowed-tools") == []


def test_no_field_and_no_tools_are_two_things(fields):
    assert fields("").manifest.allowed_tools is None
    assert fields("allowed-tools: []\n").manifest.allowed_tools == ()


BAD_TOOLS = {
    "number": ("allowed-tools: [Read, 7]", ("Read",), "'7'"),
    "number in text": ("allowed-tools: Read 7", ("Read",), "'7'"),
    "sentence": ("allowed-tools: Read, and - nothing", ("Read", "and", "nothing"), "'-'"),
    "markup": ("allowed-tools: ['Read', '<b>']", ("Read",), "'<b>'"),
    "unclosed pattern": ("allowed-tools: Bash(git", (), "'Bash(git'"),
    "empty": ("allowed-tools:", (), "no value"),
    "null": ("allowed-tools: null", (), "no value"),
    "nested": ("allowed-tools: [Read, [Grep]]", ("Read",), None),
}


@pytest.mark.parametrize(("line", "tools", "named"), BAD_TOOLS.values(), ids=BAD_TOOLS.keys())
def test_bad_items_are_named_and_never_widen(line, tools, named, fields):
    parsed = fields(f"{line}\n")
    assert parsed.manifest.allowed_tools == tools
    if named is not None:
        assert any(named in finding.message for finding in found(parsed, "format/allowed-tools"))


def test_tools_that_are_a_map_grant_nothing_and_say_so(fields):
    parsed = fields("allowed-tools: {Bash: true}\n")
    assert parsed.manifest.allowed_tools == ()
    assert not parsed.manifest.tools_readable
    assert parsed.manifest.risk is Risk.CRITICAL
    assert found(parsed, "format/allowed-tools")


def test_broken_frontmatter_is_never_no_limits(parse):
    parsed = parse("---\nname: seeds\ndescription: a: b\nallowed-tools: Read\n---\nBody\n")
    manifest = parsed.manifest
    assert parsed.state is SkillState.BROKEN
    assert (manifest.allowed_tools, manifest.tools_readable) == ((), False)
    assert manifest.risk is Risk.CRITICAL
    assert not manifest.model_invocable
    assert manifest.slug == "seeds"
    assert manifest.description == "a: b"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a, b", ["a", "b"]),
        ("f(a, b), c", ["f(a, b)", "c"]),
        ("f(a, b", ["f(a, b"]),
        ("a), b", ["a)", "b"]),
        ("list[dict[str, x]], y", ["list[dict[str, x]]", "y"]),
        (" , ,", []),
    ],
)
def test_split_outside_brackets(text, pieces):
    assert list(split_outside(text, ",")) == pieces


FLAGS = {
    "disable-model-invocation: true": False,
    'disable-model-invocation: "true"': False,
    "disable-model-invocation: Yes": False,
    "disable_model_invocation: on": False,
    "disable-model-invocation: false": True,
    'disable-model-invocation: "false"': True,
    "disable-model-invocation: No": True,
    "disable-model-invocation: maybe": False,
    "disable-model-invocation: [true]": False,
}


@pytest.mark.parametrize(("line", "invocable"), FLAGS.items(), ids=FLAGS.keys())
def test_flags_are_read_as_words_and_unclear_ones_switch_off(line, invocable, fields):
    parsed = fields(f"{line}\n")
    assert parsed.manifest.model_invocable is invocable
    unclear = "maybe" in line or "[" in line
    assert bool(found(parsed, "format/flag-value")) is unclear


PLACES = {
    "top, kebab": "version: 1.10\ndepends-on: [a, b]\n",
    "top, snake": "version: 1.10\ndepends_on: [a, b]\n",
    "graph": "version: 1.10\ngraph:\n  depends_on: [a, b]\n",
    "metadata": "metadata:\n  version: 1.10\n  depends-on: a, b\n",
    "metadata graph": "metadata:\n  version: 1.10\n  graph: {depends_on: [a, b]}\n",
    "asf": "asf:\n  version: 1.10\n  depends_on:\n    - a\n    - b\n",
    "metadata asf": "metadata:\n  asf: {version: 1.10, depends-on: [a, b]}\n",
    "metadata asf graph": "metadata:\n  asf:\n    version: 1.10\n    graph: {depends-on: [a, b]}\n",
}


@pytest.mark.parametrize("extra", PLACES.values(), ids=PLACES.keys())
def test_our_fields_stand_in_many_places(extra, fields):
    manifest = fields(extra).manifest
    assert manifest.version == "1.10"
    assert manifest.graph.depends_on == ("a", "b")
    assert manifest.metadata == ()


def test_a_field_in_two_places_with_two_values_is_a_finding(fields):
    parsed = fields("version: 1.0\nmetadata:\n  version: 2.0\n")
    assert parsed.manifest.version == "1.0"
    assert [finding.line for finding in found(parsed, "format/field-twice")] == [6]
    assert not found(fields("version: 1.0\nmetadata:\n  version: 1.0\n"), "format/field-twice")


def test_the_spelling_of_the_format_wins_over_another(fields):
    parsed = fields("allowed_tools: Bash\nallowed-tools: Read\n")
    assert parsed.manifest.allowed_tools == ("Read",)
    assert found(parsed, "format/field-twice")


RELATIONS = {
    "list": ("complements: [a, lib/b]", ("a", "lib/b")),
    "comma text": ("complements: a, lib/b", ("a", "lib/b")),
    "one": ("complements: a", ("a",)),
    "lines": ("complements: |\n  a\n  b", ("a", "b")),
    "twice": ("complements: [a, a]", ("a",)),
    "empty": ("complements:", ()),
    "null": ("complements: null", ()),
    "empty list": ("complements: []", ()),
    "map": ("complements: {a: b}", ()),
}


@pytest.mark.parametrize(("line", "names"), RELATIONS.values(), ids=RELATIONS.keys())
def test_relations_in_every_shape(line, names, fields):
    parsed = fields(f"{line}\n")
    assert parsed.manifest.graph.complements == names
    assert bool(found(parsed, "format/field-type")) is ("{" in line)


def test_all_relations(fields):
    names = ("depends_on", "required_sub_skills", "complements", "co_used_with")
    names += ("conflicts_with", "tested_by", "extends")
    lines = "".join(f"{name}: [x-{name}]\n" for name in names) + "version_of: old\n"
    graph = fields(lines).manifest.graph
    assert {name: getattr(graph, name) for name in names} == {n: (f"x-{n}",) for n in names}
    assert graph.version_of == "old"


def test_version_of_names_one_skill(fields):
    parsed = fields("version_of: [a, b]\n")
    assert parsed.manifest.graph.version_of == "a"
    assert found(parsed, "format/field-type")


PAPERS = (IOType(name="query", type="string"), IOType(name="papers", type="list[Paper]"))
IO = {
    "list of texts": "inputs: ['query:string', 'papers:list[Paper]']",
    "block list without spaces": "inputs:\n  - query:string\n  - papers:list[Paper]",
    "block list with spaces": "inputs:\n  - query: string\n  - papers: list[ Paper ]",
    "map": "inputs:\n  query: string\n  papers: list[Paper]",
    "text": "inputs: query:string, papers:list[Paper]",
    "named maps": "inputs:\n  - {name: query, type: string}\n  - {name: papers, type: 'list[Paper]'}",
    "capability": "capability:\n  inputs: ['query:string', 'papers:list[Paper]']",
    "metadata capability": "metadata:\n  capability:\n    inputs: [query:string, 'papers:list[Paper]']",
}


@pytest.mark.parametrize("extra", IO.values(), ids=IO.keys())
def test_inputs_in_every_shape(extra, fields):
    parsed = fields(f"{extra}\n")
    assert parsed.manifest.capability.inputs == PAPERS
    assert found(parsed, "format/io-type") == []


def test_inputs_that_are_no_pairs_are_findings_at_their_place(fields):
    parsed = fields("outputs:\n  - figure:Path\n  - nonsense\n  - 'a b:c'\n  - figure:Other\n")
    assert parsed.manifest.capability.outputs == (IOType(name="figure", type="Path"),)
    assert [finding.line for finding in found(parsed, "format/io-type")] == [6, 7, 8]


def test_an_unquoted_bracket_in_a_flow_list_is_repaired_by_quoting_the_item(fields):
    parsed = fields("inputs: [papers:list[Paper], query:string]\n")
    assert parsed.state is SkillState.BROKEN
    assert parsed.findings[0].repair is not None
    assert parsed.findings[0].repair.replacement == 'inputs: ["papers:list[Paper]", "query:string"]'


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("capability: data-analysis", "data-analysis"),
        ("capability_type: Data Analysis", "data-analysis"),
        ("capability: {type: data_analysis}", "data-analysis"),
        ("metadata: {capability: {type: research}}", "research"),
    ],
)
def test_declared_capability_type(line, kind, fields):
    manifest = fields(f"{line}\n").manifest
    assert manifest.capability.type == kind
    assert "capability.type" not in manifest.inferred


COMPATIBILITY = {
    "text": ("compatibility: Python 3.11+", Compatibility(note="Python 3.11+")),
    "map": (
        "compatibility: {claude-code: true, gemini: no, codex: 'yes'}",
        Compatibility(claude_code=True, gemini=False, codex=True),
    ),
    "map with more": (
        "compatibility: {cursor: true, os: linux}",
        Compatibility(cursor=True, note="os: linux"),
    ),
    "list": (
        "compatibility: [Claude Code, codex, vim]",
        Compatibility(claude_code=True, codex=True, note="vim"),
    ),
    "nested map": (
        "metadata:\n  asf:\n    compatibility: {mcp: true}",
        Compatibility(mcp=True),
    ),
    "empty": ("compatibility:", Compatibility()),
}


@pytest.mark.parametrize(("line", "value"), COMPATIBILITY.values(), ids=COMPATIBILITY.keys())
def test_compatibility_in_every_shape(line, value, fields):
    assert fields(f"{line}\n").manifest.compatibility == value


TRIGGERS = {
    "list": ("triggers: [sow, 'plant, then water']", ("sow", "plant, then water")),
    "text": ("triggers: plant, then water", ("plant, then water",)),
    "lines": ("triggers: |\n  sow\n  reap", ("sow", "reap")),
    "map": ("metadata:\n  triggers:\n    keywords: [sow, reap]", ("sow", "reap")),
    "when to use": ("when_to_use: In spring.", ("In spring.",)),
    "both": ("triggers: [sow]\nwhen_to_use: [sow, In spring.]", ("sow", "In spring.")),
}


@pytest.mark.parametrize(("line", "phrases"), TRIGGERS.values(), ids=TRIGGERS.keys())
def test_triggers_in_every_shape(line, phrases, fields):
    assert fields(f"{line}\n").manifest.triggers == phrases


def test_remaining_fields_keep_their_order_and_place(fields):
    parsed = fields(
        "zeta: 1.10\nmetadata:\n  author: Ann\n  tags: [a, 'b: c']\nalpha: {x: [1, no]}\n"
    )
    assert parsed.manifest.metadata == (
        ("zeta", "1.10"),
        ("metadata.author", "Ann"),
        ("metadata.tags", '[a, "b: c"]'),
        ("alpha", "{x: [1, no]}"),
    )


def test_unknown_fields_are_low_and_known_ones_information(fields):
    parsed = fields("colour: red\nversion: 1.0\nargument-hint: x\nlicense: MIT\n")
    severities = {f.line: (f.rule, f.severity.value) for f in parsed.findings}
    assert severities == {
        4: ("format/unknown-field", "low"),
        5: ("format/field-outside-spec", "info"),
        6: ("format/field-outside-spec", "info"),
    }
    assert parsed.manifest.license == "MIT"


@pytest.mark.parametrize(
    ("line", "replacement"),
    [
        ("tools: Read, Grep", "allowed-tools: Read, Grep"),
        ("allowed_tools: Read", "allowed-tools: Read"),
        ("allowedTools:  [Read]", "allowed-tools:  [Read]"),
    ],
)
def test_misspelt_fields_can_be_renamed(line, replacement, fields):
    repairs = [finding.repair for finding in fields(f"{line}\n").findings if finding.repair]
    assert [(repair.line, repair.replacement) for repair in repairs] == [(4, replacement)]


def test_misspelt_tools_are_no_limits(fields):
    assert fields("tools: Read\n").manifest.allowed_tools is None


RISKS = {
    "declared": ("risk: network", Risk.NETWORK, False),
    "upper case": ("risk: EXEC", Risk.EXEC, False),
    "under metadata": ("metadata: {risk: unsafe}", Risk.UNSAFE, False),
    "unknown word": ("risk: low", Risk.SAFE, True),
    "inferred": ("allowed-tools: Bash", Risk.EXEC, True),
}


@pytest.mark.parametrize(("line", "risk", "inferred"), RISKS.values(), ids=RISKS.keys())
def test_risk_is_declared_or_inferred(line, risk, inferred, fields):
    manifest = fields(f"{line}\n").manifest
    assert manifest.risk is risk
    assert ("risk" in manifest.inferred) is inferred


def test_a_risk_below_what_the_files_show_is_a_finding(fields):
    parsed = fields("risk: safe\nallowed-tools: Bash\n")
    assert parsed.manifest.risk is Risk.SAFE
    assert [finding.line for finding in found(parsed, "format/risk-understated")] == [4]


def test_fields_of_the_wrong_kind_are_shown_as_text(parse):
    parsed = parse("---\nname: [a, b]\ndescription: {x: y}\nlicense: [MIT]\n---\nBody\n")
    assert len(found(parsed, "format/field-type")) == 3
    assert parsed.manifest.description == "{x: y}"
    assert parsed.state is SkillState.READY


def test_missing_name_or_description(parse):
    nameless = parse("---\ndescription: x\n---\nBody\n", "tools/hoe")
    assert nameless.manifest.slug == "hoe"
    assert "name" in nameless.manifest.inferred
    assert found(nameless, "format/name-missing")
    silent = parse("---\nname: seeds\ndescription: '  '\n---\nBody\n")
    assert found(silent, "format/description-missing")
    assert {nameless.state, silent.state} == {SkillState.READY}
    neither = parse("---\nlicense: MIT\n---\nBody\n")
    assert neither.state is SkillState.BROKEN


def test_a_skill_at_the_root_is_named_after_its_registry(parse):
    parsed = parse("---\ndescription: x\n---\nBody\n", ".")
    assert (parsed.manifest.id, parsed.manifest.slug) == ("reg/.", "reg")
    assert parsed.findings[0].path == "SKILL.md"
    named = parse("---\nname: other\ndescription: x\n---\nBody\n", ".")
    assert not found(named, "format/name-directory")


def test_a_wrong_file_name_is_found_and_named(parse):
    parsed = parse("---\nname: seeds\ndescription: x\n---\nBody\n", file_name="skill.md")
    assert parsed.findings[0].rule == "format/file-name"
    assert "Found, wrong file name: skill.md" in parsed.findings[0].message
    assert parsed.findings[0].path == "skills/seeds/skill.md"
    broken = parse(b"\xff", file_name="Skill.MD")
    assert [finding.rule for finding in broken.findings] == ["format/encoding", "format/file-name"]
