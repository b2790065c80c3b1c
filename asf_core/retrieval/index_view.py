"""What the router reads of an index. The store's snapshot has it; tests use arrays in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.routing import Link, RoutableSkill


class IndexView(Protocol):
    """N skills, one row each, that do not change while it is open."""

    @property
    def generation(self) -> str:
        """Name of this state of the index."""

    @property
    def model(self) -> str:
        """Fingerprint of the encoders that made the vectors; empty when there are none."""

    @property
    def ids(self) -> Sequence[str]:
        """Id of each row."""

    @property
    def registries(self) -> Sequence[str]:
        """Name of each registry."""

    @property
    def registry_codes(self) -> NDArray[Any]:
        """(N,): place of each row's registry in ``registries``."""

    @property
    def model_invocable(self) -> NDArray[np.bool_]:
        """(N,): False for a skill that is never routed by itself."""

    @property
    def vectors(self) -> NDArray[np.float32]:
        """(N, D) dense vectors, L2-normalised; a row of zeros where there is none."""

    @property
    def tokens(self) -> NDArray[np.int8]:
        """(T, D) token vectors of all rows, one row's after the other's."""

    @property
    def token_offsets(self) -> NDArray[np.int64]:
        """(N + 1,): where each row's token vectors begin and end."""

    @property
    def token_scales(self) -> NDArray[np.float32]:
        """(T,): what each token vector is to be multiplied by."""

    def skills(self) -> Sequence[RoutableSkill]:
        """Each row's skill, for the walk and the plan."""

    def links(self) -> Sequence[Link]:
        """The edges of the graph."""
