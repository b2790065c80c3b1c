"""The index's terms on disk: sorted, memory-mapped, found by bisection without reading them all."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

_BYTES = "terms.npy"
_OFFSETS = "term_offsets.npy"


class Vocabulary(Sequence[bytes]):
    """Sorted terms in UTF-8; a term's id is its place."""

    def __init__(self, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        self._data = data
        self._offsets = offsets

    @classmethod
    def of(cls, terms: Iterable[str]) -> Vocabulary:
        """Build it from distinct terms in any order."""
        rows = sorted(map(_encoded, terms))
        offsets = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        return cls(np.frombuffer(b"".join(rows), np.uint8), offsets)

    @classmethod
    def load(cls, directory: Path, mmap_mode: Any) -> Vocabulary:
        """Open a saved one; ``mmap_mode`` as of ``numpy.load``."""
        return cls(
            np.load(directory / _BYTES, mmap_mode=mmap_mode),
            np.load(directory / _OFFSETS, mmap_mode=mmap_mode),
        )

    def save(self, directory: Path) -> None:
        """Write two ``.npy`` files into an existing directory."""
        np.save(directory / _BYTES, self._data)
        np.save(directory / _OFFSETS, self._offsets)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | Sequence[bytes]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return self._data[self._offsets[index] : self._offsets[index + 1]].tobytes()

    def id(self, term: str) -> int | None:
        """The term's id; ``None`` for a term that no document has."""
        key = _encoded(term)
        place = bisect_left(self, key)
        return place if place < len(self) and self[place] == key else None


def _encoded(term: str) -> bytes:
    return term.encode("utf-8", "surrogatepass")
