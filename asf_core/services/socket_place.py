"""The place of a local server: a socket of one user, claimed by one process at a time."""

from __future__ import annotations

import os
import socket
import struct
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from asf_core.domain.errors import BusyError, MissingError
from asf_core.store.files import discard

if sys.platform != "win32":
    import fcntl


@contextmanager
def claimed(places: Sequence[Path]) -> Iterator[tuple[socket.socket, Path]]:
    """Listen at the first place that will do, and remove the socket afterwards.

    A lock beside the socket tells a server that runs from one that has died: the system frees it
    with the process, so a socket whose lock can be had is nobody's.

    Raises:
        BusyError: Another server has the place.
        MissingError: No place will do.
    """
    reasons = []
    for place in places:
        try:
            lock = _locked(place)
        except OSError as error:
            reasons.append(f"{place}: {error.strerror or error}")
            continue
        try:
            with _listening(place) as listener:
                yield listener, place
            return
        except _UnusableError as error:
            reasons.append(f"{place}: {error}")
        finally:
            os.close(lock)
    raise MissingError(
        "No socket can be made for the workspace",
        why="; ".join(reasons) or "Its path is too long for one, and XDG_RUNTIME_DIR is not set",
        hint="Use a workspace with a shorter path, or set XDG_RUNTIME_DIR to a directory of yours",
    )


class _UnusableError(Exception):
    """No socket can be made there."""


def _locked(place: Path) -> int:
    if not place.parent.is_dir():
        place.parent.mkdir(mode=0o700)
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    lock = os.open(place.with_name(f"{place.name}.lock"), flags, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise BusyError(
            "A server runs for this workspace already",
            why=f"It listens at {place}",
            hint="Use it, or end it first",
        ) from None
    return lock


@contextmanager
def _listening(place: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        try:
            discard(place)
            before = os.umask(0o177)  # mode 0600 from the first moment on
            try:
                listener.bind(str(place))
            finally:
                os.umask(before)
            listener.listen(64)
        except OSError as error:
            raise _UnusableError(error.strerror or str(error)) from error
        inode = place.stat().st_ino
        try:
            yield listener
        finally:
            if is_at(place, inode):
                discard(place)


def is_at(place: Path, inode: int) -> bool:
    """Whether a socket is still the one that was made there."""
    try:
        return place.stat().st_ino == inode
    except OSError:
        return False


def is_same_user(client: socket.socket) -> bool:
    """Whether a client runs as this user; where the system cannot say, the socket's mode decides."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    found = client.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", found)
    return bool(user == os.geteuid())
