"""``meta.json``, the manifest of a generation: what the files are, and what they must be."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from asf_core.domain.errors import StoreError
from asf_core.store.integrity import FileDigest

FORMAT = 2
"""Of all files of a generation; raised with every change of the layout."""


@dataclass(frozen=True, slots=True)
class SnapshotMeta:
    """The manifest of a generation. It carries its own digest, so damage to it shows too."""

    generation: str
    """SHA-256 of the content; the directory's name."""
    database: str
    """Identity of the database that it was made from."""
    model: str
    """Fingerprint of the encoders; empty for one without vectors."""
    lexical_version: str
    registries: tuple[str, ...]
    """Names that the codes stand for, sorted."""
    kinds: tuple[str, ...]
    """Kinds of edges that the codes stand for."""
    files: Mapping[str, FileDigest]
    """Of all the other files, by path below the generation."""

    def to_bytes(self) -> bytes:
        """As the file holds it."""
        body = asdict(self)
        return json.dumps({"format": FORMAT, "sha256": _digest(body), "meta": body}).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read the file.

        Raises:
            StoreError: It is of another program's format.
            ValueError: It is not what :meth:`to_bytes` wrote.
        """
        try:
            found = json.loads(data)
            _check_format(found["format"])
            body: dict[str, Any] = found["meta"]
            if found["sha256"] != _digest(body):
                raise ValueError("it has other content than was written")
            body["files"] = {name: FileDigest(*entry) for name, entry in body["files"].items()}
            body["registries"], body["kinds"] = tuple(body["registries"]), tuple(body["kinds"])
            return cls(**body)
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"it is not a manifest: {error}") from error


def _digest(body: Mapping[str, Any]) -> str:
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _check_format(found: Any) -> None:
    if found == FORMAT:
        return
    newer = isinstance(found, int) and found > FORMAT
    raise StoreError(
        f"The snapshot is of another format ({str(found)[:20]})",
        why=f"This program reads format {FORMAT}",
        hint="Upgrade asf-workbench, or make it anew with: asf sync"
        if newer
        else "Sync again: asf sync",
    )
