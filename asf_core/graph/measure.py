"""Measuring how routable a codebase or a registry is."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from asf_core.domain.errors import InputError
from asf_core.domain.graph import Edge, EdgeKind
from asf_core.domain.measure import (
    MeasureKind,
    MeasurePhase,
    MeasureProgress,
    MeasureReport,
    Unread,
)
from asf_core.graph.code.codebase import Codebase, read_codebase
from asf_core.graph.code.nodes import SHARED, plain
from asf_core.graph.communities import words
from asf_core.graph.measure_report import SHOWN, Source, build_report
from asf_core.graph.metrics import Node, Tie, measure_graph

OnProgress = Callable[[MeasureProgress], None]

_GENERIC = re.compile(r"(?:\..*|skills?|plugins?|packages?|src|agents?|catalog|registry)\Z")
"""Directories that only say that skills lie below."""


def measure(
    path: Path,
    *,
    tests: bool = False,
    shown: int = SHOWN,
    progress: OnProgress | None = None,
    workers: int | None = None,
) -> MeasureReport:
    """Measure a codebase in Python, JavaScript, TypeScript or Go.

    Nodes, links and tools are defined in :mod:`asf_core.graph.code`, the metrics in
    :mod:`asf_core.graph.metrics`. Nothing of the codebase is executed.

    Args:
        path: Its directory.
        tests: Take test files in.
        shown: Longest list of nodes or communities in the report.
        progress: Told how far it is, from this thread; what it raises stops the measurement.
        workers: Processes that read; ``None``: by the number of files and cores.

    Raises:
        InputError: It is no directory, or holds no source code that can be read.
    """
    root = _directory(path)
    code = read_codebase(root, tests=tests, progress=progress, workers=workers)
    if not code.graph.modules.by_id:
        raise InputError(
            f"{path} holds no source code to measure",
            why=_nothing(code),
            hint="Name a directory with Python, JavaScript, TypeScript or Go in it",
        )
    nodes, ties = plain(code.graph)
    tell = progress or (lambda _: None)
    figures = measure_graph(
        nodes,
        ties,
        common=SHARED,
        on_group=lambda: tell(MeasureProgress(MeasurePhase.GROUP, 0, len(nodes))),
    )
    return build_report(figures, _source(code, root, tests=tests), shown)


def _directory(path: Path) -> Path:
    root = Path(path).expanduser()
    if not root.is_dir():
        raise InputError(
            f"{path} is not a directory",
            why="A codebase or a registry is measured as a whole",
            hint="Name its top directory",
        )
    return root.resolve()


def _nothing(code: Codebase) -> str:
    tree = code.tree
    if tree.unread:
        return f"{len(tree.unread)} files cannot be read; the first: {': '.join(tree.unread[0])}"
    if tree.tests:
        return f"Only {tree.tests} test files, which are left out by default"
    return "No file ends in .py, .js, .jsx, .mjs, .cjs, .ts, .tsx, .mts, .cts or .go"


def _source(code: Codebase, root: Path, *, tests: bool) -> Source:
    tree = code.tree
    left_out = []
    if not tests:
        left_out.append(f"{tree.tests} test files")
    if tree.vendored:
        names = sorted({path.rsplit("/", 1)[-1] for path in tree.vendored})
        left_out.append(
            f"{len(tree.vendored)} vendored, built or hidden directories ({', '.join(names[:8])})"
        )
    if code.damaged:
        left_out.append(
            f"parts of {len(code.damaged)} files with syntax that the grammar does not know "
            f"({', '.join(code.damaged[:3])})"
        )
    return Source(
        kind=MeasureKind.CODEBASE,
        name=os.fsencode(root.name or "/").decode("utf-8", "backslashreplace"),
        files=sum(code.languages.values()),
        languages=code.languages,
        registrations=sum(not link.counts for link in code.graph.links.values()),
        unread=tuple(Unread(path=path, reason=reason) for path, reason in tree.unread),
        left_out=tuple(left_out),
    )


@dataclass(frozen=True, slots=True)
class SkillNode:
    """A skill as a node of a registry's graph."""

    id: str
    slug: str
    path: str
    """POSIX path of its directory inside the registry."""
    capability: str = ""
    """Its capability type."""
    domains: tuple[str, ...] = ()
    """Further domains: declared ones, tags."""


def measure_registry(
    skills: Sequence[SkillNode],
    edges: Iterable[Edge],
    *,
    name: str,
    aliases: Mapping[str, str] | None = None,
    unread: Sequence[Unread] = (),
    left_out: Sequence[str] = (),
    excluded: Sequence[Unread] = (),
    shown: int = SHOWN,
) -> MeasureReport:
    """Measure the skill graph of a registry.

    Args:
        skills: All skills that are to count.
        edges: Their relations. ``duplicate_of`` joins nothing: it merges, see ``aliases``.
        name: What the report calls the registry.
        aliases: Duplicate to canonical id: the canonical index counts each skill once.
        unread: What could not be read, with reasons.
        left_out: What is no part of the canonical index, a sentence a reason.
        excluded: The same, skill by skill.
        shown: Longest list of nodes or communities in the report.
    """
    if not skills:
        raise InputError(
            f"{name} holds no skills to measure",
            why=f"Left out: {'; '.join(left_out)}" if left_out else "",
            hint="Name a directory with SKILL.md files that can be routed",
        )
    nodes = [skill_node(skill) for skill in skills]
    figures = measure_graph(nodes, skill_ties(edges), aliases=aliases)
    merged = len({skill.id for skill in skills}) - len(figures.nodes)
    if merged:
        left_out = (*left_out, f"{merged} duplicates, counted as their canonical skills")
    return build_report(
        figures,
        Source(
            kind=MeasureKind.REGISTRY,
            name=name,
            files=len(skills) + len(excluded),
            languages={},
            registrations=0,
            unread=tuple(unread),
            left_out=tuple(left_out),
            excluded=tuple(excluded),
        ),
        shown,
    )


def skill_ties(edges: Iterable[Edge]) -> list[Tie]:
    """The links of a registry: every relation but being a duplicate."""
    return [
        Tie(edge.source, edge.target, edge.confidence)
        for edge in edges
        if edge.kind is not EdgeKind.DUPLICATE_OF
    ]


def skill_node(skill: SkillNode) -> Node:
    """A skill as a node to measure, with the labels that may name its community."""
    parts = skill.path.split("/")[:-1]
    inside = ["/".join(parts[: i + 1]) for i, part in enumerate(parts) if not _GENERIC.match(part)]
    labels = [f"in:{directory}" for directory in inside]
    if skill.capability:
        labels.append(f"type:{skill.capability}")
    labels += [f"domain:{domain}" for domain in skill.domains]
    labels += [f"word:{word}" for word in sorted(set(words(skill.slug)))]
    return Node(
        id=skill.id,
        name=skill.slug,
        kind="skill",
        path=f"{skill.path}/SKILL.md",
        tool=skill.slug,
        labels=tuple(labels),
    )
