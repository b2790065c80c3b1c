"""The lock file of an exported directory: what was written, so that it can be proved later."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from asf_core.domain.base import Sha256, Value
from asf_core.domain.errors import InputError
from asf_core.domain.pin import Pin
from asf_core.domain.skill import TreeEntry

LOCK = "asf-export.lock.json"
"""Beside the skills' directories."""
_MOST_BYTES = 64 * 1024 * 1024


class LockedSkill(Value):
    """One skill of an exported directory."""

    directory: Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,64}$")]
    skill_id: str
    version: str | None
    pin: Pin | None
    """The reviewed version; ``None``: nobody has reviewed these files."""
    revision: str | None
    """Commit that the bytes are of."""
    digest: Sha256
    tree: tuple[TreeEntry, ...]


class Lock(Value):
    """An exported directory. It names no time and no machine, so equal exports are equal bytes."""

    schema_: Annotated[Literal["asf.export/1"], Field(alias="schema")] = "asf.export/1"
    skills: tuple[LockedSkill, ...]


def write_lock(lock: Lock) -> bytes:
    """The file's bytes: sorted keys, two spaces, a line break at the end."""
    document = lock.model_dump(mode="json", by_alias=True)
    return (json.dumps(document, indent=2, sort_keys=True, ensure_ascii=True) + "\n").encode()


def read_lock(target: Path) -> Lock | None:
    """The lock of a directory; ``None`` where there is none.

    Raises:
        InputError: It cannot be read, or is not one that this program wrote.
    """
    path = target / LOCK
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(
            f"{path} cannot be read", why=error.strerror or "", hint="Check its permissions"
        ) from error
    try:
        return Lock.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(
            f"{path} is no lock of an export",
            why=f"{'.'.join(map(str, first['loc'])) or 'document'}: {first['msg']}",
            hint="Export again into an empty directory",
        ) from error
