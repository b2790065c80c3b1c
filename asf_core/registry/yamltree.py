"""YAML as a tree of text, with the place of every key and value.

Built from parser events, one by one: no tag is resolved, no object is constructed, no alias is
expanded, and the limits hold while the tree grows. ``1.10``, ``no``, ``null`` and ``on`` stay the
characters that their author wrote; quotes and block indicators are YAML's and go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from asf_core.registry import rules
from asf_core.registry.rules import Rule

MAX_CHARS = 64 * 1024
"""Longest frontmatter. The longest of 2,637 public ones has 2,190 characters."""
MAX_DEPTH = 16
MAX_NODES = 4_000

# The C scanner is 20 times faster and linear; the pure one is the same language where it is absent.
LOADER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_PLAIN_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}"
    for name in ("str", "int", "float", "bool", "null", "timestamp", "map", "seq")
)
_OBJECT_TAG = re.compile(r"python|java|ruby|perl|php|js/|dotnet|\.net", re.IGNORECASE)
NOT_YAML = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""A character that YAML 1.1 does not let into a stream (5.1); its readers stop at one."""
# Escapes can give these all the same; no database and no JSON takes them.
_NOT_TEXT = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A piece of text."""

    text: str
    """After YAML's folding and unquoting, never converted."""
    start: int
    """Offset of its first character in the text that was parsed."""
    end: int
    plain: bool
    """Written without quotes or block indicator."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A key and its value."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values in file order, no key twice."""

    pairs: tuple[Pair, ...]
    start: int
    end: int
    flow: bool = False
    """Written in braces."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    nodes: tuple[Node, ...]
    start: int
    end: int
    flow: bool = False
    """Written in brackets."""


Node = Scalar | Mapping | Items


class YamlProblem(ValueError):  # noqa: N818 - a value that is raised inside this package only
    """Why a text is not a tree; turned into a finding where it is caught.

    Args:
        rule: The rule broken.
        message: One sentence.
        offset: Where, in characters of the text that was parsed.
    """

    def __init__(self, rule: Rule, message: str, offset: int) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.offset = offset


def parse_tree(text: str, *, keep_first: bool = False) -> Node | None:
    r"""Parse one YAML document.

    Args:
        text: The document, line ends as ``\n``.
        keep_first: Take the first of two equal keys instead of raising; for showing what a broken
            file says, never for judging it.

    Returns:
        Its root, or ``None`` for a document without content.

    Raises:
        YamlProblem: Not YAML; over a limit; an alias, an anchor, a tag other than the plain ones, a
            key that is not text, a key given twice, a second document.
    """
    if len(text) > MAX_CHARS:
        message = f"The frontmatter has {len(text):,} characters; the limit is {MAX_CHARS:,}."
        raise YamlProblem(rules.YAML_LIMIT, message, MAX_CHARS)
    if bad := NOT_YAML.search(text):
        message = f"U+{ord(bad.group()):04X} is not allowed in YAML."
        raise YamlProblem(rules.YAML_CHARACTER, message, bad.start())
    builder = _Builder(keep_first)
    for event in _events(text):
        builder.take(event)
    return builder.root


def first_flow(node: Node) -> Node | None:
    """The first collection in brackets or braces of a tree, in file order; ``None`` without one."""
    match node:
        case Scalar():
            return None
        case Mapping() | Items() if node.flow:
            return node
        case Items():
            below: tuple[Node, ...] = node.nodes
        case Mapping():
            below = tuple(pair.value for pair in node.pairs)
    return next((found for inner in below if (found := first_flow(inner)) is not None), None)


def _events(text: str) -> Iterator[yaml.Event]:
    try:
        yield from yaml.parse(text, Loader=LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(part for part in (error.context, error.problem) if part)
        offset = min(mark.index, len(text)) if mark else 0
        message = f"YAML stops here: {what or 'unreadable'}."
        raise YamlProblem(rules.YAML_SYNTAX, message, offset) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The last two come from an escape such as "\\UFFFFFFFF" that names no character.
        raise YamlProblem(rules.YAML_SYNTAX, f"YAML stops here: {error}.", 0) from error


class _Builder:
    """Takes events and keeps a stack of the collections that are open."""

    def __init__(self, keep_first: bool) -> None:
        self.root: Node | None = None
        self._keep_first = keep_first
        self._open: list[_Open] = []
        self._nodes = 0
        self._documents = 0

    def take(self, event: Any) -> None:
        """Take one event. ``Any``: parser events always carry marks, which the stubs do not say."""
        start, end = event.start_mark.index, event.end_mark.index
        match event:
            case yaml.ScalarEvent():
                self._check(event, start)
                plain = event.style in (None, "")
                if not plain and (bad := _NOT_TEXT.search(event.value)):
                    message = f"An escape gives U+{ord(bad.group()):04X}, which is no text."
                    raise YamlProblem(rules.YAML_CHARACTER, message, start)
                self._add(Scalar(event.value, start, end, plain))
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                self._check(event, start)
                is_mapping = isinstance(event, yaml.MappingStartEvent)
                flow = bool(event.flow_style)
                self._open.append(_Open(is_mapping, start, flow, self._keep_first))
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._add(self._open.pop().close(end))
            case yaml.AliasEvent():
                message = f"Aliases are not allowed here: *{event.anchor}."
                raise YamlProblem(rules.YAML_ALIAS, message, start)
            case yaml.DocumentStartEvent():
                self._documents += 1
                if self._documents > 1:
                    message = "A second YAML document starts inside the frontmatter."
                    raise YamlProblem(rules.YAML_SYNTAX, message, start)

    def _check(self, event: Any, start: int) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES or len(self._open) >= MAX_DEPTH:
            message = f"More than {MAX_NODES:,} values or {MAX_DEPTH} levels."
            raise YamlProblem(rules.YAML_LIMIT, message, start)
        if event.anchor is not None:
            message = f"Anchors are not allowed here: &{event.anchor}."
            raise YamlProblem(rules.YAML_ALIAS, message, start)
        tag = event.tag
        if tag is not None and tag not in _PLAIN_TAGS:
            is_object = bool(_OBJECT_TAG.search(tag))
            rule = rules.YAML_OBJECT_TAG if is_object else rules.YAML_TAG
            why = "it asks a loader to run code" if is_object else "only plain text is read"
            raise YamlProblem(rule, f"The tag {tag!r} is not allowed here: {why}.", start)

    def _add(self, node: Node) -> None:
        if not self._open:
            self.root = node
        else:
            self._open[-1].add(node)


class _Open:
    """A collection that is being filled."""

    def __init__(self, is_mapping: bool, start: int, flow: bool, keep_first: bool) -> None:
        self._is_mapping = is_mapping
        self._start = start
        self._flow = flow
        self._keep_first = keep_first
        self._nodes: list[Node] = []
        self._pairs: dict[str, Pair] = {}
        self._key: Scalar | None = None

    def add(self, node: Node) -> None:
        if not self._is_mapping:
            self._nodes.append(node)
        elif self._key is None:
            self._key = self._checked_key(node)
        else:
            self._pairs.setdefault(self._key.text, Pair(self._key, node))
            self._key = None

    def _checked_key(self, node: Node) -> Scalar:
        if not isinstance(node, Scalar):
            raise YamlProblem(rules.YAML_SYNTAX, "A key must be plain text.", node.start)
        if node.text in self._pairs and not self._keep_first:
            raise DuplicateKeyProblem(node, self._pairs[node.text].key)
        return node

    def close(self, end: int) -> Node:
        if self._is_mapping:
            return Mapping(tuple(self._pairs.values()), self._start, end, self._flow)
        return Items(tuple(self._nodes), self._start, end, self._flow)


class DuplicateKeyProblem(YamlProblem):
    """A key stands twice in one mapping; a reader would keep one of the two without a word.

    Args:
        second: The later key.
        first: The earlier one.
    """

    def __init__(self, second: Scalar, first: Scalar) -> None:
        super().__init__(
            rules.DUPLICATE_KEY, f"The key {second.text!r} is given twice.", second.start
        )
        self.first = first
        self.second = second
