"""From skills as the registry reads them to what the gate judges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from asf_core.domain.skill import Skill, SkillState
from asf_core.quality.facts import SkillFacts, read_facts
from asf_core.quality.gate import GateInput

if TYPE_CHECKING:
    from asf_core.registry.tree import SkillTree


def facts_of(skill: Skill, tree: SkillTree | None) -> SkillFacts:
    """The facts of a skill that was just read."""
    return read_facts(skill.manifest, skill.body, _scripts(tree))


def _scripts(tree: SkillTree | None) -> Mapping[str, bytes]:
    from asf_core.registry.infer import is_script

    if tree is None:
        return {}
    files = {entry.path for entry in tree.entries if entry.kind == "file"}
    return {path: data for path, data in tree.contents.items() if path in files and is_script(path)}


def read_for_quality(root: Path, name: str) -> Iterator[tuple[Skill, SkillFacts]]:
    """Read a registry from disk, without a workspace."""
    from asf_core.registry.source import RegistrySource
    from asf_core.services.reading import read_skill

    with RegistrySource.open(root, name) as source:
        for found in source.discover().skills:
            skill, tree = read_skill(source, found)
            yield skill, facts_of(skill, tree)


def aliases_of(
    skills: Iterable[Skill], trees: Mapping[str, SkillTree] = MappingProxyType({})
) -> dict[str, str]:
    """The canonical index of skills that no workspace holds.

    Without an encoder: descriptions count as the same only when they are equal. Where there is a
    workspace, ``engine.quality.aliases()`` has more.

    Args:
        skills: As read from disk.
        trees: Their files by skill id; without them scripts are not compared.

    Returns:
        Alias to canonical id.
    """
    from asf_core.quality.gate import judge

    inputs = [gate_input(s, facts_of(s, trees.get(s.manifest.id)), 0) for s in skills]
    found = judge(inputs, None).judgements
    return {one.skill_id: one.canonical_id for one in found if one.canonical_id is not None}


def gate_input(skill: Skill, facts: SkillFacts, degree: int) -> GateInput:
    """A skill as the gate sees it."""
    manifest = skill.manifest
    return GateInput(
        id=manifest.id,
        registry=manifest.source.registry,
        slug=manifest.slug,
        path=manifest.source.path,
        version=manifest.version,
        facts=facts,
        degree=degree,
        broken=skill.state is SkillState.BROKEN,
    )
