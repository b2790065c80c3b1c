"""Looking for damage to a workspace, and saving its database from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from asf_core.domain.errors import AsfError, StoreError

if TYPE_CHECKING:
    from asf_core.services.engine import Engine
    from asf_core.store.workspace import Workspace


def check_database(workspace: Workspace) -> None:
    """Let the database be checked whole; about 15 ms for 35 MB.

    Raises:
        StoreError: It is damaged.
    """
    from asf_core.store.rescue import problem_in_database

    problem = problem_in_database(workspace.database)
    if problem is not None:
        raise StoreError(
            "The database is damaged",
            why=f"{workspace.database}: {problem}",
            hint="Save what can be read with: asf sync --rebuild. Or restore it from a backup",
        )


def establish(engine: Engine) -> bool:
    """Make the workspace where there is none; see that one that is there can be used.

    Returns:
        Whether there was none.

    Raises:
        StoreError: It cannot be made, read or written, or its database is damaged or gone.
        BusyError: Another process holds its database for long.
    """
    check_database(engine.workspace)
    made = engine.create()
    _check_writable(engine.workspace)
    engine.registries()
    return made


def _check_writable(workspace: Workspace) -> None:
    from asf_core.store.database import Database

    workspace.create()  # what was removed of it
    if not workspace.writable:
        raise StoreError(
            "The workspace cannot be written",
            why=f"{workspace.root} may only be read",
            hint="Check its permissions, or make one elsewhere",
        )
    with Database.open(workspace.database_target) as database, database.write():
        pass  # the lock can be had


def mend_database(workspace: Workspace) -> Path | None:
    """Replace a damaged database by one with all of it that stands nowhere else.

    The caller has no connection to it.

    Returns:
        Where the damaged one is kept; ``None`` when it was whole.

    Raises:
        StoreError: What stands nowhere else is damaged too.
        BusyError: Another process has it open, or holds the workspace.
    """
    from asf_core.store.rescue import problem_in_database, rescue

    if problem_in_database(workspace.database) is None:
        return None
    with workspace.writer_lock(purpose="saving the database"):
        return rescue(workspace.database)


def adopt_database(workspace: Workspace) -> AsfError | None:
    """Make the database that is there the one of the workspace, a new one if there is none.

    The index stays for its vectors; the next sync renews it. The caller has no connection.

    Returns:
        What was accepted; ``None`` when nothing is wrong with the database.

    Raises:
        StoreError: The disk refuses.
        BusyError: Another process has the database open, or holds the workspace.
    """
    from asf_core.services.control.ownership import own_new_workspace
    from asf_core.store.database import Database
    from asf_core.store.database_mark import DatabaseMark, check_identity
    from asf_core.store.files import discard
    from asf_core.store.records import Records
    from asf_core.store.snapshot import CURRENT

    workspace.create()
    with workspace.writer_lock(purpose="taking another database"):
        lost = _set_aside_if_damaged(workspace)
        with Database.open(workspace.database_target) as database:
            if database.created:
                own_new_workspace(workspace, database)
            identity = Records(database).give_identity()
        try:
            check_identity(workspace, identity)
        except StoreError as error:
            discard(workspace.snapshots / CURRENT)
            DatabaseMark(identity).write(workspace.database_mark)
            return lost or error
        return lost


def _set_aside_if_damaged(workspace: Workspace) -> AsfError | None:
    from asf_core.store.rescue import problem_in_database, rescue, set_aside

    if problem_in_database(workspace.database) is None:
        return None
    try:
        rescue(workspace.database)
    except StoreError as error:
        set_aside(workspace.database)
        return error
    return None


def find_damage(workspace: Workspace) -> AsfError | None:
    """See whether damage explains a failure that nothing else explains.

    Reads everything that the workspace keeps: seconds for thousands of skills.

    Returns:
        The first damage found, with what to do about it.
    """
    for check in _checks(workspace):
        try:
            check()
        except AsfError as error:
            return error
    return None


def _checks(workspace: Workspace) -> Iterator[Callable[[], None]]:
    yield lambda: check_database(workspace)
    yield lambda: _read_records(workspace)
    yield lambda: _check_snapshot(workspace)


def _read_records(workspace: Workspace) -> None:
    from asf_core.store.database import Database
    from asf_core.store.records import Records

    if not workspace.exists:
        return
    with Database.open(workspace.database_target) as database:
        records = Records(database)
        for row in records.registries():
            records.registry_findings(row.name)
        for _ in records.records():
            pass
        records.rows()
        records.edges()
        records.dangling()


def _check_snapshot(workspace: Workspace) -> None:
    from asf_core.store.snapshot import Snapshot, current_generation

    if current_generation(workspace.snapshots) is not None:
        with Snapshot.open(workspace.snapshots) as snapshot:
            snapshot.check()
            snapshot.links()
            for _ in snapshot.skills():
                pass
