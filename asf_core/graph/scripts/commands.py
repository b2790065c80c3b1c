"""Commands in instructions: shell blocks and code spans that run a script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from asf_core.graph.cues import Cue, cue_of
from asf_core.graph.judge import REACH
from asf_core.graph.scripts import shell
from asf_core.graph.scripts.found import Found

_FENCE = re.compile(r"[ \t]*(?:[-*+>][ \t]+|\d+[.)][ \t]+)?(`{3,}|~{3,})[ \t]*\{?\.?(\w*)")
_SHELLS = frozenset(("", "bash", "sh", "shell", "zsh", "console", "terminal", "shellsession"))
_PROMPT = re.compile(r"^[ \t]*(?:[-*+>][ \t]+)?[$%>][ \t]+", re.MULTILINE)
_SPAN = re.compile(r"(?<!`)`([^`\n]{3,300})`(?!`)")
_RUNS = re.compile(r"(?:python3?|node|bash|sh|source|\.|npx|uv|deno|bun)\s")
_MOST = 1_000
"""Blocks and spans looked at."""
_LEADS_AWAY = re.compile(r"\.\./|\bskills/")
"""What a command that reaches another skill holds."""


def read(body: str, body_line: int, found: Found) -> None:
    """Read the commands of a SKILL.md.

    Args:
        body: After the frontmatter, lines ended by a line feed.
        body_line: Line of the file on which it starts, 1-based.
        found: Where to report; its lines are those of the whole file.
    """
    if not _LEADS_AWAY.search(body):
        return
    for first, block in islice(_blocks(body), _MOST):
        if _LEADS_AWAY.search(block):
            _read(block, body_line + first, found)


def _read(block: str, first: int, found: Found) -> None:
    """Parse a block apart from the rest; its lines become those of the file."""
    plain = _PROMPT.sub("", block)
    part = Found(found.file, "")
    shell.read(plain.encode("utf-8", "surrogatepass"), part, sure=False)
    for reference in part.references():
        found.take(reference, first + reference.line - 1)


def _blocks(body: str) -> Iterator[tuple[int, str]]:
    """Shell blocks and code spans with the line (0-based, in the body) on which each starts."""
    lines = body.split("\n")
    fence, start, wanted = "", 0, False
    for number, line in enumerate(lines):
        opening = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if fence:
            mark = line.strip()
            if mark.startswith(fence) and not mark.strip(fence[0]):
                if wanted:
                    yield start, "\n".join(lines[start:number])
                fence = ""
        elif opening:
            fence, start, wanted = opening[1], number + 1, opening[2].lower() in _SHELLS
        elif "`" in line:
            for span in _SPAN.finditer(line):
                if _RUNS.match(span[1]) and not _forbidden(line, span):
                    yield number, span[1]


def _forbidden(line: str, span: re.Match[str]) -> bool:
    """``Do not run `python ../x.py` ``: no relation."""
    before = line[max(0, span.start() - REACH) : span.start()]
    return cue_of(before, line[span.end() : span.end() + REACH]) is Cue.FORBIDDEN
