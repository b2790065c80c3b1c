"""From a name in a text to the skills that it can mean."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from asf_core.graph.similar import SimilarNames


class Named(Protocol):
    """What a name is resolved against."""

    @property
    def id(self) -> str:
        """Of the skill."""
        ...

    @property
    def slug(self) -> str:
        """Its declared name."""
        ...

    @property
    def registry(self) -> str:
        """Where it stands."""
        ...

    @property
    def path(self) -> str:
        """POSIX path of its directory there."""
        ...


@dataclass(frozen=True, slots=True)
class Resolution:
    """The skills that a name can mean."""

    ids: tuple[str, ...]
    """Sorted; empty when it means none, several when nothing tells them apart."""
    foreign: bool = False
    """True when they stand in other registries than the one that names them."""


NOTHING = Resolution(())


@dataclass(slots=True)
class _Names:
    by_path: dict[str, Named] = field(default_factory=dict)
    by_name: dict[str, list[Named]] = field(default_factory=lambda: defaultdict(list))
    similar: SimilarNames | None = None
    """Made when a name is first looked for in vain."""


class NameIndex:
    """Every name that a skill answers to: its id, its slug, its directory's name, its path.

    The order of resolution, each step only where the one before gave nothing: the exact id; the
    directory that a path leads to; then by name, the candidates that share the deepest directory
    with the skill that names them (same parent, same sub-registry, same registry, in one rule);
    then the other registries, and other collections: a checkout of many, as ``x/skills/…`` beside
    ``y/skills/…``, is many registries in one directory. Names compare exactly: the format asks for
    lower case, and prose writes "Testing" without meaning a skill.
    """

    def __init__(self, skills: Iterable[Named]) -> None:
        self._by_id: dict[str, Named] = {}
        self._registries: dict[str, _Names] = defaultdict(_Names)
        for skill in sorted(skills, key=lambda s: s.id):
            self._add(skill)

    def _add(self, skill: Named) -> None:
        names = self._registries[skill.registry]
        self._by_id[skill.id] = skill
        names.by_path[skill.path] = skill
        for name in {skill.slug, directory_name(skill.path)}:
            names.by_name[name].append(skill)

    def names_in(self, registry: str) -> Mapping[str, list[Named]]:
        """All names of one registry's skills."""
        return self._registries[registry].by_name

    def nearest(self, source: Named, ref: str) -> str | None:
        """The name in the same registry that looks most like one that means nothing."""
        names = self._registries[source.registry]
        if names.similar is None:
            names.similar = SimilarNames(names.by_name)
        return names.similar.nearest(directory_name(ref.removesuffix("/SKILL.md")))

    def resolve(self, source: Named, ref: str) -> Resolution:
        """Find what ``source`` means by a declared name: an id, a path or a slug.

        Args:
            source: The skill that names it.
            ref: As it declares it.
        """
        if ref in self._by_id:
            return Resolution((ref,))
        if "/" in ref and (found := self.by_path(source, ref)).ids:
            return found
        return self.by_name(source, ref) if "/" not in ref else NOTHING

    def by_path(self, source: Named, path: str) -> Resolution:
        """Find the skill that a relative path leads into.

        A path that leads nowhere is tried as a tail of a path (``common/security-standards``), and
        one to a ``SKILL.md`` by its directory's name at last: published registries are often
        flattened, and their links are not.
        """
        names = self._registries[source.registry]
        own = _climb(names.by_path, posixpath.join(source.path, path), up=path.startswith(".."))
        if own is not None and own.id != source.id:
            return Resolution((own.id,))
        if rooted := _climb(names.by_path, path):
            return Resolution((rooted.id,))
        parts = _directories(path)
        tailed = _with_tail(names.by_name, parts)
        if near := [skill for skill in tailed if _are_together(source.path, skill.path)]:
            return Resolution(_nearest(source, near))
        if own is None and _means_a_skill(path, parts):
            return self.by_name(source, parts[-1], home=True)
        return Resolution((own.id,)) if own else NOTHING

    def at(self, source: Named, path: str) -> Resolution:
        """The skill that holds what a path leads to, and nothing else: no name is guessed.

        Args:
            source: The skill that holds the path.
            path: From its directory.
        """
        names = self._registries[source.registry]
        there = _climb(names.by_path, posixpath.join(source.path, path))
        return Resolution((there.id,)) if there is not None and there.id != source.id else NOTHING

    def by_tail(self, source: Named, path: str) -> Resolution:
        """The skills that the end of a path leads into, where its beginning is not known.

        A directory counts as a skill's where two directories or more of the path are those that the
        skill stands in, or where the path itself says so: ``skills/x/…``, ``x/scripts/…``.

        Args:
            source: The skill that holds the path.
            path: As ``.claude/skills/x/scripts/y.py``.
        """
        parts = [part for part in path.split("/") if part not in ("", ".", "..")]
        names = self._registries[source.registry].by_name
        for at in range(len(parts) - 2, -1, -1):
            own = [skill for skill in names.get(parts[at], ()) if _stands(skill, parts, at)]
            if own:
                return Resolution(_nearest(source, own))
        return NOTHING

    def by_name(
        self, source: Named, name: str, *, home: bool = False, near: bool = False
    ) -> Resolution:
        """Find the skills of one name.

        Args:
            source: The skill that names it.
            name: A slug or a directory's name, with or without a ``plugin:`` in front.
            home: Look in the source's own registry and collection only.
            near: Of these only the source's neighbours: in the same directory, inside it or around it.
        """
        for form in (name, name.rpartition(":")[2]):
            named = self._registries[source.registry].by_name.get(form, ())
            own = [skill for skill in named if _are_together(source.path, skill.path)]
            if near:
                own = [skill for skill in own if _are_neighbours(source.path, skill.path)]
            if own:
                return Resolution(_nearest(source, own))
        if home:
            return NOTHING
        short = name.rpartition(":")[2]
        others = [s.id for r in self._registries.values() for s in r.by_name.get(short, ())]
        return Resolution(tuple(sorted(others)), foreign=True) if others else NOTHING


