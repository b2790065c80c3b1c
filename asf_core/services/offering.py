"""What a route may choose from: not what is in quarantine, and of copies one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asf_core.store.records import Records


def left_out(records: Records) -> frozenset[str]:
    """Skills that neither a curator's decision nor the gate lets into routing."""
    return frozenset((*records.quarantined(), *records.gated()))


def copies(
    aliases: Mapping[str, str], registries: Collection[str], can_offer: Callable[[str], bool]
) -> frozenset[str]:
    """Skills that another one stands for in a route.

    An alias gives way only to a skill that is offered: where the canonical one is in quarantine, or
    of a registry that was not asked for, one of its aliases stands for the others.

    Args:
        aliases: Alias to canonical id.
        registries: Names of those that are asked for; empty for all.
        can_offer: Whether a skill could be offered.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for alias, canonical in aliases.items():
        groups[canonical].append(alias)
    found: set[str] = set()
    for canonical, others in groups.items():
        members = [canonical, *sorted(others)]
        offered = [i for i in members if _is_of(i, registries) and can_offer(i)]
        found.update(offered[1:])
    return frozenset(found)


def _is_of(skill_id: str, registries: Collection[str]) -> bool:
    return not registries or skill_id.partition("/")[0] in registries
