"""Where output goes, as far as its layout depends on it."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

NO_WRAP = 100_000
"""Columns of what is no terminal: rows stay whole for the tools that read them by line."""
_USUAL = 80
_LONGEST = 10
_COLOUR = ("COLORTERM", "FORCE_COLOR", "NO_COLOR", "TERM", "TTY_COMPATIBLE")
"""Variables that say how a terminal shows colour."""


def terminal(stream: TextIO) -> dict[str, Any]:
    """Describe what a stream goes to, so that another process can print for it.

    Returns:
        ``tty``, ``width`` in columns, and the variables that decide on colour in ``environ``.
    """
    tty = stream.isatty()
    return {
        "tty": tty,
        "width": _columns() or (_size() if tty else NO_WRAP),
        "environ": {name: os.environ[name] for name in _COLOUR if name in os.environ},
    }


def _columns() -> int:
    """The width that ``COLUMNS`` asks for; 0 where it asks for none."""
    wanted = os.environ.get("COLUMNS", "")
    plain = wanted.isascii() and wanted.isdecimal() and len(wanted) < _LONGEST
    return min(int(wanted), NO_WRAP) if plain else 0


def _size() -> int:
    for stream in (sys.__stdin__, sys.__stderr__, sys.__stdout__):
        try:
            if stream is not None:
                return os.get_terminal_size(stream.fileno()).columns or _USUAL
        except (OSError, ValueError):
            continue
    return _USUAL
