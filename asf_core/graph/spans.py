"""Places in a block of Markdown where a skill may be named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token


class Form(StrEnum):
    """How a name is written, from the most deliberate to the least."""

    PATH = "path"
    """A link or a path that leads into a skill's directory."""
    CALL = "call"
    """``/name``, ``@name``, ``[[name]]`` or ``plugin:name``: a name that is used as a name."""
    MARKED = "marked"
    """In back ticks, bold or a link's text."""
    WORD = "word"
    """A word of the text."""


@dataclass(frozen=True, slots=True)
class Span:
    """One place."""

    start: int
    """Offset in the block's flat text."""
    end: int
    form: Form
    name: str
    """The name, or the path as written."""


@dataclass
class Flat:
    """A block's text without its marks, and the places in it."""

    text: str
    spans: list[Span]

    @cached_property
    def starts(self) -> list[int]:
        """Where each span starts."""
        return [span.start for span in self.spans]

    @cached_property
    def sentence_ends(self) -> list[int]:
        """Offsets at which a sentence has ended, sorted."""
        return [match.end() for match in _SENTENCE_END.finditer(self.text)]

    @cached_property
    def line_ends(self) -> list[int]:
        """Offsets of the line feeds, sorted."""
        return [match.start() for match in re.finditer("\n", self.text)]


@dataclass(slots=True)
class _Growing:
    parts: list[str] = field(default_factory=list)
    length: int = 0
    spans: list[Span] = field(default_factory=list)

    def add(self, text: str) -> int:
        start = self.length
        self.parts.append(text)
        self.length += len(text)
        return start


# Every repetition is bounded: these run over hostile text.
_NAME = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,98}[A-Za-z0-9]"
_SKILL_PATH = r"(?:[\w.@-]{1,100}/){1,16}SKILL\.md"
_TEXT = re.compile(
    rf"\[\[(?P<wiki>[^\[\]\n]{{1,100}})\]\]"
    rf"|@\[(?P<at>[^\[\]\n]{{1,100}})\]"
    rf"|(?P<path>(?:\.\.?/){{0,8}}@?{_SKILL_PATH})"
    rf"|(?<![\w/.:@~-])/(?P<slash>{_NAME})(?![\w/-])"
    rf"|(?<![\w/.@-])@(?P<mention>{_NAME})(?![\w/-])"
    rf"|(?<![\w.@/-])(?P<word>{_NAME}(?:/{_NAME}|:{_NAME}){{0,8}})",
    re.IGNORECASE,
)
_CODE = re.compile(
    rf"(?P<call>[/@$])?(?:\[)?(?P<name>(?:{_NAME}:)?[A-Za-z0-9][\w./-]*)\]?(?:\s+(?:##?\s|-|\w).*)?\Z"
)
_SENTENCE_END = re.compile(
    r"(?<=[.!?;])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)(?<!etc\.)\s+|(?<=[。！？；])"
)
_OWN_PAGE = re.compile(
    r"github\.com/[^/]+/[^/]+/(?:tree|blob)/[^/]+/(?P<path>[^?#]+)", re.IGNORECASE
)


def flatten(children: Sequence[Token]) -> Flat:
    """Read a block's inline tokens.

    Args:
        children: As markdown-it gives them for one block.

    Returns:
        The flat text, with one line feed for each line break of the source, and every span in it in
        order; nested spans (a code name in a link) are given once, as their most deliberate form.
    """
    flat = _Growing()
    opened: list[tuple[Token, int, int, int]] = []
    for token in children:
        if token.type in ("link_open", "strong_open"):
            opened.append((token, flat.length, len(flat.parts), len(flat.spans)))
        elif token.type in ("link_close", "strong_close") and opened:
            _close(flat, *opened.pop())
        elif token.type == "code_inline":
            _code(flat, token.content)
        elif token.type in ("softbreak", "hardbreak"):
            flat.add("\n")
        elif token.type in ("text", "text_special"):
            flat.spans.extend(_in_text(token.content, flat.add(token.content)))
    return Flat("".join(flat.parts), flat.spans)


def _close(flat: _Growing, opener: Token, start: int, part: int, first: int) -> None:
    path = _link_path(str(opener.attrs.get("href", ""))) if opener.type == "link_open" else ""
    if path:
        flat.spans[first:] = [Span(start, flat.length, Form.PATH, path)]
    elif all(span.form is Form.WORD for span in flat.spans[first:]):
        text = "".join(flat.parts[part:]).strip()
        if re.fullmatch(_NAME, text):
            flat.spans[first:] = [Span(start, flat.length, Form.MARKED, text)]


def _link_path(href: str) -> str:
    """The part of a link that may lead to a skill's directory; empty for the rest of the world."""
    if page := _OWN_PAGE.search(href):
        return page["path"].rstrip("/")
    if not href or href.startswith(("#", "/")) or ":" in href.split("/", 1)[0]:
        return ""
    return re.split("[?#]", href, maxsplit=1)[0]


def _code(flat: _Growing, content: str) -> None:
    start = flat.add(content)
    match = _CODE.match(content.strip()) if len(content) <= 200 else None
    if not match:
        return
    name, call = match["name"].rstrip("/."), match["call"]
    if "/" in name:
        if call == "@" and "skills/" not in name:
            return  # `@scope/package` of npm
        form = Form.PATH
    else:
        form = Form.CALL if call in ("/", "@") or ":" in name else Form.MARKED
        if form is Form.MARKED and name != content.strip().strip("$[]"):
            return  # `git commit -m x`: the first word of a command is not a name
    flat.spans.append(Span(start, flat.length, form, name))


def _in_text(content: str, start: int) -> Iterator[Span]:
    for match in _TEXT.finditer(content):
        kind = str(match.lastgroup)
        name = match[kind].strip()
        if kind == "path" or (kind in ("at", "word") and "/" in name):
            form = Form.PATH
            name = name.lstrip("@")
        elif kind == "word":
            form = Form.CALL if ":" in name else Form.WORD
        else:
            form = Form.CALL
        yield Span(start + match.start(), start + match.end(), form, name)
