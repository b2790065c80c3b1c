"""From linked modules to the plain nodes and ties that the metrics take."""

from __future__ import annotations

import itertools
import posixpath
from collections import defaultdict

from asf_core.graph.code.link import CodeGraph
from asf_core.graph.code.modules import Key
from asf_core.graph.communities import words
from asf_core.graph.metrics import Node, Tie

BELONGING = 0.01
"""Pull between a module and a definition where one of them has no link: enough to keep the loose
one with the other, too little to hold against any link."""
SHARED = 0.5
"""A directory or word that more than this part of all nodes carry tells no groups apart."""


def node_id(key: Key) -> str:
    """``src/a.ts`` for a module, ``src/a.ts#name`` for a definition."""
    return f"{key[0]}#{key[1]}" if key[1] else key[0]


def plain(graph: CodeGraph) -> tuple[list[Node], list[Tie]]:
    """Nodes and ties of a linked codebase.

    Args:
        graph: As :func:`asf_core.graph.code.link.link` gives it.

    Returns:
        Nodes without those that define nothing and join nothing; links and belongings.
        Registrations are left out.
    """
    counted = [pair for pair, link in graph.links.items() if link.counts]
    joined = {key for pair in counted for key in pair}
    parts = _parts(graph, counted)
    nodes: list[Node] = []
    ties = [Tie(node_id(a), node_id(b)) for a, b in counted]
    for name, module in graph.modules.by_id.items():
        key: Key = (name, "")
        if not module.lines and key not in joined:
            continue
        labels = _labels(name)
        stem = _stem(name)
        nodes.append(Node(name, stem, "module", name, 1, labels=(*labels, *_words(stem))))
        # Tools that nothing joins do not become one group by standing in one file; the file itself
        # goes with the first.
        loose = (d for d in module.lines if (name, d) in graph.tools and (name, d) not in joined)
        alone = set(itertools.islice(loose, 1, None))
        for definition, (kind, path, line) in module.lines.items():
            key = (name, definition)
            tool, note = graph.tools.get(key, ("", ""))
            nodes.append(
                Node(
                    id=node_id(key),
                    name=definition,
                    kind=kind,
                    path=path,
                    line=line,
                    tool=tool,
                    note=note,
                    labels=(*labels, f"module:{stem}", *_words(definition)),
                    part_of=node_id(parts[key]) if key in parts else "",
                )
            )
            if definition not in alone and not (key in joined and (name, "") in joined):
                ties.append(Tie(name, node_id(key), BELONGING, counts=False))
    return nodes, ties


def _stem(module: str) -> str:
    """What a module is called: its file's stem, or its directory's name for an index file."""
    directory, file = posixpath.split(module)
    stem = file.split(".", 1)[0]
    if stem in ("index", "__init__", "mod", "main", "") and directory:
        return posixpath.basename(directory)
    return stem or file


def _labels(module: str) -> tuple[str, ...]:
    """Each directory that a module lies in."""
    parts = module.split("/")[:-1]
    return tuple(f"in:{'/'.join(parts[: i + 1])}" for i in range(len(parts)))


def _words(name: str) -> list[str]:
    return [f"word:{word}" for word in sorted(set(words(name)))]


def _parts(graph: CodeGraph, counted: list[tuple[Key, Key]]) -> dict[Key, Key]:
    """Definitions that only one tool of their module uses, by that tool."""
    users: dict[Key, set[Key]] = defaultdict(set)
    uses: dict[Key, set[Key]] = defaultdict(set)
    for a, b in counted:
        if a[1] and b[1]:
            users[b].add(a)
            uses[a].add(b)
        elif b[1]:
            users[b].add(a)
    parts: dict[Key, Key] = {}
    for tool in sorted(graph.tools):
        own, pending = {tool}, [tool]
        while pending:
            for helper in sorted(uses[pending.pop()]):
                private = helper[0] == tool[0] and helper not in graph.tools
                if private and helper not in own and users[helper] <= own:
                    own.add(helper)
                    pending.append(helper)
                    parts[helper] = tool
    return parts
