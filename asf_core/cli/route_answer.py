"""From what is asked to what is printed: the same in this process and in a server."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from asf_core.cli.asking import MOST_CANDIDATES
from asf_core.cli.exits import Exit
from asf_core.cli.printing import as_json, rendered
from asf_core.cli.route_view import render
from asf_core.domain.base import Value
from asf_core.domain.errors import BusyError, InputError, StoreError
from asf_core.domain.iotype import IOType
from asf_core.domain.routing import RouteRequest, RouteResult
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from asf_core.services.engine import Engine

Sync = Callable[[Sequence[str], bool], bool]
"""Brings the index up to date for these registries (all of them when empty), with or without a model
that is missing; false when it need not even look."""


class RouteAsk(Value):
    """A route as it is asked for, by options or over a socket."""

    task: str
    registries: list[str] = Field(default_factory=list)
    """Directories or names."""
    inputs: list[str] = Field(default_factory=list)
    budget: int = 12_000
    setting: str = ""
    """Empty for the workspace's own."""
    price: float = 3.0
    candidates: Annotated[int, Field(ge=0, le=MOST_CANDIDATES)] = 5
    """How many to show."""
    no_sync: bool = False
    degraded: bool = False
    active_only: bool = False
    product: str | None = None
    tenant: str | None = None
    user: str | None = None
    as_json: bool = False
    quiet: bool = False
    debug: bool = False
    workspace: str | None = None
    model_dir: str | None = None

    def request(self, names: Sequence[str]) -> RouteRequest:
        """What the router is asked.

        Args:
            names: Of the registries.

        Raises:
            InputError: An input is not of the form ``name:type``.
        """
        request = RouteRequest(
            registries=tuple(names),
            task_inputs=read_inputs(self.inputs),
            token_budget=self.budget,
            setting=self.setting,
            price_per_million=self.price,
            allow_degraded=self.degraded,
        )
        if not (self.active_only or self.product or self.tenant or self.user):
            return request
        from asf_core.services.control.active import local_subject

        subject = local_subject(self.product, self.tenant, self.user)
        return request.model_copy(update={"active_only": self.active_only, "subject": subject})


def read_inputs(texts: Sequence[str]) -> tuple[IOType, ...]:
    """Read what a task brings along.

    Raises:
        InputError: One is not of the form ``name:type``.
    """
    try:
        return tuple(IOType.parse(text) for text in texts or ["query:string"])
    except ValueError as error:
        raise InputError(
            "--input is not understood", why=str(error), hint="For example: --input query:string"
        ) from error


class RouteAnswer(Value):
    """What is printed, and how the command ends."""

    text: str
    code: int
    shares: Mapping[str, float]
    """Milliseconds of what was done for it, by name."""


def answer(
    engine: Engine,
    ask: RouteAsk,
    names: Sequence[str],
    where: Mapping[str, Any],
    sync: Sync,
    say: Callable[[str], None],
) -> RouteAnswer:
    """Route what is asked.

    Args:
        engine: Over the workspace.
        ask: What is asked.
        names: Of the registries to route over; empty for all.
        where: What it is printed on, as :func:`asf_core.cli.terminal.terminal` says.
        sync: How to bring the index up to date.
        say: Takes remarks.

    Raises:
        AsfError: What keeps it from being answered.
    """
    clock = _Clock()
    result = routed(engine, ask, names, sync, say, clock.lap)
    text = as_json(result) if ask.as_json else _readable(result, ask, where)
    clock.lap("print")
    none = result.abstained or not result.bundle.steps
    return RouteAnswer(
        text=text, code=int(Exit.FINDINGS if none else Exit.DONE), shares=clock.shares
    )


def routed(
    engine: Engine,
    ask: RouteAsk,
    names: Sequence[str],
    sync: Sync,
    say: Callable[[str], None],
    lap: Callable[[str], None] = lambda _: None,
) -> RouteResult:
    """Sync what may have changed, then route.

    Args:
        engine: Over the workspace.
        ask: What is asked.
        names: Of the registries to route over; empty for all.
        sync: How to bring the index up to date.
        say: Takes remarks.
        lap: Told the name of each part as it ends.

    Raises:
        AsfError: What keeps it from being answered.
    """
    request = ask.request(names)
    engine.registries()  # where there is no workspace, none is made
    looked = ask.no_sync or _synced(engine, ask, names, sync, say)
    lap("sync")
    try:
        result = engine.route(ask.task, request)
    except StoreError:
        if looked:
            raise
        sync((), ask.degraded)  # It was not needed as far as the files tell; it may mend.
        result = engine.route(ask.task, request)
    lap("route")
    return result


def _synced(
    engine: Engine,
    ask: RouteAsk,
    names: Sequence[str],
    sync: Sync,
    say: Callable[[str], None],
) -> bool:
    """Sync as far as that can be done; false when there was no need to look."""
    if not engine.workspace.writable:
        say("The workspace may only be read: answered from it as it was last synced")
        return True
    try:
        return sync(names, ask.degraded)
    except BusyError as error:
        say(f"{one_line(error.why)}: answered from it as it was last synced")
        return True


def _readable(result: RouteResult, ask: RouteAsk, where: Mapping[str, Any]) -> str:
    return rendered(render(result, shown=ask.candidates), where)


class _Clock:
    def __init__(self) -> None:
        self._mark = time.perf_counter()
        self.shares: dict[str, float] = {}

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.shares[name] = round(1e3 * (now - self._mark), 1)
        self._mark = now
