"""Measuring a directory, whatever it holds: a registry of skills or a codebase.

Needs no workspace: a registry is read from disk as it stands. Where a workspace knows the registry,
its quarantine counts.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from asf_core.domain.errors import InputError
from asf_core.domain.measure import (
    MeasureKind,
    MeasurePhase,
    MeasureProgress,
    MeasureReport,
    Unread,
)
from asf_core.domain.skill import Skill, SkillState
from asf_core.services.reading import graph_input, read_skill

if TYPE_CHECKING:
    from asf_core.services.canonical import CanonicalIndex

OnProgress = Callable[[MeasureProgress], None]
_NAMED = 5
"""Most skills that a sentence names."""


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
    workspace: Path | None = None,
) -> MeasureReport:
    """Measure a directory.

    Args:
        path: The directory.
        kind: What it is; ``None``: see :func:`kind_of`.
        tests: Codebases: take test files in.
        shown: Longest list of nodes or communities; ``None`` for the default.
        progress: Told how far it is, from this thread; what it raises stops the measurement.
        workspace: Registries: where quarantine is looked up, as in ``Engine.open``.

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
    return _registry(path, most, tell, workspace)


def _registry(path: Path, shown: int, tell: OnProgress, workspace: Path | None) -> MeasureReport:
    from asf_core.graph.build import build_edges
    from asf_core.graph.measure import SkillNode, measure_registry
    from asf_core.services.canonical import (
        Standing,
        canonical_index,
        standing_alone,
        standing_in,
    )

    root = path.resolve()
    name = root.name or "registry"
    listed, unread = _read(root, name, tell)
    tell(MeasureProgress(MeasurePhase.LINK, 0, len(listed)))
    graph = build_edges(map(graph_input, listed))
    skills = [skill for skill in listed if skill.state is not SkillState.BROKEN]
    standing = standing_alone(skills)
    if (known := standing_in(workspace, root, name)) is not None:
        standing = Standing(known.quarantined, {**standing.aliases, **known.aliases})
    index = canonical_index(skills, graph, standing)
    nodes = [
        SkillNode(
            id=skill.manifest.id,
            slug=skill.manifest.slug,
            path=skill.manifest.source.path,
            capability=skill.manifest.capability.type,
        )
        for skill in index.skills
    ]
    tell(MeasureProgress(MeasurePhase.GROUP, 0, len(nodes)))
    return measure_registry(
        nodes,
        graph.edges,
        name=name,
        aliases=index.aliases,
        unread=unread,
        left_out=_sentences(index),
        excluded=_excluded(index, name),
        shown=shown,
    )


def _sentences(index: CanonicalIndex) -> list[str]:
    said = []
    for kind, reasons in index.left_out.items():
        if reasons:
            names = [skill.rpartition("/")[2] for skill in reasons]
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            said.append(f"{len(names)} {kind} ({', '.join(names[:_NAMED])}{more})")
    return said


def _excluded(index: CanonicalIndex, name: str) -> list[Unread]:
    found = [
        Unread(path=skill.removeprefix(f"{name}/"), reason=f"{kind}: {why}")
        for kind, reasons in index.left_out.items()
        for skill, why in reasons.items()
    ]
    return sorted(found, key=lambda one: one.path)


def _read(root: Path, name: str, tell: OnProgress) -> tuple[list[Skill], list[Unread]]:
    """All skills, and what cannot be read, with reasons."""
    from asf_core.registry.source import RegistrySource

    skills: list[Skill] = []
    unread: list[Unread] = []
    with RegistrySource.open(root, name) as source:
        found = source.discover()
        unread += [Unread(path=f.path, reason=f.message) for f in found.findings]
        for done, one in enumerate(found.skills):
            tell(MeasureProgress(MeasurePhase.READ, done, len(found.skills)))
            skill, _ = read_skill(source, one)
            skills.append(skill)
            if skill.state is SkillState.BROKEN:
                unread.append(Unread(path=one.path, reason=skill.state_reason))
    return skills, unread
