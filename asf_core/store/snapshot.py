"""What routing reads: one generation of the index, memory-mapped and never changed.

Below the workspace's ``snapshots/``::

    CURRENT                 name of the generation in use
    CHECKED                 stamps of its files, from when their bytes were last compared
    <generation>/
        meta.json           names that codes stand for, sizes and digests of the other files
        ids.json            ids, sorted: row i of everything is skill i
        skills.jsonl        skill i, from skill_offsets[i] to skill_offsets[i + 1]
        skill_offsets.npy   int64 (N + 1)
        view_digests.json   of the text that each skill's vectors stand for (N)
        columns.npy         what masks and sums need of each skill (N)
        links.npy           the graph (L): both ends as rows, or past N as rows of link_ends.json
        link_ends.json      ids at the end of a link that have no row
        vectors.npy         float32 (N, D)
        tokens.npy          int8 (T, d)
        token_offsets.npy   int64 (N + 1)
        token_scales.npy    float32 (T)
        lexical/            written and read by retrieval

A generation is named by the digest of its content. Opening one compares its files with what was
written (see ``integrity``), parses the ids and maps the rest; neither the database nor the index
is needed. A reader keeps a shared lock on ``meta.json``, so that a writer can tell (on POSIX
systems) which generations are in use.
"""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.errors import StoreError
from asf_core.domain.graph import EdgeKind
from asf_core.domain.routing import Link, RoutableSkill
from asf_core.store.damage import damage_told, damaged
from asf_core.store.integrity import Stamps, problem_in
from asf_core.store.reading import open_shared
from asf_core.store.skill_table import SkillTable
from asf_core.store.snapshot_meta import SnapshotMeta

CURRENT = "CURRENT"
CHECKED = "CHECKED"
COLUMNS = np.dtype(
    [("registry", "<i4"), ("tokens", "<i8"), ("listing_tokens", "<i8"), ("model_invocable", "?")],
    align=True,
)
LINKS = np.dtype([("source", "<i8"), ("target", "<i8"), ("confidence", "<f8"), ("kind", "<i8")])
_TRIES = 3


