"""Keys of one's own: a TOML file that gives commands other keys.

``keys.toml`` in the user's configuration directory, or the file that ``ASF_KEYS`` names::

    [keys]
    "skills.filter" = "ctrl+f"
    "app.sync" = "f5,s"
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from asf_core.domain.errors import InputError
from asf_tui.commands import COMMANDS, Command, Place

MOST = 100_000
"""Bytes that the file may have."""


def find(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the file is, or would be."""
    if named := environ.get("ASF_KEYS"):
        return Path(named).expanduser()
    from platformdirs import user_config_path

    return user_config_path("asf") / "keys.toml"


def load(path: Path, *, asked: bool = False) -> dict[str, str]:
    """Read the keys of commands by their ids.

    Args:
        path: The file.
        asked: Whether somebody named it: then it has to be there.

    Raises:
        InputError: It cannot be read, names a command that there is not, or gives one key to two
            commands of one place.
    """
    if not path.exists() and not asked:
        return {}
    try:
        text = path.read_bytes()[: MOST + 1]
        table = tomllib.loads(text.decode("utf-8")) if len(text) <= MOST else None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _wrong(path, str(error)) from error
    if table is None:
        raise _wrong(path, f"It is longer than {MOST:,} bytes")
    return check(table.get("keys", {}), path)


def check(keys: object, path: Path) -> dict[str, str]:
    """The keys, where they are what they should be.

    Raises:
        InputError: They are not.
    """
    known = {command.id: command for command in COMMANDS}
    if not isinstance(keys, dict):
        raise _wrong(path, "[keys] is not a table")
    for name, value in keys.items():
        if name not in known:
            raise _wrong(path, f"There is no command {name!r}")
        if not isinstance(value, str) or not all(part.strip() for part in value.split(",")):
            raise _wrong(path, f"The keys of {name} are not words with commas between")
    _refuse_clashes({name: str(value) for name, value in keys.items()}, path)
    return keys


def _refuse_clashes(keys: Mapping[str, str], path: Path) -> None:
    taken: dict[tuple[Place, str], Command] = {}
    for command in COMMANDS:
        for key in keys.get(command.id, command.keys).split(","):
            other = taken.setdefault((command.place, key.strip()), command)
            if key and other is not command and {command.id, other.id} & keys.keys():
                raise _wrong(path, f"{other.id} and {command.id} both have the key {key.strip()}")


def _wrong(path: Path, why: str) -> InputError:
    return InputError(
        f"The keys in {path} cannot be used",
        why=why,
        hint="Mend the file or move it away; ? in the workbench shows the commands",
    )
