"""The lines of a shell script that may say where something lies or what is run.

The Bash grammar is handed one line at a time. Whole files are not safe in its hands: version 0.25.1
asks C's ``isalpha()`` about any code point, and one beyond the table ends the process; its time grows
with the square of a run of pipes or redirections; and errors in one place hide what follows. A line
of bounded length in ASCII has none of these. What is lost is a word that goes on over a line break
inside quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 2_000
"""Bytes of a line, with what continues it; a longer one is passed over."""
MOST = 2_000
"""Lines of one script that are parsed."""

_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_TELLS = re.compile(rb"[=/$]|\bcd\b|skill", re.IGNORECASE)
_HEREDOC = re.compile(rb"(?<!<)<<-?[ \t]*\\?([\"']?)([A-Za-z_][\w]{0,60})\1(?![\w<])")
# What a command stands behind or in front of where its construct spans several lines.
_BEFORE = re.compile(
    rb"[ \t]*(?:(?:if|then|else|elif|do|while|until|!|\{|\(|&&|\|\||\|)(?=[ \t])[ \t]*"
    rb"|[\w*?|\"'.-]{1,60}\)[ \t]+)"
)
_AFTER = re.compile(rb"(?:[ \t]*(?:;[ \t]*(?:then|do)|;;|[;&|\\]|\|\||&&|\}|\)))+[ \t]*\Z")


def telling_lines(source: bytes) -> Iterator[tuple[int, bytes]]:
    """Cut a script into the lines worth parsing.

    Args:
        source: UTF-8.

    Yields:
        The line's number, 1-based, and its text in ASCII, continued lines joined, without the
        keyword in front that opens a construct. Comments and here-documents are left out.
    """
    given, skip = 0, b""
    for number, line in _joined(source.split(b"\n")):
        if skip:
            skip = b"" if line.strip() == skip else skip
            continue
        if heredoc := _HEREDOC.search(line[:LONGEST]):
            skip = heredoc[2]
        plain = line.strip()
        if plain.startswith(b"#") or len(plain) > LONGEST or not _TELLS.search(plain):
            continue
        given += 1
        if given > MOST:
            return
        yield number, _NOT_ASCII.sub(b"_", _bare(plain))


def _joined(lines: list[bytes]) -> Iterator[tuple[int, bytes]]:
    """Lines with those that a backslash continues; the number is that of the first."""
    at = 0
    while at < len(lines):
        first, parts, size = at, [lines[at]], len(lines[at])
        while parts[-1].endswith(b"\\") and at + 1 < len(lines) and size <= LONGEST:
            at += 1
            parts[-1] = parts[-1][:-1]
            parts.append(lines[at])
            size += len(lines[at])
        yield first + 1, b" ".join(parts)
        at += 1


def _bare(line: bytes) -> bytes:
    for _ in range(4):
        opened = _BEFORE.match(line)
        if opened is None:
            break
        line = line[opened.end() :]
    return line if b"$(" in line and line.endswith(b")") else _AFTER.sub(b"", line)
