"""What the workbench holds of the registries: all rows, and one skill read whole."""

from __future__ import annotations

from dataclasses import dataclass, field

from asf_core.domain.graph import Edge
from asf_core.domain.skill import Skill, SkillRow
from asf_core.domain.sync import RegistryRow
from asf_tui import facts, markdown
from asf_tui.blocks import Block
from asf_tui.bridge import Engine
from asf_tui.filtering import SkillIndex
from asf_tui.glyphs import Glyphs


@dataclass(frozen=True, slots=True, eq=False)
class Library:
    """All rows, ready to be filtered."""

    index: SkillIndex = field(default_factory=lambda: SkillIndex(()))
    registries: tuple[RegistryRow, ...] = ()
    positions: dict[str, int] = field(default_factory=dict)
    """Position in ``index.rows`` by skill id."""

    @classmethod
    def read(cls, engine: Engine) -> Library:
        """Read all rows; takes a moment for a large workspace."""
        rows = engine.skills()
        positions = {row.id: position for position, row in enumerate(rows)}
        return cls(SkillIndex(rows), engine.registries(), positions)

    def row(self, skill_id: str) -> SkillRow | None:
        """The row of a skill."""
        position = self.positions.get(skill_id)
        return None if position is None else self.index.rows[position]


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
