"""What goes into a snapshot, and the digest that names it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from asf_core.domain.routing import Link, RoutableSkill
from asf_core.store.skill_table import write_line
from asf_core.store.snapshot_meta import FORMAT


@dataclass(frozen=True, slots=True)
class SnapshotRow:
    """One skill of a snapshot, without its vectors."""

    skill: RoutableSkill
    view_digest: str
    """Of the text that its vectors stand for."""
    lexical_digest: str
    """Of the text that the lexical index reads. The body goes in there whole, so it can change
    while the view that the encoders see does not."""
    model_invocable: bool = True


@dataclass(frozen=True, slots=True)
class SnapshotContent:
    """All that a snapshot's files are made from; equal contents make equal files."""

    rows: Sequence[SnapshotRow]
    """In any order, ids unique. Broken skills are left out; quarantined ones stay in, so that a
    decision takes effect without a new snapshot: the reader masks them."""
    links: Sequence[Link]
    """In any order. An end may be an id that has no row."""
    model: str
    """Fingerprint of the encoders; empty for a snapshot without vectors."""
    lexical_version: str
    """Of the code that makes the lexical index."""
    registries: Sequence[str] = ()
    """Names of all registries: one without a row is known to be empty."""
    dimension: int = 384
    """D, of a skill's vector."""
    token_dimension: int = 384
    """d, of a token's vector."""

    def generation(self) -> str:
        """SHA-256 of the content: the name of the snapshot.

        Raises:
            ValueError: An id has two rows.
        """
        digest = hashlib.sha256()
        for line in self._lines():
            digest.update(line)
        return digest.hexdigest()

    def sorted_rows(self) -> list[SnapshotRow]:
        """The rows by id.

        Raises:
            ValueError: An id has two rows.
        """
        rows = sorted(self.rows, key=lambda row: row.skill.id)
        for before, row in pairwise(rows):
            if before.skill.id == row.skill.id:
                raise ValueError(f"{row.skill.id} has two rows")
        return rows

    def registry_names(self) -> list[str]:
        """The names of all registries, with or without rows, sorted."""
        return sorted({*self.registries, *(row.skill.registry for row in self.rows)})

    def sorted_links(self) -> list[Link]:
        """The links by source, target and kind."""
        return sorted(set(self.links), key=lambda k: (k.source, k.target, k.kind, k.confidence))

    def _lines(self) -> Iterator[bytes]:
        yield _line(
            [FORMAT, self.model, self.lexical_version, self.dimension, self.token_dimension]
        )
        yield _line([*self.registry_names()])
        rows = self.sorted_rows()
        # Without the count, a link could pass for a row.
        yield _line([len(rows)])
        for row in rows:
            yield write_line(row.skill)
            yield _line([row.view_digest, row.lexical_digest, row.model_invocable])
        for link in self.sorted_links():
            yield _line([link.source, link.target, link.kind, link.confidence])


def _line(values: list[object]) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"
