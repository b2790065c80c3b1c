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
    return utf8(Path(text))


def utf8(path: Path) -> Path:
    """The path itself, if the database and the index can keep it.

    Raises:
        InputError: It is not UTF-8.
    """
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise InputError(
            f"The path {str(path)!a} is not UTF-8",
            why="Database and index keep paths as text",
            hint="Rename the directory, or reach it through a link with a plain name",
        ) from None
    return path
