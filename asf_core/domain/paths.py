"""Names of directories as people give them."""

from __future__ import annotations

from pathlib import Path

from asf_core.domain.errors import InputError


def named_directory(text: str) -> Path:
    """Read the value of an option that names a directory.

    Raises:
        InputError: It is empty, which a shell makes of an unset variable: the current directory is
            then hardly what was meant.
    """
    if not text:
        raise InputError(
            "The name of a directory is empty",
            why="An option that takes one was given without a value",
            hint="Name a directory, . for the current one; or leave the option out",
        )
    return Path(text)
