"""``skillbook.json``: the Skillbook as bytes that a diff reads well.

Skills stand in the order in which they came, the fields of a skill in the order of
:class:`Skill`, a line of the trail on one line. So one mutation of one skill is one hunk. No
embedding ever stands in it.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Annotated, Any, Literal, NoReturn, Self

from pydantic import Field, ValidationError, model_validator

from asf_core.domain.base import Value
from asf_core.domain.errors import SkillbookFormatError
from asf_core.domain.skillbook import Skill, Tombstone
from asf_core.domain.text import json_escaped, one_line

SCHEMA_VERSION = "2"
LARGEST = 64 * 1024 * 1024
"""Bytes of the largest file that is read."""


class Document(Value):
    """What the file holds."""

    schema_version: Literal["2"]
    skills: Annotated[tuple[Skill, ...], Field(max_length=100_000)]
    purged: Annotated[tuple[Tombstone, ...], Field(max_length=100_000)] = ()

    @model_validator(mode="after")
    def _ids_once(self) -> Self:
        ids = [*(skill.id for skill in self.skills), *(stone.id for stone in self.purged)]
        if twice := next((ref for ref, number in Counter(ids).items() if number > 1), None):
            raise ValueError(f"the id {twice} comes twice")
        return self


def dump(skills: tuple[Skill, ...], purged: tuple[Tombstone, ...]) -> bytes:
    """The file's bytes; equal values give equal bytes.

    Characters that act or hide stand as escapes, so that a diff on a terminal is safe to read.
    """
    lines = [f'{{\n  "schema_version": "{SCHEMA_VERSION}",\n  "skills": [']
    lines.append(",\n".join(map(_skill, skills)))
    lines.append('  ],\n  "purged": [')
    lines.append(",\n".join(f"    {_json(stone.model_dump(mode='json'))}" for stone in purged))
    lines.append("  ]\n}\n")
    document = "\n".join(line for line in lines if line)
    return json_escaped(document).encode("utf-8")


def parse(data: bytes) -> Document:
    """Read a file.

    Raises:
        SkillbookFormatError: It is anything else than a whole Skillbook of version 2.
    """
    version = _version(read_json(data))
    if version != SCHEMA_VERSION:
        found = "no schema_version" if version is None else f"schema_version {version!r:.40}"
        raise SkillbookFormatError(f"The file has {found}")
    try:
        return Document.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        said = first["msg"].removeprefix("Value error, ")
        raise SkillbookFormatError(
            one_line(f"{where}: {said}", 300),
            "Mend that place, or take the file back from its history",
        ) from error


def read_json(data: bytes) -> Any:
    """A JSON document that has one meaning: no key twice, no NaN.

    Raises:
        SkillbookFormatError: It has none.
    """
    if len(data) > LARGEST:
        raise SkillbookFormatError(f"The file has {len(data):,} bytes; the cap is {LARGEST:,}")
    try:
        return json.loads(data, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise SkillbookFormatError(f"The file is no JSON: {one_line(said, 200)}") from error


def _version(value: object) -> object:
    return value.get("schema_version") if isinstance(value, dict) else None


def _skill(skill: Skill) -> str:
    fields = skill.model_dump(mode="json")
    lines = [f"      {_json(name)}: {_field(name, value)}" for name, value in fields.items()]
    return "    {\n" + ",\n".join(lines) + "\n    }"


def _field(name: str, value: Any) -> str:
    if name != "sources":
        return _json(value)
    return "[\n" + ",\n".join(f"        {_json(line)}" for line in value) + "\n      ]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
