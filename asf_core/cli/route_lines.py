"""Tasks by the line: one question in, one answer out, each a line of JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, TextIO

from pydantic import Field, ValidationError

from asf_core.cli.exits import exit_code
from asf_core.cli.printing import as_json
from asf_core.cli.route_answer import RouteAsk, read_inputs
from asf_core.domain.base import Value
from asf_core.domain.errors import AsfError, InputError
from asf_core.domain.limits import MOST_DOLLARS, MOST_TOKENS
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from asf_core.domain.routing import RouteRequest, RouteResult
    from asf_core.services.engine import Engine

LONGEST_LINE = 1024 * 1024


class Question(Value):
    """A task as a line of JSON; what it leaves out is as the options say."""

    query: str
    id: str | int | None = None
    """Comes back with the answer."""
    registries: list[str] | None = None
    """Names."""
    inputs: list[str] | None = None
    """What the task brings along, each ``name:type``."""
    budget: Annotated[int, Field(ge=1, le=MOST_TOKENS)] | None = None
    setting: str | None = None
    price: Annotated[float, Field(ge=0, le=MOST_DOLLARS, allow_inf_nan=False)] | None = None
    max_skills: Annotated[int, Field(ge=1, le=1_000)] | None = None
    degraded: bool | None = None


class LineRouter:
    """Answers lines. Safe to use from several threads.

    Args:
        engine: Over the workspace.
        ask: What holds where a line does not say otherwise.
        names: Of the registries to route over; empty for all.
    """

    def __init__(self, engine: Engine, ask: RouteAsk, names: Sequence[str]) -> None:
        self._engine = engine
        self._ask = ask
        self._names = names

    def answer(self, line: bytes) -> str:
        """The answer to a line, whatever it is: a result, or ``{"error": ...}``."""
        mark: dict[str, Any] = {}
        try:
            question = _read(line)
            mark = {} if question.id is None else {"id": question.id}
            result = self._route(question)
            return as_json({**mark, **result.model_dump(mode="json")}, indent=None)
        except Exception as error:  # noqa: BLE001 - the next line is to be answered all the same
            return as_json({**mark, "error": self._said(error)}, indent=None)

    def _route(self, question: Question) -> RouteResult:
        request = self._ask.request(self._names)
        given = _given(question)
        if given:
            request = type(request).model_validate({**_plain(request), **given})
        return self._engine.route(question.query, request)

    def _said(self, error: Exception) -> dict[str, Any]:
        """An error in words; damage goes before what nobody foresaw."""
        if not isinstance(error, AsfError):
            from asf_core.services.mending import find_damage

            error = find_damage(self._engine.workspace) or error
        if isinstance(error, AsfError):
            parts = {"what": error.what, "why": error.why, "hint": error.hint}
        else:
            what = f"unexpected {type(error).__name__}: {one_line(str(error), 300)}"
            parts = {"what": what, "why": "a defect of this program, not of your input", "hint": ""}
        return {**parts, "code": int(exit_code(error))}


def answer_stream(router: LineRouter, questions: BinaryIO, answers: TextIO) -> None:
    """Answer line after line until there are no more; each answer is there before the next line.

    Args:
        router: Answers.
        questions: UTF-8.
        answers: Where they go.
    """
    while line := questions.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            _skip(questions)
        answers.write(router.answer(line))
        answers.flush()


def _skip(questions: BinaryIO) -> None:
    """Read on to the end of a line that is too long."""
    while (more := questions.readline(LONGEST_LINE)) and not more.endswith(b"\n"):
        pass


def _read(line: bytes) -> Question:
    if len(line) > LONGEST_LINE:
        raise InputError("The line is too long", why=f"A line has {LONGEST_LINE:,} bytes at most")
    try:
        text = line.decode().strip()
    except UnicodeDecodeError as error:
        raise InputError("The line is not UTF-8", why=str(error)) from error
    if text[:1] not in {"{", '"'}:
        return Question(query=text)
    try:
        found = json.loads(text, object_pairs_hook=_once)
        return Question(query=found) if isinstance(found, str) else Question.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise _not_understood(f"{where}: {first['msg']}" if where else first["msg"]) from error
    except (ValueError, RecursionError) as error:
        if text.startswith('"'):
            return Question(query=text)  # a task in plain words that begins with a quotation
        raise _not_understood(str(error)) from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _not_understood(why: str) -> InputError:
    return InputError(
        "The line is not understood",
        why=why,
        hint='Give a task in plain words, or {"query": ...} with any of: id, registries, inputs, '
        "budget, setting, price, max_skills, degraded",
    )


def _given(question: Question) -> dict[str, Any]:
    """What a line says otherwise, by the fields of a request."""
    given = {
        "registries": None if question.registries is None else tuple(question.registries),
        "task_inputs": None if question.inputs is None else read_inputs(question.inputs),
        "token_budget": question.budget,
        "setting": question.setting,
        "price_per_million": question.price,
        "max_skills": question.max_skills,
        "allow_degraded": question.degraded,
    }
    return {name: value for name, value in given.items() if value is not None}


def _plain(request: RouteRequest) -> dict[str, Any]:
    return {name: getattr(request, name) for name in type(request).model_fields}
