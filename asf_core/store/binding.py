"""Which workspaces are this user's, and what their event chains were last seen to hold.

A ``.asf`` directory may lie in any cloned registry, with a trust policy and active pins of whoever
put it there. So a workspace counts as the user's only when this program made it for them, or they
adopted it; the note about that is kept in the user's directory, with the workspace's id and place.
The head of the event chain is kept there too: a chain alone does not show that its end was cut off.
"""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from asf_core.domain.errors import ConditionsError, StoreError
from asf_core.domain.event import ChainHead
from asf_core.domain.refusal import Condition, Refusal
from asf_core.store.files import replace_file
from asf_core.store.userdir import private_directory
from asf_core.trust.chain import EMPTY


@dataclass(frozen=True, slots=True)
class Binding:
    """The note about one workspace."""

    workspace_id: str
    place: str
    """Directory of the workspace, or address of a shared database."""
    bound_at: str
    """RFC 3339, in UTC."""
    head: ChainHead
    """Of the event chain when it was last written or verified."""


class Bindings:
    """The notes in the user's directory."""

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory or private_directory("workspaces")

    def get(self, workspace_id: str) -> Binding | None:
        """The note about a workspace.

        Raises:
            StoreError: It cannot be read.
        """
        path = self._path(workspace_id)
        try:
            facts = json.loads(path.read_bytes())
            return Binding(
                workspace_id=facts["workspace"],
                place=facts["place"],
                bound_at=facts["bound_at"],
                head=ChainHead(int(facts["events"]), facts["head"]),
            )
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(
                "The note about this workspace cannot be read",
                why=f"{path}: {error}",
                hint="Look at the workspace and adopt it anew: asf trust adopt",
            ) from error

    def put(self, binding: Binding) -> None:
        """Keep a note in place of the last one.

        Raises:
            StoreError: It cannot be written.
        """
        facts = {
            "workspace": binding.workspace_id,
            "place": binding.place,
            "bound_at": binding.bound_at,
            "events": binding.head.count,
            "head": binding.head.digest,
        }
        try:
            replace_file(self._path(binding.workspace_id), json.dumps(facts, indent=1).encode())
        except OSError as error:
            raise StoreError(
                "The note about this workspace cannot be written",
                why=f"{error.filename or self._directory}: {error.strerror}",
                hint="Check the permissions of the user directory and the space on its disk",
            ) from error

    def bind(self, workspace_id: str, place: str, at: str, head: ChainHead = EMPTY) -> Binding:
        """Note that a workspace is this user's, with its chain as it is now."""
        binding = Binding(workspace_id, place, at, head)
        self.put(binding)
        return binding

    def require(self, workspace_id: str, place: str) -> Binding:
        """The note about a workspace that is this user's.

        Raises:
            ConditionsError: There is none, or it is about another place.
        """
        binding = self.get(workspace_id) if workspace_id else None
        if binding is None:
            why = f"{place} was made by someone else, or before this program kept notes."
        elif binding.place != place:
            why = f"It is known at {binding.place}, and this one stands at {place}."
        else:
            return binding
        refusal = Refusal(
            condition=Condition.WORKSPACE_BOUND,
            why=why,
            satisfy="See what it would have you trust, then take it as yours: asf trust adopt",
        )
        raise ConditionsError("This workspace's trust policy is not yours", [refusal])

    def knows_elsewhere(self, workspace_id: str, place: str) -> bool:
        """Whether the user has a workspace of this id at another place, or the id is none of ours."""
        if not _ID.fullmatch(workspace_id):
            return True
        binding = self.get(workspace_id)
        return binding is not None and binding.place != place

    def _path(self, workspace_id: str) -> Path:
        if not _ID.fullmatch(workspace_id):  # it comes from a database that may be a stranger's
            raise StoreError(
                "The workspace's id is not one that this program gives",
                why=f"It says {workspace_id[:60]!r}",
                hint="Look at the workspace and adopt it anew: asf trust adopt",
            )
        return self._directory / f"{workspace_id}.json"


_ID = re.compile("[0-9a-f]{32}")


def new_workspace_id() -> str:
    """An id that nobody can guess: 128 random bits."""
    return secrets.token_hex(16)
