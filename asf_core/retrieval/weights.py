"""How much each part of the evidence weighs in a skill's score, and where that comes from.

A score is a weighted sum of what each engine says, on scales that belong to the task and neither
to the pool nor to the registry: BM25 over the mass of the task (0 to 1), cosines as they are.

Fitted 2026-11-30 by ``asf bench --fit`` (listwise softmax, L2 penalty 0.001) over the first hundred,
a source weighing by the square root of its size, on the 2,596 queries of five sources that do not
name their skill: 2,537 development queries over 2,637 public skills, 59 tasks of the sample
registry. The right skill is among the hundred for 99.4% of them. Each source is judged by weights
that were fitted on the others:

==============================  ======  ======  ======================
evidence                        hit@1   MRR     hit@1, mean of sources
==============================  ======  ======  ======================
words, pairs, coverage, dense   0.744   0.828   0.702
the same, fitted on all         0.751   0.833   0.709
left out, without words         0.738   0.823   0.699
left out, without pairs         0.727   0.813   0.685
left out, without coverage      0.741   0.827   0.697
left out, without dense         0.704   0.800   0.646
words and pairs alone           0.711   0.808   0.660
==============================  ======  ======  ======================

On the 2,537 alone: plain BM25, the floor, 0.653 and 0.755; these four 0.746 and 0.829; with late
interaction 0.743 and 0.827, with the cross-encoder on the first twelve 0.746 and 0.829, with the
best of ten passages of each body 0.745 and 0.829, with boosted trees over fourteen parts 0.731 and
0.823. None of these pays for its milliseconds, so none is in the default. Late interaction wins a
point where a source's words differ from its skills', and loses one where they do not.
"""

from __future__ import annotations

from dataclasses import dataclass

DATA = "ed272ab63b9afb9a67a8f21028ee8db05f17e42f7e13c29c705eb5ed14c5f4a5"


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


WORDS = Weights(words=21.21, pairs=4.7)
DENSE = Weights(words=6.23, pairs=4.18, coverage=5.54, dense=23.57)
LATE = Weights(words=6.53, pairs=4.46, coverage=3.85, dense=17.44, late=12.62)
