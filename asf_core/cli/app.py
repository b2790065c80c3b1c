"""The commands of ``asf``.

The modules imported here import nothing heavy themselves, so that ``asf --help`` stays quick;
the engine is imported by the command that needs it.
"""

from __future__ import annotations

from typing import Annotated

import typer

from asf_core.cli import (
    bench,
    candidates,
    checks,
    doctor,
    events,
    export,
    graph,
    keys,
    measure,
    models,
    quality,
    registries,
    reviews,
    routing,
    serve,
    skillbook,
    skills,
    trust,
    use,
)

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
    serve,
    candidates,
    reviews,
    use,
    export,
    events,
    trust,
    keys,
    measure,
    bench,
    skillbook,
    models,
    doctor,
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
