"""Findings in the text that they are about. Values in, blocks out; no widget in here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from asf_tui import facts
from asf_tui.blocks import BLANK, LEAST, Block, Rule, Text
from asf_tui.glyphs import Glyphs
from asf_tui.text import amount, block, line

if TYPE_CHECKING:
    from asf_tui.bridge.shown import Examination, ScanFinding

MARGIN = 7
"""Cells of the line numbers and of the sign beside them."""
MOST_BYTES = 400_000
"""Of a file that is shown whole."""
AROUND = 3
"""Lines around a finding that are shown of a long file."""
WHOLE = 400
"""Lines up to which a file with findings is shown whole."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The first line of a finding: a place that one can go to."""

    inner: Block

    @property
    def marks(self) -> bool:
        """Whether :class:`DocumentView` stops here."""
        return True

    def lines(self, width: int) -> Iterator[Content]:
        """Those of the block."""
        return self.inner.lines(width)


@dataclass(frozen=True, slots=True)
class Numbered:
    """Lines of a file with their numbers; those with a finding stand out."""

    first: int
    texts: Sequence[str]
    hot: frozenset[int]
    """Numbers of lines that a finding is about."""
    glyphs: Glyphs

    def lines(self, width: int) -> Iterator[Content]:
        """Number and text; what is long goes on below."""
        inner = max(LEAST, width - MARGIN)
        for number, text in enumerate(self.texts, self.first):
            hot = number in self.hot
            margin = Content.styled(
                f"{number:>5}{'>' if hot else ' '} ", "$warn" if hot else "$quiet"
            )
            for piece in block(text, "bold" if hot else "").fold(inner) or [Content("")]:
                yield margin + piece
                margin = Content(" " * MARGIN)


def findings(found: Examination, glyphs: Glyphs) -> Iterator[Block]:
    """Every finding below the line that it is about, file by file."""
    yield Text(_summary(found, glyphs))
    by_path: dict[str, list[ScanFinding]] = defaultdict(list)
    for one in found.result.findings:
        by_path[one.path].append(one)
    paths = [*by_path, *(path for path in found.files if path not in by_path)]
    main = [path for path in paths if path.lower() == "skill.md"]
    for path in dict.fromkeys([*main, *paths]):
        if path in by_path or path in main:
            yield BLANK
            yield Rule(line(path).plain)
            yield from _file(path, by_path[path], found, glyphs)
    silent = sorted(set(found.files) - set(by_path) - set(main))
    if silent:
        yield BLANK
        yield Rule("Without findings")
        for path in silent:
            size = amount(len(found.files[path]))
            yield Text(Content.assemble(line(path), (f"  {size} bytes", "$quiet")))


def _summary(found: Examination, glyphs: Glyphs) -> Content:
    count, blocking = len(found.result.findings), len(found.blocking)
    if not found.result.complete:
        return Content.styled(
            f"{glyphs.broken} The scan was not complete: that blocks.", "bold $bad"
        )
    if not count:
        return Content.styled(f"{glyphs.ready} The scanner finds nothing.", "bold $good")
    words = f"{count} finding{'s' * (count > 1)}, {blocking} of them block"
    if blocking:
        return Content.styled(f"{glyphs.broken} {words}", "bold $bad")
    return Content.styled(f"{glyphs.severities[1]} {words}: none keeps it out", "bold $note")


def _file(
    path: str, found: Sequence[ScanFinding], examined: Examination, glyphs: Glyphs
) -> Iterator[Block]:
    lines = _text(examined.files.get(path))
    at: dict[int, list[ScanFinding]] = defaultdict(list)
    for one in found:
        at[min(one.line, len(lines)) if lines else one.line].append(one)
    if not lines:
        yield Text(Content.styled("Its text is not shown: none, or too long.", "$quiet"))
        for one in found:
            yield from _finding(one, examined, glyphs, "  ")
        return
    hot = frozenset(at)
    for first, last in _shown(len(lines), sorted(at)):
        if first > 1:
            yield Text(Content.styled(f"{' ' * MARGIN}…", "$quiet"))
        start = first
        for number in [n for n in sorted(at) if first <= n <= last]:
            yield Numbered(start, lines[start - 1 : number], hot, glyphs)
            for one in at[number]:
                yield from _finding(one, examined, glyphs, " " * MARGIN)
            start = number + 1
        if start <= last:
            yield Numbered(start, lines[start - 1 : last], hot, glyphs)


def _shown(total: int, hot: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ranges of lines to show: all of a short file, of a long one what is near a finding."""
    if total <= WHOLE or not hot:
        yield 1, min(total, WHOLE)
        return
    first, last = 1, min(total, 12)
    for number in hot:
        begin, end = max(1, number - AROUND), min(total, number + AROUND)
        if begin > last + 1:
            yield first, last
            first = begin
        last = max(last, end)
    yield first, last


def _finding(
    one: ScanFinding, examined: Examination, glyphs: Glyphs, indent: str
) -> Iterator[Block]:
    if one.waiver is not None:
        word, tone = f"waived until {one.waiver.expires_at[:10]}", "$quiet"
    elif one in examined.blocking:
        word, tone = f"{glyphs.broken} blocks", "$bad"
    else:
        word, tone = "noted", "$quiet"
    severity = facts.verdict(glyphs.severity(one.severity))
    head = Content.assemble(severity, "  ", line(one.rule, "bold"), "  ", (word, tone))
    yield Mark(Text(head, indent, indent))
    yield Text(line(one.message), indent, indent)
    if one.remediation:
        more = f"{indent}{glyphs.out} "
        yield Text(line(one.remediation, "$note"), more, " " * len(more), "$note")


def _text(data: bytes | None) -> list[str]:
    if data is None or len(data) > MOST_BYTES or b"\0" in data:
        return []
    return data.decode("utf-8", "replace").rstrip("\n").split("\n")
