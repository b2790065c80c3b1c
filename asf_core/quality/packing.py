"""Judgements as the store keeps them: without the words that the table of signals has anyway."""

from __future__ import annotations

import json
from typing import Any

from asf_core.domain.quality import Judgement, Lift, Near, SignalReading
from asf_core.quality.signals import SIGNALS

_BY_ID = {signal.id: signal for signal in SIGNALS}


def pack(judgement: Judgement) -> str:
    """One judgement as JSON."""
    near = judgement.nearest
    return json.dumps(
        {
            "score": judgement.slop_score,
            "bias": judgement.bias,
            "signals": {
                s.signal: [s.strength, s.measured, s.contribution] for s in judgement.signals
            },
            "unique": judgement.description_uniqueness,
            "near": None if near is None else [near.skill_id, near.cosine],
            "lifts": {lift.signal: lift.score for lift in judgement.lifts},
            "canonical": judgement.canonical_id,
        },
        separators=(",", ":"),
    )


def unpack(skill_id: str, text: str) -> Judgement:
    """What :func:`pack` wrote.

    Raises:
        KeyError: It was written by a program with other signals.
    """
    data: dict[str, Any] = json.loads(text)
    near = data["near"]
    return Judgement(
        skill_id=skill_id,
        slop_score=data["score"],
        bias=data["bias"],
        signals=tuple(_reading(id_, *values) for id_, values in data["signals"].items()),
        description_uniqueness=data["unique"],
        nearest=None if near is None else Near(skill_id=near[0], cosine=near[1]),
        lifts=tuple(
            Lift(signal=id_, advice=_BY_ID[id_].advice, score=score)
            for id_, score in data["lifts"].items()
        ),
        canonical_id=data["canonical"],
    )


def _reading(
    signal_id: str, strength: float | None, measured: str, contribution: float
) -> SignalReading:
    signal = _BY_ID[signal_id]
    return SignalReading(
        signal=signal_id,
        title=signal.title,
        explanation=signal.explanation,
        measured=measured,
        strength=strength,
        contribution=contribution,
    )
