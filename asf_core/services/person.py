"""Who runs this program."""

from __future__ import annotations

import getpass
import os


def current_user() -> str:
    """The system's name for whoever runs this."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no such user in the password database
        return f"uid-{os.getuid()}"
