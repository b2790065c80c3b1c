"""Stages 3 and 4 as the router sees them: a port, so that routing is tested without a graph."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.iotype import IOType
from asf_core.domain.routing import Bundle, Candidate, Dropped, TokenFigures


class Member(Protocol):
    """A skill that the walk keeps."""

    @property
    def skill_id(self) -> str:
        """Its id."""

    @property
    def score(self) -> float | None:
        """The router's score; ``None`` for a skill that the walk brought in."""


class Walked(Protocol):
    """What the walk comes to."""

    @property
    def members(self) -> Sequence[Member]:
        """The skills to plan with."""

    @property
    def dropped(self) -> Sequence[Dropped]:
        """The skills left out, with reasons."""


class Planning(Protocol):
    """The walk over the graph and the plan, over the skills of one index."""

    def walk(
        self, seeds: Sequence[Candidate], budget: int, excluded: Set[str], copies: Set[str]
    ) -> Walked:
        """Bring in what the seeds need, then what goes with them, within ``budget`` tokens.

        ``copies`` come in only where they are needed.
        """

    def plan(self, walked: Walked, task_inputs: Sequence[IOType]) -> Bundle:
        """Put the members in order and bind their inputs."""

    def figures(self, bundle: Bundle, offered: NDArray[np.bool_], price: float) -> TokenFigures:
        """What the plan saves against giving all ``offered`` rows; ``price`` in USD a million."""
