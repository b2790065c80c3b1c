"""Embeddings of skills: who makes them, and the cache beside the Skillbook."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.errors import MissingError
from asf_core.domain.skillbook import Skill
from asf_core.store.files import replace_file

Floats = NDArray[np.float32]

LARGEST_CACHE = 1024 * 1024 * 1024
"""Bytes, unpacked, of the largest cache that is read."""


class Embedder(Protocol):
    """Turns texts into vectors. Whatever it raises reaches who asked."""

    @property
    def model(self) -> str:
        """Names model and way of encoding: vectors of another name are of no use."""
        ...

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Floats:
        """Encode texts.

        Args:
            texts: Skills, or one thing that is searched for.
            query: They are searched for; some models encode those in another way.

        Returns:
            (n, D), in the order of ``texts``.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """One skill's embedding."""

    stamp: str
    """Of model, text and last mutation, see :func:`stamp`."""
    vector: Floats
    """(D,), L2-normalised."""


def stamp(skill: Skill, model: str) -> str:
    """What an embedding is good for: this text, by this model, until the next mutation."""
    parts = (model, skill.updated_at, str(len(skill.sources)), skill.embedding_input)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def embeddings(skills: Sequence[Skill], known: dict[str, Stored], embedder: Embedder) -> Floats:
    """The embeddings of skills; those that are missing are made and kept in ``known``.

    Returns:
        (n, D), rows L2-normalised, in the order of ``skills``.

    Raises:
        MissingError: The embedder gives something that is no such array; what it raises itself
            is raised as it is.
    """
    stamps = [stamp(skill, embedder.model) for skill in skills]
    missing = [
        at
        for at, skill in enumerate(skills)
        if skill.id not in known or known[skill.id].stamp != stamps[at]
    ]
    if missing:
        rows = embedded([skills[at].embedding_input for at in missing], embedder)
        for at, row in zip(missing, rows, strict=True):
            known[skills[at].id] = Stored(stamps[at], row)
    return np.stack([known[skill.id].vector for skill in skills])


def embedded(texts: Sequence[str], embedder: Embedder, *, query: bool = False) -> Floats:
    """Encode texts and check what comes back.

    Returns:
        (n, D), rows L2-normalised.
    """
    rows = np.asarray(embedder.embed(texts, query=query), np.float32)
    length = np.linalg.norm(rows, axis=-1, keepdims=True) if rows.ndim == 2 else np.zeros(1)
    usable = rows.ndim == 2 and len(rows) == len(texts) and bool(np.isfinite(rows).all())
    if not usable or not bool((length > 0).all()):
        raise MissingError(
            "The Skillbook cannot be searched",
            why=f"The encoder {embedder.model} gave no usable vectors (shape {rows.shape})",
            hint="Check the models with: asf models",
        )
    return np.asarray(rows / length, np.float32)


def load_cache(path: Path) -> dict[str, Stored]:
    """The embeddings of a cache; none where it is absent, damaged or of another make.

    Nothing is lost by that: what is missing is made again, and comes out the same.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(item.file_size for item in archive.infolist()) > LARGEST_CACHE:
                return {}
        with np.load(path, allow_pickle=False) as arrays:
            ids, stamps, rows = arrays["ids"], arrays["stamps"], arrays["vectors"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, NotImplementedError):
        return {}
    whole = ids.shape == stamps.shape == rows.shape[:1] and ids.dtype.kind == "U"
    if not whole or rows.ndim != 2 or rows.dtype != np.float32 or not np.isfinite(rows).all():
        return {}
    listed = zip(ids.tolist(), stamps.tolist(), rows, strict=True)
    return {skill_id: Stored(str(mark), row) for skill_id, mark, row in listed}


def save_cache(path: Path, known: Mapping[str, Stored]) -> None:
    """Write the cache, all of it or nothing.

    Raises:
        OSError: It cannot be written.
    """
    ids = sorted(known)
    rows = [known[skill_id].vector for skill_id in ids]
    file = io.BytesIO()
    np.savez(
        file,
        ids=np.array(ids, np.str_),
        stamps=np.array([known[skill_id].stamp for skill_id in ids], np.str_),
        vectors=np.array(rows, np.float32).reshape(len(ids), -1 if ids else 0),
    )
    replace_file(path, file.getvalue())
