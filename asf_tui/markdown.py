"""SKILL.md as it reads, with nothing hidden.

A renderer of our own because the usual ones leave out what a reviewer must see: HTML comments,
raw tags, where a link really goes, link definitions that nothing uses. Links are text here; none
can be followed. Entities are decoded by the parser, so text is made safe after parsing as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from textual.content import Content

from asf_core.domain.text import one_line, visible
from asf_tui.blocks import BLANK, Block, Code, Grid, Rule, Text
from asf_tui.text import TAB, block

LIMIT = 100_000
"""Characters that are laid out; the parser takes up to 20 µs for each in the worst of texts."""

BRACKETS = 20_000
"""Opening brackets that are laid out; the parser's time grows with their square."""

DEEPEST = 40
"""Levels of nesting. The parser drops what lies deeper, so it must not come to that."""

HIDDEN = "$warn italic"
"""Style of what a usual renderer would hide."""

_HEADINGS = {"h1": "bold underline $note", "h2": "bold $note", "h3": "bold"}
_INLINE = {"em": "italic", "strong": "bold", "s": "strike", "link": "underline $note"}


def render(source: str) -> tuple[Block, ...]:
    """Lay out Markdown.

    Args:
        source: Any text; hostile.

    Returns:
        Blocks to show. What cannot be laid out in good time, or is nested so deep that the parser
        would drop it, is shown as it is written.
    """
    text, beyond = visible(source[:LIMIT], keep="\n\t"), source[LIMIT:]
    if text.count("[") > BRACKETS:
        return _source("Too tangled to lay out; this is the source:", source)
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": DEEPEST})
    environment: dict[str, Any] = {}
    tokens = parser.enable(["table", "strikethrough"]).parse(text, environment)
    if any(token.level >= DEEPEST - 2 for token in tokens):
        return _source("Nested too deep to lay out; this is the source:", source)
    writer = _Writer()
    writer.write(tokens)
    writer.definitions(environment.get("references", {}))
    if beyond:
        writer.blocks += _source("Too long to lay out; the rest of the source:", beyond)
    return tuple(writer.blocks)


def _source(why: str, text: str) -> tuple[Block, ...]:
    return BLANK, Text(Content.styled(why, HIDDEN)), Code(_safe(text))


def _safe(text: str) -> str:
    return visible(text.rstrip("\n"), keep="\n\t").expandtabs(TAB)


@dataclass
class _Frame:
    """A quotation or a list item around what is being written."""

    first: str
    rest: str
    fresh: bool = True
    """Whether nothing has been written in it yet."""


