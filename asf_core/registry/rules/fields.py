"""Rules about the fields of a SKILL.md."""

from __future__ import annotations

from functools import partial

from asf_core.domain.findings import FindingCode, Severity
from asf_core.domain.rules import Rule

_INFO, _LOW, _MEDIUM, _HIGH, _CRITICAL = Severity
_SPEC = "Agent Skills specification (agentskills.io), frontmatter"
_VALIDATOR = "skills-ref, the specification's reference validator"
_OURS = "ASF's additions to the format, README"
_rule = partial(Rule, code=FindingCode.UNKNOWN, source=_SPEC, since="2026-11-30")

NAME_MISSING = _rule(
    "format/name-missing",
    _MEDIUM,
    "no name",
    why="The specification requires it; hosts fall back to the directory, or drop the skill.",
    remedy="Add 'name:' with the directory's name.",
    bad="description: Tidy up.",
    good="name: tidy\ndescription: Tidy up.",
)
NAME_LENGTH = _rule(
    "format/name-length",
    _MEDIUM,
    "name is too long",
    why="Hosts drop a skill with a name over 64 characters, some without a word.",
    remedy="Shorten field and directory together.",
    bad="a name of 65 characters",
    good="a name of at most 64",
)
NAME_CASE = _rule(
    "format/name-case",
    _MEDIUM,
    "name is not lower case",
    why="The specification allows lower case only, and hosts refuse the rest.",
    remedy="Write field and directory in lower case.",
    bad="name: Tidy",
    good="name: tidy",
)
NAME_HYPHENS = _rule(
    "format/name-hyphens",
    _MEDIUM,
    "name has outer or doubled hyphens",
    why="Hosts disagree on such names: some accept, some refuse them.",
    remedy="Use single hyphens between words only.",
    bad="name: tidy--up-",
    good="name: tidy-up",
)
NAME_CHARACTERS = _rule(
    "format/name-characters",
    _MEDIUM,
    "name has other characters",
    why="The name becomes a directory and a tool name; spaces, dots and slashes break both.",
    remedy="Use a-z, 0-9 and hyphens, in field and directory together.",
    bad="name: tidy up!",
    good="name: tidy-up",
)
NAME_SCRIPTS = _rule(
    "format/name-scripts",
    _HIGH,
    "name mixes scripts that look alike",
    why="A Cyrillic letter in a Latin word makes a second skill that reads like the first.",
    remedy="Write the name in one script, and ask why it was not.",
    bad="p\u0430y-slips, with a Cyrillic a",
    good="pay-slips",
    code=FindingCode.UNTRUSTED_PROVENANCE,
    source="Unicode Technical Standard 39, mixed-script confusables",
)
NAME_DIRECTORY = _rule(
    "format/name-directory",
    _MEDIUM,
    "name differs from the directory's",
    why="Some hosts call the skill by its name, others by its directory: pins point at different things.",
    remedy="Make the two equal.",
    bad="tea-notes/SKILL.md with name: tea-log",
    good="tea-notes/SKILL.md with name: tea-notes",
)
NAME_RESERVED = _rule(
    "format/name-reserved",
    _LOW,
    "name has a word that a target reserves",
    why="Claude's skill upload refuses names with its maker's or its own name in them.",
    remedy="Choose another word if the skill is to be uploaded there.",
    bad="name: claude-helper",
    good="name: chat-helper",
    source="Anthropic, Agent Skills: field requirements",
)
DESCRIPTION_MISSING = _rule(
    "format/description-missing",
    _HIGH,
    "no description",
    why="The description is what an agent chooses by; without one the skill is never found.",
    remedy="Say in a sentence what it does and when to use it.",
    bad="name: tidy",
    good="name: tidy\ndescription: Sort files by date. Use when a folder has grown.",
)
DESCRIPTION_LENGTH = _rule(
    "format/description-length",
    _MEDIUM,
    "description is too long",
    why="Hosts drop a skill whose description has over 1,024 characters, some without a word.",
    remedy="Shorten it; detail belongs into the body.",
    bad="a description of 1,025 characters",
    good="a description of at most 1,024",
)
DESCRIPTION_MARKUP = _rule(
    "format/description-markup",
    _LOW,
    "description holds markup",
    why="Hosts put descriptions between tags: a tag inside can end theirs. Claude's upload refuses it.",
    remedy="Write placeholders without angle brackets.",
    bad="description: Find goods in <category>.",
    good="description: Find goods in a category.",
    code=FindingCode.PROMPT_INJECTION,
    source="Anthropic, Agent Skills: field requirements",
)
COMPATIBILITY_LENGTH = _rule(
    "format/compatibility-length",
    _MEDIUM,
    "compatibility is too long",
    why="The specification allows 500 characters.",
    remedy="Shorten it.",
    bad="a compatibility of 501 characters",
    good="compatibility: Needs Python 3.11 and git",
)
UNKNOWN_FIELD = _rule(
    "format/unknown-field",
    _LOW,
    "field that no known format defines",
    why="A misspelt field is ignored by every host, and the validator refuses the file.",
    remedy="Correct the spelling, or put the field under metadata.",
    bad="descripton: Tidy up.",
    good="description: Tidy up.",
    source=_VALIDATOR,
)
FIELD_OUTSIDE_SPEC = _rule(
    "format/field-outside-spec",
    _INFO,
    "the official validator refuses it",
    why="The field is known to some host, and a strict one refuses the file for it.",
    remedy="Move it under metadata where the host allows that.",
    bad="version: 1.2",
    good="metadata:\n  version: 1.2",
    source=_VALIDATOR,
)
FLOW_STYLE = _rule(
    "format/flow-style",
    _INFO,
    "brackets or braces, which the validator refuses",
    why="The reference validator reads block style only.",
    remedy="Write the list with one '- item' a line.",
    bad="tags: [a, b]",
    good="tags:\n  - a\n  - b",
    source=_VALIDATOR,
)
FIELD_TWICE = _rule(
    "format/field-twice",
    _MEDIUM,
    "one field in two spellings or places",
    why="Readers take one or the other, so what was reviewed may not be what is used.",
    remedy="Keep one.",
    bad="allowed-tools: Read\nallowed_tools: Bash",
    good="allowed-tools: Read",
    source=_OURS,
)
FIELD_TYPE = _rule(
    "format/field-type",
    _MEDIUM,
    "a field has a value of the wrong kind",
    why="A list where text is meant is turned into text differently by every host.",
    remedy="Write the value as the field's kind.",
    bad="license: [MIT, BSD]",
    good="license: MIT OR BSD-3-Clause",
)
TOOLS = _rule(
    "format/allowed-tools",
    _MEDIUM,
    "allowed-tools cannot be read whole",
    why="What cannot be read grants nothing here, and may grant something elsewhere.",
    remedy="Write tools as 'Read, Bash(git:*)' or as a list.",
    bad="allowed-tools: [1, 2]",
    good="allowed-tools: Read Grep",
    code=FindingCode.UNDECLARED_TOOL,
)
IO_TYPE = _rule(
    "format/io-type",
    _MEDIUM,
    "not of the form name:type",
    why="A plan binds outputs to inputs by name and type.",
    remedy="Write each as name:type.",
    bad="inputs: [papers]",
    good="inputs: [papers:list[Paper]]",
    source=_OURS,
)
RISK_VALUE = _rule(
    "format/risk-value",
    _LOW,
    "unknown risk",
    why="An unknown word says nothing; the risk is then told from the files.",
    remedy="Take safe, network, exec, critical or unsafe.",
    bad="risk: smallish",
    good="risk: network",
    source=_OURS,
)
RISK_UNDERSTATED = _rule(
    "format/risk-understated",
    _MEDIUM,
    "files show more risk than declared",
    why="A reader trusts the declared risk and lets more happen than was said.",
    remedy="Declare the risk that the finding names, or remove what causes it.",
    bad="risk: safe, beside a script that uses the network",
    good="risk: network",
    code=FindingCode.UNDECLARED_TOOL,
    source=_OURS,
)
FLAG_VALUE = _rule(
    "format/flag-value",
    _MEDIUM,
    "neither true nor false",
    why="Hosts read odd words in opposite ways.",
    remedy="Write true or false.",
    bad="disable-model-invocation: maybe",
    good="disable-model-invocation: true",
)
