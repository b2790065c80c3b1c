"""Relations that a skill's text tells (DESIGN 6): sections, links, names of sibling skills.

What counts as a name of a skill:

- a link or a path into another skill's directory, anywhere;
- ``/name``, ``@name``, ``[[name]]``, ``plugin:name`` of a skill of the same registry, anywhere;
- a name in back ticks or bold that is the full name of a skill of the same registry and has a
  hyphen, or stands in a section that lists skills, or next to the word "skill" (a skill named
  ``test`` is not meant by every `test`);
- a plain word with a hyphen in a section that lists skills or next to the word "skill"; a plain
  word without one in a line there that is nothing but names, or as in "use the pdf skill".

Fenced and indented code, HTML and comments name nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from asf_core.domain.graph import EdgeKind
from asf_core.graph.judge import (
    context_of,
    may_name,
    must_resolve,
    names_a_skill,
    verdict_on,
)
from asf_core.graph.roles import Role, names_examples, role_of, says_skill
from asf_core.graph.sections import Section, sections
from asf_core.graph.spans import Form, Span, flatten

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_WORDS = re.compile(r"[A-Za-z0-9_]+(?:[-.][A-Za-z0-9_]+)*")
MOST_MENTIONS = 2_000
"""Of one text; twenty times what the longest real catalogue holds, and a bound for a hostile one."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a text names a skill."""

    name: str
    """A name, or a relative path."""
    is_path: bool
    kind: EdgeKind
    confidence: float
    line: int
    """1-based, in the text that was read."""
    text: str
    """That line, or the 200 characters of it around the name."""
    listed: bool
    """It stands where the text lists skills, so it is meant as one."""
    must_resolve: bool
    """A name that means no skill is worth a finding here."""


@dataclass(slots=True)
class _Place:
    """The headings and labels above a block."""

    headings: list[tuple[int, Role, bool]] = field(default_factory=list)
    labels: list[tuple[int, Role, bool]] = field(default_factory=list)

    def enter_heading(self, depth: int, title: str) -> None:
        self.headings = [above for above in self.headings if above[0] < depth]
        self.labels.clear()
        self.headings.append((depth, *self._read(title)))

    def enter_block(self, level: int) -> None:
        self.labels = [label for label in self.labels if label[0] < level]

    def leave_block(self, level: int, content: str) -> None:
        """A block that ends in a colon speaks for the list below it."""
        last = content.rpartition("\n")[2]
        if last.rstrip("*_ ").endswith((":", "：")):
            now = (Role.EXAMPLES, False) if names_examples(last) else self._read(last)
            self.labels.append((level, *now))

    def _read(self, title: str) -> tuple[Role, bool]:
        role, skills = role_of(title), says_skill(title)
        inherited, above = self.now
        return (inherited, above or skills) if role is Role.NONE else (role, skills)

    @property
    def now(self) -> tuple[Role, bool]:
        """The role, and whether the title speaks of skills."""
        here = self.labels or self.headings
        return (here[-1][1], here[-1][2]) if here else (Role.NONE, False)


@cache
def _markdown() -> MarkdownIt:
    """A block parser whose inline parser is called by hand, for the few blocks that matter.

    Tables stay paragraphs, so that a row is a line; so do link definitions, whose paths are read
    as paths.
    """
    from markdown_it import MarkdownIt

    blocks = ["blockquote", "code", "fence", "hr", "html_block", "lheading", "list"]
    inlines = ["autolink", "backticks", "emphasis", "escape", "html_inline", "link", "newline"]
    reader = MarkdownIt("zero", {"html": True}).enable([*blocks, *inlines])
    return reader.disable(["inline", "text_join"])


def read_mentions(
    body: str, known: Container[str], own: AbstractSet[str] = frozenset()
) -> tuple[Mention, ...]:
    """Find the skills that a text names.

    Args:
        body: Markdown after the frontmatter, its lines ended by a line feed.
        known: Names of the skills of the registry.
        own: Names of the skill whose text it is.

    Returns:
        In the order of the text. Names in sections that list skills are given whether known or not.
    """
    reader = _Reader(known, own, body.split("\n"))
    for section in sections(body):
        reader.section(section)
    return tuple(reader.found)


