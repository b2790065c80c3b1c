"""Reading a skill from its registry, with what its files say of other skills."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_core.domain.skill import SkillState

if TYPE_CHECKING:
    from asf_core.domain.skill import Skill
    from asf_core.graph.build import GraphInput
    from asf_core.registry.discover import FoundSkill
    from asf_core.registry.source import RegistrySource
    from asf_core.registry.tree import SkillTree


def read_skill(source: RegistrySource, found: FoundSkill) -> tuple[Skill, SkillTree | None]:
    """Read a skill whole. Never raises on what it holds, and runs nothing of it.

    Args:
        source: The registry.
        found: One of the skills that were discovered in it.

    Returns:
        The skill, and its files; ``None`` where its directory is gone.
    """
    from asf_core.graph.references import references_of

    skill, tree = source.read_with_tree(found)
    if tree is None or skill.state is SkillState.BROKEN:
        return skill, tree
    references = references_of(skill, found.file_name, tree.contents)
    return skill.model_copy(update={"references": references}), tree


def graph_input(skill: Skill) -> GraphInput:
    """What the graph reads of a skill; of one that is broken only what it may be called by.

    A name that means a broken skill means it, and not its namesake elsewhere.
    """
    from asf_core.graph.build import GraphInput

    manifest = skill.manifest
    broken = skill.state is SkillState.BROKEN
    return GraphInput(
        id=manifest.id,
        slug=manifest.slug,
        registry=manifest.source.registry,
        path=manifest.source.path,
        references=() if broken else skill.references,
        body="" if broken else skill.body,
        body_line=skill.body_line,
    )
