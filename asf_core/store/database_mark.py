"""Which database a workspace belongs to, told apart from it.

Decisions stand in the database alone. Should it be deleted, emptied or swapped for another, an
index that is still there would route what had been kept out. So the index carries the identity of
the database that it was made from, and a note beside it says what a lost database would take along.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from asf_core.domain.errors import StoreError
from asf_core.store.files import replace_file
from asf_core.store.snapshot_meta import SnapshotMeta
from asf_core.store.workspace import Workspace

GO_ON = "asf sync --new-database DIR..."
"""How a person says that what was lost is to be done without."""
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class DatabaseMark:
    """What is known of a database when it is not there to be asked."""

    identity: str
    registries: Mapping[str, str] = field(default_factory=dict)
    """Name and path of each."""
    kept_out: tuple[str, ...] = ()
    """Ids of the skills that its decisions keep out of routing, sorted."""

    @classmethod
    def read(cls, note: Path) -> Self | None:
        """Read the note; ``None`` when there is none that can be read."""
        try:
            found: Any = json.loads(note.read_bytes())
            if found.pop("sha256") != _digest(found):
                return None  # damaged: what it says of the identity is worth nothing
            registries = {str(name): str(path) for name, path in found["registries"].items()}
            return cls(str(found["identity"]), registries, tuple(map(str, found["kept_out"])))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def write(self, note: Path) -> None:
        """Write the note, unless it says the same already.

        It serves the words of an error; where it cannot be written, they say less.
        """
        with suppress(OSError):
            if DatabaseMark.read(note) != self:
                said = asdict(self)
                said["kept_out"] = list(self.kept_out)
                replace_file(note, json.dumps(said | {"sha256": _digest(said)}).encode())


def _digest(said: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def check_identity(workspace: Workspace, identity: str) -> None:
    """Refuse a database that the index was not made from.

    Args:
        workspace: With or without an index.
        identity: Of the database; empty when there is none, or when it has none yet.

    Raises:
        StoreError: Index or note are those of another one; says what is lost, and how to go on.
    """
    mark = DatabaseMark.read(workspace.database_mark)
    known = {_identity_of_index(workspace), mark.identity if mark else ""} - {"", identity}
    if known:
        raise StoreError(
            "The workspace's database is gone" if not identity else _OTHER,
            why=f"{workspace.database} {_state(workspace, identity)}. {_losses(mark, known)}",
            hint=f"Bring it back from a backup, or go on without: {GO_ON}",
        )


_OTHER = "The workspace's database is not the one that its index was made from"


def _state(workspace: Workspace, identity: str) -> str:
    if not workspace.database.exists():
        return "does not exist, but the index that was made from it does"
    if not identity:
        return "is empty, but the index that was made from it is not"
    return "has another identity: it was replaced, or made anew"


def _losses(mark: DatabaseMark | None, known: set[str]) -> str:
    if mark is None or mark.identity not in known:
        return "Lost with the old one: every decision, and the list of registries"
    parts = []
    if mark.registries:
        listed = [f"{name} ({path})" for name, path in sorted(mark.registries.items())]
        parts.append(f"the list of registries: {_some(listed)}")
    if mark.kept_out:
        parts.append(f"decisions that keep out: {_some(mark.kept_out)}")
    return "Lost with the old one: " + ("; ".join(parts) or "nothing that is known")


def _some(items: list[str] | tuple[str, ...]) -> str:
    more = len(items) - _SHOWN
    return ", ".join(items[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _identity_of_index(workspace: Workspace) -> str:
    """As the generation in use has it; empty where none can be read."""
    from asf_core.store.snapshot import current_generation

    try:
        generation = current_generation(workspace.snapshots)
        file = workspace.snapshots / (generation or "") / "meta.json"
        return SnapshotMeta.from_bytes(file.read_bytes()).database
    except (OSError, ValueError, StoreError):
        return ""
