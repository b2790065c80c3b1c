"""Standard input, output and error as they may come: closed, full, gone, or of another encoding.

A reader that goes away (``asf skills | head``) ends the program quietly, by SIGPIPE as other tools
do: 141 in a shell. Any other failure to print is an error with a code of its own, never one that
only shows as a traceback of the interpreter's last flush.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import os
import signal
import sys
from typing import Any, NoReturn

from asf_core.domain.errors import InputError, MissingError
from asf_core.domain.text import one_line

_HINT = "Check where it goes; what the command had to do besides is done"


class OutputError(MissingError):
    """What was to be printed could not be."""


class OutputClosedError(OutputError):
    """Whoever read the output has gone away."""


def prepare() -> None:
    """Make the three standard streams usable, whatever the program was started with."""
    closed = _fill_gaps()
    if 1 in closed or sys.stdout is not None:
        sys.stdout = _text(_Output(1, closed=1 in closed), sys.stdout)
    sys.stderr = _text(_Errors(2), sys.stderr)
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")


def check_arguments(argv: list[str]) -> None:
    """Refuse arguments that are no text.

    Args:
        argv: As Python gives them: bytes that the locale cannot read stand as surrogates.

    Raises:
        InputError: One of them has such bytes.
    """
    for argument in argv:
        if any("\ud800" <= character <= "\udfff" for character in argument):
            raise InputError(
                "An argument is not text",
                why=f"{one_line(ascii(argument), 80)} is not {sys.getfilesystemencoding()}",
                hint="Give it in UTF-8, in a UTF-8 locale; rename a file that is called so",
            )


def end_by_closed_pipe() -> NoReturn:
    """End as a program that writes to a closed pipe does."""
    with contextlib.suppress(ValueError, AttributeError):  # another thread; another system
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)
    os._exit(141)


class _Output(io.FileIO):
    """Standard output: says once what keeps it from being written, and is silent from then on.

    The interpreter flushes what is left at its very end, when nobody can be told any more.
    """

    def __init__(self, number: int, *, closed: bool) -> None:
        super().__init__(number, "wb", closefd=False)
        self._closed_before = closed
        self._lost = False

    def write(self, data: Any, /) -> int:
        if self._lost:
            return len(data)
        try:
            if self._closed_before:
                raise OSError(errno.EBADF, "Standard output is closed")
            return super().write(data)
        except OSError as error:
            self._lost = True
            if isinstance(error, BrokenPipeError):
                raise OutputClosedError("Standard output was closed by its reader") from error
            why = error.strerror or str(error)
            raise OutputError("The output could not be written", why=why, hint=_HINT) from error


class _Errors(io.FileIO):
    """Standard error: where it cannot be written, there is nobody left to tell."""

    def __init__(self, number: int) -> None:
        super().__init__(number, "wb", closefd=False)

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


_PLAIN = {"█": "#", "░": ".", "┃": "|", "━": "=", "─": "-", "│": "|"}
_PLAIN |= {"✓": "+", "✔": "+", "✗": "x", "✘": "x", "…": "...", "→": "->", "←": "<-"}
_PLAIN |= {"⟨": "<", "⟩": ">", "≤": "<=", "≥": ">=", "±": "+-", "·": "-", "•": "*"}
"""Signs that this program draws with, in ASCII."""


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """What an encoding lacks: our own signs in ASCII, other letters as escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    shown = (_PLAIN.get(c) or c.encode("ascii", "backslashreplace").decode() for c in lacking)
    return "".join(shown), error.end


codecs.register_error("asf-plain", _plainly)


def _text(raw: io.FileIO, before: object) -> io.TextIOWrapper:
    """Text on a raw stream, as it was; what the encoding lacks is shown plainly."""
    known = before if isinstance(before, io.TextIOWrapper) else None
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=known.encoding if known else "utf-8",
        errors="asf-plain",
        line_buffering=known.line_buffering if known else False,
        write_through=known.write_through if known else False,
    )


def _fill_gaps() -> set[int]:
    """Put the null device in place of closed standard streams; says which were.

    The next file to be opened would get such a number, and whatever a library prints would go into
    it: the database, say.
    """
    closed = set()
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            closed.add(number)
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free: this one
    return closed
