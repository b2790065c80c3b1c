"""Likely duplicates, and what may be done about each; a person decides (DESIGN 9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from asf_core.domain.errors import InputError
from asf_core.domain.skillbook import Advice, Operation, Proposal, Skill, Trace, id_key
from asf_core.skillbook.book import Skillbook
from asf_core.skillbook.vectors import Embedder, Floats, embeddings

# Measured with BGE-small on the issues of the tests: eight that were written twice in other words
# 0.875 to 0.945, four neighbouring cases 0.76 to 0.87, the most alike of all others 0.79.
ALIKE = 0.80
"""Cosine from which two skills are shown side by side."""
SAME = 0.90
"""Cosine from which two skills say the same in other words."""
_BLOCK = 1024


def propose(
    book: Skillbook, embedder: Embedder, *, alike: float = ALIKE, same: float = SAME
) -> tuple[Proposal, ...]:
    """Pairs of active skills that may be one, most alike first.

    Pairs that a person found to be two are left out until the text of either changes.

    Args:
        book: Where to look; the embeddings that it lacks are made and kept in it.
        embedder: Makes embeddings, of the same text as for searching. What it raises is raised.
        alike: Cosine from which a pair is shown.
        same: Cosine from which merging is advised.

    Raises:
        InputError: A bound is not a cosine, or ``same`` is below ``alike``.
    """
    if not 0 < alike <= same <= 1:
        raise InputError(
            "The bounds of likeness do not fit",
            why=f"They are {alike:g} and {same:g}",
            hint="Give cosines over 0 up to 1, that of merging not below that of showing",
        )
    skills = sorted(book.skills(), key=lambda skill: id_key(skill.id))
    if len(skills) < 2:
        return ()
    rows = embeddings(skills, book.vectors, embedder)
    apart = _kept_apart(skills)
    found = [
        _proposal(skills[i], skills[j], cosine, same)
        for i, j, cosine in _pairs(rows, alike)
        if frozenset((skills[i].id, skills[j].id)) not in apart
    ]
    return tuple(sorted(found, key=lambda p: (-p.cosine, id_key(p.keep), id_key(p.other))))


def consolidate(
    book: Skillbook,
    keep: str,
    other: str,
    *,
    reason: str,
    person: str,
    issue: str | None = None,
    insight: str | None = None,
) -> Skill:
    """Merge two skills as a person confirmed, after widening the one that stays if asked.

    Widening is an ordinary rewrite of issue and insight: a skill has no scope of its own.

    Args:
        book: Changed in place. A refusal changes nothing in the file, which is saved afterwards.
        keep: The one to go on with.
        other: The one that goes.
        reason: Why they are one.
        person: Who confirmed it.
        issue: A text that covers both.
        insight: A text that serves both.
    """
    kept = book.read_skill(keep)
    if issue is not None or insight is not None:
        trace = Trace.of(
            "skillbook",
            book.read_skill(other).id,
            display_name=person,
            relation="widened",
            learning_text=reason.strip(),
        )
        book.update_skill(kept.id, trace, issue=issue, insight=insight)
    return book.merge_skills(kept.id, other, reason, person)


def _pairs(rows: Floats, alike: float) -> Iterable[tuple[int, int, float]]:
    """Pairs ``i < j`` whose cosine, to four decimals, is at least ``alike``."""
    for start in range(0, len(rows), _BLOCK):
        cosines = np.round((rows[start : start + _BLOCK] @ rows.T).astype(np.float64), 4)
        for i, j in np.argwhere(cosines >= alike).tolist():
            if start + i < j:
                yield start + i, j, min(float(cosines[i, j]), 1.0)


def _proposal(one: Skill, two: Skill, cosine: float, same: float) -> Proposal:
    keep, other = sorted((one, two), key=_standing)
    advice, why = _advice(keep, other, cosine, same)
    shared = tuple(word for word in keep.keywords if word in other.keywords)
    return Proposal(
        keep=keep.id, other=other.id, cosine=cosine, advice=advice, why=why, shared_keywords=shared
    )


def _standing(skill: Skill) -> tuple[int, int, str, tuple[str, int]]:
    balance = skill.helpful_count - skill.harmful_count
    return -skill.occurrences, -balance, skill.created_at, id_key(skill.id)


def _advice(keep: Skill, other: Skill, cosine: float, same: float) -> tuple[Advice, str]:
    if keep.section is not other.section:
        return Advice.KEEP, "one is for the agent's context, one for the harness"
    if _judged(keep) * _judged(other) < 0:
        return Advice.KEEP, "one insight helped where the other did harm"
    if cosine >= same:
        return Advice.MERGE, f"the same in other words (cosine at or over {same:g})"
    return Advice.WIDEN, "close, but not the same: one issue could cover both"


def _judged(skill: Skill) -> int:
    return (skill.helpful_count > skill.harmful_count) - (skill.helpful_count < skill.harmful_count)


def _kept_apart(skills: Sequence[Skill]) -> set[frozenset[str]]:
    by_id = {skill.id: skill for skill in skills}
    return {
        frozenset((skill.id, line.trace_id))
        for skill in skills
        for line in skill.own_sources
        if line.operation_type is Operation.KEEP
        and line.trace_id in by_id
        and not _rewritten_since(skill, line.recorded_at)
        and not _rewritten_since(by_id[line.trace_id], line.recorded_at)
    }


def _rewritten_since(skill: Skill, at: str) -> bool:
    return any(line.replaced and line.recorded_at > at for line in skill.sources)