def holds_name(text: str, known: Container[str], own: AbstractSet[str]) -> bool:
    """True where a text can name a skill: parsing is the cost, and most texts name none."""
    if "SKILL.md" in text:
        return True
    words = {word for word in _WORDS.findall(text) if word in known and word not in own}
    if any(not word.isalnum() for word in words):
        return True
    return any(re.search(rf"[`*/@\[]{word}[`*/\]]|\b{word}[`*]* +skill", text) for word in words)


class _Reader:
    """Goes through one document's blocks and keeps what they name."""

    def __init__(self, known: Container[str], own: AbstractSet[str], lines: Sequence[str]) -> None:
        self.found: list[Mention] = []
        self._known = known
        self._own = own
        self._lines = lines
        self._place = _Place()

    def section(self, section: Section) -> None:
        if section.depth:
            self._place.enter_heading(section.depth, section.title)
            self._heading(section)
        if not self._matters(section.text):
            return
        tokens = _markdown().parse(section.text)
        for token in tokens:
            if token.type == "inline":
                self._block(token, section.first)

    def _matters(self, text: str) -> bool:
        role, _ = self._place.now
        return role.lists_skills or holds_name(text, self._known, self._own)

    def _heading(self, section: Section) -> None:
        """A heading itself may name a skill: "## Step 2 - `/vss-query-analytics`"."""
        if holds_name(section.title, self._known, self._own):
            self._read(section.title, section.first - 1, section.first, *self._place.now)

    def _block(self, token: Token, first: int) -> None:
        self._place.enter_block(token.level)
        if self._matters(token.content):
            start, past = token.map or (0, 1)
            for offset, part, heads in _rows(token.content):
                at = first + start + offset
                self._read(part, at, first + past, *self._place.now, heads=heads)
        self._place.leave_block(token.level, token.content)

    def _read(
        self,
        text: str,
        first: int,
        past: int,
        role: Role,
        skills: bool,
        heads: Sequence[str] = (),
    ) -> None:
        children: list[Token] = []
        _markdown().inline.parse(text, _markdown(), {}, children)
        flat = flatten(children)
        for span in flat.spans:
            if len(self.found) == MOST_MENTIONS:
                return
            if span.name in self._own or not may_name(span, self._known):
                continue
            column = flat.text.count("|", 0, span.start) if heads else 0
            given = column < len(heads) and names_examples(heads[column])
            context = context_of(flat, span, Role.EXAMPLES if given else role)
            if names_a_skill(context, self._known) and (verdict := verdict_on(context)):
                line = self._line_of(span, first + bisect_left(flat.line_ends, span.start), past)
                self.found.append(
                    Mention(
                        name=span.name,
                        is_path=span.form is Form.PATH,
                        kind=verdict.kind,
                        confidence=verdict.confidence,
                        line=line + 1,
                        text=_excerpt(self._lines[line], span.name),
                        listed=context.role.lists_skills,
                        must_resolve=must_resolve(context) and (skills or span.form is Form.PATH),
                    )
                )

    def _line_of(self, span: Span, guess: int, past: int) -> int:
        """The line that holds the name; a code span that is broken over lines shifts the count."""
        for line in range(guess, min(past, len(self._lines))):
            if span.name in self._lines[line]:
                return line
        return min(guess, len(self._lines) - 1)


def _excerpt(line: str, name: str) -> str:
    if len(line) <= 200:
        return line.strip()
    start = max(0, line.find(name) - 80)
    return line[start : start + 200].strip()


def _rows(content: str) -> Iterator[tuple[int, str, Sequence[str]]]:
    """A table's rows one by one, so that a stray back tick spoils its own row only.

    Yields:
        Line, text, and of a row the heads of the table's columns.
    """
    if not re.search(r"^\s*\|", content, re.MULTILINE):
        yield 0, content, ()
        return
    heads: Sequence[str] = ()
    for number, row in enumerate(content.split("\n")):
        yield number, row, heads
        heads = heads or (row.split("|") if row.lstrip().startswith("|") else ())
