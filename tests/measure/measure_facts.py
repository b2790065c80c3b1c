"""What a snippet of code says, in a form that is easy to compare."""

from __future__ import annotations

from asf_core.graph.code import golang, javascript, python
from asf_core.graph.code.facts import FileFacts

READERS = {"py": python.read, "go": golang.read}


def read(source: str, path: str = "a.py") -> FileFacts:
    """Read a snippet by its file name."""
    return READERS.get(path.rsplit(".")[-1], javascript.read)(path, source.encode())


def definitions(facts: FileFacts) -> dict[str, str]:
    """Kinds by name."""
    return {d.name: d.kind for d in facts.definitions}


def imports(facts: FileFacts) -> set[tuple[str, str, str]]:
    """Local name, specifier, name there."""
    return {(i.local, i.specifier, i.name) for i in facts.imports}


def exports(facts: FileFacts) -> set[tuple[str, str | None, str]]:
    """Name, specifier, name there."""
    return {(e.name, e.specifier, e.source) for e in facts.exports}


def references(facts: FileFacts) -> set[tuple[str, str]]:
    """Owner (empty for module code) and dotted name."""
    return {
        (
            facts.definitions[r.owner].name if r.owner >= 0 else "",
            ".".join((r.name, *r.members)),
        )
        for r in facts.references
    }


def tools(facts: FileFacts) -> dict[str, str]:
    """The tool's own name by its definition."""
    return {facts.definitions[t.owner].name: t.name for t in facts.tools}
