"""Publishing a generation: built aside, brought to disk, renamed, then named in ``CURRENT``.

A crash at any point leaves ``CURRENT`` with a whole generation. The caller holds the workspace's
writer lock, so whatever lies unfinished in the directory was left by a process that is gone.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from asf_core.domain.errors import StoreError
from asf_core.domain.graph import EdgeKind
from asf_core.domain.routing import Link
from asf_core.store.arrays import VectorSource
from asf_core.store.files import discard, replace_file, sync_path, sync_tree
from asf_core.store.integrity import digest_of, files_below, renew_note
from asf_core.store.reading import is_read
from asf_core.store.skill_table import write_line
from asf_core.store.snapshot import CHECKED, COLUMNS, CURRENT, LINKS, Snapshot, current_generation
from asf_core.store.snapshot_content import SnapshotContent, SnapshotRow
from asf_core.store.snapshot_meta import SnapshotMeta
from asf_core.store.snapshot_vectors import write_vectors

_UNFINISHED = ".building-"
_GOING = ".removing-"
_KEEP = 2
LexicalWriter = Callable[[Path, tuple[str, ...]], None]
"""Writes the lexical index into a directory that exists and is empty, for skills in this order."""


@dataclass(frozen=True, slots=True)
class Published:
    """What became of a snapshot."""

    generation: str
    changed: bool
    """False when it was in use already, and nothing was written."""
    left: tuple[str, ...] = ()
    """Older generations that are still being read, or could not be removed; the next write tries
    again."""


class SnapshotWriter:
    """Writes generations below one directory.

    Args:
        root: The workspace's ``snapshots`` directory, made when absent.
        database: Identity of the database that the contents come from.
    """

    def __init__(self, root: Path, database: str = "") -> None:
        self._root = root
        self._database = database

    def is_whole(self, *, whole: bool = False) -> bool:
        """Whether there is a generation in use, of this database, with the files as written.

        Args:
            whole: Compare every byte, not only what may have changed since that was last done.
        """
        try:
            generation = current_generation(self._root)
        except StoreError:
            return False
        if generation is None or not self._opens(generation, whole):
            return False
        self._note(generation)
        return True

    def model(self) -> str:
        """Fingerprint of the encoders of the generation in use; empty where there is none."""
        try:
            with Snapshot.open(self._root) as snapshot:
                return snapshot.model
        except StoreError:
            return ""

    def write(
        self,
        content: SnapshotContent,
        vectors: VectorSource,
        lexical: LexicalWriter,
        *,
        whole: bool = False,
        anew: bool = False,
    ) -> Published:
        """Make a content the one that routing reads.

        Args:
            content: All but the vectors.
            vectors: Asked only when something has to be written; what it has beyond the content
                is passed over.
            lexical: Called only when something has to be written.
            whole: Where the content is there already, compare every byte before relying on it.
            anew: Where it is there already, do not rely on it at all.

        Returns:
            The generation, and whether it is new.

        Raises:
            StoreError: The index lacks vectors of the content, or the disk refuses; what was in
                use before is in use still.
            ValueError: An id has two rows.
        """
        generation = content.generation()
        try:
            self._root.mkdir(parents=True, exist_ok=True)
            built = anew or not self._opens(generation, whole)
            if built:
                self._build(generation, content, vectors, lexical)
            changed = built or not self._is_named(generation)
            if changed:
                self._name(generation)
            self._note(generation)
            return Published(generation, changed, self._clear(generation))
        except OSError as error:
            raise StoreError(
                "The snapshot cannot be written",
                why=f"{error.filename or self._root}: {error.strerror or error}",
                hint="Check space and permissions of the workspace; the last one is still in use",
            ) from error

    def _opens(self, generation: str, whole: bool) -> bool:
        try:
            with Snapshot(self._root / generation, whole=whole) as snapshot:
                return snapshot.meta.database == self._database
        except (FileNotFoundError, StoreError):
            return False

    def _is_named(self, generation: str) -> bool:
        try:
            return current_generation(self._root) == generation
        except StoreError:
            return False  # CURRENT is damaged, and about to be written anew.

    def _name(self, generation: str) -> None:
        current = self._root / CURRENT
        if current.is_dir():
            current.rename(self._root / f"{_GOING}{secrets.token_hex(8)}")
        replace_file(current, f"{generation}\n".encode())

    def _note(self, generation: str) -> None:
        root = self._root / generation
        renew_note(self._root / CHECKED, root, generation, files_below(root))

    def _build(
        self,
        generation: str,
        content: SnapshotContent,
        vectors: VectorSource,
        lexical: LexicalWriter,
    ) -> None:
        aside = self._root / f"{_UNFINISHED}{secrets.token_hex(8)}"
        aside.mkdir()
        try:
            _write_files(aside, (generation, self._database), content, vectors, lexical)
            sync_tree(aside)
            target = self._root / generation
            if target.exists():  # and is not to be relied on, or it would not be built again
                target.rename(self._root / f"{_GOING}{secrets.token_hex(8)}")
            aside.rename(target)
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise
        sync_path(self._root)

    def _clear(self, current: str) -> tuple[str, ...]:
        """Remove what is no longer wanted; say what stays against the will."""
        for entry in list(self._root.iterdir()):
            if entry.name.startswith((_UNFINISHED, _GOING)):
                discard(entry)  # What stays is tried again next time.
            elif entry.name.startswith((f".{CURRENT}.", f".{CHECKED}.")):
                entry.unlink()
        older = [e for e in self._root.iterdir() if len(e.name) == 64 and e.name != current]
        older.sort(key=lambda entry: entry.stat().st_mtime_ns, reverse=True)
        return tuple(e.name for e in older[_KEEP - 1 :] if not self._remove(e))

    def _remove(self, generation: Path) -> bool:
        try:
            # On POSIX systems what is mapped lives on without its name, but a reader may not have
            # opened all files yet, so a generation in use stays.
            if (generation / "meta.json").exists() and is_read(generation / "meta.json"):
                return False
            # Renamed first: nobody sees half of it.
            going = generation.rename(self._root / f"{_GOING}{secrets.token_hex(8)}")
        except OSError:
            return False
        discard(going)
        return True


def _write_files(
    directory: Path,
    names: tuple[str, str],
    content: SnapshotContent,
    vectors: VectorSource,
    lexical: LexicalWriter,
) -> None:
    """Write all files; ``names`` are those of the generation and of the database."""
    rows = content.sorted_rows()
    ids = tuple(row.skill.id for row in rows)
    registries = content.registry_names()
    _write_skills(directory, rows, registries)
    _write_links(directory, ids, content.sorted_links())
    write_vectors(directory, content, rows, vectors)
    (directory / "lexical").mkdir()
    lexical(directory / "lexical", ids)
    meta = SnapshotMeta(
        generation=names[0],
        database=names[1],
        model=content.model,
        lexical_version=content.lexical_version,
        registries=tuple(registries),
        kinds=tuple(kind.value for kind in EdgeKind),
        files={name: digest_of(directory / name) for name in files_below(directory)},
    )
    (directory / "meta.json").write_bytes(meta.to_bytes())


def _write_skills(directory: Path, rows: Sequence[SnapshotRow], names: Sequence[str]) -> None:
    codes = {name: code for code, name in enumerate(names)}
    lines = [write_line(row.skill) for row in rows]
    columns = np.array(
        [
            (codes[r.skill.registry], r.skill.tokens, r.skill.listing_tokens, r.model_invocable)
            for r in rows
        ],
        COLUMNS,
    )
    offsets = np.cumsum([0, *map(len, lines)], dtype="<i8")
    (directory / "ids.json").write_bytes(json.dumps([row.skill.id for row in rows]).encode())
    digests = json.dumps([row.view_digest for row in rows]).encode()
    (directory / "view_digests.json").write_bytes(digests)
    (directory / "skills.jsonl").write_bytes(b"".join(lines))
    np.save(directory / "skill_offsets.npy", offsets)
    np.save(directory / "columns.npy", columns)


def _write_links(directory: Path, ids: tuple[str, ...], links: Sequence[Link]) -> None:
    ends = {end for link in links for end in (link.source, link.target)}
    without_row = sorted(ends.difference(ids))
    number = {skill_id: at for at, skill_id in enumerate((*ids, *without_row))}
    kinds = {kind: at for at, kind in enumerate(EdgeKind)}
    table = np.array(
        [(number[k.source], number[k.target], k.confidence, kinds[k.kind]) for k in links], LINKS
    )
    np.save(directory / "links.npy", table)
    (directory / "link_ends.json").write_bytes(json.dumps(without_row).encode())
