from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asf_core.retrieval.confidence import confidence
from asf_core.retrieval.words import Script

_SHARE = st.floats(0, 1)


def _one(
    coverage: float,
    cosine: float | None = None,
    maxsim: float | None = None,
    others: list[float] | None = None,
    script: Script = "latin",
) -> float:
    registry = None if cosine is None else np.array([cosine, *(others or [])])
    found = confidence(
        np.array([coverage]),
        None if cosine is None else np.array([cosine]),
        registry,
        None if maxsim is None else np.array([maxsim]),
        script,
    )
    return float(found[0])


@given(_SHARE, _SHARE, _SHARE, st.floats(0.01, 0.5))
def test_more_evidence_never_makes_less_sure(
    coverage: float, cosine: float, maxsim: float, more: float
) -> None:
    base = _one(coverage, cosine, maxsim)
    assert 0 <= base <= 1
    assert _one(coverage + more, cosine, maxsim) >= base
    assert _one(coverage, cosine + more, maxsim) >= base
    assert _one(coverage, cosine, maxsim + more) >= base


def test_a_skill_must_stand_out_from_its_registry() -> None:
    alone = _one(0.3, 0.68, 0.75, others=[0.45] * 50)
    among = _one(0.3, 0.68, 0.75, others=[0.66] * 50)
    assert alone > among + 0.2


def test_one_skill_and_many_are_judged_alike() -> None:
    assert _one(0.5, 0.75, 0.8) == pytest.approx(_one(0.5, 0.75, 0.8, others=[0.49] * 500), abs=0.1)


@pytest.mark.parametrize("script", ["cjk", "other"])
def test_english_encoders_have_no_say_in_other_scripts(script: Script) -> None:
    assert _one(0.1, 0.9, 0.9, script=script) == _one(0.1, script=script)


def test_words_alone_can_convince_and_nothing_convinces_nobody() -> None:
    assert _one(0.7) > 0.8
    assert _one(0.0) < 0.1
    assert _one(0.0, 0.45, 0.6, others=[0.45] * 50) < 0.05
