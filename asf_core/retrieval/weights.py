"""How much each part of the evidence weighs in a skill's score, and where that comes from.

A score is a weighted sum of what each engine says, on scales that belong to the task and neither
to the pool nor to the registry: BM25 over the mass of the task (0 to 1), cosines as they are.

Fitted 2026-11-30 as a listwise softmax (L2 penalty 0.001) over the first hundred, a source weighing
by the square root of its size, on the 2,537 development queries of four sources that do not name
their skill, over 2,637 public skills (2,603 of them routable; the right skill is among the hundred
for 99.4% of the queries). ``DATA`` is the SHA-256 of the query file. hit@1 and MRR:

==============================  ======  ======  =====================
evidence                        hit@1   MRR     hit@1, mean of sources
==============================  ======  ======  =====================
plain BM25 (the floor)          0.653   0.754   0.574
all, each source left out       0.744   0.828   0.689
all, fitted on all              0.753   0.835   0.696
left out, without pairs         0.721   0.809   0.667
left out, without dense         0.725   0.817   0.673
left out, without coverage      0.738   0.824   0.687
left out, without words         0.741   0.825   0.688
left out, without late          0.746   0.830   0.686
==============================  ======  ======  =====================

Late interaction wins a point where a source's words differ from its skills', and loses one where
they do not.
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


FITTED = Weights(words=6.53, pairs=4.46, coverage=3.85, dense=17.44, late=12.62)
FITTED_WITHOUT_LATE = Weights(words=8.11, pairs=4.38, coverage=3.75, dense=21.55)
