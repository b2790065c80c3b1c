"""How much each part of the evidence weighs in a skill's score, and where that comes from.

A score is a weighted sum of what each engine says, on scales that belong to the task and neither
to the pool nor to the registry: BM25 over the mass of the task (0 to 1), cosines as they are.

Fitted 2026-11-30 as a listwise softmax with a small L2 penalty over the first hundred, sources
weighing by the square root of their size, on the 2,537 development queries of four sources that do
not name their skill, over the 2,637 public skills (``DATA`` is the SHA-256 of the query file).
hit@1 and MRR, the weights of each source's queries fitted on the other three: 0.747, 0.831; fitted
on all: 0.750, 0.834. Plain BM25 (bm25s as it comes, over name, description and body): 0.644,
0.743. Left out, with one part less: pairs 0.719; dense 0.729; late 0.745 (which gains a point where
a source's words differ from its skills'). Reciprocal ranks of plain BM25 and dense: 0.612, 0.725.
"""

from __future__ import annotations

from dataclasses import dataclass

DATA = "d1c3e46b72f408f93056dc570798e9492acd2f0593eb059382f9e4da064cae78"


@dataclass(frozen=True, slots=True)
class Weights:
    """Of each part; 0: the part has no say."""

    words: float = 0.0
    """Of BM25 over the weighted bag, divided by the task's mass."""
    pairs: float = 0.0
    """Of BM25 over pairs of adjacent words, divided by the task's mass."""
    coverage: float = 0.0
    """Of the share of the task's mass that the skill has."""
    dense: float = 0.0
    """Of the cosine of the two dense vectors."""
    late: float = 0.0
    """Of the mean over the task's tokens of the best cosine with a token of the skill."""


FITTED = Weights(words=6.45, pairs=4.55, coverage=3.75, dense=19.3, late=10.5)
