"""Every rule that reading a registry can break, with what a finding of it weighs by default.

Ids are stable: they stand in waivers, SARIF and other people's scripts. ``format/`` rules are about
one SKILL.md, ``tree/`` rules about the files of a skill, ``registry/`` rules about the directory
tree and its repository, ``security/`` rules about text that acts when it is read.
"""

from __future__ import annotations

from dataclasses import dataclass

from asf_core.domain.findings import Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule and the severity of breaking it."""

    id: str
    severity: Severity
    title: str
    """What is wrong, in a few words, for a list of rules."""


_INFO, _LOW, _MEDIUM, _HIGH, _CRITICAL = Severity

# The file as a whole: each of these makes the skill broken.
ENCODING = Rule("format/encoding", _HIGH, "not UTF-8")
TOO_LARGE = Rule("format/too-large", _HIGH, "over the size cap")
BODY_EMPTY = Rule("format/body-empty", _HIGH, "no instructions after the frontmatter")
UNREADABLE = Rule("format/unreadable", _HIGH, "SKILL.md cannot be read")
FRONTMATTER_MISSING = Rule("format/frontmatter-missing", _HIGH, "no frontmatter")
FRONTMATTER_UNCLOSED = Rule("format/frontmatter-unclosed", _HIGH, "frontmatter is not closed")
FRONTMATTER_SHAPE = Rule("format/frontmatter-shape", _HIGH, "frontmatter is not a list of fields")
YAML_SYNTAX = Rule("format/yaml-syntax", _HIGH, "frontmatter is not valid YAML")
YAML_CHARACTER = Rule("format/yaml-character", _HIGH, "a character that YAML does not allow")
YAML_LIMIT = Rule("format/yaml-limit", _HIGH, "frontmatter is over a size or depth limit")
YAML_ALIAS = Rule("format/yaml-alias", _HIGH, "anchors and aliases are not allowed")
YAML_TAG = Rule("format/yaml-tag", _HIGH, "YAML tags are not allowed")
YAML_OBJECT_TAG = Rule("security/yaml-object-tag", _CRITICAL, "a YAML tag that runs code")
DUPLICATE_KEY = Rule("format/duplicate-key", _HIGH, "a key is given twice")
IDENTITY_MISSING = Rule("format/identity-missing", _HIGH, "neither name nor description")

# The file as a whole, harmless.
BYTE_ORDER_MARK = Rule("format/byte-order-mark", _INFO, "starts with a byte-order mark")
LINE_ENDS = Rule("format/line-ends", _INFO, "line ends are mixed or a lone carriage return")
FRONTMATTER_LATE = Rule("format/frontmatter-late", _MEDIUM, "text stands before the frontmatter")
FILE_NAME = Rule("format/file-name", _MEDIUM, "wrong file name")

# Fields of the base format.
NAME_MISSING = Rule("format/name-missing", _MEDIUM, "no name")
NAME_LENGTH = Rule("format/name-length", _MEDIUM, "name is too long")
NAME_CASE = Rule("format/name-case", _MEDIUM, "name is not lower case")
NAME_HYPHENS = Rule("format/name-hyphens", _MEDIUM, "name has outer or doubled hyphens")
NAME_CHARACTERS = Rule("format/name-characters", _MEDIUM, "name has other characters")
NAME_SCRIPTS = Rule("format/name-scripts", _HIGH, "name mixes scripts that look alike")
NAME_DIRECTORY = Rule("format/name-directory", _MEDIUM, "name differs from the directory's")
NAME_RESERVED = Rule("format/name-reserved", _LOW, "name has a word that a target reserves")
DESCRIPTION_MISSING = Rule("format/description-missing", _HIGH, "no description")
DESCRIPTION_LENGTH = Rule("format/description-length", _MEDIUM, "description is too long")
DESCRIPTION_MARKUP = Rule("format/description-markup", _LOW, "description holds markup")
COMPATIBILITY_LENGTH = Rule("format/compatibility-length", _MEDIUM, "compatibility is too long")
UNKNOWN_FIELD = Rule("format/unknown-field", _LOW, "field that no known format defines")
FIELD_OUTSIDE_SPEC = Rule("format/field-outside-spec", _INFO, "the official validator refuses it")
FLOW_STYLE = Rule("format/flow-style", _INFO, "brackets or braces, which the validator refuses")
FIELD_TWICE = Rule("format/field-twice", _MEDIUM, "one field in two spellings or places")
FIELD_TYPE = Rule("format/field-type", _MEDIUM, "a field has a value of the wrong kind")
TOOLS = Rule("format/allowed-tools", _MEDIUM, "allowed-tools cannot be read whole")
IO_TYPE = Rule("format/io-type", _MEDIUM, "not of the form name:type")
RISK_VALUE = Rule("format/risk-value", _LOW, "unknown risk")
RISK_UNDERSTATED = Rule("format/risk-understated", _MEDIUM, "files show more risk than declared")
FLAG_VALUE = Rule("format/flag-value", _MEDIUM, "neither true nor false")
CONTAINED_SKILL = Rule("format/contained-skill", _INFO, "SKILL.md files that are content")
LINK_MISSING = Rule("format/link-missing", _LOW, "a link to a file that is not there")

# Files of a skill.
TREE_LINK = Rule("tree/link-leaves", _HIGH, "a link leaves the skill")
TREE_LINK_DANGLES = Rule("tree/link-dangles", _LOW, "a link points at nothing")
TREE_SPECIAL = Rule("tree/special-file", _HIGH, "neither file, directory nor link")
TREE_NAME = Rule("tree/name", _HIGH, "a file name that systems read in different ways")
TREE_CAP = Rule("tree/cap", _HIGH, "over a cap on files or bytes")
TREE_UNREADABLE = Rule("tree/unreadable", _HIGH, "a file cannot be read")
TREE_LEFT_OUT = Rule("tree/left-out", _INFO, "files that do not belong to the skill")

# The registry.
REGISTRY_LINK = Rule("registry/link", _MEDIUM, "a linked directory is not followed")
REGISTRY_LINK_TWIN = Rule("registry/link-twin", _INFO, "a link to a skill that is listed already")
REGISTRY_UNREADABLE = Rule("registry/unreadable", _HIGH, "a directory cannot be read")
REGISTRY_NOT_A_FILE = Rule("registry/not-a-file", _MEDIUM, "SKILL.md is not a file")
REGISTRY_NAME = Rule("registry/name", _MEDIUM, "a path that is not UTF-8")
REGISTRY_SECOND_FILE = Rule("registry/second-file", _LOW, "two SKILL.md in one directory")
REGISTRY_VENDORED = Rule("registry/vendored", _INFO, "SKILL.md files of third-party packages")
REGISTRY_CAP = Rule("registry/cap", _HIGH, "over a cap on directories or depth")
REGISTRY_BARE = Rule("registry/bare", _HIGH, "a bare repository has no files")
REGISTRY_GIT_CONFIG = Rule("registry/git-config", _MEDIUM, "git config that names programs")

BREAKING: frozenset[str] = frozenset(
    rule.id
    for rule in (
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
)
"""Ids of the rules whose breaking makes a skill broken: listed, never routed."""

ALL: tuple[Rule, ...] = tuple(
    value for value in list(globals().values()) if isinstance(value, Rule)
)
