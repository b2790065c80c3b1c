"""What skills said when they were last read, so that a sync reads only what changed.

A text tells other things when its skill changes, when the skill is called otherwise, or when a skill
of a name that stands in it comes or goes. The first two are seen without the text; for the third it
is searched, which is far cheaper than reading it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

from asf_core.domain.graph import EdgeKind, Reference
from asf_core.graph.build import GraphInput, read_text
from asf_core.graph.names import directory_name
from asf_core.graph.prose import Mention
from asf_core.graph.version import GRAPH_VERSION

_FORMAT = f"graph-memory/{GRAPH_VERSION}"
_FIELDS = tuple(one.name for one in fields(Mention))
_FEW = 100
"""Up to so many new or lost names each text is searched for them; beyond, reading is no slower."""


class SkillMark(Protocol):
    """A skill without its content."""

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

    @property
    def digest(self) -> str | None:
        """Of its files; ``None`` where there is none, so that it is read each time."""
        ...


@dataclass(frozen=True, slots=True)
class _Entry:
    digest: str
    slug: str
    body_line: int
    references: tuple[Reference, ...]
    mentions: tuple[Mention, ...]


class GraphMemory:
    """Stands in for the content of skills that did not change.

    First :meth:`wanted` says which skills must be given with their content; the others come from
    :meth:`recall`. The memory itself then reads texts for ``build_edges``.

    Args:
        kept: What :meth:`dump` gave; empty, damaged or of another version, it starts anew.
        marks: All skills that the graph is to hold.
    """

    def __init__(self, kept: bytes, marks: Sequence[SkillMark]) -> None:
        before, self._known = _load(kept) if kept else ({}, {})
        self._marks = {mark.id: mark for mark in marks}
        self._names = _names(marks)
        self._changed = {
            registry: names ^ before.get(registry, frozenset())
            for registry, names in self._names.items()
        }
        self._used: dict[str, _Entry] = {}
        self.read = 0
        """Texts that had to be read."""

    def wanted(self) -> list[str]:
        """Ids of the skills whose content is needed, in the order of the marks."""
        return [
            mark.id
            for mark in self._marks.values()
            if self._entry(mark.id) is None or self._changed[mark.registry]
        ]

    def recall(self, skill_id: str) -> GraphInput:
        """A skill that is not wanted, as it was: without its text."""
        mark, entry = self._marks[skill_id], self._known[skill_id]
        return GraphInput(
            id=mark.id,
            slug=mark.slug,
            registry=mark.registry,
            path=mark.path,
            references=entry.references,
            body="",
            body_line=entry.body_line,
        )

    def __call__(self, skill: GraphInput, known: Collection[str]) -> tuple[Mention, ...]:
        """What a skill's text tells, given the names of its registry's skills."""
        entry = self._entry(skill.id)
        if entry is None or self._is_touched(skill):
            self.read += 1
            mark = self._marks[skill.id]
            told = read_text(skill, known)
            said = tuple(skill.references)
            entry = _Entry(mark.digest or "", mark.slug, skill.body_line, said, told)
        self._used[skill.id] = entry
        return entry.mentions

    def _entry(self, skill_id: str) -> _Entry | None:
        """What is known of a skill, if it is still true of its own content."""
        mark, entry = self._marks[skill_id], self._known.get(skill_id)
        true = entry is not None and (entry.digest, entry.slug) == (mark.digest, mark.slug)
        return entry if true else None

    def _is_touched(self, skill: GraphInput) -> bool:
        """Whether a name that came or went stands in the text."""
        changed = self._changed[skill.registry]
        if len(changed) > _FEW:
            return True
        plain = skill.body.replace("\\", "")  # Markdown lets a name be written with escapes
        return any(name in plain for name in changed)

    def dump(self) -> bytes:
        """What to keep for the next time: what was asked for, and nothing else."""
        skills = {
            skill: [
                entry.digest,
                entry.slug,
                entry.body_line,
                [said.model_dump(mode="json") for said in entry.references],
                [[getattr(mention, name) for name in _FIELDS] for mention in entry.mentions],
            ]
            for skill, entry in self._used.items()
            if entry.digest
        }
        names = {registry: sorted(known) for registry, known in self._names.items()}
        data = {"format": _FORMAT, "names": names, "skills": skills}
        return json.dumps(data, separators=(",", ":")).encode()


def _names(marks: Iterable[SkillMark]) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for mark in marks:
        found[mark.registry].update((mark.slug, directory_name(mark.path)))
    return {registry: frozenset(names) for registry, names in found.items()}


def _load(kept: bytes) -> tuple[dict[str, frozenset[str]], dict[str, _Entry]]:
    try:
        data: dict[str, Any] = json.loads(kept)
        if data["format"] != _FORMAT:
            return {}, {}
        names = {registry: frozenset(known) for registry, known in data["names"].items()}
        skills = {skill: _read_entry(*values) for skill, values in data["skills"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}, {}  # a memory that cannot be read is none: all texts are read anew
    return names, skills


def _read_entry(
    digest: str, slug: str, body_line: int, references: list[Any], mentions: list[Any]
) -> _Entry:
    said = tuple(Reference.model_validate(values, strict=False) for values in references)
    told = tuple(Mention(name, path, EdgeKind(kind), *rest) for name, path, kind, *rest in mentions)
    return _Entry(digest, slug, body_line, said, told)
