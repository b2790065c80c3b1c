"""How the workspace and the user's own directory are, for ``asf doctor``. Nothing is written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from asf_core.domain.doctor import HealthCheck
from asf_core.domain.errors import AsfError, StoreError

if TYPE_CHECKING:
    from asf_core.services.engine import Engine

_LEAST_FREE = 500_000_000
"""Bytes of disk; an index of some thousand skills takes 160 MB, and is written beside the last."""
_OTHERS_MAY = 0o077


def store_checks(engine: Engine) -> Iterator[HealthCheck]:
    """The workspace, its registries, whose it is, and room for it."""
    workspace = engine.workspace
    if not workspace.exists:
        hint = "Make one with: asf init. Or by taking in a registry: asf sync DIR"
        yield HealthCheck.note(
            "store", "workspace", f"none yet; it would be {workspace.root}", hint
        )
        yield from _space(workspace.root)
        return
    try:
        yield from _opened(engine)
    except AsfError as error:
        yield HealthCheck.missing("store", "workspace", error)
    yield from _space(workspace.root)


def _opened(engine: Engine) -> Iterator[HealthCheck]:
    from asf_core.services.mending import check_database, find_damage

    check_database(engine.workspace)
    rows = engine.registries()  # refuses another database than the workspace's
    damage = find_damage(engine.workspace)
    if damage is not None:
        raise damage
    where = "shared database" if os.environ.get("ASF_DATABASE") else "database"
    found = f"{engine.workspace.root}, {where} and snapshot whole"
    if engine.workspace.writable:
        yield HealthCheck.ok("store", "workspace", found)
    else:
        hint = "Routing goes on as it was last synced; to sync, mend the permissions"
        yield HealthCheck.note("store", "workspace", f"{found}, may only be read", hint)
    yield from _registries(engine)
    if rows and all(row.synced_at is None for row in rows):
        yield HealthCheck.note(
            "store", "index", "nothing was synced yet", "Read the registries: asf sync"
        )
    yield _owner(engine)


def _registries(engine: Engine) -> Iterator[HealthCheck]:
    rows = engine.registries()
    gone = [row for row in rows if not Path(row.path).is_dir()]
    for row in gone:
        hint = f"Bring the directory back, or let go of it: asf registry remove {row.name}"
        yield HealthCheck.note("store", "registry", f"{row.name}: {row.path} is gone", hint)
    if not rows:
        yield HealthCheck.note("store", "registries", "none", "Take one in: asf sync DIR")
    elif not gone:
        skills = sum(row.skills for row in rows)
        yield HealthCheck.ok("store", "registries", f"{len(rows)}, of {skills:,} skills in all")


def _owner(engine: Engine) -> HealthCheck:
    from asf_core.store.userdir import user_directory

    # Asking the control plane would make the directory of the notes.
    noted = (user_directory() / "workspaces").is_dir()
    if noted and engine.control.trust.inspect().mine:
        return HealthCheck.ok("store", "owner", "this workspace is yours")
    hint = "Look at what it would have you trust: asf trust adopt"
    return HealthCheck.note("store", "owner", "it was made by somebody else, copied or moved", hint)


def _space(root: Path) -> Iterator[HealthCheck]:
    place = next((path for path in (root, *root.parents) if path.exists()), root)
    try:
        free = shutil.disk_usage(place).free
    except OSError:
        return
    if free < _LEAST_FREE:
        hint = "Make room, or put the workspace elsewhere: --workspace DIR"
        yield HealthCheck.note("store", "disk", f"{free / 1e6:,.0f} MB free at {place}", hint)


def user_checks() -> Iterator[HealthCheck]:
    """The user's signing keys."""
    from asf_core.store.keyring import Keyring
    from asf_core.store.userdir import user_directory

    directory = user_directory()
    if not (directory / "keys").is_dir():
        hint = "To review versions: asf keys new --role reviewer"
        yield HealthCheck.optional("user", "keys", "no signing keys", hint)
        return
    try:
        keys = Keyring(directory / "keys").all()
        exposed = [key for key in keys if _exposed(key.path)]
    except StoreError as error:
        yield HealthCheck.missing("user", "keys", error)
        return
    for key in exposed:
        hint = f"Take it out of the trust policies; if nobody saw it: chmod 600 {key.path}"
        yield HealthCheck.note(
            "user", "keys", f"{key.name}'s private key may be read by others", hint
        )
    if not exposed:
        yield HealthCheck.ok("user", "keys", f"{len(keys)} in {directory / 'keys'}, for you alone")


def _exposed(path: Path) -> bool:
    try:
        return os.name != "nt" and bool(path.stat().st_mode & _OTHERS_MAY)
    except OSError as error:
        raise StoreError(
            "A private key cannot be read",
            why=f"{path}: {error.strerror}",
            hint="Restore it, or move both of its files away",
        ) from error
