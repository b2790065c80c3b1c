"""Reads a whole codebase: walk, parse, link."""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from asf_core.domain.measure import MeasurePhase, MeasureProgress
from asf_core.graph.code.facts import FileFacts
from asf_core.graph.code.files import SourceFile, Tree, read_source, walk
from asf_core.graph.code.link import CodeGraph, link
from asf_core.graph.code.modules import Modules, Resolver, module_id
from asf_core.graph.code.pool import read_all
from asf_core.graph.code.resolve_go import GoResolver
from asf_core.graph.code.resolve_js import JsResolver
from asf_core.graph.code.resolve_py import PyResolver

_TELL_EVERY = 20

OnProgress = Callable[[MeasureProgress], None]


@dataclass(slots=True)
class Codebase:
    """A codebase that was read."""

    graph: CodeGraph
    tree: Tree
    languages: dict[str, int]
    damaged: tuple[str, ...]
    """Files with syntax that the grammar does not know; the rest of them was read."""


def read_file(file: SourceFile) -> FileFacts | str:
    """Read one file.

    Returns:
        What it says, or the reason why it cannot be read.
    """
    from asf_core.graph.code import golang, javascript, python

    try:
        data = read_source(file.disk)
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    except ValueError as error:
        return str(error)
    readers = {"python": python.read, "go": golang.read}
    return readers.get(file.language, javascript.read)(file.path, data)


def read_codebase(
    root: Path,
    *,
    tests: bool = False,
    progress: OnProgress | None = None,
    workers: int | None = None,
) -> Codebase:
    """Read and link a codebase.

    Args:
        root: Its directory, resolved.
        tests: Keep test files.
        progress: Told how far it is; what it raises stops the reading.
        workers: Processes that read; ``None``: by the number of files and cores.
    """
    tell = progress or (lambda _: None)
    tell(MeasureProgress(MeasurePhase.FIND, 0, 0))
    tree = walk(root, tests=tests)
    facts: list[FileFacts] = []
    count = len(tree.files)
    for done, (file, result) in enumerate(read_all(read_file, tree.files, workers)):
        if done % _TELL_EVERY == 0:
            tell(MeasureProgress(MeasurePhase.READ, done, count))
        if isinstance(result, str):
            tree.unread.append((file.path, result))
        else:
            facts.append(result)
    tree.unread.sort()
    tell(MeasureProgress(MeasurePhase.READ, count, count))
    tell(MeasureProgress(MeasurePhase.LINK, 0, 0))
    return Codebase(
        graph=link(Modules(facts, _resolvers(facts, tree))),
        tree=tree,
        languages=dict(sorted(Counter(f.language for f in facts).items())),
        damaged=tuple(sorted(f.path for f in facts if f.damaged)),
    )


def _resolvers(facts: Sequence[FileFacts], tree: Tree) -> dict[str, Resolver]:
    read = functools.cache(lambda path: read_source(tree.manifests[path]))
    paths: dict[str, set[str]] = {}
    for item in facts:
        paths.setdefault(item.language, set()).add(item.path)
    script = paths.get("javascript", set()) | paths.get("typescript", set())
    packages = {module_id(f) for f in facts if f.language == "go"}
    go_imports = (i.specifier for f in facts if f.language == "go" for i in f.imports)
    js = JsResolver(script, tree.manifests, read)
    return {
        "javascript": js,
        "typescript": js,
        "python": PyResolver(paths.get("python", set()), _prefix(tree.root)),
        "go": GoResolver(packages, tree.manifests, read, go_imports),
    }


def _prefix(root: Path) -> str:
    """Dotted name of the root where it is a Python package itself."""
    names: list[str] = []
    at = root
    while os.path.isfile(at / "__init__.py") and at.name.isidentifier():  # noqa: PTH113
        names.insert(0, at.name)
        at = at.parent
    return ".".join(names)
