"""From the facts of all files to one graph: nodes, edges, tools."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from asf_core.graph.code import tools as words
from asf_core.graph.code.facts import MODULE_CODE, FileFacts, Import
from asf_core.graph.code.modules import Key, Module, Modules

REGISTRAR = 3
"""A node that refers to this many tools, and is none, registers them."""


@dataclass(slots=True)
class Link:
    """What joins two nodes, over all places that do."""

    counts: bool
    """False while all it does is to register a tool."""
    path: str
    line: int


@dataclass(slots=True)
class CodeGraph:
    """The graph of a codebase."""

    modules: Modules
    links: dict[tuple[Key, Key], Link] = field(default_factory=dict)
    tools: dict[Key, tuple[str, str]] = field(default_factory=dict)
    """By definition: the tool's own name, and what makes it a tool."""


@dataclass(slots=True)
class _Use:
    """An import of one file, and the links that stand on it."""

    module: str
    facts: FileFacts
    item: Import
    links: list[tuple[Key, Key]] = field(default_factory=list)


def link(modules: Modules) -> CodeGraph:
    """Join the modules.

    Args:
        modules: All of a codebase.

    Returns:
        Definition to definition by references, module to module by imports; see the docstring of
        :mod:`asf_core.graph.code` for what counts.
    """
    graph = CodeGraph(modules)
    bases = _bases(modules)
    _find_tools(graph, bases)
    uses = _references(graph, bases)
    _drop_descriptions(graph)
    _quiet_registrars(graph)
    _imports(graph, uses)
    return graph


def _files(modules: Modules) -> Iterable[tuple[Module, FileFacts]]:
    for name in sorted(modules.by_id):
        for facts in modules.by_id[name].files:
            yield modules.by_id[name], facts


def _bases(modules: Modules) -> dict[Key, list[tuple[str, Key | None]]]:
    """By class: the last name of each base, and what it means here."""
    bases: dict[Key, list[tuple[str, Key | None]]] = defaultdict(list)
    for module, facts in _files(modules):
        for base in facts.bases:
            last = base.members[-1] if base.members else base.name
            owner = (module.id, facts.definitions[base.owner].name)
            bases[owner].append((last, modules.local(facts, base.name, base.members)))
    return bases


def _find_tools(graph: CodeGraph, bases: dict[Key, list[tuple[str, Key | None]]]) -> None:
    for module, facts in _files(graph.modules):
        for mark in facts.tools:
            key = (module.id, facts.definitions[mark.owner].name)
            graph.tools.setdefault(key, (mark.name, mark.how))
        for named in facts.named:
            found = graph.modules.local(facts, named.name, named.members)
            if found is not None and found[1]:
                graph.tools.setdefault(found, (found[1], named.how))
    _inherit(graph, bases)


def _inherit(graph: CodeGraph, bases: dict[Key, list[tuple[str, Key | None]]]) -> None:
    """Sub-classes of tools are tools; a class that two tools inherit from is only their base."""
    children: dict[Key, list[Key]] = defaultdict(list)
    for owner, above in bases.items():
        for _, key in above:
            if key is not None and key[1] and key != owner:
                children[key].append(owner)
    by_base = {k for k, (_, how) in graph.tools.items() if how.startswith("class of base")}
    # Abstract classes are no tools but hand the property down.
    handing = by_base | {k for k in bases if any(words.is_tool_base(n) for n, _ in bases[k])}
    pending = sorted(handing)
    while pending:
        parent = pending.pop()
        for child in children.get(parent, ()):
            if child in handing:
                continue
            handing.add(child)
            pending.append(child)
            if not words.is_abstract(child[1]):
                graph.tools.setdefault(child, (child[1], f"class of base {parent[1]}"))
    for parent in sorted(children):
        if parent in graph.tools and sum(c in graph.tools for c in children[parent]) > 1:
            del graph.tools[parent]


def _join(
    graph: CodeGraph, source: Key, target: Key, *, counts: bool, path: str, line: int
) -> None:
    known = graph.links.get((source, target))
    if known is None:
        graph.links[source, target] = Link(counts, path, line)
    elif counts and not known.counts:
        known.counts, known.path, known.line = True, path, line