class Snapshot:
    """One generation, open for reading. Safe to use from several threads.

    Args:
        directory: Of the generation.
        whole: Compare every byte, not only what may have changed since that was last done.

    Raises:
        FileNotFoundError: It is not there (any more).
        StoreError: It is damaged, may not be read, or is of another program's format.
    """

    def __init__(self, directory: Path, *, whole: bool = False) -> None:
        with damage_told(directory, may_be_gone=True):
            self._lock = open_shared(directory / "meta.json")
        try:
            with damage_told(directory, may_be_gone=True):
                self.meta = SnapshotMeta.from_bytes(self._lock.read())
                """Its manifest."""
                self.directory = directory
                _refuse(self._problem(whole=whole))
                self._load(directory, self.meta)
        except BaseException:
            self._lock.close()
            raise

    @classmethod
    def open(cls, root: Path) -> Self:
        """Open the generation in use.

        Args:
            root: The workspace's ``snapshots`` directory.

        Raises:
            StoreError: There is none yet, it is damaged, or of another program's format.
        """
        missing = FileNotFoundError()
        for _ in range(_TRIES):
            generation = current_generation(root)
            if generation is None:
                raise StoreError(
                    "Nothing has been indexed yet",
                    why=f"{root} holds no snapshot",
                    hint="Add a registry and sync it: asf registry add PATH, asf sync",
                )
            try:
                return cls(root / generation)
            except FileNotFoundError as error:
                # A writer has gone on by two generations since CURRENT was read: begin again.
                missing = error
        raise damaged(root, str(missing)) from missing

    def stands(self) -> bool:
        """Whether its directory still holds the files that were opened, and not newer ones."""
        try:
            found = (self.directory / "meta.json").stat()
        except OSError:
            return False
        return os.path.samestat(found, os.fstat(self._lock.fileno()))

    def check(self) -> None:
        """Compare every byte with what was written.

        Raises:
            StoreError: It was damaged since it was opened, or before in a way that no stamp shows.
        """
        with damage_told(self.directory):
            _refuse(self._problem(whole=True))

    def _problem(self, *, whole: bool) -> str | None:
        stamps = Stamps.read(self.directory.parent / CHECKED, self.directory.name)
        return problem_in(self.directory, self.meta.files, stamps, whole=whole)

    def _load(self, directory: Path, meta: SnapshotMeta) -> None:
        self.generation: str = meta.generation
        """SHA-256 of the content."""
        self.model: str = meta.model
        """Fingerprint of the encoders; empty when the vectors have no width: there were none."""
        self.lexical_version: str = meta.lexical_version
        self.lexical_dir = directory / "lexical"
        self.ids: tuple[str, ...] = tuple(_json(directory / "ids.json"))
        """Sorted; the place of an id is its row everywhere."""
        self.row_of: dict[str, int] = {skill_id: row for row, skill_id in enumerate(self.ids)}
        self.registries: tuple[str, ...] = meta.registries
        """Names that ``registry_codes`` stand for, sorted."""
        columns = _array(directory / "columns.npy")
        self.registry_codes: NDArray[np.int32] = columns["registry"]
        """(N,)."""
        self.tokens_of: NDArray[np.int64] = columns["tokens"]
        """(N,), tokens of name, description and body."""
        self.listing_tokens_of: NDArray[np.int64] = columns["listing_tokens"]
        """(N,), tokens of name and description."""
        self.model_invocable: NDArray[np.bool_] = columns["model_invocable"]
        """(N,), False for skills that are never routed by themselves."""
        self.vectors: NDArray[np.float32] = _array(directory / "vectors.npy")
        """(N, D), L2-normalised; D is 0 without encoders."""
        self.tokens: NDArray[np.int8] = _array(directory / "tokens.npy")
        """(T, d)."""
        self.token_offsets: NDArray[np.int64] = _array(directory / "token_offsets.npy")
        """(N + 1,): the tokens of row i are ``tokens[token_offsets[i]:token_offsets[i + 1]]``."""
        self.token_scales: NDArray[np.float32] = _array(directory / "token_scales.npy")
        """(T,)."""
        offsets = _array(directory / "skill_offsets.npy")
        self._skills = SkillTable(_mapped(directory / "skills.jsonl"), offsets, directory)
        self._kinds = tuple(map(EdgeKind, meta.kinds))
        _check_lengths(self, offsets)

    def skills(self) -> Sequence[RoutableSkill]:
        """The skills by row, each read when it is asked for."""
        return self._skills

    def skill(self, skill_id: str) -> RoutableSkill:
        """One skill.

        Raises:
            KeyError: It is not in this generation.
        """
        return self._skills[self.row_of[skill_id]]

    def links(self) -> tuple[Link, ...]:
        """The graph, by source, target and kind.

        An end may be without a row: a skill that is required and cannot be routed.

        Raises:
            StoreError: The files are damaged.
        """
        with damage_told(self.directory):
            names = (*self.ids, *_json(self.directory / "link_ends.json"))
            table = _array(self.directory / "links.npy").tolist()
            return tuple(
                Link(names[source], names[target], self._kinds[kind], confidence)
                for source, target, confidence, kind in table
            )

    def mask(
        self, registries: Collection[str] = (), excluded: Collection[str] = ()
    ) -> NDArray[np.bool_]:
        """(N,), True where a skill may be recalled.

        Args:
            registries: Only of these; of all when empty.
            excluded: Ids left out, as the quarantined ones; unknown ids are passed over.
        """
        allowed = self.model_invocable.copy()
        if registries:
            codes = [at for at, name in enumerate(self.registries) if name in registries]
            allowed &= np.isin(self.registry_codes, codes)
        allowed[[self.row_of[skill_id] for skill_id in excluded if skill_id in self.row_of]] = False
        return allowed

    def close(self) -> None:
        """Tell writers that this generation may go; arrays taken from it stay valid."""
        self._lock.close()

    def __len__(self) -> int:
        return len(self.ids)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def current_generation(root: Path) -> str | None:
    """Name of the generation in use; ``None`` before the first.

    Raises:
        StoreError: The file that says so cannot be read or says something else.
    """
    try:
        name = (root / CURRENT).read_bytes().decode("ascii").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise damaged(root / CURRENT, str(error)) from error
    # It becomes part of a path, so nothing but a digest will do.
    if len(name) != 64 or not set(name) <= set("0123456789abcdef"):
        raise damaged(root / CURRENT, f"it says {name[:80]!r}")
    return name


def _refuse(problem: str | None) -> None:
    if problem is not None:
        raise ValueError(problem)


def _check_lengths(snapshot: Snapshot, skill_offsets: NDArray[np.int64]) -> None:
    n, t = len(snapshot.ids), len(snapshot.tokens)
    found = (
        len(snapshot.registry_codes),
        len(snapshot.vectors),
        len(snapshot.token_offsets) - 1,
        len(skill_offsets) - 1,
    )
    if set(found) != {n} or len(snapshot.token_scales) != t or snapshot.token_offsets[-1] != t:
        raise ValueError("its arrays do not belong together")


def _json(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _array(path: Path) -> Any:
    array = np.load(path, mmap_mode=None if _is_empty(path) else "r", allow_pickle=False)
    array.flags.writeable = False
    return array


def _is_empty(path: Path) -> bool:
    # Nothing can be mapped of an array without elements.
    with path.open("rb") as file:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0
        shape, _, _ = read(file) if version == (1, 0) else np.lib.format.read_array_header_2_0(file)
    return 0 in shape


def _mapped(path: Path) -> mmap.mmap | bytes:
    with path.open("rb") as file:
        if path.stat().st_size == 0:
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
