"""What every command shares: its options, its engine, its output."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asf_core.cli.printing import as_json, rendered
from asf_core.cli.terminal import terminal
from asf_core.domain.errors import AsfError
from asf_core.domain.paths import named_directory
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import RenderableType

    from asf_core.services.engine import Engine


WorkspaceOption = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        parser=named_directory,
        metavar="DIR",
        envvar="ASF_WORKSPACE",
        help="Workspace directory. Default: .asf/ found upwards, else the user data directory.",
    ),
]
ModelDirOption = Annotated[
    Path | None,
    typer.Option(
        "--model-dir",
        parser=named_directory,
        metavar="DIR",
        envvar="ASF_MODEL_DIR",
        help="Directory of ONNX models to use instead of the bundled ones.",
    ),
]
JsonOption = Annotated[
    bool,
    typer.Option("--json", help="One JSON document on stdout."),
]
QuietOption = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="No progress, no remarks."),
]
DebugOption = Annotated[
    bool,
    typer.Option("--debug", help="Show a traceback on errors."),
]


class Session:
    """One run of one command.

    Everything meant for scripts goes to stdout as one document; everything else to stderr.
    """

    def __init__(
        self, workspace: Path | None, model_dir: Path | None, *, as_json: bool, quiet: bool
    ) -> None:
        self.workspace = workspace
        """As named by option or variable; ``None`` when it is to be found."""
        self.model_dir = model_dir
        """As named by option or variable; ``None`` for the bundled models."""
        self.as_json = as_json
        self.quiet = quiet
        self._engine: Engine | None = None

    @property
    def engine(self) -> Engine:
        """The engine, opened at first use."""
        if self._engine is None:
            from asf_core.services.engine import Engine

            self._engine = Engine.open(self.workspace, model_dir=self.model_dir)
        return self._engine

    @contextmanager
    def telling_what_is_made(self) -> Iterator[None]:
        """Say where the workspace is, should what is done inside make it."""
        workspace = self.engine.workspace
        existed = workspace.exists
        try:
            yield
        finally:
            if not existed and workspace.exists:
                self.remark(f"Made the workspace {one_line(str(workspace.root))}")

    def blame_damage(self, error: Exception) -> None:
        """Where something failed that should not, see first whether the workspace is damaged.

        Raises:
            AsfError: It is; says what to do.
        """
        from asf_core.services.mending import find_damage

        damage = None if self._engine is None else find_damage(self._engine.workspace)
        if damage is not None:
            raise damage from error

    def close(self) -> None:
        """Close the engine if it was opened."""
        if self._engine is not None:
            self._engine.close()

    @property
    def interactive(self) -> bool:
        """Whether progress may be drawn."""
        return not self.quiet and sys.stderr.isatty()

    def emit(self, value: BaseModel | Any, human: Callable[[], RenderableType | None]) -> None:
        """Print a result: as JSON when asked for, else as ``human`` renders it.

        Args:
            value: A pydantic value, or anything that ``json`` writes.
            human: Builds what a person reads; called only when it is needed.
        """
        if self.as_json:
            sys.stdout.write(as_json(value))
            return
        found = human()
        if found is not None:
            sys.stdout.write(rendered(found, terminal(sys.stdout)))

    def emit_json(self, value: Any) -> None:
        """Print a document as JSON, whether ``--json`` was given or not."""
        sys.stdout.write(as_json(value))

    def write(self, document: str) -> None:
        """Print a document of another format as it is, whatever the width of the terminal.

        Args:
            document: Text without characters that act on a terminal.
        """
        sys.stdout.write(document)

    def remark(self, text: str) -> None:
        """Say something on the side, on stderr."""
        if not self.quiet:
            sys.stderr.write(f"{text}\n")


_COMMON = {
    "workspace": (WorkspaceOption, None),
    "model_dir": (ModelDirOption, None),
    "as_json": (JsonOption, False),
    "quiet": (QuietOption, False),
    "debug": (DebugOption, False),
}


def command(app: typer.Typer, name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a command that takes a :class:`Session` first, with the common options added.

    Args:
        app: The Typer application or group.
        name: The command's name.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def run(**given: Any) -> None:
            session = Session(
                given.pop("workspace"),
                given.pop("model_dir"),
                as_json=given.pop("as_json"),
                quiet=given.pop("quiet"),
            )
            given.pop("debug")
            try:
                function(session, **given)
            except (AsfError, OSError, typer.Exit, typer.Abort):
                raise
            except Exception as error:
                session.blame_damage(error)
                raise
            finally:
                session.close()

        own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        common = [
            inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
            for key, (kind, default) in _COMMON.items()
        ]
        own = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own]
        run.__signature__ = inspect.Signature([*own, *common])  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in [*own, *common]}
        app.command(name)(run)
        return function

    return decorate
