"""Rules about a SKILL.md as a whole."""

from __future__ import annotations

from functools import partial

from asf_core.domain.findings import FindingCode, Severity
from asf_core.domain.rules import Rule

_INFO, _LOW, _MEDIUM, _HIGH, _CRITICAL = Severity
_SPEC = "Agent Skills specification (agentskills.io), SKILL.md format"
_YAML = "YAML 1.2.2, and how hosts read it"
_rule = partial(Rule, code=FindingCode.UNKNOWN, source=_SPEC, since="2026-11-30")

# Each of these makes the skill broken.

ENCODING = _rule(
    "format/encoding",
    _HIGH,
    "not UTF-8",
    why="Hosts decode SKILL.md as UTF-8; one bad byte makes some of them drop every skill.",
    remedy="Save the file as UTF-8. Nothing is guessed here.",
    bad="a file in Latin-1 or UTF-16",
    good="the same text saved as UTF-8",
)
TOO_LARGE = _rule(
    "format/too-large",
    _HIGH,
    "over the size cap",
    why="A SKILL.md is read whole into an agent's context; one of megabytes is an accident or an attack.",
    remedy="Move detail into files under references/ and keep SKILL.md short.",
    bad="a SKILL.md of 5 MB",
    good="a SKILL.md of a few pages that links to references/",
)
BODY_EMPTY = _rule(
    "format/body-empty",
    _HIGH,
    "no instructions after the frontmatter",
    why="An agent that chooses the skill gets nothing to follow.",
    remedy="Write the instructions after the closing '---'.",
    bad="---\nname: tidy\ndescription: Tidy up.\n---\n",
    good="---\nname: tidy\ndescription: Tidy up.\n---\nSort the files by date.\n",
)
UNREADABLE = _rule(
    "format/unreadable",
    _HIGH,
    "SKILL.md cannot be read",
    why="What cannot be read cannot be judged, routed or admitted.",
    remedy="Check permissions, and that SKILL.md is a file or a link inside the skill.",
    bad="SKILL.md -> /somewhere/else.md",
    good="SKILL.md is a file",
)
FRONTMATTER_MISSING = _rule(
    "format/frontmatter-missing",
    _HIGH,
    "no frontmatter",
    why="Name and description stand in the frontmatter; without it no host lists the skill.",
    remedy="Start the file with a line '---', the fields, and a line '---'.",
    bad="# Tidy\nSort the files.\n",
    good="---\nname: tidy\ndescription: Tidy up.\n---\nSort the files.\n",
)
FRONTMATTER_UNCLOSED = _rule(
    "format/frontmatter-unclosed",
    _HIGH,
    "frontmatter is not closed",
    why="A reader that splits at the fences gets an empty body, and says so to nobody.",
    remedy="Add a line '---' after the last field.",
    bad="---\nname: tidy\ndescription: Tidy up.\nSort the files.\n",
    good="---\nname: tidy\ndescription: Tidy up.\n---\nSort the files.\n",
)
FRONTMATTER_SHAPE = _rule(
    "format/frontmatter-shape",
    _HIGH,
    "frontmatter is not a list of fields",
    why="The format wants a map of fields; a list or a sentence has no name.",
    remedy="Write each field as 'key: value' on its own line.",
    bad="---\n'name: tidy'\n---\nBody\n",
    good="---\nname: tidy\n---\nBody\n",
)
YAML_SYNTAX = _rule(
    "format/yaml-syntax",
    _HIGH,
    "frontmatter is not valid YAML",
    why="Hosts drop the file, or the whole block with its tool limits while the skill still runs.",
    remedy="Quote the value that YAML takes for syntax; the finding offers the line.",
    bad="description: two passes: first sort, then file",
    good='description: "two passes: first sort, then file"',
    source=_YAML,
)
YAML_CHARACTER = _rule(
    "format/yaml-character",
    _HIGH,
    "a character that YAML does not allow",
    why="A control character stops YAML readers, and may act on a terminal.",
    remedy="Remove the character.",
    bad="a description with a vertical tab in it",
    good="the same without it",
    source=_YAML,
)
YAML_LIMIT = _rule(
    "format/yaml-limit",
    _HIGH,
    "frontmatter is over a size or depth limit",
    why="A nest of thousands of levels costs a reader its memory and tells an agent nothing.",
    remedy="Keep the frontmatter to a few flat fields.",
    bad="metadata: [[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]",
    good="metadata: {owner: docs}",
    source=_YAML,
)
YAML_ALIAS = _rule(
    "format/yaml-alias",
    _HIGH,
    "anchors and aliases are not allowed",
    why="A few lines of aliases expand to gigabytes when they are printed or hashed.",
    remedy="Write the value out where it is meant; quote a value that begins with & or *.",
    bad="a: &x [1, 1]\nb: [*x, *x]",
    good="a: [1, 1]",
    source=_YAML,
)
YAML_TAG = _rule(
    "format/yaml-tag",
    _HIGH,
    "YAML tags are not allowed",
    why="A tag asks the reader to build something other than text; hosts differ in what they do.",
    remedy="Remove the tag; quote a value that begins with an exclamation mark.",
    bad="name: !x tidy",
    good="name: tidy",
    source=_YAML,
)
YAML_OBJECT_TAG = _rule(
    "security/yaml-object-tag",
    _CRITICAL,
    "a YAML tag that runs code",
    why="A reader that constructs objects calls the function that the tag names, while parsing.",
    remedy="Remove the skill from the registry, and ask where it came from.",
    bad="a value tagged !!python/object/apply:os.system",
    good="a plain value",
    source="CWE-502, deserialisation of untrusted data",
)
DUPLICATE_KEY = _rule(
    "format/duplicate-key",
    _HIGH,
    "a key is given twice",
    why="Most readers take the last one without a word, so what was reviewed is not what is used.",
    remedy="Keep one of the two.",
    bad="description: Sort seeds.\ndescription: Sell seeds.",
    good="description: Sort seeds.",
    source=_YAML,
)
IDENTITY_MISSING = _rule(
    "format/identity-missing",
    _HIGH,
    "neither name nor description",
    why="Nothing tells an agent what the skill is, or when to choose it.",
    remedy="Give it a name and a description.",
    bad="---\nlicense: MIT\n---\nBody\n",
    good="---\nname: tidy\ndescription: Tidy up.\n---\nBody\n",
)

