"""Entry point of ``asf-tui``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.domain.errors import AsfError, InputError, of_system
from asf_core.domain.paths import named_directory
from asf_tui.handover import hand_over

if TYPE_CHECKING:
    from asf_tui.app import Workbench

PATIENCE = 1.5
"""Seconds that work in the background gets to end after the screen is gone."""

cli = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def _show_version(wanted: bool) -> None:
    if not wanted:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("asf-workbench")
    except PackageNotFoundError:
        number = "(run from its source, not installed)"
    typer.echo(f"asf-tui {number}")
    raise typer.Exit


@cli.command(context_settings={"help_option_names": ["-h", "--help"]})
def open_workbench(
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="[PATH]",
            help="A registry to open: a directory tree of skills.",
            show_default=False,
        ),
    ] = None,
    workspace: Annotated[
        Path | None,
        typer.Option(
            parser=named_directory,
            metavar="DIR",
            help="Directory of the workspace.",
            show_default=False,
        ),
    ] = None,
    theme: Annotated[
        str | None, typer.Option(help="dark, light, safe (colour-blind safe) or mono.")
    ] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw in ASCII only.")] = False,
    mouse: Annotated[
        bool, typer.Option("--mouse/--no-mouse", help="Let the workbench take the mouse.")
    ] = True,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Open the workbench: browse the skills of a registry, and route tasks over them.

    asf-tui measure PATH measures a registry or a codebase instead and prints the report; see
    asf-tui measure --help.
    """
    check_terminal()
    check_path(path)
    from asf_tui.app import Workbench
    from asf_tui.bridge import opener
    from asf_tui.glyphs import locale_is_utf8
    from asf_tui.themes import named

    chosen = named(theme) if theme else None
    if theme and chosen is None:
        raise InputError(
            f"There is no theme {theme!r}",
            hint="Use dark, light, safe or mono",
            why="It is not ours",
        )
    app = Workbench(
        opener(workspace, create=path is not None),
        path,
        theme=chosen.name if chosen else None,
        ascii_only=ascii_only or not locale_is_utf8(),
    )
    leave(show(app, mouse=mouse), app)


def check_terminal() -> None:
    """Refuse where no screen can be drawn.

    Raises:
        InputError: Input or output is not a terminal, or one that cannot place its cursor.
    """
    hint = "Use the asf commands there; each has --json"
    # A closed stream is None.
    if not all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise InputError(
            "The workbench needs a terminal", why="Input or output goes elsewhere", hint=hint
        )
    if os.environ.get("TERM", "") in {"", "dumb"}:
        raise InputError(
            "The workbench cannot draw on this terminal",
            why=f"TERM is {os.environ.get('TERM', '')!r}: it cannot place the cursor",
            hint=hint,
        )


def check_path(path: Path | None) -> None:
    """Refuse a registry that is not there.

    Raises:
        InputError: It is not a directory.
    """
    if path is not None and not path.expanduser().is_dir():
        why = "It is a file" if path.exists() else "There is no such path"
        raise InputError(
            f"{str(path)!r} is not a directory", why=why, hint="Give the directory of a registry"
        )


def show(app: Workbench, *, mouse: bool) -> int:
    """Run the app until it is left.

    A loop of our own: ``asyncio.run`` would wait for every thread, however long its work takes.

    Returns:
        The exit code.
    """
    import asyncio
    import signal
    from functools import partial

    loop = asyncio.new_event_loop()
    # SIGINT as a signal: Ctrl-C comes as a key, for the terminal is in raw mode.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, partial(app.exit, return_code=128 + number))
    app.run(mouse=mouse, loop=loop)
    return app.return_code or 0


def leave(code: int, app: Workbench) -> None:
    """End the process: decisions are finished, other work gets a moment and is then let go."""
    app.work.writes.finish()
    if app.work.running.wait(PATIENCE) and app.work.session is not None:
        app.work.session.engine.close()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # a thread that still reads or encodes must not keep the terminal waiting


def run() -> None:
    """Open the workbench, or run the command that the first word asks for."""
    if hand_over():
        return
    try:
        cli()
    except (AsfError, OSError) as error:
        from asf_core.domain.text import one_line
        from asf_tui.problems import exit_code

        said = (of_system(error) or error) if isinstance(error, OSError) else error
        parts = (said.what, said.why, said.hint) if isinstance(said, AsfError) else (str(said),)
        for part in filter(None, parts):
            print(one_line(part), file=sys.stderr)
        sys.exit(exit_code(said))
