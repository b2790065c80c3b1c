"""Measuring a directory, whatever it holds: a registry of skills or a codebase.

Needs no workspace: a registry is read from disk as it stands.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from asf_core.domain.errors import InputError
from asf_core.domain.graph import Edge
from asf_core.domain.measure import (
    MeasureKind,
    MeasurePhase,
    MeasureProgress,
    MeasureReport,
    Unread,
)
from asf_core.domain.skill import Skill, SkillState

OnProgress = Callable[[MeasureProgress], None]


def kind_of(path: Path) -> MeasureKind:
    """What a directory is.

    Returns:
        A registry where it holds at least as many skills as source files that belong to no skill.

    Raises:
        InputError: It is no directory.
    """
    from asf_core.graph.code.files import walk
    from asf_core.registry.discover import discover

    if not path.is_dir():
        raise InputError(
            f"{path} is not a directory",
            why="A codebase or a registry is measured as a whole",
            hint="Name its top directory",
        )
    root = path.resolve()
    skills = discover(str(root)).skills
    if not skills:
        return MeasureKind.CODEBASE
    homes = {skill.path for skill in skills}
    if "." in homes:
        return MeasureKind.REGISTRY
    outside = sum(not _below(file.path, homes) for file in walk(root).files)
    return MeasureKind.REGISTRY if len(skills) >= outside else MeasureKind.CODEBASE


def _below(path: str, homes: set[str]) -> bool:
    parts = path.split("/")
    return any("/".join(parts[:i]) in homes for i in range(1, len(parts)))


def measure_path(
    path: Path,
    kind: MeasureKind | None = None,
    *,
    tests: bool = False,
    shown: int | None = None,
    progress: OnProgress | None = None,
) -> MeasureReport:
    """Measure a directory.

    Args:
        path: The directory.
        kind: What it is; ``None``: see :func:`kind_of`.
        tests: Codebases: take test files in.
        shown: Longest list of nodes or communities; ``None`` for the default.
        progress: Told how far it is, from this thread; what it raises stops the measurement.

    Raises:
        InputError: It is no directory, or there is nothing in it to measure.
    """
    from asf_core.graph.measure import measure
    from asf_core.graph.measure_report import SHOWN

    tell = progress or (lambda _: None)
    tell(MeasureProgress(MeasurePhase.FIND, 0, 0))
    most = SHOWN if shown is None else shown
    if (kind or kind_of(path)) is MeasureKind.CODEBASE:
        return measure(path, tests=tests, shown=most, progress=progress)
    return _registry(path, most, tell)


def _registry(path: Path, shown: int, tell: OnProgress) -> MeasureReport:
    from asf_core.graph.measure import SkillNode, measure_registry

    root = path.resolve()
    name = root.name or "registry"
    skills, unread = _read(root, name, tell)
    tell(MeasureProgress(MeasurePhase.LINK, 0, len(skills)))
    nodes = [
        SkillNode(
            id=skill.manifest.id,
            slug=skill.manifest.slug,
            path=skill.manifest.source.path,
            capability=skill.manifest.capability.type,
        )
        for skill in skills
    ]
    edges = _edges(skills)
    tell(MeasureProgress(MeasurePhase.GROUP, 0, len(skills)))
    return measure_registry(
        nodes, edges, name=name, aliases=duplicates(skills), unread=unread, shown=shown
    )


def _read(root: Path, name: str, tell: OnProgress) -> tuple[list[Skill], list[Unread]]:
    """Skills that can be routed, and what cannot be read, with reasons."""
    from asf_core.registry.source import RegistrySource

    skills: list[Skill] = []
    unread: list[Unread] = []
    with RegistrySource.open(root, name) as source:
        found = source.discover()
        unread += [Unread(path=f.path, reason=f.message) for f in found.findings]
        for done, one in enumerate(found.skills):
            tell(MeasureProgress(MeasurePhase.READ, done, len(found.skills)))
            skill = source.read(one)
            if skill.state is SkillState.BROKEN:
                unread.append(Unread(path=one.path, reason=skill.state_reason))
            else:
                skills.append(skill)
    return skills, unread


def _edges(skills: Iterable[Skill]) -> tuple[Edge, ...]:
    from asf_core.graph.build import GraphInput, build_edges

    return build_edges(
        GraphInput(
            id=skill.manifest.id,
            slug=skill.manifest.slug,
            registry=skill.manifest.source.registry,
            path=skill.manifest.source.path,
            relations=skill.manifest.graph,
            body=skill.body,
            body_line=skill.body_line,
        )
        for skill in skills
    ).edges


def duplicates(skills: Iterable[Skill]) -> dict[str, str]:
    """Skills whose instructions are the same word for word: each to the one of smallest id.

    Until the canonical index is kept in the store, this is its strictest part.
    """
    first: dict[bytes, str] = {}
    aliases: dict[str, str] = {}
    for skill in sorted(skills, key=lambda s: s.manifest.id):
        body = " ".join(skill.body.split())
        if not body:
            continue
        key = hashlib.sha256(body.encode("utf-8", "surrogatepass")).digest()
        canonical = first.setdefault(key, skill.manifest.id)
        if canonical != skill.manifest.id:
            aliases[skill.manifest.id] = canonical
    return aliases