BREAKING_RULES = (
    ENCODING,
    TOO_LARGE,
    BODY_EMPTY,
    UNREADABLE,
    FRONTMATTER_MISSING,
    FRONTMATTER_UNCLOSED,
    FRONTMATTER_SHAPE,
    YAML_SYNTAX,
    YAML_CHARACTER,
    YAML_LIMIT,
    YAML_ALIAS,
    YAML_TAG,
    YAML_OBJECT_TAG,
    DUPLICATE_KEY,
    IDENTITY_MISSING,
)
"""Rules whose breaking makes a skill broken."""

# Harmless, or only in the way.

BYTE_ORDER_MARK = _rule(
    "format/byte-order-mark",
    _INFO,
    "starts with a byte-order mark",
    why="Some hosts look for '---' in the first three characters and see none.",
    remedy="Save the file as UTF-8 without a byte-order mark.",
    bad="EF BB BF before the first fence",
    good="the first byte is a hyphen",
)
LINE_ENDS = _rule(
    "format/line-ends",
    _INFO,
    "line ends are mixed or a lone carriage return",
    why="Line numbers differ between tools, and a lone carriage return overwrites a line on screen.",
    remedy="Save the file with one kind of line end.",
    bad="one line that ends in CR, others in LF",
    good="every line ends in LF",
    source="POSIX 3.206, line",
)
FRONTMATTER_LATE = _rule(
    "format/frontmatter-late",
    _MEDIUM,
    "text stands before the frontmatter",
    why="Hosts look for the frontmatter on the first line and then see none.",
    remedy="Remove what stands above the first '---'.",
    bad="\n\n---\nname: tidy\n---\n",
    good="---\nname: tidy\n---\n",
)
FILE_NAME = _rule(
    "format/file-name",
    _MEDIUM,
    "wrong file name",
    why="Systems that tell case apart do not see skill.md, so the skill is there on one and not on another.",
    remedy="Rename the file to SKILL.md.",
    bad="tidy/skill.md",
    good="tidy/SKILL.md",
)
CONTAINED_SKILL = _rule(
    "format/contained-skill",
    _INFO,
    "SKILL.md files that are content",
    why="Templates and fixtures of a skill are hashed and scanned with it and are no skills themselves.",
    remedy="Nothing, if they are templates; move a real skill out of the directory.",
    bad="tidy/assets/template/SKILL.md",
    good="tidy/assets/template/SKILL.md.txt",
)
LINK_MISSING = _rule(
    "format/link-missing",
    _LOW,
    "a link to a file that is not there",
    why="The agent is sent to a file that it will not find, and guesses what it would have said.",
    remedy="Add the file, or mend the link.",
    bad="[guide](references/gone.md)",
    good="[guide](references/guide.md)",
)
