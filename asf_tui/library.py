"""What the workbench holds of the registries: all rows, and one skill read whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from asf_core.domain.graph import Edge
from asf_core.domain.skill import Skill, SkillRow
from asf_core.domain.sync import RegistryRow
from asf_tui import facts, markdown
from asf_tui.blocks import Block
from asf_tui.bridge import Engine
from asf_tui.filtering import SkillIndex, folded
from asf_tui.glyphs import Glyphs


@dataclass(frozen=True, slots=True, eq=False)
class Library:
    """All rows, ready to be filtered."""

    index: SkillIndex = field(default_factory=lambda: SkillIndex(()))
    registries: tuple[RegistryRow, ...] = ()
    positions: dict[str, int] = field(default_factory=dict)
    """Position in ``index.rows`` by skill id."""
    apart: Mapping[str, str] = field(default_factory=dict)
    """What tells a skill from others of its name, by id; see :func:`tell_apart`."""

    @classmethod
    def read(cls, engine: Engine) -> Library:
        """Read all rows; takes a moment for a large workspace."""
        rows = engine.skills()
        positions = {row.id: position for position, row in enumerate(rows)}
        return cls(SkillIndex(rows), engine.registries(), positions, tell_apart(rows))

    def row(self, skill_id: str) -> SkillRow | None:
        """The row of a skill."""
        position = self.positions.get(skill_id)
        return None if position is None else self.index.rows[position]


def tell_apart(rows: Iterable[SkillRow]) -> dict[str, str]:
    """For each skill that shares its name, the part of its id that no other of that name has.

    Returns:
        By id: the registry where that is enough, else the directories that differ; absent for a
        name that only one skill has.
    """
    named: dict[str, list[str]] = {}
    for row in rows:
        named.setdefault(folded(row.slug), []).append(row.id)
    return {
        skill_id: where
        for ids in named.values()
        if len(ids) > 1
        for skill_id, where in zip(ids, _differences(ids), strict=True)
    }


def _differences(ids: Sequence[str]) -> list[str]:
    parts = [skill_id.split("/") for skill_id in ids]
    if len({part[0] for part in parts}) == len(ids):
        return [part[0] for part in parts]
    first = _shared(parts)
    last = _shared([part[::-1] for part in parts])
    cut = [part[first : max(first + 1, len(part) - last)] for part in parts]
    return ["/".join(part) for part in cut]


def _shared(parts: Sequence[Sequence[str]]) -> int:
    """How many parts at the start are the same in all."""
    return next(
        (i for i, column in enumerate(zip(*parts, strict=False)) if len(set(column)) > 1),
        min(map(len, parts)),
    )


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A relation as one of its two skills sees it."""

    edge: Edge
    outward: bool
    """True when the relation starts at the skill that is looked at."""

    @property
    def other(self) -> str:
        """Id of the skill at the other end."""
        return self.edge.target if self.outward else self.edge.source


@dataclass(frozen=True, slots=True)
class SkillView:
    """A skill, laid out for the detail view."""

    skill: Skill
    preview: tuple[Block, ...]
    manifest: tuple[Block, ...]
    findings: tuple[Block, ...]
    provenance: tuple[Block, ...]
    neighbours: tuple[Neighbour, ...]

    @classmethod
    def read(cls, engine: Engine, skill_id: str, glyphs: Glyphs) -> SkillView:
        """Read a skill and its relations, and lay them out; for a worker."""
        skill = engine.skill(skill_id)
        manifest = skill.manifest
        return cls(
            skill=skill,
            preview=markdown.document(manifest.description, skill.body),
            manifest=facts.manifest(manifest, glyphs),
            findings=facts.findings(skill, glyphs),
            provenance=facts.provenance(skill, glyphs),
            neighbours=neighbours(engine.edges_of(manifest.id), manifest.id),
        )


def neighbours(edges: tuple[Edge, ...], skill_id: str) -> tuple[Neighbour, ...]:
    """Relations seen from one skill: its own first, the surest first."""
    found = [Neighbour(edge, edge.source == skill_id) for edge in edges]
    key = lambda n: (not n.outward, n.edge.kind, -n.edge.confidence, n.other)  # noqa: E731
    return tuple(sorted(found, key=key))
