"""Where the workspace is; apart, so that a process that only asks a server knows it in no time."""

# pathlib takes longer to import than everything that such a process does.
# ruff: noqa: PTH109, PTH110, PTH111, PTH112, PTH116, PTH117, PTH118, PTH119, PTH120, PTH206, PTH208
from __future__ import annotations

import os

from asf_core.domain.errors import InputError, RefusedError, of_system

DIRECTORY = ".asf"
"""Name of a workspace beside the work that it belongs to."""
VARIABLE = "ASF_WORKSPACE"
"""Environment variable that names the workspace."""
DATABASE = "asf.db"
SOCKET = "serve.sock"
"""Of a server, where the workspace's path is short enough for one."""
_LONGEST_SOCKET = 103
"""Bytes of a path that every system's sockets take; Linux takes four more."""
_OWN = frozenset(
    {
        ".gitignore",
        "calibration.json",
        "config.toml",
        "database.json",
        "graph-memory.json",
        "index",
        "index.json",
        "logs",
        "snapshots",
    }
    | {SOCKET, f"{SOCKET}.lock", "writer.lock", "writer.lock.holder"}
)
"""What a workspace holds, besides the database and its side files."""


def find_root(override: str | None = None, start: str | None = None) -> str:
    """Find the workspace; nothing is written. See :meth:`Workspace.find`.

    Args:
        override: The workspace itself, or the directory that its ``.asf`` lies in.
        start: Where to look from; the current directory when left out.

    Returns:
        An absolute path.

    Raises:
        InputError: Its path is not UTF-8, or longer than the system allows.
        RefusedError: The ``.asf`` found above belongs to another user.
    """
    try:
        root = _root(override or os.environ.get(VARIABLE) or None, start)
        root.encode()
    except OSError as error:
        raise (of_system(error) or error) from error
    except UnicodeEncodeError:
        raise InputError(
            f"The workspace's path {root!a} is not UTF-8",
            why="Database and index keep paths as text",
            hint="Rename the directory, or reach it through a link with a plain name",
        ) from None
    return root


def socket_places(root: str) -> list[str]:
    """Where the socket of a workspace's server may be, in the order of preference.

    In the workspace; where its path is too long for a socket or may not be written, in the
    directory that the system gives this user for such things, if it does.

    Args:
        root: The workspace.
    """
    places = []
    inside = os.path.join(root, SOCKET)
    if len(os.fsencode(inside)) <= _LONGEST_SOCKET:
        places.append(inside)
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime):
        from hashlib import sha256

        name = sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:24]
        outside = os.path.join(runtime, "asf", f"{name}.sock")
        if len(os.fsencode(outside)) <= _LONGEST_SOCKET:
            places.append(outside)
    return places


def _root(named: str | None, start: str | None) -> str:
    if named is not None:
        return _root_in(_tidy(os.path.join(os.getcwd(), os.path.expanduser(named))))
    here = _tidy(os.path.join(os.getcwd(), start or ""))
    while True:
        inside = os.path.join(here, DIRECTORY)
        if os.path.isdir(inside):
            _check_owner(inside)
            return inside
        above = os.path.dirname(here)
        if above == here:
            break
        here = above
    import platformdirs

    return platformdirs.user_data_dir("asf-workbench", appauthor=False)


def _tidy(path: str) -> str:
    """Without ``.`` and double separators; ``..`` stays, for a link may stand before it."""
    drive, rest = os.path.splitdrive(path)
    parts = rest.replace(os.altsep or os.sep, os.sep).split(os.sep)
    return drive + os.sep + os.sep.join(part for part in parts if part not in {"", "."})


def _root_in(named: str) -> str:
    """What a person means who names a project instead of the workspace inside it."""
    try:
        os.stat(named)
    except (FileNotFoundError, NotADirectoryError):
        return named
    if os.path.basename(named) == DIRECTORY or os.path.exists(os.path.join(named, DATABASE)):
        return named
    inside = os.path.join(named, DIRECTORY)
    return inside if os.path.isdir(inside) or _holds_other_things(named) else named


def _holds_other_things(directory: str) -> bool:
    # A workspace brings a .gitignore that hides everything beside it: it must never be laid into
    # somebody's work.
    if not os.path.isdir(directory):
        return False
    return any(name not in _OWN and not name.startswith(DATABASE) for name in os.listdir(directory))


def _check_owner(root: str) -> None:
    # A workspace says which registries are read and which decisions hold, so one that somebody
    # else left in a shared directory must not be taken up by walking past it. As in git, the
    # superuser's is fine, and so is that of the user who called sudo.
    if os.name == "nt":
        return
    trusted = {0, os.geteuid()}
    if os.geteuid() == 0 and os.environ.get("SUDO_UID", "").isdecimal():
        trusted.add(int(os.environ["SUDO_UID"]))
    owner = os.stat(root).st_uid
    if owner not in trusted:
        raise RefusedError(
            f"The workspace {root} belongs to another user",
            why=f"Its owner is user {owner}, and it was only found on the way up",
            hint=f"If you trust it, name it: --workspace {root}",
        )
