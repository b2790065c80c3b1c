"""Renewing the graph of a workspace from its records."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from asf_core.graph.build import GraphResult
    from asf_core.store.records import Records


def relate(records: Records, kept: Path) -> GraphResult:
    """Build the graph and put it in place of the last one.

    Only skills that changed are read, and texts in which a new or lost skill is named.

    Args:
        records: Of the workspace, whose writer lock is held.
        kept: File in which the memory of texts is kept between runs; need not exist.
    """
    from asf_core.graph.build import build_edges
    from asf_core.graph.remember import GraphMemory
    from asf_core.services.reading import graph_input
    from asf_core.store.files import replace_file

    marks = records.marks()
    memory = GraphMemory(kept.read_bytes() if kept.is_file() else b"", marks)
    wanted = memory.wanted()
    inputs = {r.skill.manifest.id: graph_input(r.skill) for r in records.some(wanted)}
    result = build_edges((inputs.get(mark.id) or memory.recall(mark.id) for mark in marks), memory)
    records.replace_edges(result.edges, result.dangling)
    replace_file(kept, memory.dump())
    return result
