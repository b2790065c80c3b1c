"""Skills' files as they stand on disk, those of one registry read at one moment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from asf_core.domain.errors import InputError
from asf_core.domain.skill import Skill
from asf_core.registry.source import RegistrySource
from asf_core.store.records import Records


def read_from_disk(records: Records, skill_id: str) -> tuple[Skill, Mapping[str, bytes]]:
    """Read a skill and the bytes of all its files. See :func:`read_all_from_disk`."""
    return read_all_from_disk(records, [skill_id])[skill_id]


def read_all_from_disk(
    records: Records, skill_ids: Sequence[str]
) -> dict[str, tuple[Skill, Mapping[str, bytes]]]:
    """Read skills and the bytes of all their files; each registry is searched once.

    Args:
        records: Know where their registries are.
        skill_ids: Of synced skills.

    Returns:
        Skill and bytes by path, by skill id.

    Raises:
        UnknownSkillError: No synced skill has one of these ids.
        InputError: One is gone, or git is writing its registry right now.
    """
    paths: dict[str, dict[str, str]] = defaultdict(dict)
    for skill_id in skill_ids:
        place = records.skill(skill_id).manifest.source
        paths[place.registry][place.path] = skill_id
    rows = {row.name: row.path for row in records.registries()}
    return {
        skill_id: found
        for registry, wanted in paths.items()
        for skill_id, found in _read(rows[registry], registry, wanted)
    }


def _read(
    root: str, name: str, wanted: Mapping[str, str]
) -> Iterator[tuple[str, tuple[Skill, Mapping[str, bytes]]]]:
    with RegistrySource.open(Path(root), name) as source:
        found = {f.path: f for f in source.discover().skills if f.path in wanted}
        for path, skill_id in wanted.items():
            if path not in found:
                raise InputError(
                    f"{skill_id} is no longer on disk",
                    why=f"It was last seen in {root}",
                    hint="Sync the registry: asf sync",
                )
        if (lock := source.being_written()) is not None:
            raise InputError(
                "The registry is being written right now",
                why=f"git holds {lock}",
                hint="Try again once it is at rest",
            )
        for path, skill_id in wanted.items():
            skill, tree = source.read_with_tree(found[path])
            yield skill_id, (skill, {} if tree is None else tree.contents)
