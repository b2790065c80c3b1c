"""Which encoders a run has, and what is done without."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from asf_core.domain.errors import MissingError, StoreError
from asf_core.retrieval.config import RouterConfig
from asf_core.retrieval.index_view import IndexView
from asf_core.retrieval.rerank import PairScorer
from asf_core.retrieval.task import QueryTokenVectors, QueryVectors

_Found = TypeVar("_Found")


class EncoderShelf(Protocol):
    """The encoders of a process; each property raises ``ModelMissingError`` where it is absent."""

    @property
    def dense(self) -> QueryVectors:
        """One vector a task."""

    @property
    def late(self) -> QueryTokenVectors:
        """One vector a token."""

    @property
    def cross(self) -> PairScorer:
        """One score a pair."""

    @property
    def fingerprint(self) -> str:
        """What stored vectors depend on."""


@dataclass(frozen=True, slots=True)
class Engines:
    """What a run has; ``None`` for what it does without."""

    dense: QueryVectors | None
    late: QueryTokenVectors | None
    cross: PairScorer | None
    degraded: tuple[str, ...]
    """What is done without, in words."""


def find_engines(
    shelf: EncoderShelf, view: IndexView, config: RouterConfig, allow_degraded: bool
) -> Engines:
    """Open what a setting needs.

    Args:
        shelf: The encoders.
        view: The index, whose vectors must come from the same encoders.
        config: The setting.
        allow_degraded: Do without what is missing, and say so, instead of raising.

    Raises:
        ModelMissingError: A model is absent or altered.
        StoreError: The index has no vectors, or those of other encoders.
    """
    lacking: list[str] = []

    def have(what: str, wanted: bool, get: Callable[[], _Found]) -> _Found | None:
        if not wanted:
            return None
        try:
            return get()
        except MissingError as error:
            if not allow_degraded:
                raise
            lacking.append(f"without {what}: {error.what}")
            return None

    if not config.encoders or have("vectors", True, lambda: _check_vectors(shelf, view)) is None:
        return Engines(None, None, None, tuple(lacking))
    return Engines(
        have("the dense encoder", True, lambda: shelf.dense),
        have("the token encoder", config.late, lambda: shelf.late),
        have("the cross-encoder", config.cross_depth > 0, lambda: shelf.cross),
        tuple(lacking),
    )


def _check_vectors(shelf: EncoderShelf, view: IndexView) -> bool:
    """Vectors of two models are never compared: equal sizes mean nothing."""
    found = shelf.fingerprint
    if not view.vectors.size:
        raise StoreError(
            "The index has no vectors",
            why="It was synced without the encoders",
            hint="Sync again: asf sync",
        )
    if view.model != found:
        raise StoreError(
            "The index's vectors are those of other encoders",
            why=f"They were made by {view.model or 'none'}, the encoders now are {found}",
            hint="Sync again to encode the skills anew: asf sync",
        )
    return True
