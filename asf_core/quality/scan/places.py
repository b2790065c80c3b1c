"""Where in a Markdown file a text stands: prose, code, or where no reader of the page sees it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from asf_core.domain.findings import Place
from asf_core.quality.scan.kinds import Kind, kind_of_fence
from asf_core.quality.scan.pattern import compile_pattern
from asf_core.quality.scan.text import FileText

MAX_REGIONS = 20_000
"""Most regions of one file that are told apart; what lies beyond counts as prose."""
PADDING_LINES = 120
"""From this many blank lines on, what follows is out of sight."""
PADDING_CHARS = 400
"""From this many blanks in a line on, what follows in it is out of sight."""

_FENCE = re.compile(
    rb"[ \t]{0,12}(?:>[ \t]?)*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?P<fence>`{3,}|~{3,})(?P<info>[^`\n]*)\Z"
)
_INDENTED = re.compile(rb"(?: {4}|\t)[ \t]*\S")
_LIST = re.compile(rb"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]")
_STYLE = (
    r"display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?(?:[;\"'\s]|$)"
    r"|font-size\s*:\s*0|color\s*:\s*(?:white|#fff(?:fff)?\b|transparent|rgba?\(\s*255)"
    r"|text-indent\s*:\s*-\d{3,}|(?:left|top)\s*:\s*-\d{3,}|(?:max-)?height\s*:\s*0"
)
_STYLED = compile_pattern(
    r"<([a-z][a-z0-9]{0,15})\b[^<>]*(?:style\s*=\s*[\"'][^<>]*(?:" + _STYLE + r")[^<>]*"
    r"|\shidden(?:[\s=][^<>]*)?|\scolor\s*=\s*[\"']?(?:white|#fff)[^<>]*)>"
)
_ATTRIBUTE = compile_pattern(
    r"<[a-z][^<>]*\s(?:alt|title|aria-label|aria-description|placeholder|data-[a-z-]+)\s*=\s*(\"[^\"<>]+\"|'[^'<>]+')"
)
_TITLED = compile_pattern(r"\]\([^()\s]+[ \t]+(\"[^\"\n]+\"|'[^'\n]+')[ \t]*\)")
_PICTURE = compile_pattern(r"!\[([^\]\[\n]+)\]\(")
_NOTE = compile_pattern(r"(?m)^ {0,3}\[(?://|comment|#)[^\]\n]*\]:[^\n]*$")
_BLANK_RUN = compile_pattern(rf"(?:[ \t]*\n){{{PADDING_LINES},}}")
_WIDE_RUN = compile_pattern(rf"[ \t\x{{a0}}\x{{3000}}]{{{PADDING_CHARS},}}")
_LOOK_BACK = 2_000
"""Bytes of a line in which the back ticks before a place are counted."""


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of a file that is no plain prose."""

    start: int
    """Offset of its first byte."""
    end: int
    """Offset after its last byte."""
    place: Place
    kind: Kind = Kind.TEXT
    """Language of a code block."""
    named: bool = False
    """The block says its language itself."""
    how: str = ""
    """How hidden text is hidden: ``comment``, ``style``, ``title``, ``padding``."""


