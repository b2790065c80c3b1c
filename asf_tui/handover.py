"""Commands that the workbench's console script hands over to the command line.

``asf-tui measure PATH`` is the same command as ``asf measure PATH``, declared once, with its options,
its page and its exit codes, in the command line's package, which the workbench never imports. The two
meet in the distribution's metadata: the entry points of :data:`GROUP` say which words are commands
and what runs them, and only a word that stands first and is one of them leads there. Everything else
on the line is the workbench's own; a directory of such a name is opened as ``./measure``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

GROUP = "asf_workbench.commands"
"""Of the entry points; each takes the name of the program that was called."""
PROGRAM = "asf-tui"

Command = Callable[[str], None]


def command_for(arguments: Sequence[str]) -> Command | None:
    """What runs these arguments, where it is not the workbench.

    Args:
        arguments: Of the console script, without its own name.
    """
    if not arguments or not arguments[0].isidentifier():
        return None
    from importlib.metadata import entry_points

    for entry in entry_points(group=GROUP, name=arguments[0]):
        command: Command = entry.load()
        return command
    return None


def hand_over() -> bool:
    """Run the command that ``sys.argv`` asks for, if it is one.

    Returns:
        False where it is none; a command itself ends the process with its exit code.
    """
    command = command_for(sys.argv[1:])
    if command is None:
        return False
    command(PROGRAM)
    return True
