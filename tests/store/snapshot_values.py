"""Contents of snapshots and vectors for them, without an index; also for child processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from vector_rows import D, make

from asf_core.domain.graph import EdgeKind
from asf_core.domain.iotype import IOType
from asf_core.domain.routing import Link, RoutableSkill
from asf_core.store.arrays import IndexRow, VectorBatch, join
from asf_core.store.snapshot_content import SnapshotContent, SnapshotRow


@dataclass
class Arrays:
    """An index in memory; counts how often it was asked."""

    rows: list[IndexRow]
    asked: int = field(default=0)

    def token_counts(self) -> dict[str, int]:
        self.asked += 1
        return {row.id: len(row.vectors.tokens) for row in self.rows}

    def batches(self) -> Iterator[VectorBatch]:
        for row in reversed(self.rows):
            stored = row.vectors
            yield VectorBatch(
                [row.id],
                [row.view_digest],
                stored.vector.reshape(1, -1),
                stored.tokens,
                np.array([len(stored.tokens)]),
                stored.scales,
            )

    def whole(self) -> VectorBatch:
        return join(list(self.batches()), D)


def row(
    skill_id: str, *, digest: str = "v1", body: str = "l1", invocable: bool = True
) -> SnapshotRow:
    skill = RoutableSkill(
        id=skill_id,
        slug=skill_id.rsplit("/", 1)[-1],
        registry=skill_id.split("/", 1)[0],
        description="Use when needed. 🦜\n\x1b[0m",
        version="1.10",
        tokens=len(skill_id) * 100,
        listing_tokens=12,
        inputs=(IOType(name="query", type="string"),),
        outputs=(IOType(name="papers", type="list[Paper]"), IOType(name="n", type="int")),
    )
    return SnapshotRow(skill, digest, body, invocable)


def content(
    rows: list[SnapshotRow], links: tuple[Link, ...] = (), **changes: object
) -> SnapshotContent:
    fields = {"model": "m1", "lexical_version": "1", "dimension": D, "token_dimension": 4}
    return SnapshotContent(rows, links, **{**fields, **changes})


def sample(body: str = "l1") -> tuple[SnapshotContent, Arrays]:
    """Two registries, three skills, two links, one of them to a skill that is no row."""
    ids = ["two/x", "reg/b", "reg/a"]
    links = (
        Link("reg/b", "reg/a", EdgeKind.DEPENDS_ON, 0.7),
        Link("reg/a", "reg/broken", EdgeKind.DEPENDS_ON, 1.0),
    )
    rows = [row(skill_id, body=body, invocable=skill_id != "reg/b") for skill_id in ids]
    return content(rows, links), Arrays([make(skill_id) for skill_id in [*ids, "reg/unused"]])


def lexical(directory: Path, ids: tuple[str, ...]) -> None:
    """Stands for retrieval's index: the ids, in their order."""
    (directory / "deep").mkdir()
    (directory / "deep" / "ids.txt").write_text("\n".join(ids), encoding="utf-8")