class Regions:
    """The regions of one file, found once."""

    def __init__(self, file: FileText) -> None:
        self._file = file

    @cached_property
    def _blocks(self) -> tuple[Region, ...]:
        """Frontmatter and code, sorted; found when first needed, since most files need no place."""
        found = _blocks(self._file) if self._file.kind is Kind.MARKDOWN else []
        return tuple(found[:MAX_REGIONS])

    @cached_property
    def _block_starts(self) -> list[int]:
        return [region.start for region in self._blocks]

    @cached_property
    def hidden(self) -> tuple[Region, ...]:
        """Regions that a reader of the rendered page does not see, sorted."""
        return tuple(self._find_hidden()[:MAX_REGIONS])

    @cached_property
    def _hidden_starts(self) -> list[int]:
        return [region.start for region in self.hidden]

    @property
    def code(self) -> tuple[Region, ...]:
        """Blocks of code, sorted."""
        return tuple(block for block in self._blocks if block.place is Place.CODE)

    def at(self, offset: int) -> Region:
        """The region of an offset; a place of plain prose, or of code in a program, otherwise."""
        block = _holding(self._blocks, self._block_starts, offset)
        if block is not None and block.place is not Place.DESCRIPTION:
            return block
        hidden = _holding(self.hidden, self._hidden_starts, offset)
        return hidden or block or Region(0, len(self._file.data), *_whole(self._file))

    def _find_hidden(self) -> list[Region]:
        data = self._file.data
        found: list[Region] = []
        if self._file.kind in (Kind.MARKDOWN, Kind.HTML):
            found += self._comments() if b"<!--" in data else []
            found += self._styled() if b"<" in data else []
        if self._file.kind is Kind.MARKDOWN:
            found += [
                _hidden_region(match.start(1), match.end(1), "title")
                for match in _TITLED.finditer(data)
            ]
            found += [
                _hidden_region(match.start(1), match.end(1), "title")
                for match in _PICTURE.finditer(data)
            ]
            found += [
                _hidden_region(match.start(1), match.end(1), "title")
                for match in _ATTRIBUTE.finditer(data)
            ]
            found += [
                _hidden_region(match.start(), match.end(), "comment")
                for match in _NOTE.finditer(data)
            ]
        found += self._padded()
        found.sort(key=lambda region: (region.start, -region.end))
        outside = [region for region in found if not self._in_code(region.start)]
        return _without_inner(outside)

    def _in_code(self, offset: int) -> bool:
        block = _holding(self._blocks, self._block_starts, offset)
        if block is not None and block.place is Place.CODE:
            return True
        least = max(0, offset - _LOOK_BACK)
        line_start = max(least, self._file.data.rfind(b"\n", least, offset) + 1)
        return self._file.data.count(b"`", line_start, offset) % 2 == 1

    def _comments(self) -> list[Region]:
        data, at = self._file.data, 0
        found: list[Region] = []
        while len(found) < MAX_REGIONS and (start := data.find(b"<!--", at)) != -1:
            if self._in_code(start):
                at = start + 4
                continue
            end = data.find(b"-->", start + 4)
            at = len(data) if end == -1 else end + 3
            found.append(_hidden_region(start, at, "comment"))
        return found

    def _styled(self) -> list[Region]:
        """Elements with a style that hides them, up to the next end tag of the same name."""
        data = self._file.data
        found: list[Region] = []
        lowered, at = data.lower(), 0
        for match in _STYLED.finditer(data):
            if match.start() < at or len(found) >= MAX_REGIONS:
                continue
            end = lowered.find(b"</" + match.group(1).lower(), match.end())
            at = len(data) if end == -1 else end
            found.append(_hidden_region(match.end(), at, "style"))
        return found

    def _padded(self) -> list[Region]:
        data = self._file.data
        found: list[Region] = []
        match = _BLANK_RUN.search(data)
        if match is not None and data[match.end() :].strip():
            found.append(_hidden_region(match.end(), len(data), "padding"))
        if self._file.kind is Kind.MARKDOWN:
            for match in _WIDE_RUN.finditer(data):
                if not data[match.end() : match.end() + 1].strip():
                    continue
                end = data.find(b"\n", match.end())
                end = len(data) if end == -1 else end
                found.append(_hidden_region(match.end(), end, "padding"))
                if len(found) > 100:
                    break
        return found


def _whole(file: FileText) -> tuple[Place, Kind]:
    if file.kind is Kind.MARKDOWN or file.kind is Kind.TEXT:
        return Place.INSTRUCTION, file.kind
    if file.kind in (Kind.DATA, Kind.HTML):
        return Place.DATA, file.kind
    return Place.SCRIPT, file.kind


def _hidden_region(start: int, end: int, how: str) -> Region:
    return Region(start, end, Place.HIDDEN, how=how)


def _holding(regions: Sequence[Region], starts: Sequence[int], offset: int) -> Region | None:
    index = bisect_right(starts, offset) - 1
    if index >= 0 and offset < regions[index].end:
        return regions[index]
    return None


def _without_inner(regions: list[Region]) -> list[Region]:
    """Drop regions inside others, so that the rest can be searched by their start."""
    kept: list[Region] = []
    for region in regions:
        if not kept or region.start >= kept[-1].end:
            kept.append(region)
    return kept


def _blocks(file: FileText) -> list[Region]:
    """Frontmatter, fenced and indented code of a Markdown file, in order."""
    lines = file.data.split(b"\n")
    found: list[Region] = []
    at, number = _frontmatter(lines, found) if file.is_main else (0, 0)
    fence, kind, opened, named = b"", Kind.TEXT, 0, False
    blank, in_list = True, False
    for line in lines[number:]:
        after = at + len(line) + 1
        match = _FENCE.match(line) if b"```" in line or b"~~~" in line else None
        if fence:
            if match and match["fence"].startswith(fence) and not match["info"].strip():
                found.append(Region(opened, at, Place.CODE, kind, named))
                fence = b""
        elif match:
            fence, opened = match["fence"], after
            kind = kind_of_fence(match["info"].decode("utf-8", "replace"))
            named = bool(match["info"].strip())
        elif blank and not in_list and _INDENTED.match(line):
            found.append(Region(at, after, Place.CODE, Kind.SHELL))
            at = after
            continue
        blank = not line.strip() or (blank and bool(_INDENTED.match(line)))
        if line.strip():
            in_list = bool(_LIST.match(line)) or (in_list and line[:1] in b" \t")
        at = after
    if fence:
        found.append(Region(opened, len(file.data), Place.CODE, kind, named))
    return found


def _frontmatter(lines: list[bytes], found: list[Region]) -> tuple[int, int]:
    """Take the frontmatter; returns offset and number of the line after it."""
    if not lines or lines[0].rstrip() != b"---":
        return 0, 0
    at = len(lines[0]) + 1
    for number, line in enumerate(lines[1:2_000], 1):
        at += len(line) + 1
        if line.rstrip() == b"---":
            found.append(Region(0, at, Place.DESCRIPTION, Kind.DATA))
            return at, number + 1
    return 0, 0
