"""Entry point of ``asf``.

The modules imported here import nothing heavy themselves, so that ``asf --help`` stays quick;
the engine is imported by the command that needs it.
"""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from asf_core.cli import (
    bench,
    candidates,
    events,
    keys,
    measure,
    models,
    registries,
    reviews,
    routing,
    skills,
    trust,
    use,
)
from asf_core.cli.exits import debug_asked, report

app = typer.Typer(
    name="asf",
    help="Keep a registry of agent skills: is a skill worth having, safe, and will it be found?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: half the start-up time, and the same text in a pipe
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (
    registries,
    skills,
    routing,
    candidates,
    reviews,
    use,
    events,
    trust,
    keys,
    measure,
    bench,
    models,
):
    module.register(app)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"asf {version('asf-workbench')}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


def run() -> None:
    """Run the command line and leave with the code that DESIGN 10 gives."""
    _tolerant_streams()
    try:
        app(standalone_mode=True)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last place that can say it
        sys.exit(report(error, debug=debug_asked(sys.argv)))


def _tolerant_streams() -> None:
    """Show what the locale cannot encode as escapes instead of failing on it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    run()
