"""Which version a person means."""

from __future__ import annotations

import re

from asf_core.domain.content import VersionRecord, VersionState
from asf_core.domain.errors import InputError
from asf_core.governance.ports import Reading

_HASH = re.compile("[0-9a-f]{8,64}")
_SHORTEST_LIST = 6


def find_version(
    reading: Reading, ref: str, wanted: frozenset[VersionState] | None = None
) -> VersionRecord:
    """The version that a reference means: never a guess, never "the latest".

    Args:
        reading: One state of the ledger.
        ref: ``SKILL@VERSION``; at least eight characters of a content hash; or ``SKILL`` where only
            one of its versions is in a wanted state. SKILL is an id, or its last part where unique.
        wanted: States to choose from when no version is named; all when left out.

    Raises:
        InputError: No version fits, or several do.
    """
    records = reading.versions()
    skill, _, version = ref.rpartition("@")
    if not skill:
        skill, version = ref, ""
    by_hash = [r for r in records if _HASH.fullmatch(ref) and r.content_hash.startswith(ref)]
    if by_hash:
        return _only(by_hash, ref)
    found = _of_skill(records, skill)
    if version:
        return _only([r for r in found if r.content.version == version], ref, found)
    return _only([r for r in found if wanted is None or r.state in wanted], ref, found)


def find_skill(reading: Reading, ref: str) -> str:
    """The id of the skill that a reference means, whatever state its versions are in.

    Raises:
        InputError: No skill that has versions fits, or several do.
    """
    records = reading.versions()
    found = _of_skill(records, ref) or _of_skill(records, ref.rpartition("@")[0])
    if not found:
        return _only([], ref).content.skill_id
    return found[0].content.skill_id


def _of_skill(records: tuple[VersionRecord, ...], skill: str) -> list[VersionRecord]:
    """Versions of the skill of this id, else of this source id, else of this name."""
    if found := [r for r in records if r.content.skill_id == skill]:
        return found
    if found := [r for r in records if r.content.source.id == skill]:
        return found
    found = [r for r in records if r.content.skill_id.rsplit("/", 1)[-1] == skill]
    ids = sorted({record.content.skill_id for record in found})
    if len(ids) > 1:
        raise InputError(
            f"{skill!r} is the name of {len(ids)} skills", hint=f"Use one of: {', '.join(ids)}"
        )
    return found


def _only(
    fits: list[VersionRecord], ref: str, others: list[VersionRecord] | None = None
) -> VersionRecord:
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise InputError(f"{ref!r} means {len(fits)} versions", hint=f"Use one of: {_listed(fits)}")
    if others:
        raise InputError(f"No version fits {ref!r}", hint=f"There are: {_listed(others)}")
    raise InputError(
        f"There is no version {ref!r}",
        why="Only what was added as a candidate has versions",
        hint="See them with: asf candidate list; add one with: asf candidate add SKILL",
    )


def _listed(records: list[VersionRecord]) -> str:
    named = [f"{r.content.skill_id}@{r.content.version} ({r.state.value})" for r in records]
    more = f" and {len(named) - _SHORTEST_LIST} more" if len(named) > _SHORTEST_LIST else ""
    return ", ".join(named[:_SHORTEST_LIST]) + more