@dataclass
class _Writer:
    """Turns the parser's flat tokens into blocks."""

    blocks: list[Block] = field(default_factory=list)
    frames: list[_Frame] = field(default_factory=list)
    numbers: list[int | None] = field(default_factory=list)
    shown: set[tuple[str, str]] = field(default_factory=set)
    """Targets and titles of the links that stand in the text."""
    heading: str = ""
    tight: bool = False
    spaced: bool = False
    """Whether there is a blank line above already."""
    row: list[Content] | None = None
    rows: list[list[Content]] = field(default_factory=list)

    def write(self, tokens: Sequence[Token]) -> None:
        """Write all tokens."""
        for token in tokens:
            method = getattr(self, f"_{token.type}", None)
            if method is not None:
                method(token)

    def emit(self, content: Content) -> None:
        """Add text under the prefixes of its frames, a blank line above where it is loose."""
        self._space()
        first, rest = self._prefixes()
        self.blocks.append(Text(content, first, rest))

    def definitions(self, references: Mapping[str, Mapping[str, Any]]) -> None:
        """Show the link definitions that no link uses: a known place to hide text."""
        for label, target in references.items():
            href, title = str(target.get("href", "")), str(target.get("title", ""))
            if (href, title) not in self.shown:
                text = f'[{label}]: {href} "{title}"' if title else f"[{label}]: {href}"
                self.emit(Content.styled(f"Unused definition: {one_line(text)}", HIDDEN))

    def _space(self) -> None:
        spaced, self.spaced = self.spaced, False
        if self.blocks and not self.tight and not spaced:
            margin = "".join(frame.rest for frame in self.frames if not frame.fresh)
            self.blocks.append(Text(Content(""), margin, margin))

    def _prefixes(self) -> tuple[str, str]:
        first = "".join(frame.first if frame.fresh else frame.rest for frame in self.frames)
        rest = "".join(frame.rest for frame in self.frames)
        for frame in self.frames:
            frame.fresh = False  # a mark stands in front of its first line only
        return first, rest

    # Blocks

    def _heading_open(self, token: Token) -> None:
        self.heading = _HEADINGS.get(token.tag, "bold $quiet")

    def _heading_close(self, token: Token) -> None:
        self.heading = ""

    def _paragraph_open(self, token: Token) -> None:
        self.tight = token.hidden

    def _paragraph_close(self, token: Token) -> None:
        self.tight = False

    def _inline(self, token: Token) -> None:
        content = self._spans(token.children or ())
        if self.row is not None:
            self.row.append(content)
        else:
            self.emit(content.stylize_before(self.heading) if self.heading else content)

    def _bullet_list_open(self, token: Token) -> None:
        self._open_list(None)

    def _ordered_list_open(self, token: Token) -> None:
        self._open_list(int(token.attrs.get("start", 1)))

    def _open_list(self, start: int | None) -> None:
        if not self.numbers:
            self._space()
            self.spaced = True
        self.numbers.append(start)

    def _bullet_list_close(self, token: Token) -> None:
        self.numbers.pop()

    _ordered_list_close = _bullet_list_close

    def _list_item_open(self, token: Token) -> None:
        number = self.numbers[-1]
        mark = "• " if number is None else f"{number}. "
        if number is not None:
            self.numbers[-1] = number + 1
        self.frames.append(_Frame(mark, " " * len(mark)))

    def _list_item_close(self, token: Token) -> None:
        if self.frames[-1].fresh:
            self.blocks.append(Text(Content(""), *self._prefixes()))  # an empty item
        self.frames.pop()

    def _blockquote_open(self, token: Token) -> None:
        self.frames.append(_Frame("▎ ", "▎ "))

    def _blockquote_close(self, token: Token) -> None:
        self.frames.pop()

    def _fence(self, token: Token) -> None:
        self._space()
        first, rest = self._prefixes()
        if first != rest:
            self.blocks.append(Text(Content(""), first))
        self.blocks.append(Code(_safe(token.content), one_line(token.info, 60), rest))

    _code_block = _fence

    def _html_block(self, token: Token) -> None:
        self.emit(block(token.content.rstrip("\n"), HIDDEN))

    def _hr(self, token: Token) -> None:
        self._space()
        self.blocks.append(Rule())

    def _table_open(self, token: Token) -> None:
        self.rows = []

    def _tr_open(self, token: Token) -> None:
        self.row = []

    def _tr_close(self, token: Token) -> None:
        self.rows.append(self.row or [])
        self.row = None

    def _table_close(self, token: Token) -> None:
        self._space()
        head, *rows = self.rows
        self.blocks.append(Grid(head, rows))

    # Inline

    def _spans(self, tokens: Sequence[Token]) -> Content:
        parts: list[tuple[str, str]] = []
        styles: list[str] = []
        links: list[tuple[Token, int]] = []
        for token in tokens:
            name = token.type.partition("_")[0]
            if token.type.endswith("_open"):
                styles.append(_INLINE.get(name, ""))
                if name == "link":
                    links.append((token, len(parts)))
            elif token.type.endswith("_close"):
                styles.pop()
                if name == "link":
                    opened, start = links.pop()
                    parts += self._target(opened, "".join(text for text, _ in parts[start:]))
            else:
                parts += self._leaf(token, " ".join(filter(None, styles)))
        return Content.assemble(*((visible(text, keep="\n"), style) for text, style in parts))

    def _leaf(self, token: Token, style: str) -> Iterator[tuple[str, str]]:
        match token.type:
            case "softbreak":
                yield " ", style
            case "hardbreak":
                yield "\n", style
            case "code_inline":
                yield token.content, f"{style} $match on $code"
            case "html_inline":
                yield token.content, HIDDEN
            case "image":
                title = str(token.attrs.get("title", ""))
                source = str(token.attrs.get("src", ""))
                self.shown.add((source, title))
                yield f"[image: {token.content}]", f"{style} italic"
                yield f" ‹{source}›" + (f' "{title}"' if title else ""), "$quiet"
            case _:
                yield token.content.expandtabs(TAB), style

    def _target(self, token: Token, text: str) -> Iterator[tuple[str, str]]:
        href, title = str(token.attrs.get("href", "")), str(token.attrs.get("title", ""))
        self.shown.add((href, title))
        if href not in {text, f"mailto:{text}"}:
            yield f" ‹{href}›", "$quiet"
        if title:
            yield f' "{title}"', HIDDEN


def document(description: str, body: str) -> tuple[Block, ...]:
    """The preview of a skill: what the router reads of it first, then the body."""
    lead = (
        block(description.strip())
        if description.strip()
        else Content.styled("No description.", HIDDEN)
    )
    return (Text(lead, "▎ ", "▎ ", prefix_style="$note"), BLANK, *render(body))