def directory_name(path: str) -> str:
    """The last component of a POSIX path."""
    return path.rpartition("/")[2]


def _directories(path: str) -> list[str]:
    parts = [part for part in path.split("/") if part not in ("", ".", "..")]
    return parts[:-1] if parts and "." in parts[-1][1:] else parts


def _with_tail(by_name: Mapping[str, list[Named]], parts: Sequence[str]) -> list[Named]:
    """The skills whose path ends in these directories."""
    tail = "/" + "/".join(parts)
    found = by_name.get(parts[-1], []) if len(parts) > 1 else []
    return [skill for skill in found if f"/{skill.path}".endswith(tail)]


def _stands(skill: Named, parts: Sequence[str], at: int) -> bool:
    """Whether the directory at one place of a path may be the skill's."""
    above = parts[at - 1] if at else ""
    if above == "skills" or parts[at + 1] == "scripts":
        return True
    return bool(above) and f"/{skill.path}".endswith(f"/{above}/{parts[at]}")


def _means_a_skill(path: str, parts: Sequence[str]) -> bool:
    """``owner/some-name`` is a repository; these are not."""
    if not parts:
        return False
    flattened = path.startswith("../") and "-" in parts[-1]
    return flattened or path.casefold().endswith("/skill.md") or "skills" in parts[:-1]


def _climb(by_path: Mapping[str, Named], path: str, *, up: bool = False) -> Named | None:
    """The innermost skill that holds ``path``; the one at the root only for a way ``up`` to it."""
    here = posixpath.normpath(path)
    if here.startswith(("/", "../")) or here == "..":
        return None
    while here and here != ".":
        if here in by_path:
            return by_path[here]
        here = here.rpartition("/")[0]
    return by_path.get(".") if up else None


def _nearest(source: Named, skills: Iterable[Named]) -> tuple[str, ...]:
    ranked = [(_shared(source.path, skill.path), skill.id) for skill in skills]
    best = max(depth for depth, _ in ranked)
    return tuple(sorted(id_ for depth, id_ in ranked if depth == best))


def _are_together(a: str, b: str) -> bool:
    """Whether two skills stand in one collection, as far as their paths tell."""
    left, right = _collection(a), _collection(b)
    return not left or not right or left == right


def _collection(path: str) -> str:
    first, *rest = path.split("/")
    return first if "skills" in rest else ""


def _are_neighbours(a: str, b: str) -> bool:
    beside = posixpath.dirname(a) == posixpath.dirname(b)
    return beside or f"{a}/".startswith(f"{b}/") or f"{b}/".startswith(f"{a}/")


def _shared(a: str, b: str) -> int:
    """How many leading directories two skills have in common."""
    count = 0
    for left, right in zip(a.split("/"), b.split("/"), strict=False):
        if left != right:
            break
        count += 1
    return count
