"""Vectors of texts that were encoded before, taken from the generations that are still there.

A generation holds the same vectors as the index. So they outlive a damaged index, and a registry
that was removed and comes back under another name.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from asf_core.store.arrays import StoredVectors
from asf_core.store.integrity import Stamps, problem_in
from asf_core.store.snapshot import CHECKED
from asf_core.store.snapshot_meta import SnapshotMeta

_ARRAYS = ("vectors.npy", "tokens.npy", "token_offsets.npy", "token_scales.npy")
_DIGESTS = "view_digests.json"


class KeptVectors:
    """The vectors of all whole generations of one model. The caller holds the workspace's lock.

    Args:
        root: The workspace's ``snapshots`` directory.
        model: Fingerprint of the encoders; vectors of others are of no use.
    """

    def __init__(self, root: Path, model: str) -> None:
        self._generations = list(_opened(root, model))

    def by_digest(self, view_digests: Collection[str]) -> dict[str, StoredVectors]:
        """What there is of these texts; views into the files, not copies."""
        found: dict[str, StoredVectors] = {}
        for generation in self._generations:
            for digest in view_digests:
                if digest not in found and digest in generation.rows:
                    found[digest] = generation.at(generation.rows[digest])
        return found


class _Generation:
    def __init__(self, directory: Path) -> None:
        arrays: list[Any] = [_mapped(directory / name) for name in _ARRAYS]
        self._vectors, self._tokens, self._offsets, self._scales = arrays
        digests = json.loads((directory / _DIGESTS).read_bytes())
        self.rows: dict[str, int] = {digest: row for row, digest in enumerate(digests)}

    def at(self, row: int) -> StoredVectors:
        span = slice(self._offsets[row], self._offsets[row + 1])
        return StoredVectors(self._vectors[row], self._tokens[span], self._scales[span])


def _opened(root: Path, model: str) -> Iterator[_Generation]:
    for directory in sorted(root.iterdir()) if root.is_dir() else ():
        try:
            meta = SnapshotMeta.from_bytes((directory / "meta.json").read_bytes())
            if meta.model == model and _is_whole(directory, meta):
                yield _Generation(directory)
        # What cannot be read has nothing to give: its texts are encoded again. NumPy alone raises
        # six types at bytes that are not its own.
        except Exception:  # noqa: BLE001, S112
            continue


def _is_whole(directory: Path, meta: SnapshotMeta) -> bool:
    wanted = {name: meta.files[name] for name in (*_ARRAYS, _DIGESTS)}
    stamps = Stamps.read(directory.parent / CHECKED, directory.name)
    return problem_in(directory, wanted, stamps) is None


def _mapped(path: Path) -> Any:
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError:  # nothing can be mapped of an array without elements
        return np.load(path, allow_pickle=False)
