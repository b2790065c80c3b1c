"""Results as text: JSON for scripts, tables for people, whoever prints them."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from asf_core.cli.terminal import terminal
from asf_core.domain.text import json_escaped

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console, RenderableType


def as_json(value: BaseModel | Any, *, indent: int | None = 2) -> str:
    """One JSON document, with nothing in it that acts on a terminal.

    Args:
        value: A pydantic value, or anything that ``json`` writes.
        indent: ``None`` for a document of one line.
    """
    import json

    dump = getattr(value, "model_dump", None)
    data = dump(mode="json") if dump else value
    return json_escaped(json.dumps(data, indent=indent, ensure_ascii=False)) + "\n"


def rendered(value: RenderableType, where: Mapping[str, Any]) -> str:
    """What a person reads: never markup, never emoji codes, colour only on a terminal.

    Args:
        value: What to print.
        where: Of :func:`asf_core.cli.terminal.terminal`.
    """
    text = io.StringIO()
    _console(where, text).print(value)
    if where["tty"]:
        return text.getvalue()
    # A table pads its last column, which nobody sees on a screen and a file keeps.
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def error_console() -> Console:
    """A console on standard error, for progress."""
    return _console(terminal(sys.stderr), sys.stderr)


def _console(where: Mapping[str, Any], file: Any) -> Console:
    from rich.console import Console

    environ = where["environ"]
    return Console(
        file=file,
        force_terminal=where["tty"] or None,
        width=where["width"],
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
        # By the convention an empty NO_COLOR does not count as set.
        no_color=bool(environ.get("NO_COLOR")) or None,
        _environ=environ,
    )
