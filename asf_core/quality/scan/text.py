"""A file's text as the rules match it: UTF-8 bytes, with an editor's place for every offset."""

from __future__ import annotations

import codecs
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from asf_core.domain.scan import FileState
from asf_core.quality.scan.kinds import PROGRAMS, Kind, binary_type, is_picture_name, kind_of

MAX_TEXT_BYTES = 4 * 1024 * 1024
"""Longest file that is scanned whole. A longer one makes the scan incomplete."""
_UTF16 = ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_SHOWN = 160


@dataclass(frozen=True)
class FileText:
    """A text file. Offsets are in bytes of :attr:`data`."""

    path: str
    """POSIX, relative to the skill's directory."""
    kind: Kind
    data: bytes
    """UTF-8, every line end as LF."""
    executable: bool = False
    is_main: bool = False
    """It is the skill's SKILL.md."""

    @cached_property
    def text(self) -> str:
        """The same as text."""
        return self.data.decode("utf-8", "replace")

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [0], self.data.find(b"\n")
        while at != -1:
            starts.append(at + 1)
            at = self.data.find(b"\n", at + 1)
        return starts

    def line_number(self, offset: int) -> int:
        """Line of an offset, 1-based."""
        return bisect_right(self._starts, offset)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, 1-based, in characters."""
        line = self.line_number(offset)
        start = self._starts[line - 1]
        return line, len(self.data[start:offset].decode("utf-8", "replace")) + 1

    def line_start(self, number: int) -> int:
        """Offset at which a line starts (1-based number, within the file)."""
        return self._starts[number - 1]

    def line(self, number: int) -> str:
        """A line without its end; empty outside the file."""
        if not 1 <= number <= len(self._starts):
            return ""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.data)
        return self.data[start : min(end, start + 4_000)].decode("utf-8", "replace")

    @property
    def line_count(self) -> int:
        """How many lines the file has."""
        return len(self._starts)

    def around(self, offset: int) -> str:
        """The line of an offset as a snippet; of a long line, the part around the offset."""
        line, column = self.place(offset)
        shown = self.line(line)
        if len(shown) <= _SHOWN or column <= _SHOWN // 2:
            return shown[:_SHOWN]
        start = self.line_start(line)
        before = self.data[max(start, offset - 240) : offset].decode("utf-8", "ignore")[-40:]
        after = self.data[offset : offset + 480].decode("utf-8", "ignore")
        return before + after.split("\n", 1)[0][: _SHOWN - 40]


@dataclass(frozen=True)
class Opened:
    """What was made of a file's bytes."""

    state: FileState
    kind: str
    """For the record of the file."""
    reason: str = ""
    text: FileText | None = field(default=None)
    """The text, where there is one, also of a file whose bytes are partly unreadable."""


def open_file(path: str, data: bytes, *, executable: bool = False, is_main: bool = False) -> Opened:
    """Tell what a file is and decode it. Never raises on content.

    Text is UTF-8, or UTF-16 with its mark. Bytes that are neither text nor of a known binary type
    are scanned with the bad bytes replaced, and the file counts as unreadable.
    """
    kind = Kind.MARKDOWN if is_main else kind_of(path, data)
    found = binary_type(path, data)
    decoded, reason = _decode(data[: MAX_TEXT_BYTES + 4])
    if found and (reason or "\0" in decoded or is_picture_name(path)):
        return Opened(FileState.BINARY, found)
    if len(data) > MAX_TEXT_BYTES:
        said = f"{len(data):,} bytes; at most {MAX_TEXT_BYTES:,} of a file are scanned"
        return Opened(FileState.SKIPPED, str(kind), said)
    if _looks_binary(data):
        if kind not in PROGRAMS and kind is not Kind.MARKDOWN:
            return Opened(FileState.BINARY, "binary")
        reason = reason or "control characters all over"
    plain = decoded.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text = FileText(path, kind, plain.encode("utf-8", "replace"), executable, is_main)
    return Opened(FileState.UNREADABLE if reason else FileState.SCANNED, str(kind), reason, text)


def _decode(data: bytes) -> tuple[str, str]:
    """The text, and which byte is none."""
    for mark, name in _UTF16:
        if data.startswith(mark):
            try:
                return data.decode(name), ""
            except UnicodeDecodeError as error:
                return data.decode(name, "replace"), f"byte {error.start} is not UTF-16"
    try:
        return data.decode("utf-8"), ""
    except UnicodeDecodeError as error:
        return data.decode("utf-8", "replace"), f"byte {error.start} is not UTF-8"


def _looks_binary(data: bytes) -> bool:
    """NUL bytes or mostly control characters at its beginning; UTF-16 says so with its mark."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return False
    head = data[:8192]
    odd = sum(head.count(code) for code in (*range(9), *range(14, 27), *range(28, 32)))
    bad = head.decode("utf-8", "replace").count("\ufffd")
    return b"\0" in head or odd + bad > max(4, len(head) // 10)
