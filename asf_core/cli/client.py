"""Letting a server route: the first thing that ``asf route`` tries.

A server saves opening the models and the index, and even importing what they need. It is asked when
it is there, belongs to the same user, and answers for the same workspace, models and program; in
every other case nothing is said and the route runs in this process.
"""

# pathlib takes longer to import than everything that is done here.
# ruff: noqa: PTH110
from __future__ import annotations

import os
import sys

from asf_core.cli import asking
from asf_core.store.places import find_root, socket_places

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator, Sequence
    from typing import Any

PROTOCOL = 1
_CONNECT_SECONDS = 1.0
_SILENCE_SECONDS = 15.0
"""A server that works says so every second."""
_LONGEST_ANSWER = 64 * 1024 * 1024
_PEER = 12
"""Bytes of what SO_PEERCRED gives: process, user and group, an int each."""


class _NoAnswerError(Exception):
    """The server is not there, is not the right one, or failed: the route runs here."""


def answer(arguments: Sequence[str]) -> int | None:
    """Let a server answer a route in one of its usual forms.

    Args:
        arguments: Of ``asf``.

    Returns:
        The exit code; ``None`` when the command is to be run in this process.
    """
    ask = asking.read_plain(arguments)
    return None if ask is None else answer_ask(ask)


def answer_ask(ask: dict[str, Any]) -> int | None:
    """Let a server answer what is asked.

    Returns:
        The exit code; ``None`` when the route is to be run in this process.
    """
    root = _root(ask)
    places = [place for place in socket_places(root) if os.path.exists(place)] if root else []
    why = "no server runs for this workspace"
    for place in places:
        try:
            return _asked(place, root, ask)
        except KeyboardInterrupt:
            return 130
        except (OSError, ValueError, KeyError, TypeError, AttributeError, _NoAnswerError) as error:
            why = f"{place}: {error}"
    if ask["debug"]:
        sys.stderr.write(f"server: not used: {why}\n")
    return None


def _root(ask: dict[str, Any]) -> str:
    from asf_core.domain.errors import AsfError

    try:
        return find_root(ask["workspace"])
    except AsfError:
        return ""  # Said by the command, when it finds the same.


def _asked(place: str, root: str, ask: dict[str, Any]) -> int:
    import time

    from asf_core.cli.build import build
    from asf_core.cli.terminal import terminal

    began = time.perf_counter()
    request = {
        "asf": PROTOCOL,
        "build": build(),
        "workspace": root,
        "progress": sys.stderr.isatty() and not ask["quiet"],
        "terminal": terminal(sys.stdout),
        "ask": asking.absolute(ask),
    }
    found = _final(_answers(place, request))
    code = int(found["code"])
    for line in found["err"]:
        sys.stderr.write(f"{line}\n")
    if ask["debug"]:
        took = 1e3 * (time.perf_counter() - began)
        sys.stderr.write(f"server: {found['server']}; asked {took:.1f} ms\n")
    sys.stdout.write(found["out"])
    return code


def _final(answers: Iterator[dict[str, Any]]) -> dict[str, Any]:
    """Follow the server's progress to its answer."""
    opened = None
    try:
        for found in answers:
            if "progress" in found:
                if opened is None:
                    from asf_core.cli.progress import bars

                    opened = bars()
                    draw = opened.__enter__()
                draw(*found["progress"])
            elif "refused" in found:
                raise _NoAnswerError(found["refused"])
            elif "done" in found:
                done: dict[str, Any] = found["done"]
                return done
    finally:
        if opened is not None:
            opened.__exit__(None, None, None)
    raise _NoAnswerError("it went away")


def _answers(place: str, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    import json

    with _connected(place) as connection:
        connection.sendall(json.dumps(request).encode() + b"\n")
        connection.settimeout(_SILENCE_SECONDS)
        with connection.makefile("rb") as lines:
            while line := lines.readline(_LONGEST_ANSWER):
                yield json.loads(line)


def _connected(place: str) -> socket.socket:
    import socket

    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(_CONNECT_SECONDS)
        connection.connect(place)
        if not _is_ours(connection):
            raise _NoAnswerError("it belongs to another user")
    except BaseException:
        connection.close()
        raise
    return connection


def _is_ours(connection: socket.socket) -> bool:
    """Whether who serves is this user: an answer decides what an agent does next."""
    import socket

    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True  # The socket's own mode keeps others from it where the system has no more.
    found = connection.getsockopt(socket.SOL_SOCKET, option, _PEER)
    return int.from_bytes(found[4:8], sys.byteorder) == os.geteuid()
