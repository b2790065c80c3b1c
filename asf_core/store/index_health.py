"""What the index holds and what it takes on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """What the index holds and what it takes."""

    rows: int
    """Of all models."""
    rows_of_model: int
    fragments: int
    """Files of data; many small ones are slow to read."""
    disk_bytes: int
    """0 where the index is not a local directory."""
    live_bytes: int
    """What the rows take without what updates and deletions left behind, estimated."""


def disk_bytes(where: Path | str) -> int:
    """Bytes of all files of an index; 0 where it is not a local directory."""
    if isinstance(where, str):
        return 0
    return sum(file.stat().st_size for file in where.rglob("*") if file.is_file())
