"""An HNSW index over a table of vectors, for sizes where it beats comparing with every one.

Given the table of :mod:`asf_core.store.vectors`, the only module that imports LanceDB.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Hnsw:
    """How the graph is made and searched.

    Measured over 100,000 vectors of 384 numbers, see ``asf bench --scale``: the share of the true
    hundred nearest that a search finds, by ``ef``.
    """

    m: int = 20
    """Neighbours of a node."""
    ef_construction: int = 300
    """Candidates looked at when a node is placed."""
    ef: int = 400
    """Candidates looked at by a search."""


DEFAULT = Hnsw()


def build_hnsw(table: Any, config: Hnsw = DEFAULT) -> None:
    """Make the graph over all rows, one partition, vectors quantised to 8 bits."""
    table.create_index(
        metric="dot",
        vector_column_name="vector",
        index_type="IVF_HNSW_SQ",
        num_partitions=1,
        m=config.m,
        ef_construction=config.ef_construction,
        replace=True,
    )


def search_hnsw(
    table: Any, vector: NDArray[np.float32], k: int, config: Hnsw = DEFAULT
) -> list[str]:
    """Ids of the nearest ``k``, nearest first; the best few are compared again exactly."""
    query = table.search(vector, vector_column_name="vector", query_type="vector")
    query = query.distance_type("dot").ef(max(config.ef, k)).refine_factor(2).limit(k)
    return list(query.select(["id"]).to_arrow()["id"].to_pylist())
