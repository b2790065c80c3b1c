"""What ``asf serve`` answers: routes of ``asf route``, and tasks by the line from other programs."""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from asf_core.cli.build import build
from asf_core.cli.client import PROTOCOL
from asf_core.cli.exits import exit_code, lines_for
from asf_core.cli.route_answer import RouteAsk, answer
from asf_core.cli.route_lines import LineRouter
from asf_core.domain.errors import AsfError
from asf_core.domain.text import one_line
from asf_core.services.engine import Engine
from asf_core.services.keeping_up import KeepingUp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asf_core.domain.sync import SyncProgress
    from asf_core.services.local_server import Exchange


class RouteService:
    """Answers requests over one workspace with one warm engine.

    Args:
        workspace: Its root.
        model_dir: Directory of ONNX models to use instead of the bundled ones.
        patience: Seconds to wait for another process that syncs.
        debug: Show tracebacks of what fails.
    """

    def __init__(
        self, workspace: Path, model_dir: Path | None, *, patience: float, debug: bool
    ) -> None:
        self._root = workspace
        self._model_dir = model_dir and model_dir.absolute()
        self._patience = patience
        self._debug = debug
        self._build = build()
        self._guard = threading.Lock()
        self._models = _stamps(self._model_dir)
        self._open()

    def _open(self) -> None:
        self._engine = Engine.open(self._root, model_dir=self._model_dir)
        self._engine.registries()
        self._engine.prepare()
        self._upkeep = KeepingUp(self._engine, self._patience)
        self._lines = LineRouter(self._engine, RouteAsk(task=""), ())

    def close(self) -> None:
        """Let go of the workspace."""
        self._upkeep.close()
        self._engine.close()

    def handle(self, line: bytes, exchange: Exchange) -> None:
        """Answer one request. See :data:`asf_core.services.local_server.Handler`."""
        self._renew_models()
        request = _command(line)
        if request is None:
            exchange.send_line(self._lines.answer(line))
            return
        try:
            exchange.send(self._routed(request, exchange))
        except Exception as error:  # noqa: BLE001 - the client runs it itself, and shows what fails
            self._log(error)
            exchange.send({"refused": f"it failed: {one_line(str(error), 200)}"})

    def _routed(self, request: dict[str, Any], exchange: Exchange) -> dict[str, Any]:
        why = self._refusal(request)
        if why:
            return {"refused": why}
        ask = RouteAsk.model_validate(request["ask"])
        said: list[str] = []
        done = {"out": "", "server": f"process {os.getpid()}"}
        try:
            found = self._answer(ask, request, exchange, said)
        except AsfError as error:
            said += lines_for(error)
            return {"done": {**done, "err": said, "code": int(exit_code(error))}}
        except KeyboardInterrupt:
            return {"done": {**done, "err": said, "code": 130}}
        shares = ", ".join(f"{name} {took:g} ms" for name, took in found.shares.items())
        done |= {"out": found.text, "server": f"{done['server']}: {shares}"}
        return {"done": {**done, "err": said, "code": found.code}}

    def _answer(
        self, ask: RouteAsk, request: dict[str, Any], exchange: Exchange, said: list[str]
    ) -> Any:
        def tell(now: SyncProgress) -> None:
            if request["progress"]:
                bar = [now.registry, now.phase.value, now.done, now.total]
                exchange.send({"progress": bar})

        def sync(names: Sequence[str], degraded: bool) -> bool:
            return self._upkeep.sync(names, degraded, tell, exchange.cancelled)

        def say(text: str) -> None:
            if not ask.quiet:
                said.append(text)

        names = [self._engine.registry_for(ref).name for ref in ask.registries]
        return answer(self._engine, ask, names, request["terminal"], sync, say)

    def _refusal(self, request: dict[str, Any]) -> str:
        """Why another process must answer; empty when this one may."""
        if request["asf"] != PROTOCOL or request["build"] != self._build:
            return "it runs another version or installation of this program"
        if not _same(request["workspace"], self._root):
            return "it serves another workspace"
        asked = request["ask"]["model_dir"]
        if asked != (self._model_dir and str(self._model_dir)):
            return "it has other models"
        return ""

    def _renew_models(self) -> None:
        """Open models again whose files have changed."""
        if self._model_dir is None:
            return
        with self._guard:
            found = _stamps(self._model_dir)
            if found != self._models:
                self._models = found
                self.close()
                self._open()

    def _log(self, error: Exception) -> None:
        if self._debug:
            traceback.print_exception(error, file=sys.stderr)
        else:
            print(
                f"asf serve: {type(error).__name__}: {one_line(str(error), 300)}", file=sys.stderr
            )


def _command(line: bytes) -> dict[str, Any] | None:
    """A request of ``asf route``; ``None`` for a line of any other program."""
    if not line.startswith(b'{"asf":'):
        return None
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    wanted = {"asf": int, "build": str, "workspace": str, "terminal": dict, "ask": dict}
    if not all(isinstance(found.get(name), kind) for name, kind in wanted.items()):
        return None
    try:
        RouteAsk.model_validate(found["ask"])
    except ValidationError:
        return {**found, "build": ""}  # of another program; refused as such
    return {"progress": False, **found}


def _same(path: str, root: Path) -> bool:
    try:
        return Path(path).samefile(root)
    except OSError:
        return False


def _stamps(model_dir: Path | None) -> list[tuple[str, int, int]]:
    """What changes when a file of the models does."""
    if model_dir is None:
        return []
    found = []
    for path in sorted(model_dir.glob("*/*")):
        try:
            stat = path.stat()
            found.append((str(path), stat.st_size, stat.st_mtime_ns))
        except OSError:
            continue
    return found
