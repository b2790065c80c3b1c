"""What belongs to the user and not to a workspace: signing keys, and which workspaces are theirs.

It lies outside every workspace on purpose. A workspace may come with a cloned registry or stand in
a shared directory; what says whom to believe must not come from there.
"""

from __future__ import annotations

import os
from pathlib import Path

from asf_core.domain.errors import StoreError

VARIABLE = "ASF_USER_DIR"
"""Environment variable that names another directory."""


def user_directory() -> Path:
    """The directory; need not exist."""
    named = os.environ.get(VARIABLE, "")
    if named:
        return Path(named).expanduser().absolute()
    import platformdirs

    return platformdirs.user_config_path("asf-workbench", appauthor=False)


def private_directory(name: str) -> Path:
    """A directory of the user's that nobody else may read, made when it is not there.

    Raises:
        StoreError: It cannot be made.
    """
    directory = user_directory() / name
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            "The user directory cannot be made",
            why=f"{directory}: {error.strerror}",
            hint=f"Name another one with {VARIABLE}",
        ) from error
    return directory
