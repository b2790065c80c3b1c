"""Making hostile text visible before it reaches a terminal (DESIGN 11, 12)."""

from __future__ import annotations

import re
import shlex
import unicodedata

# C0 and C1 controls, DEL, soft hyphen, zero-width and bidi controls, variation selectors past the
# common two, line and paragraph separators, surrogates, the BOM, and the Unicode tag letters.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def _mark(match: re.Match[str]) -> str:
    char = match.group()
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xE0020 <= code <= 0xE007E:
        return f"⟨tag {chr(code - 0xE0000)}⟩"
    return f"⟨U+{code:04X}⟩"


def visible(text: str, *, keep: str = "") -> str:
    r"""Replace every character that acts or hides by a mark that shows it.

    Args:
        text: Any text.
        keep: Characters let through as they are, as ``"\n\t"`` for a block of text.

    Returns:
        Text with no control, escape, bidi, zero-width or tag character but those in ``keep``:
        ESC becomes ``␛``, U+202E becomes ``⟨U+202E⟩``.
    """
    if keep:
        return _HIDDEN.sub(lambda m: m.group() if m.group() in keep else _mark(m), text)
    return _HIDDEN.sub(_mark, text)


def json_escaped(document: str) -> str:
    r"""Escape what acts or hides in a JSON document, so that printing it is safe and loses nothing.

    Args:
        document: JSON text; its line breaks stay.

    Returns:
        An equal document, in which such characters stand as ``\uXXXX`` inside their strings.
    """

    def escape(match: re.Match[str]) -> str:
        char = match.group()
        if char == "\n":
            return char
        units = char.encode("utf-16-be", "surrogatepass")
        return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))

    return _HIDDEN.sub(escape, document)


def one_line(text: str, limit: int = 0) -> str:
    """Fold white space and make the rest visible, for a cell of a table.

    Args:
        text: Any text.
        limit: Longest result in characters, cut with ``…``; 0 for no limit.
    """
    if limit and len(text) > 8 * limit:
        text = text[: 8 * limit]
    folded = visible(" ".join(text.split()))
    if limit and len(folded) > limit:
        cut = limit - 1
        while cut > 0 and unicodedata.combining(folded[cut]):
            cut -= 1
        return folded[:cut] + "…"
    return folded


def shell_word(text: str) -> str:
    """A text as one word of a command line that a person may copy.

    Names come from registries: one that holds a semicolon must not end a command.

    Args:
        text: Any text; what acts or hides in it is made visible.
    """
    return shlex.quote(one_line(text))
