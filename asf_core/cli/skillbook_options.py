"""Options that the commands of ``asf skillbook`` share."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asf_core.cli.printing import error_console
from asf_core.cli.session import Session

if TYPE_CHECKING:
    from asf_core.domain.skillbook import Section
    from asf_core.services.skillbook import SkillbookService

FileOption = Annotated[
    Path | None,
    typer.Option(
        "--file",
        metavar="FILE",
        envvar="ASF_SKILLBOOK",
        help="The Skillbook. Default: skillbook.json of the workspace.",
    ),
]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="As context-00001, or context-1.")]
SectionOption = Annotated[
    str | None, typer.Option("--section", metavar="NAME", help="Only context, or only harness.")
]
KeywordOption = Annotated[
    list[str] | None,
    typer.Option(
        "--keyword", "-k", metavar="WORD", help="Carrying this keyword; repeat for several."
    ),
]
ReasonOption = Annotated[
    str, typer.Option("--reason", metavar="TEXT", help="Why; kept in the trail.")
]
YesOption = Annotated[
    bool, typer.Option("--yes", "-y", help="A person has confirmed it: do not ask.")
]


def _text(flag: str, metavar: str, said: str) -> Any:
    return Annotated[str | None, typer.Option(flag, metavar=metavar, help=said)]


_TRACE: dict[str, Any] = {
    "trace_id": _text("--trace-id", "ID", "Run in which it was learnt. Default: a new id."),
    "source_system": _text("--system", "NAME", "System that the run is of. Default: asf."),
    "display_name": _text("--name", "TEXT", "What a person calls the run. Default: you."),
    "relation": _text("--relation", "WORD", "What the run is to the issue, as origin."),
    "sample_question": _text("--question", "TEXT", "What was asked when it happened."),
    "epoch": Annotated[
        int | None, typer.Option("--epoch", metavar="N", min=0, help="Round of learning.")
    ],
    "error_identification": _text("--error", "TEXT", "What was seen to go wrong."),
    "learning_text": _text("--learning", "TEXT", "What was concluded."),
}


def traced(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a trace, and its function the trace's facts in one dict."""

    @functools.wraps(function)
    def run(session: Session, **given: Any) -> None:
        facts = {name: given.pop(name) for name in _TRACE}
        function(session, facts=facts, **given)

    own = inspect.signature(function, eval_str=True).parameters
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
        for name, kind in _TRACE.items()
    ]
    rest = [
        p.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, p in own.items()
        if name not in ("session", "facts")
    ]
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [own["session"], *rest, *options]
    )
    return run


def skillbook(session: Session, file: Path | None) -> SkillbookService:
    """The Skillbook that is meant."""
    return session.engine.skillbook(file, session.remark)


def section_named(text: str | None) -> Section | None:
    """The section of an option.

    Raises:
        InputError: There is none of this name.
    """
    from asf_core.domain.skillbook import section_of

    return None if text is None else section_of(text)


def split_keywords(words: list[str] | None) -> tuple[str, ...]:
    """Keywords of an option that may be repeated, and may hold several with commas."""
    return tuple(part for word in words or () for part in word.split(","))


def confirm(session: Session, question: str, *, yes: bool) -> None:
    """Have a person confirm it.

    Raises:
        RefusedError: There is nobody to ask, or the answer is no.
    """
    from asf_core.domain.errors import RefusedError

    if yes:
        return
    if not sys.stdin.isatty():
        raise RefusedError(
            "A person has to confirm this", why="There is no terminal to ask on", hint="Add --yes"
        )
    error_console().print(question)
    if not typer.confirm("Do it?", err=True):
        raise RefusedError("Nothing was changed", why="It was not confirmed")