def _references(graph: CodeGraph, bases: dict[Key, list[tuple[str, Key | None]]]) -> list[_Use]:
    """Join definitions; collect the imports with the links that stand on each."""
    uses: list[_Use] = []
    for module, facts in _files(graph.modules):
        by_local: dict[str, list[_Use]] = defaultdict(list)
        for item in facts.imports:
            use = _Use(module.id, facts, item)
            uses.append(use)
            by_local[item.local or _go_name(graph.modules, facts, item)].append(use)
        for reference in facts.references:
            target = graph.modules.local(facts, reference.name, reference.members)
            name = "" if reference.owner == MODULE_CODE else facts.definitions[reference.owner].name
            source = (module.id, name)
            if target is None or target in (source, (module.id, "")):
                continue
            heritage = source in graph.tools and any(k == target for _, k in bases.get(source, ()))
            counts = not (reference.registers or heritage)
            _join(graph, source, target, counts=counts, path=facts.path, line=reference.line)
            for use in by_local.get(reference.name, ()):
                use.links.append((source, target))
    return uses


def _go_name(modules: Modules, facts: FileFacts, item: Import) -> str:
    if facts.language != "go":
        return ""
    target = modules.target(facts, item.specifier)
    return modules.by_id[target].files[0].package if target is not None else ""


def _drop_descriptions(graph: CodeGraph) -> None:
    """A schema object that a tool of another kind refers to describes that tool: one, not two."""
    described = {
        target
        for source, target in graph.links
        if source in graph.tools
        and not _is_schema(graph.tools[source])
        and target in graph.tools
        and _is_schema(graph.tools[target])
    }
    for key in described:
        del graph.tools[key]


def _is_schema(tool: tuple[str, str]) -> bool:
    return tool[1].startswith("schema object")


def _quiet_registrars(graph: CodeGraph) -> None:
    """Take the links of registries out.

    A node, itself no tool, that refers to three tools or more is their registry, menu or list:
    that they meet there says nothing about them.
    """
    listed: dict[Key, list[tuple[Key, Key]]] = defaultdict(list)
    for pair in graph.links:
        if pair[1] in graph.tools and pair[0] not in graph.tools:
            listed[pair[0]].append(pair)
    for pairs in listed.values():
        if len(pairs) >= REGISTRAR:
            for pair in pairs:
                graph.links[pair].counts = False


def _imports(graph: CodeGraph, uses: list[_Use]) -> None:
    """Join modules: each import to the module that defines what is used of it."""
    holds_tools = {module for module, _ in graph.tools}
    bare: dict[str, list[tuple[_Use, str]]] = defaultdict(list)
    for use in uses:
        if use.links:
            for pair in use.links:
                _join_modules(graph, use, pair[1][0], counts=graph.links[pair].counts)
            continue
        found = graph.modules.imported(use.facts, use.item)
        if found is not None and not _passes_on(graph.modules, use):
            bare[use.module].append((use, found[0]))
    for module, unused in bare.items():
        registry = {target for _, target in unused if target in holds_tools}
        quiet = module not in holds_tools and len(registry) >= REGISTRAR
        for use, target in unused:
            _join_modules(graph, use, target, counts=not (quiet and target in registry))


def _join_modules(graph: CodeGraph, use: _Use, target: str, *, counts: bool) -> None:
    if target != use.module:
        _join(
            graph,
            (use.module, ""),
            (target, ""),
            counts=counts,
            path=use.facts.path,
            line=use.item.line,
        )


def _passes_on(modules: Modules, use: _Use) -> bool:
    """Whether an import that the file itself does not use is there to be imported from it."""
    item, exports = use.item, use.facts.exports
    if use.facts.language == "python":
        starred = any(e.specifier == item.specifier for e in exports)
        return use.facts.path.endswith("__init__.py") and (bool(item.local) or starred)
    return any(e.specifier is None and e.source == item.local for e in exports)
