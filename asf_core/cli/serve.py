"""``asf serve``: one warm engine for all routes of a workspace."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from asf_core.cli.exits import debug_asked
from asf_core.cli.routing import PATIENCE
from asf_core.cli.session import Session, command
from asf_core.domain.text import one_line
from asf_core.store.places import socket_places

if TYPE_CHECKING:
    import typer


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "serve")(serve)


def serve(session: Session) -> None:
    """Keep models and index open, and answer `asf route` from then on.

    Listens on a socket in the workspace that only you can open. `asf route` finds it by itself; other
    programs write a task on each line, in plain words or as JSON, and read a line of JSON. Changes of
    the index are taken up as they come. Ends on Ctrl-C, or when it is sent SIGTERM.
    """
    from asf_core.cli.route_service import RouteService
    from asf_core.services.local_server import LocalServer

    root = session.engine.workspace.root
    service = RouteService(root, session.model_dir, patience=PATIENCE, debug=debug_asked(sys.argv))
    places = [Path(place) for place in socket_places(str(root))]
    server = LocalServer(places, service.handle)

    def ready(place: Path) -> None:
        facts = {"workspace": str(root), "socket": str(place), "process": os.getpid()}
        if session.as_json:
            session.emit(facts, lambda: None)
            sys.stdout.flush()
        session.remark(
            f"Serving {one_line(str(root))} at {one_line(str(place))} (process {os.getpid()})"
        )

    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: server.stop())
        server.run(ready)
    finally:
        service.close()
