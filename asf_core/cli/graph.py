"""``asf graph``: what relates the skills of a workspace, whole or around one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.session import Session, command

if TYPE_CHECKING:
    from asf_core.graph.export import GraphFormat


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "graph")(graph)


def graph(
    session: Session,
    skill: Annotated[
        str | None,
        typer.Argument(metavar="[SKILL]", help="Id, or slug where unique; none for the whole."),
    ] = None,
    registry: Annotated[
        str | None, typer.Option("--registry", metavar="NAME", help="Name of one registry.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="FORMAT", help="Export: graphml, dot or json."),
    ] = None,
    top: Annotated[int, typer.Option("--top", min=1, help="How much of each list to show.")] = 10,
) -> None:
    """Show relations between skills, with their evidence, communities and dangling names.

    With SKILL its neighbours; without, the whole graph in figures. --format writes it for other
    programs: GraphML and node-link JSON as networkx reads them, DOT for Graphviz.
    """
    wanted = _format(form)
    if wanted is not None:
        _export(session, skill, registry, wanted)
    elif skill is not None:
        from asf_core.cli.graph_view import render_neighbourhood

        near = session.engine.neighbourhood(skill)
        session.emit(near, lambda: render_neighbourhood(near, top))
    else:
        from asf_core.cli.graph_view import render_graph

        whole = session.engine.graph(registry)
        session.emit(whole, lambda: render_graph(whole, top))


def _format(text: str | None) -> GraphFormat | None:
    from asf_core.domain.errors import InputError
    from asf_core.graph.export import GraphFormat

    if text is None:
        return None
    try:
        return GraphFormat(text)
    except ValueError as error:
        raise InputError(
            f"--format {text!r} is not known", hint=f"Take {', '.join(GraphFormat)}"
        ) from error


def _export(session: Session, skill: str | None, registry: str | None, form: GraphFormat) -> None:
    from asf_core.domain.text import json_escaped
    from asf_core.graph.export import export_graph
    from asf_core.services.graphing import around

    whole = session.engine.graph(registry)
    if skill is not None:
        whole = around(whole, session.engine.neighbourhood(skill).skill.id)
    document = export_graph(whole, form)
    if session.as_json:
        session.emit({"format": form.value, "document": document}, lambda: None)
    else:
        session.write(json_escaped(document) if form == "json" else document)
