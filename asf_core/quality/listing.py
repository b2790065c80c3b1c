"""The listing budget: which skills a host cuts off, and which descriptions run into each other.

Hosts put the names and descriptions of all skills before the model, within a budget. What does not
fit is shortened or dropped without a word, and a skill whose description is gone is never chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.listing import (
    Collision,
    ListingCheck,
    ListingEntry,
    ListingFate,
    ListingHost,
    Overflow,
)
from asf_core.quality import lexicon
from asf_core.quality.names import collisions as name_collisions

SEPARATOR = 4
"""Characters around name and description in a list: ``- name: description`` and a line end."""
ALIKE = 0.92
"""Cosine from which two descriptions run into each other."""
MOST = 1_000
"""Pairs that are given, the nearest."""
_TOLD = 6
_BLOCK = 512

HOSTS: Mapping[str, ListingHost] = MappingProxyType(
    {
        "claude-code": ListingHost(
            name="claude-code",
            budget=8_000,
            most_description=1_536,
            overflow=Overflow.NAMES,
            source="1% of a window of 200,000 tokens; as documented in 2026, and adjustable there",
        ),
        "codex": ListingHost(
            name="codex",
            budget=16_000,
            most_description=1_024,
            overflow=Overflow.SHORTEN,
            source="2% of a window of 200,000 tokens at 4 characters each; as of its source in 2026",
        ),
    }
)
"""Hosts whose rule is known. Their figures change: ``--budget`` overrides them."""


def custom_host(budget: int) -> ListingHost:
    """A host of which only the budget is known: it cuts the list off."""
    return ListingHost(
        name="custom", budget=budget, most_description=0, overflow=Overflow.CUT, source="as given"
    )


@dataclass(frozen=True, slots=True)
class Listed:
    """A skill that a host lists."""

    id: str
    name: str
    description: str
    demoted: bool
    """An alias, or in quarantine."""


def check_listing(skills: Sequence[Listed], host: ListingHost) -> ListingCheck:
    """Lay skills out as a host would.

    Args:
        skills: In any order; the host lists them by name.
        host: Its rule.
    """
    ordered = sorted(skills, key=lambda skill: (skill.name, skill.id))
    wanted = [_wanted(skill, host) for skill in ordered]
    total = sum(wanted)
    lay = {Overflow.NAMES: _names, Overflow.SHORTEN: _shorten, Overflow.CUT: _cut}[host.overflow]
    shown = wanted if total <= host.budget else lay(ordered, wanted, host.budget)
    return ListingCheck(
        host=host,
        skills=len(ordered),
        characters=total,
        budget=host.budget,
        fits=total <= host.budget,
        without_demoted=sum(w for s, w in zip(ordered, wanted, strict=True) if not s.demoted),
        entries=tuple(map(_entry, ordered, wanted, shown)),
    )


def _bare(skill: Listed) -> int:
    return len(skill.name) + SEPARATOR


def _wanted(skill: Listed, host: ListingHost) -> int:
    length = len(skill.description)
    return _bare(skill) + (min(length, host.most_description) if host.most_description else length)


def _entry(skill: Listed, wanted: int, shown: int) -> ListingEntry:
    whole = _bare(skill) + len(skill.description)
    if shown == 0:
        fate = ListingFate.LEFT_OUT
    elif shown < wanted:
        fate = ListingFate.NAME_ONLY if shown == _bare(skill) else ListingFate.SHORTENED
    else:
        fate = ListingFate.CAPPED if wanted < whole else ListingFate.WHOLE
    return ListingEntry(skill_id=skill.id, characters=whole, shown=shown, fate=fate)


def _names(skills: Sequence[Listed], wanted: Sequence[int], budget: int) -> list[int]:
    spent = sum(map(_bare, skills))
    shown = []
    for skill, want in zip(skills, wanted, strict=True):
        more = want - _bare(skill)
        fits = spent + more <= budget
        spent += more if fits else 0
        shown.append(want if fits else _bare(skill))
    return shown


def _shorten(skills: Sequence[Listed], wanted: Sequence[int], budget: int) -> list[int]:
    bare = [_bare(skill) for skill in skills]
    room = budget - sum(bare)
    if room < 0:
        return _cut(skills, bare, budget)
    level = _level([want - low for want, low in zip(wanted, bare, strict=True)], room)
    return [min(want, low + level) for want, low in zip(wanted, bare, strict=True)]


def _level(lengths: Sequence[int], room: int) -> int:
    """The length to which the longest are cut, so that all together fit the room."""
    left = sorted(lengths)
    for place, length in enumerate(left):
        share = room // (len(left) - place)
        if length > share:
            return share
        room -= length
    return max(left, default=0)


def _cut(skills: Sequence[Listed], wanted: Sequence[int], budget: int) -> list[int]:
    spent, shown, full = 0, [], False
    for want in wanted:
        full = full or spent + want > budget
        spent += 0 if full else want
        shown.append(0 if full else want)
    return shown


def find_collisions(
    skills: Sequence[Listed],
    vectors: NDArray[np.float32] | None,
    same: Mapping[str, str],
    alike: float = ALIKE,
) -> tuple[Collision, ...]:
    """Pairs that can be taken for one another, the nearest first, at most :data:`MOST`.

    Args:
        skills: In any order.
        vectors: (N, D) of their descriptions, L2-normalised, zero where there is none; ``None``
            without an encoder: then only names are compared.
        same: Alias to canonical id: copies of one skill do not collide.
        alike: Cosine from which descriptions do.
    """
    group = _groups(skills, same)
    pairs: dict[tuple[int, int], float | None] = dict(_by_name(skills))
    if vectors is not None:
        pairs.update(_by_description(vectors, group, alike))
    found = [
        _collision(skills[i], skills[j], cosine)
        for (i, j), cosine in pairs.items()
        if group[i] != group[j]
    ]
    found.sort(key=lambda c: (-(c.cosine or 0.0), c.first, c.second))
    return tuple(found[:MOST])


def _groups(skills: Sequence[Listed], same: Mapping[str, str]) -> NDArray[np.int64]:
    """(N,): equal numbers for copies of one skill."""
    numbers: dict[str, int] = {}
    heads = (same.get(skill.id, skill.id) for skill in skills)
    return np.array([numbers.setdefault(head, len(numbers)) for head in heads], np.int64)


def _by_name(skills: Sequence[Listed]) -> list[tuple[tuple[int, int], None]]:
    places: dict[str, list[int]] = {}
    for at, skill in enumerate(skills):
        places.setdefault(skill.name, []).append(at)
    return [
        ((i, j), None)
        for name, others in name_collisions(places).items()
        for other in others
        for i in places[name]
        for j in places[other]
        if i < j
    ]


def _by_description(
    vectors: NDArray[np.float32], group: NDArray[np.int64], alike: float
) -> list[tuple[tuple[int, int], float]]:
    found: list[tuple[float, int, int]] = []
    for start in range(0, len(vectors), _BLOCK):
        stop = min(start + _BLOCK, len(vectors))
        cosines = vectors[start:stop] @ vectors.T
        cosines[group[start:stop, None] == group[None, :]] = -1.0
        cosines[np.arange(start, stop)[:, None] >= np.arange(len(vectors))[None, :]] = -1.0
        rows, columns = np.nonzero(cosines >= alike)
        best = np.argsort(-cosines[rows, columns], kind="stable")[:MOST]
        found += [
            (-min(1.0, float(cosines[rows[k], columns[k]])), start + int(rows[k]), int(columns[k]))
            for k in best
        ]
        found = sorted(found)[:MOST]
    return [((i, j), -cosine) for cosine, i, j in found]


def _collision(a: Listed, b: Listed, cosine: float | None) -> Collision:
    first, second = sorted((a, b), key=lambda skill: skill.id)
    one, other = _words(first.description), _words(second.description)
    return Collision(
        first=first.id,
        second=second.id,
        cosine=None if cosine is None else round(cosine, 4),
        because="nearly equal names" if cosine is None else "nearly equal descriptions",
        only_first=tuple(w for w in one if w not in other)[:_TOLD],
        only_second=tuple(w for w in other if w not in one)[:_TOLD],
    )


def _words(description: str) -> dict[str, None]:
    """Telling words in their order."""
    words = (word.lower() for word in lexicon.word_list(description))
    return dict.fromkeys(word for word in words if word not in lexicon.COMMON)
