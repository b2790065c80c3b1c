from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.retrieval.confidence import FEATURES, WORD_FEATURES, Words, confidence, features
from asf_core.retrieval.words import Script

_SHARE = st.floats(0, 1)
_APART = [0.38, 0.6] * 25
"""Cosines of a registry that the task is near to in part."""
_ALIKE = [0.49] * 50


def _words(share: float, terms: int = 8) -> Words:
    """A text that has this share of a task of so many words, all equally rare."""
    weight = 4.0 * terms
    return Words(
        coverage=np.array([share * weight / (weight + 6)]),
        share=np.array([share]),
        bm25=np.array([0.7 * share]),
    )


def _one(
    share: float,
    cosine: float | None = None,
    others: list[float] | None = None,
    script: Script = "latin",
    terms: int = 8,
) -> float:
    registry = None if cosine is None else np.array([cosine, *(others or [])])
    own = None if cosine is None else np.array([cosine])
    return float(confidence(_words(share, terms), own, registry, script)[0])


@given(_SHARE, _SHARE, st.floats(0.01, 0.5), st.integers(1, 40))
def test_more_evidence_never_makes_less_sure(
    share: float, cosine: float, more: float, terms: int
) -> None:
    base = _one(share, cosine, _APART, terms=terms)
    assert 0 <= base <= 1
    assert _one(min(1.0, share + more), cosine, _APART, terms=terms) >= base - 1e-6
    assert _one(share, cosine + more, _APART, terms=terms) >= base - 1e-6


def test_the_same_share_of_more_words_proves_more() -> None:
    assert _one(0.5, 0.65, _APART, terms=20) > _one(0.5, 0.65, _APART, terms=2)


def test_a_registry_that_is_equally_far_from_the_task_is_of_another_trade() -> None:
    assert _one(0.2, 0.6, _APART) > _one(0.2, 0.6, _ALIKE) + 0.1


def test_one_skill_and_many_are_judged_alike() -> None:
    many = [0.43, 0.55] * 250
    assert _one(0.5, 0.75) == pytest.approx(_one(0.5, 0.75, many), abs=0.1)


@pytest.mark.parametrize("script", ["cjk", "other"])
def test_english_encoders_have_no_say_in_other_scripts(script: Script) -> None:
    assert _one(0.1, 0.9, script=script) == _one(0.1, script=script)


def test_words_alone_can_convince_and_nothing_convinces_nobody() -> None:
    assert _one(0.7) > 0.8
    assert _one(0.0) < 0.1
    assert _one(0.0, 0.45, _ALIKE) < 0.05


def test_the_columns_are_those_that_have_names() -> None:
    words = _words(0.5)
    assert features(words, None, None).shape == (1, WORD_FEATURES)
    assert features(words, np.array([0.5]), np.array([0.5])).shape == (1, len(FEATURES))
