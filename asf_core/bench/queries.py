"""Query sets: one JSON object a line, with the skills that answer it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn

from asf_core.domain.base import Sha256, Value
from asf_core.domain.errors import InputError

Kind = Literal["positive", "negative"]

_KINDS = ("positive", "negative")


class BenchQuery(Value):
    """One query with its verdict."""

    id: str
    query: str
    relevant: tuple[str, ...] = ()
    """Skill ids, or the last part of them, as the file says; any one of them is right."""
    kind: Kind
    plan: tuple[str, ...] = ()
    """The skills that a good plan holds, in order, where the file says so."""
    names_skill: bool = False
    """The text contains the skill's name, which makes it easy: not in the headline figures."""
    source: str
    """Who wrote it; figures are given by source."""


class QuerySet(Value):
    """Queries of one or more files."""

    queries: tuple[BenchQuery, ...]
    digest: Sha256
    """Over the files' bytes, in the order given: names the data that a figure was measured on."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A query whose answers are ids of the index at hand."""

    query: BenchQuery
    relevant: frozenset[str]
    """Ids. Empty for a negative query."""
    registries: tuple[str, ...]
    """The registries that hold them, sorted: the query's own."""
    plan: tuple[frozenset[str], ...] = ()
    """For each step of the plan that the query asks for its ids; empty where a step is not in the
    index, since no plan could hold it."""


def parse_queries(data: bytes, name: str) -> tuple[BenchQuery, ...]:
    """Read a query file. Fields that this version does not know are left alone.

    Args:
        data: UTF-8, one JSON object a line; empty lines are skipped.
        name: What to call the file in an error.

    Raises:
        InputError: A line is not a query, a positive query has no answer, a negative one has one,
            or an id comes twice.
    """
    found: dict[str, BenchQuery] = {}
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), start=1):
        if line.strip():
            query = _query(line, f"{name}, line {number}")
            if query.id in found:
                _refuse(f"{name}, line {number}", f"the id {query.id!r} is in use above")
            found[query.id] = query
    return tuple(found.values())


def load_queries(paths: Sequence[Path]) -> QuerySet:
    """Read query files.

    Args:
        paths: Files in the format of :func:`parse_queries`.

    Raises:
        InputError: A file cannot be read, :func:`parse_queries` refuses it, or two files share an
            id.
    """
    digest, queries = hashlib.sha256(), dict[str, BenchQuery]()
    for path in paths:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise InputError(
                f"The query file {path} cannot be read",
                why=error.strerror or str(error),
                hint="Give the path of a JSON Lines file",
            ) from error
        digest.update(hashlib.sha256(data).digest())
        for query in parse_queries(data, path.name):
            if query.id in queries:
                _refuse(path.name, f"the id {query.id!r} is in another file too")
            queries[query.id] = query
    return QuerySet(queries=tuple(queries.values()), digest=digest.hexdigest())


def judge_against(
    queries: Iterable[BenchQuery], registry_of: Mapping[str, str]
) -> tuple[tuple[Judged, ...], tuple[BenchQuery, ...]]:
    """Find the answers in an index.

    A file may name a skill by less than its id (``science/citation-verifier`` for
    ``sample_registry/science/citation-verifier``): without an exact match, every id that ends with
    the name, from a slash on, is meant.

    Args:
        queries: The queries.
        registry_of: Id of each skill in the index -> its registry.

    Returns:
        The queries that can be judged, and those none of whose answers is in the index.
    """
    by_tail = _tails(registry_of)
    judged, absent = list[Judged](), list[BenchQuery]()
    for query in queries:
        ids = frozenset(i for ref in query.relevant for i in _ids(ref, registry_of, by_tail))
        if ids or query.kind == "negative":
            own = tuple(sorted({registry_of[i] for i in ids}))
            steps = tuple(frozenset(_ids(ref, registry_of, by_tail)) for ref in query.plan)
            judged.append(Judged(query, ids, own, steps if all(steps) else ()))
        else:
            absent.append(query)
    return tuple(judged), tuple(absent)


def _query(line: str, where: str) -> BenchQuery:
    try:
        fields = json.loads(line)
    except ValueError as error:
        _refuse(where, f"it is not JSON: {error}")
    if not isinstance(fields, dict):
        _refuse(where, "it is not a JSON object")
    kind, relevant = fields.get("kind"), fields.get("relevant", [])
    if kind not in _KINDS:
        _refuse(where, f"kind is {kind!r}, not one of {', '.join(_KINDS)}")
    for name in ("relevant", "plan"):
        refs = fields.get(name, [])
        if not isinstance(refs, list) or not all(isinstance(ref, str) and ref for ref in refs):
            _refuse(where, f"{name} is not a list of skill ids")
    if bool(relevant) != (kind == "positive"):
        _refuse(where, f"a {kind} query has {len(relevant)} relevant skills")
    return BenchQuery(
        id=_text(fields, "id", where),
        query=_text(fields, "query", where),
        relevant=tuple(dict.fromkeys(relevant)),
        plan=tuple(dict.fromkeys(fields.get("plan", []))),
        kind=kind,
        names_skill=fields.get("names_skill") is True,
        source=_text(fields, "source", where),
    )


def _text(fields: Mapping[str, Any], key: str, where: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str) or not value.strip():
        _refuse(where, f"{key} is absent or not a text")
    return value


def _refuse(where: str, why: str) -> NoReturn:
    raise InputError(
        f"{where} is not a routing query",
        why=why,
        hint="A line is an object with id, query, relevant, kind and source",
    )


def _tails(registry_of: Mapping[str, str]) -> Mapping[str, list[str]]:
    """Every tail of every id, from a slash on -> the ids that end with it."""
    tails: dict[str, list[str]] = {}
    for skill_id in sorted(registry_of):
        parts = skill_id.split("/")
        for start in range(1, len(parts)):
            tails.setdefault("/".join(parts[start:]), []).append(skill_id)
    return tails


def _ids(ref: str, exact: Mapping[str, str], by_tail: Mapping[str, list[str]]) -> list[str]:
    return [ref] if ref in exact else by_tail.get(ref, [])
