"""What routing reads: one generation of the index, memory-mapped and never changed.

Layout, below the workspace's ``snapshots/``::

    CURRENT                 name of the generation in use
    <generation>/
        meta.json           counts, names of the registries, sizes of the other files
        ids.json            ids, sorted: row i of everything is skill i
        skills.jsonl        fields of skill i, from skill_offsets[i] to skill_offsets[i + 1]
        skill_offsets.npy   int64 (N + 1)
        columns.npy         what masks and sums need of each skill, (N)
        links.npy           (L), ends as numbers: of a row, past N of link_ends.json
        link_ends.json      ids at the end of a link that are no row
        vectors.npy         float32 (N, D)
        tokens.npy          int8 (T, d)
        token_offsets.npy   int64 (N + 1)
        token_scales.npy    float32 (T)
        lexical/            written and read by retrieval

A generation is named by the digest of its content. Opening it parses the ids and maps the rest;
neither the database nor the index is needed. A reader keeps a shared lock on ``meta.json``, by
which a writer can tell (on POSIX systems) that the generation is in use.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from asf_core.domain.graph import EdgeKind

CURRENT = "CURRENT"
FORMAT = 1
"""Of the files; raise it with every change of the layout."""
COLUMNS = np.dtype(
    [("registry", "<i4"), ("tokens", "<i8"), ("listing_tokens", "<i8"), ("invocable", "?")]
)
LINKS = np.dtype([("source", "<i8"), ("target", "<i8"), ("kind", "<i4"), ("confidence", "<f8")])
KINDS = tuple(EdgeKind)
_SYNC = "Sync again: asf sync"
_T = TypeVar("_T")
