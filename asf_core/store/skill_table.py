"""Skills as a snapshot keeps them: one line of JSON each, read when asked for."""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.iotype import IOType
from asf_core.domain.routing import RoutableSkill
from asf_core.store.damage import damage_told


class SkillTable(Sequence[RoutableSkill]):
    """The skills of a snapshot, by row.

    Args:
        lines: All lines.
        offsets: (N + 1,): line i is ``lines[offsets[i]:offsets[i + 1]]``.
        where: The generation, for what is said of damage.
    """

    def __init__(self, lines: mmap.mmap | bytes, offsets: NDArray[np.int64], where: Path) -> None:
        self._where = where
        self._lines = lines
        self._offsets = offsets
        self._seen: dict[int, RoutableSkill] = {}

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, row: int) -> RoutableSkill: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[RoutableSkill]: ...
    def __getitem__(self, row: int | slice) -> RoutableSkill | Sequence[RoutableSkill]:
        if isinstance(row, slice):
            return tuple(self[at] for at in range(*row.indices(len(self))))
        at = range(len(self))[row]
        if at not in self._seen:
            with damage_told(self._where):
                line = self._lines[int(self._offsets[at]) : int(self._offsets[at + 1])]
                self._seen[at] = read_line(line)
        return self._seen[at]


def write_line(skill: RoutableSkill) -> bytes:
    """One skill as a line."""
    fields = [
        skill.id,
        skill.slug,
        skill.registry,
        skill.description,
        skill.version,
        skill.tokens,
        skill.listing_tokens,
        _pairs(skill.inputs),
        _pairs(skill.outputs),
    ]
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def read_line(line: bytes) -> RoutableSkill:
    """The skill of a line.

    Raises:
        ValueError: The line is not one of :func:`write_line`.
    """
    id_, slug, registry, description, version, tokens, listing, inputs, outputs = json.loads(line)
    return RoutableSkill(
        id_, slug, registry, description, version, tokens, listing, _types(inputs), _types(outputs)
    )


def _pairs(types: Iterable[IOType]) -> list[tuple[str, str]]:
    return [(type_.name, type_.type) for type_ in types]


def _types(pairs: Iterable[tuple[str, str]]) -> tuple[IOType, ...]:
    return tuple(IOType(name=name, type=type_) for name, type_ in pairs)
