"""What the engines say of a pool, unweighed: what weights and confidence are fitted on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asf_core.retrieval.config import RouterConfig
from asf_core.retrieval.index_view import IndexView
from asf_core.retrieval.recall import Pool
from asf_core.retrieval.rerank import confidence_features, judge
from asf_core.retrieval.task import Task
from asf_core.retrieval.words import Script

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PoolEvidence:
    """A task's pool of n skills, in the order of recall."""

    skill_ids: tuple[str, ...]
    parts: tuple[str, ...]
    """Names of the parts of a score, as the fields of ``Weights``."""
    evidence: Array
    """(n, k), one column a part."""
    features: Array
    """(n, m), the columns that ``confidence.FEATURES`` names."""
    best: int
    """Place of the skill that the present weights put first."""
    script: Script


def pool_evidence(view: IndexView, pool: Pool, task: Task, config: RouterConfig) -> PoolEvidence:
    """Collect it.

    Args:
        view: The index.
        pool: What recall kept; not empty.
        task: The task.
        config: The setting; with token vectors if it has a weight for them.
    """
    raw, rows = pool.raw[0], pool.rows
    whole, _ = judge(view, pool, task, config)
    columns = {"words": raw.words[rows], "pairs": raw.pairs[rows], "coverage": raw.share[rows]}
    if raw.cosine is not None:
        columns["dense"] = raw.cosine[rows]
    if whole.maxsim is not None:
        columns["late"] = whole.maxsim
    return PoolEvidence(
        skill_ids=tuple(view.ids[int(row)] for row in rows),
        parts=tuple(columns),
        evidence=np.stack(list(columns.values()), axis=1).astype(np.float64),
        features=confidence_features(pool, 0),
        best=int(np.argmax(whole.scores)),
        script=task.script,
    )
