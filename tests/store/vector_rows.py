"""Rows for the index, the same for the same id and seed; also imported by child processes."""

import json

import numpy as np

from asf_core.store.arrays import IndexRow, StoredVectors

D = 8


def make(skill_id: str, *, digest: str = "v1", seed: int = 0, tokens: int = 3) -> IndexRow:
    rng = np.random.default_rng([seed, *skill_id.encode()])
    vector = rng.standard_normal(D).astype(np.float32)
    return IndexRow(
        id=skill_id,
        registry=skill_id.split("/", 1)[0],
        view_digest=digest,
        manifest=json.dumps({"id": skill_id}),
        vectors=StoredVectors(
            vector=vector / np.linalg.norm(vector),
            tokens=rng.integers(-127, 128, (tokens, 4)).astype(np.int8),
            scales=rng.random(tokens).astype(np.float32),
        ),
    )


def many(count: int) -> list[IndexRow]:
    return [make(f"reg/s{number:04}") for number in range(count)]
