"""What routing reads: one generation of the index, memory-mapped and never changed.

Below the workspace's ``snapshots/``::

    CURRENT                 name of the generation in use
    <generation>/
        meta.json           counts, names that codes stand for, sizes of the other files
        ids.json            ids, sorted: row i of everything is skill i
        skills.jsonl        skill i, from skill_offsets[i] to skill_offsets[i + 1]
        skill_offsets.npy   int64 (N + 1)
        columns.npy         what masks and sums need of each skill (N)
        links.npy           the graph (L): both ends as rows, or past N as rows of link_ends.json
        link_ends.json      ids at the end of a link that have no row
        vectors.npy         float32 (N, D)
        tokens.npy          int8 (T, d)
        token_offsets.npy   int64 (N + 1)
        token_scales.npy    float32 (T)
        lexical/            written and read by retrieval

A generation is named by the digest of its content. Opening one parses the ids and maps the rest;
neither the database nor the index is needed. A reader keeps a shared lock on ``meta.json``, so
that a writer can tell (on POSIX systems) which generations are in use.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.errors import StoreError
from asf_core.domain.graph import EdgeKind
from asf_core.domain.routing import Link, RoutableSkill
from asf_core.store.reading import open_shared
from asf_core.store.skill_table import SkillTable

CURRENT = "CURRENT"
FORMAT = 1
"""Of the files; raised with every change of the layout."""
COLUMNS = np.dtype(
    [("registry", "<i4"), ("tokens", "<i8"), ("listing_tokens", "<i8"), ("model_invocable", "?")],
    align=True,
)
LINKS = np.dtype([("source", "<i8"), ("target", "<i8"), ("confidence", "<f8"), ("kind", "<i8")])
_DAMAGE = (OSError, ValueError, KeyError, TypeError, IndexError)
_TRIES = 3


class Snapshot:
    """One generation, open for reading. Safe to use from several threads.

    Args:
        directory: Of the generation.

    Raises:
        FileNotFoundError: It is not there (any more).
        StoreError: It is damaged, or of another program's format.
    """

    def __init__(self, directory: Path) -> None:
        self._lock = open_shared(directory / "meta.json")
        try:
            self._load(directory, json.loads(self._lock.read()))
        except FileNotFoundError:
            self._lock.close()
            raise
        except _DAMAGE as error:
            self._lock.close()
            raise _damaged(directory, str(error)) from error
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
        raise _damaged(root, str(missing)) from missing

    def _load(self, directory: Path, meta: dict[str, Any]) -> None:
        _check(directory, meta)
        self.directory = directory
        self.generation: str = meta["generation"]
        """SHA-256 of the content."""
        self.model: str = meta["model"]
        """Fingerprint of the encoders; empty when the vectors have no width: there were none."""
        self.lexical_version: str = meta["lexical_version"]
        self.lexical_dir = directory / "lexical"
        self.ids: tuple[str, ...] = tuple(_json(directory / "ids.json"))
        """Sorted; the place of an id is its row everywhere."""
        self.row_of: dict[str, int] = {skill_id: row for row, skill_id in enumerate(self.ids)}
        self.registries: tuple[str, ...] = tuple(meta["registries"])
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
        self._skills = SkillTable(_mapped(directory / "skills.jsonl"), offsets)
        self._kinds = tuple(map(EdgeKind, meta["kinds"]))
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
        try:
            names = (*self.ids, *_json(self.directory / "link_ends.json"))
            table = _array(self.directory / "links.npy").tolist()
            return tuple(
                Link(names[source], names[target], self._kinds[kind], confidence)
                for source, target, confidence, kind in table
            )
        except _DAMAGE as error:
            raise _damaged(self.directory, str(error)) from error

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
        raise _damaged(root / CURRENT, str(error)) from error
    # It becomes part of a path, so nothing but a digest will do.
    if len(name) != 64 or not set(name) <= set("0123456789abcdef"):
        raise _damaged(root / CURRENT, f"it says {name[:80]!r}")
    return name


def _check(directory: Path, meta: dict[str, Any]) -> None:
    if meta["format"] != FORMAT:
        newer = meta["format"] > FORMAT
        raise StoreError(
            f"The snapshot is of another format ({meta['format']})",
            why=f"{directory}: this program reads format {FORMAT}",
            hint="Upgrade asf-workbench" if newer else "Sync again: asf sync",
        )
    for name, size in meta["files"].items():
        found = (directory / name).stat().st_size
        if found != size:
            raise ValueError(f"{name} has {found} bytes instead of {size}")


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


def _damaged(path: Path, reason: str) -> StoreError:
    return StoreError(
        "The snapshot cannot be read", why=f"{path}: {reason}", hint="Sync again: asf sync"
    )
