"""Opening a skill's file in the curator's editor: which file, and with what program."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

from asf_core.domain.errors import InputError, MissingError, RefusedError

NAMES = ("SKILL.md", "skill.md", "Skill.md")
"""What a skill's file can be called."""


def skill_file(root: Path, directory: str) -> Path:
    """The SKILL.md of a skill, inside its registry after all links are followed.

    Args:
        root: The registry's directory.
        directory: The skill's directory in it, with ``/``; hostile.

    Raises:
        RefusedError: The path, or what a link in it leads to, lies outside the registry.
        InputError: There is no such file now.
    """
    home = root.resolve()
    for name in NAMES:
        path = home / directory / name
        if not path.is_file():
            continue
        found = path.resolve()
        if not found.is_relative_to(home):
            raise RefusedError(
                "The skill's file was not opened",
                why=f"It leads out of the registry, to {found}",
                hint="Look at the link before you trust it",
            )
        return found
    raise InputError(
        f"There is no SKILL.md in {home / directory}",
        why="It was moved or deleted since the last sync, or the registry is elsewhere",
        hint="s syncs the registries",
    )


def editor(environ: Mapping[str, str] = os.environ) -> list[str]:
    """The editor's command line: VISUAL, else EDITOR, else vi or nano where there is one.

    Raises:
        MissingError: None is named and none is found.
    """
    for variable in ("VISUAL", "EDITOR"):
        if words := shlex.split(environ.get(variable, "")):
            return words
    for program in ("vi", "nano"):
        if found := shutil.which(program):
            return [found]
    raise MissingError(
        "There is no editor",
        why="Neither VISUAL nor EDITOR is set",
        hint="Set EDITOR and try again",
    )
