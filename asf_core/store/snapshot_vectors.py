"""The vectors of a snapshot, written batch by batch: 100,000 skills need not fit into memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asf_core.store.arrays import VectorBatch, VectorSource
from asf_core.store.index_text import REBUILD, IndexUnusableError
from asf_core.store.snapshot_content import SnapshotContent, SnapshotRow


def write_vectors(
    directory: Path, content: SnapshotContent, rows: Sequence[SnapshotRow], source: VectorSource
) -> None:
    """Write ``vectors.npy``, ``tokens.npy``, ``token_offsets.npy`` and ``token_scales.npy``.

    Args:
        directory: Of the snapshot.
        content: For the model and its sizes.
        rows: By id.
        source: Not asked when the content has no model.

    Raises:
        IndexUnusableError: The source lacks a row, has it for another text, or in another size.
    """
    has_model = bool(content.model)
    counts = source.token_counts() if has_model else {row.skill.id: 0 for row in rows}
    _refuse_lack([row.skill.id for row in rows if row.skill.id not in counts])
    offsets = np.cumsum([0, *(counts[row.skill.id] for row in rows)], dtype="<i8")
    np.save(directory / "token_offsets.npy", offsets)
    width = content.dimension if has_model else 0
    token_width = content.token_dimension if has_model else 0
    total = int(offsets[-1])
    files = _Files(
        vectors=_create(directory / "vectors.npy", (len(rows), width), "<f4"),
        tokens=_create(directory / "tokens.npy", (total, token_width), "|i1"),
        scales=_create(directory / "token_scales.npy", (total,), "<f4"),
    )
    if has_model:
        _fill(files, offsets, rows, source)
    files.flush()


@dataclass(frozen=True, slots=True)
class _Files:
    """The arrays, mapped for writing (empty ones are plain arrays: nothing can be mapped)."""

    vectors: NDArray[np.float32]
    tokens: NDArray[np.int8]
    scales: NDArray[np.float32]

    def flush(self) -> None:
        for array in (self.vectors, self.tokens, self.scales):
            if isinstance(array, np.memmap):
                array.flush()


def _create(path: Path, shape: tuple[int, ...], dtype: str) -> NDArray[Any]:
    if 0 in shape:
        array: NDArray[Any] = np.empty(shape, dtype)
        np.save(path, array)
        return array
    return np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=shape)


def _fill(
    files: _Files, offsets: NDArray[np.int64], rows: Sequence[SnapshotRow], source: VectorSource
) -> None:
    place = {(row.skill.id, row.view_digest): at for at, row in enumerate(rows)}
    missing = set(range(len(rows)))
    for batch in source.batches():
        for skill_id, digest, stored in batch.each():
            at = place.get((skill_id, digest))
            if at is None:
                continue  # A skill that is not routed, or the vectors of its last text.
            span = slice(offsets[at], offsets[at + 1])
            _refuse_shape(skill_id, files, batch, int(offsets[at + 1] - offsets[at]), stored.tokens)
            files.vectors[at], files.tokens[span] = stored.vector, stored.tokens
            files.scales[span] = stored.scales
            missing.discard(at)
    _refuse_lack([rows[at].skill.id for at in sorted(missing)])


def _refuse_lack(ids: Collection[str]) -> None:
    if ids:
        raise IndexUnusableError(
            f"The index lacks the vectors of {len(ids)} skills",
            why=f"It has none for the text of {', '.join(sorted(ids)[:3])}",
            hint="Sync again: asf sync",
        )


def _refuse_shape(
    skill_id: str, files: _Files, batch: VectorBatch, wanted: int, tokens: NDArray[np.int8]
) -> None:
    widths = (batch.vectors.shape[1], batch.tokens.shape[1])
    if widths != (files.vectors.shape[1], files.tokens.shape[1]) or len(tokens) != wanted:
        raise IndexUnusableError(
            "The index holds vectors of another size",
            why=f"{skill_id}: {widths[0]} numbers and {len(tokens)} tokens of {widths[1]}",
            hint=REBUILD,
        )
