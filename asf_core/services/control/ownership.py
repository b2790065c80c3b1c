"""A workspace that this program makes is its user's from the first moment."""

from __future__ import annotations

from pathlib import Path

from asf_core.domain.errors import StoreError
from asf_core.store.binding import Bindings, new_workspace_id
from asf_core.store.database import Database
from asf_core.store.group import stamp
from asf_core.store.ledger import LedgerRecords
from asf_core.store.workspace import Workspace


def place_of(workspace: Workspace) -> str:
    """Where a workspace's ledger is, as the user's notes name it; never with a password."""
    target = workspace.database_target
    if isinstance(target, Path):
        return str(workspace.root.resolve())
    return target.render_as_string()


def own_new_workspace(workspace: Workspace, database: Database) -> None:
    """Note in the user's directory that a database, made just now, is theirs.

    Where the note cannot be written, the workspace works all the same but for the control plane,
    which says so.
    """
    workspace_id = new_workspace_id()
    try:
        Bindings().bind(workspace_id, place_of(workspace), stamp())
    except StoreError:
        return
    LedgerRecords(database).set_workspace_id(workspace_id)
