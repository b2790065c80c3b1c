"""The text of a SKILL.md: decoded once, with the places of an editor for every offset."""

from __future__ import annotations

import re
from dataclasses import dataclass

from asf_core.domain.findings import Finding, Repair, Severity
from asf_core.registry import rules
from asf_core.registry.rules import Rule

MAX_FILE_BYTES = 4 * 1024 * 1024
"""Most bytes of one SKILL.md. The largest of 2,637 public ones has 294,426."""

SNIPPET_CHARS = 160
_BOM = "\ufeff"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class SourceText:
    """A decoded SKILL.md.

    Offsets are in characters of :attr:`text`; lines and columns are those that an editor shows,
    which never counts a byte-order mark and takes CR LF for one line end.
    """

    path: str
    """POSIX path of the file inside the registry."""
    text: str
    """Without byte-order mark, every line end as ``\\n``."""
    had_bom: bool = False
    odd_line: int = 0
    """First line that ends in a lone CR, or otherwise than the first line; 0 when none does."""

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both 1-based."""
        offset = max(0, min(offset, len(self.text)))
        start = self.text.rfind("\n", 0, offset) + 1
        return self.text.count("\n", 0, start) + 1, offset - start + 1

    def line_span(self, offset: int) -> tuple[int, int]:
        """Start and end offset of the line that holds an offset, line end not included."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return start, len(self.text) if end == -1 else end

    def finding(
        self,
        rule: Rule,
        message: str,
        offset: int = 0,
        *,
        severity: Severity | None = None,
        repair: Repair | None = None,
    ) -> Finding:
        """A finding at an offset, with its line as the snippet."""
        line, column = self.place(offset)
        start, end = self.line_span(min(offset, len(self.text)))
        return Finding(
            rule=rule.id,
            severity=severity or rule.severity,
            message=message,
            path=self.path,
            line=line,
            column=column,
            snippet=self.text[start : min(end, start + SNIPPET_CHARS)],
            repair=repair,
        )


def decode(data: bytes, path: str) -> SourceText | Finding:
    """Decode a SKILL.md.

    Args:
        data: The bytes of the file.
        path: POSIX path of the file inside the registry.

    Returns:
        The text; or the finding that says why there is none, with the offset of the first bad byte.
        No other encoding is ever guessed.
    """
    if len(data) > MAX_FILE_BYTES:
        message = f"The file has {len(data):,} bytes; the cap is {MAX_FILE_BYTES:,}."
        return _whole(rules.TOO_LARGE, message, path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _place_of_byte(data, error.start)
        looks = " It looks like UTF-16." if data.startswith(_UTF16_MARKS) else ""
        message = (
            f"Byte {error.start} (0x{data[error.start]:02x}) is not UTF-8.{looks}"
            " Save the file as UTF-8; nothing is guessed."
        )
        return _whole(rules.ENCODING, message, path, line, column)
    if (nul := data.find(b"\0")) != -1:
        line, column = _place_of_byte(data, nul)
        message = f"Byte {nul} is NUL, so this is no text file. Save it as UTF-8."
        return _whole(rules.ENCODING, message, path, line, column)
    had_bom = text.startswith(_BOM)
    text = text.removeprefix(_BOM)
    if "\r" not in text:
        return SourceText(path, text, had_bom)
    odd = _odd_line(text)
    return SourceText(path, text.replace("\r\n", "\n").replace("\r", "\n"), had_bom, odd)


def _whole(rule: Rule, message: str, path: str, line: int = 1, column: int = 1) -> Finding:
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        message=message,
        path=path,
        line=line,
        column=column,
    )


def _place_of_byte(data: bytes, offset: int) -> tuple[int, int]:
    before = data[:offset].decode("utf-8").removeprefix(_BOM)
    lines = re.split("\r\n|\r|\n", before)
    return len(lines), len(lines[-1]) + 1


def _odd_line(text: str) -> int:
    ends = re.finditer("\r\n|\r|\n", text)
    first = ""
    for number, match in enumerate(ends, 1):
        first = first or match.group()
        if match.group() == "\r" or match.group() != first:
            return number
    return 0
