"""A skill's files as they stand on disk, read at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from asf_core.domain.errors import InputError
from asf_core.domain.skill import Skill
from asf_core.registry.source import RegistrySource
from asf_core.store.records import Records


def read_from_disk(records: Records, skill_id: str) -> tuple[Skill, Mapping[str, bytes]]:
    """Read a skill and the bytes of all its files.

    Args:
        records: Know where its registry is.
        skill_id: Of a synced skill.

    Raises:
        UnknownSkillError: No synced skill has this id.
        InputError: It is gone, or git is writing its registry right now.
    """
    known = records.skill(skill_id)
    place = known.manifest.source
    row = next(r for r in records.registries() if r.name == place.registry)
    with RegistrySource.open(Path(row.path), row.name) as source:
        found = [f for f in source.discover().skills if f.path == place.path]
        if not found:
            raise InputError(
                f"{skill_id} is no longer on disk",
                why=f"It was last seen in {row.path}",
                hint="Sync the registry: asf sync",
            )
        if (lock := source.being_written()) is not None:
            raise InputError(
                "The registry is being written right now",
                why=f"git holds {lock}",
                hint="Try again once it is at rest",
            )
        skill, tree = source.read_with_tree(found[0])
    return skill, {} if tree is None else tree.contents
