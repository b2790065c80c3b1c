"""Hostile text on its way to the screen: never markup, never acting, never hidden.

Everything that a skill, a path, a commit or an error says passes through here. ``Content`` is
built from plain strings only, so square brackets stay square brackets.
"""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from asf_core.domain.text import one_line, visible

__all__ = ["amount", "block", "cut", "fit", "folded", "line", "one_line", "share", "when"]

TAB = 4
"""Columns of a tab stop in a block of text."""


def line(text: str, style: str = "", limit: int = 0) -> Content:
    """One line of hostile text.

    Args:
        text: Any text.
        style: A Textual style, as ``"bold $good"``; ours, never the skill's.
        limit: Longest result in characters; 0 for no limit.
    """
    return Content.styled(one_line(text, limit), style)


def block(text: str, style: str = "") -> Content:
    """Several lines of hostile text, line ends kept and tabs expanded.

    Args:
        text: Any text.
        style: A Textual style; ours, never the skill's.
    """
    return Content.styled(visible(text, keep="\n\t").expandtabs(TAB), style)


def fit(text: str, width: int, *, right: bool = False) -> str:
    """Text of exactly ``width`` cells, wide signs counted as two.

    Args:
        text: One line of safe text.
        width: Cells to fill.
        right: Align to the right instead of the left.

    Returns:
        The text padded with spaces, or cut with ``…``.
    """
    length = cell_len(text)
    if length > width:
        return cut(text, width)
    padding = " " * (width - length)
    return padding + text if right else text + padding


def cut(text: str, width: int) -> str:
    """Text of exactly ``width`` cells, ended by ``…``."""
    if width < 1:
        return ""
    return set_cell_size(text, width - 1) + "…"


def folded(content: Content, width: int) -> list[Content]:
    """Text that is too long for a line as several, broken behind a space; nothing of it is lost.

    Args:
        content: One line.
        width: Cells of the longest result, at least 1.
    """
    pieces: list[Content] = []
    while content.cell_length > width:
        head = content.fold(width)[0]
        space = head.plain.rstrip().rfind(" ") + 1
        if space > len(head.plain) // 2:
            head = content[:space]
        pieces.append(head)
        content = content[len(head) :]
    return [*pieces, content]


def amount(number: int) -> str:
    """A whole number with its thousands apart: ``12,345``."""
    return f"{number:,}"


def share(part: float) -> str:
    """A share of one as a percentage that does not round to the whole: 0.9996 is ``99.9 %``."""
    percent = part * 100
    if 99 < percent < 100:
        return f"{min(percent, 99.9):.1f} %"
    return f"{percent:.0f} %"


def when(stamp: str | None) -> str:
    """An RFC 3339 time as ``2026-11-30 09:52``, with its offset when it is not UTC."""
    if not stamp:
        return "never"
    text = one_line(stamp, 40)
    if len(text) < 16 or text[10:11] not in {"T", " "}:
        return text
    offset = text[19:].lstrip("0123456789.")
    return f"{text[:10]} {text[11:16]}" + ("" if offset in {"", "Z", "+00:00"} else f" {offset}")
