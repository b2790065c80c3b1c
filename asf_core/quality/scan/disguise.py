"""A file's text as a model reads it: without what hides, look-alikes as the letters they look like."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from asf_core.quality.scan.pattern import compile_pattern
from asf_core.quality.scan.text import FileText

MAX_CHARS = 512 * 1024
"""Most characters of one file that are taken apart; more of them have no other purpose."""

_ODD = compile_pattern(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e01ef"
    "\u0370-\u052f\uff21-\uff5a\U0001d400-\U0001d7ff]|&#"
)
_DROPPED = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufe00-\ufe0f\U000e0000-\U000e001f\U000e007f\U000e0100-\U000e01ef]"
)
_ENTITY = re.compile(r"&#(?:x[0-9a-fA-F]{1,6}|\d{1,7});?")
_ALIKE = str.maketrans(
    "аеорсухіјѕԁԛԝһӏгαβεικνορτυχАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijsdqwhlraβeiknoptuxABEKMHOPCTYXIJSABEZHIKMNOPTYX",
)


def look_alike_key(name: str) -> str:
    """One key for all names that read alike: composition, case, marks and look-alike letters folded.

    Args:
        name: A skill's name.
    """
    folded = unicodedata.normalize("NFKD", name.translate(_ALIKE)).casefold().translate(_ALIKE)
    kept = (char for char in folded if not unicodedata.combining(char))
    return "".join(kept).translate(str.maketrans("01|", "oll")).replace("_", "-").replace("rn", "m")


@dataclass(frozen=True, slots=True)
class Undisguised:
    """Lines of a file that hold disguises, undone."""

    data: bytes
    """UTF-8, lines joined by line ends."""
    offsets: tuple[int, ...]
    """For every byte of ``data`` the offset in the file that it stands for, and the end."""


def undisguise(file: FileText) -> Undisguised | None:
    """Undo what hides in a file; ``None`` when nothing does.

    Invisible characters go, tag letters become their ASCII twins, compatibility forms and letters
    that look like Latin ones become these, character references become characters.
    """
    numbers = sorted(_lines(file))
    if not numbers:
        return None
    data, offsets = bytearray(), []
    for number in numbers:
        start = file.line_start(number)
        end = file.data.find(b"\n", start)
        line = file.data[start : len(file.data) if end == -1 else end].decode("utf-8", "replace")
        for piece, offset in _pieces(line):
            encoded = piece.encode("utf-8", "replace")
            data += encoded
            offsets += [start + offset] * len(encoded)
        data += b"\n"
        offsets.append(start + len(line.encode("utf-8", "replace")))
        if len(data) > MAX_CHARS:
            break
    return Undisguised(bytes(data), (*offsets, len(file.data)))


def _lines(file: FileText) -> set[int]:
    """Numbers of the lines with disguises and of their neighbours."""
    found: set[int] = set()
    for match in _ODD.finditer(file.data):
        number = file.line_number(match.start())
        found.update(n for n in (number - 1, number, number + 1) if 1 <= n <= file.line_count)
        if len(found) > MAX_CHARS // 40:
            break
    return found


def _pieces(line: str) -> Iterator[tuple[str, int]]:
    """The characters of a line, undone, each with the byte offset of where it stands."""
    at, offset = 0, 0
    while at < len(line):
        entity = _ENTITY.match(line, at) if line[at] == "&" else None
        taken = entity.group() if entity else line[at]
        undone = (
            html.unescape(taken if taken.endswith(";") else taken + ";")
            if entity
            else _plain(taken)
        )
        if undone:
            yield undone, offset
        at += len(taken)
        offset += len(taken.encode("utf-8", "replace"))


def _plain(char: str) -> str:
    if char.isascii():
        return char
    code = ord(char)
    if 0xE0020 <= code <= 0xE007E:
        return chr(code - 0xE0000)
    if _DROPPED.match(char):
        return ""
    if 0xFF21 <= code <= 0xFF5A or 0x1D400 <= code <= 0x1D7FF:
        return unicodedata.normalize("NFKC", char)
    return char.translate(_ALIKE)
