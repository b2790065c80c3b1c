"""Entry point of ``asf``.

The modules imported here import nothing heavy themselves, so that ``asf --help`` stays quick;
the engine is imported by the command that needs it.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from asf_core.cli import (
    bench,
    candidates,
    checks,
    events,
    graph,
    keys,
    measure,
    models,
    quality,
    registries,
    reviews,
    routing,
    skills,
    streams,
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
    quality,
    graph,
    checks,
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


def run(program: str = "asf") -> None:
    """Run the command line and leave with the code that DESIGN 10 gives.

    Args:
        program: What the person called: other console scripts hand commands over to this one.
    """
    streams.prepare()
    code: str | int | None = 0
    try:
        try:
            streams.check_arguments(sys.argv)
            code = app(prog_name=program, standalone_mode=False)
        except SystemExit as end:
            code = end.code
        sys.stdout.flush()
    except streams.OutputClosedError:
        streams.end_by_closed_pipe()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last place that can say it
        code = report(error, debug=debug_asked(sys.argv), program=program)
    sys.exit(code)


if __name__ == "__main__":
    run()
