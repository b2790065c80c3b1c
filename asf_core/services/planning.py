"""Walk and plan over one snapshot: joins the graph that the store keeps with the router."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.iotype import IOType
from asf_core.domain.routing import Bundle, Candidate, RoutableSkill, TokenFigures
from asf_core.retrieval.adjacency import Adjacency
from asf_core.retrieval.figures import RegistryTotals, token_figures
from asf_core.retrieval.plan import plan
from asf_core.retrieval.planning import Walked
from asf_core.retrieval.walk import WalkResult, walk
from asf_core.store.snapshot import Snapshot


class GraphPlanning:
    """Stages 3 and 4 over a snapshot.

    Args:
        snapshot: Open for as long as this is used.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._skills = _SkillsById(snapshot)

    @cached_property
    def _links(self) -> Adjacency:
        return Adjacency(self._snapshot.links())

    def walk(
        self,
        seeds: Sequence[Candidate],
        budget: int,
        excluded: AbstractSet[str],
        copies: AbstractSet[str],
    ) -> WalkResult:
        """Bring in what the seeds need, then what goes with them, within ``budget`` tokens."""
        return walk(seeds, self._skills, self._links, budget, excluded, copies=copies)

    def plan(self, walked: Walked, task_inputs: Sequence[IOType]) -> Bundle:
        """Put the members in order and bind their inputs."""
        # The router hands back what it got from `walk`, which it knows by less.
        found = cast("WalkResult", walked)
        return plan(found.members, self._skills, self._links, task_inputs, problems=found.problems)

    def lacking(self, ids: Sequence[str]) -> tuple[str, ...]:
        """What some skills require, directly, and do not hold."""
        held = set(ids)
        needed = (self._links.needs(skill_id) for skill_id in ids)
        return tuple(sorted({need for needs in needed for need in needs} - held))

    def figures(self, bundle: Bundle, offered: NDArray[np.bool_], price: float) -> TokenFigures:
        """What the plan saves against giving all ``offered`` rows."""
        snapshot = self._snapshot
        totals = RegistryTotals(
            int(offered.sum()),
            int(snapshot.tokens_of[offered].sum()),
            int(snapshot.listing_tokens_of[offered].sum()),
        )
        chosen = (self._skills[step.skill_id] for step in bundle.steps)
        return token_figures(totals, chosen, price)


class _SkillsById(Mapping[str, RoutableSkill]):
    """The snapshot's skills by id, each read when it is asked for."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def __getitem__(self, skill_id: str) -> RoutableSkill:
        return self._snapshot.skill(skill_id)

    def __iter__(self) -> Iterator[str]:
        return iter(self._snapshot.ids)

    def __len__(self) -> int:
        return len(self._snapshot.ids)
