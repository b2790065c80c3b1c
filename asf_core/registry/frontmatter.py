"""The frontmatter of a SKILL.md: where it is, what it says, and what stands after it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from asf_core.domain.findings import Finding, Repair
from asf_core.registry import rules
from asf_core.registry.repair import Suggestion, suggest_quotes
from asf_core.registry.sourcetext import SourceText
from asf_core.registry.yamltree import (
    DuplicateKeyProblem,
    Mapping,
    Node,
    Pair,
    Scalar,
    YamlProblem,
    parse_tree,
)

_OPENING = re.compile(r"---[ \t]*(?:\n|\Z)")
_CLOSING = re.compile(r"^---[ \t]*(?:\n|\Z)", re.MULTILINE)
_ANY_KEY = re.compile(r"^[\"']?[A-Za-z_][\w.-]*[\"']?[ \t]*:(?:[ \t]|$)", re.MULTILINE)
_TOP_KEY = re.compile(r"(?P<key>[A-Za-z_][\w.-]*)[ \t]*:[ \t]*(?P<value>.*)\Z")
_MAX_REPAIRS = 8
_MAX_SHOWN = 8 * 1024


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """A SKILL.md taken apart."""

    source: SourceText
    offset: int
    """Of the block in the source's text: add it to a node's offset."""
    root: Mapping | None
    """The fields; ``None`` when the frontmatter is missing or broken."""
    shown: Mapping | None
    """What a broken frontmatter seems to say: for showing only, never for deciding."""
    body: str
    """What stands after the closing fence; the whole text when there is no frontmatter."""
    body_line: int
    """Line on which the body starts, 1-based."""
    findings: tuple[Finding, ...] = ()


def read_frontmatter(source: SourceText) -> Frontmatter:
    """Take a SKILL.md apart. Never raises on content.

    The block stands between a first line ``---`` and the next line ``---``; later such lines are
    rules of the body. White space may follow the hyphens. Blank lines before the block are a
    finding. A block in which no line looks like a field is a rule that happens to stand first.
    """
    text = source.text
    start = len(text) - len(text.lstrip())
    start = text.rfind("\n", 0, start) + 1
    opening = _OPENING.match(text, start)
    if opening is None:
        return _missing(source)
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return _unclosed(source, opening)
    block = text[opening.end() : closing.start()]
    if block.strip() and not _ANY_KEY.search(block):
        return _missing(source)
    late = _late(source, start)
    return _closed(source, block, opening.end(), closing.end(), late)


def _missing(source: SourceText) -> Frontmatter:
    message = "The file has no frontmatter: a first line '---', fields, and a line '---'."
    finding = source.finding(rules.FRONTMATTER_MISSING, message)
    return Frontmatter(source, 0, None, None, source.text, 1, (finding,))


def _unclosed(source: SourceText, opening: re.Match[str]) -> Frontmatter:
    opened = source.place(opening.start())[0]
    message = f"The block that opens on line {opened} is not closed: no later line is '---'."
    finding = source.finding(rules.FRONTMATTER_UNCLOSED, message, opening.start())
    block = source.text[opening.end() :].split("\n\n", 1)[0]
    shown = _shown_lines(block)
    return Frontmatter(source, opening.end(), None, shown, source.text, 1, (finding,))


def _late(source: SourceText, start: int) -> tuple[Finding, ...]:
    if start == 0:
        return ()
    line = source.place(start)[0]
    message = f"The frontmatter opens on line {line}; hosts look for it on line 1."
    return (source.finding(rules.FRONTMATTER_LATE, message, start),)


def _closed(
    source: SourceText, block: str, offset: int, body_start: int, found: tuple[Finding, ...]
) -> Frontmatter:
    body, body_line = source.text[body_start:], source.place(body_start)[0]
    try:
        root: Node | None = parse_tree(block)
    except YamlProblem as problem:
        shown, findings = _explain(source, block, offset, problem)
        return Frontmatter(source, offset, None, shown, body, body_line, (*found, *findings))
    if root is None:
        root = Mapping((), 0, 0)
    if not isinstance(root, Mapping):
        message = "The frontmatter must be fields, each as 'key: value'."
        finding = source.finding(rules.FRONTMATTER_SHAPE, message, offset + root.start)
        return Frontmatter(source, offset, None, None, body, body_line, (*found, finding))
    return Frontmatter(source, offset, root, root, body, body_line, found)


def _explain(
    source: SourceText, block: str, offset: int, problem: YamlProblem
) -> tuple[Mapping | None, list[Finding]]:
    """Findings for a block that is not YAML, each with its repair, and what the block seems to say.

    Repairs are laid over the block one after the other to reach the next problem; none of them is
    written anywhere.
    """
    findings: list[Finding] = []
    tried = block
    for _ in range(_MAX_REPAIRS):
        suggestion = _suggestion(tried, problem)
        findings.append(_problem_finding(source, block, offset, tried, problem, suggestion))
        if suggestion is None:
            break
        tried = suggestion.block
        try:
            parse_tree(tried)
        except YamlProblem as next_problem:
            problem = next_problem
        else:
            break
    return _shown(tried), findings


def _suggestion(block: str, problem: YamlProblem) -> Suggestion | None:
    if problem.rule is rules.YAML_SYNTAX:
        return suggest_quotes(block, problem)
    if problem.rule in (rules.YAML_TAG, rules.YAML_ALIAS):
        # "!important" and "*.md" are words to their authors; an anchor on a collection is meant.
        rest = block[problem.offset :].partition("\n")[0]
        return None if {"[", "{"} & set(rest) else suggest_quotes(block, problem)
    return None


def _problem_finding(
    source: SourceText,
    block: str,
    offset: int,
    tried: str,
    problem: YamlProblem,
    suggestion: Suggestion | None,
) -> Finding:
    at = offset + _same_place(block, tried, problem.offset)
    message = problem.message
    if isinstance(problem, DuplicateKeyProblem):
        first_at = offset + _same_place(block, tried, problem.first.start)
        lines = source.place(first_at)[0], source.place(at)[0]
        message = (
            f"The key {problem.second.text!r} is given twice, on lines {lines[0]} and {lines[1]}."
        )
    repair = None
    if suggestion is not None:
        above = source.place(offset)[0]
        repair = Repair(
            summary="Quote the value",
            line=above + suggestion.first,
            end_line=above + suggestion.last,
            replacement=suggestion.replacement,
        )
        message = f"{message} Quote the value if it is meant as text."
    return source.finding(problem.rule, message, at, repair=repair)


def _same_place(block: str, tried: str, offset: int) -> int:
    """The offset in a block of a place in its repaired twin, which has the same lines."""
    if block == tried:
        return offset
    line_start = tried.rfind("\n", 0, offset) + 1
    lines = block.split("\n")
    line = min(tried.count("\n", 0, line_start), len(lines) - 1)
    column = min(offset - line_start, len(lines[line]))
    return sum(len(text) + 1 for text in lines[:line]) + column


def _shown(block: str) -> Mapping | None:
    try:
        root = parse_tree(block, keep_first=True)
    except YamlProblem:
        return _shown_lines(block)
    return root if isinstance(root, Mapping) else None


def _shown_lines(block: str) -> Mapping:
    """Top-level ``key: value`` lines of a block that is not YAML, with their indented lines."""
    pairs: dict[str, Pair] = {}
    key, value, start, position = "", "", 0, 0
    for line in [*block[:_MAX_SHOWN].split("\n"), "end:"]:
        match = _TOP_KEY.match(line)
        if match:
            if key:
                text = value.strip().strip("\"'").lstrip("|>-+").strip()
                node = Scalar(text, start, position, True)
                pairs.setdefault(key, Pair(Scalar(key, start, start + len(key), True), node))
            key, value, start = match["key"], match["value"], position
        elif line[:1] in {" ", "\t"}:
            value = f"{value} {line.strip()}"
        position += len(line) + 1
    return Mapping(tuple(pairs.values()), 0, len(block))
