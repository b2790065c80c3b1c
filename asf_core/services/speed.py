"""How fast the encoders are on this machine, and how near that is to what its arithmetic allows."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from asf_core.domain.base import Value
from asf_core.domain.errors import InputError
from asf_core.retrieval.models.runtime import allowed_cores

if TYPE_CHECKING:
    from asf_core.retrieval.models.encoders import DenseEncoder, TokenEncoder
    from asf_core.services.engine import Engine

_TEXTS = 96
_ROUNDS = 15
_LENGTHS = (8, 40, 130)
"""Words of a short task, of a long one, of a skill."""
_LAYERS, _WIDTH = 12, 384
"""Of all three bundled models: BERT with a feed-forward width of four times 384."""
_MATRIX = 1536


class EncoderSpeed(Value):
    """One encoder."""

    role: str
    bundled: bool
    text_ms: dict[str, float]
    """Words of a text -> median milliseconds, one text in one thread."""
    skills_per_second: float
    """Texts of the workspace's skills, all cores."""
    gflops: float | None
    """Billions of operations a second at that speed; ``None`` for a model of unknown size."""
    share_of_peak: float | None
    """Of ``SpeedResult.peak_gflops``; above 1 is possible, for 8-bit arithmetic is faster."""


class SpeedResult(Value):
    """All encoders that a sync uses."""

    cores: int
    peak_gflops: float
    """What numpy's BLAS reaches with a 32-bit matrix product on the same cores, measured."""
    texts: int
    encoders: tuple[EncoderSpeed, ...]


def measure_speed(engine: Engine) -> SpeedResult:
    """Measure the dense and the token encoder on texts of the workspace's skills.

    Raises:
        InputError: The workspace has no skill.
        ModelMissingError: A model is absent or altered.
    """
    dense_texts, token_texts = _texts(engine)
    encoders = engine.encoders
    return SpeedResult(
        cores=allowed_cores(),
        peak_gflops=round(_peak(), 1),
        texts=len(dense_texts),
        encoders=(
            _measure("dense", encoders.dense, dense_texts),
            _measure("late", encoders.late, token_texts),
        ),
    )


def _texts(engine: Engine) -> tuple[list[str], list[str]]:
    from asf_core.retrieval.views import dense_text, token_text

    ids = [row.id for row in engine.skills() if row.state != "broken"]
    if not ids:
        raise InputError("There is no skill to encode", hint="Sync a registry first: asf sync DIR")
    skills = [engine.skill(id_) for id_ in ids[:: max(1, len(ids) // _TEXTS)][:_TEXTS]]
    return (
        [dense_text(s.manifest, s.body) for s in skills],
        [token_text(s.manifest, s.body) for s in skills],
    )


def _measure(role: str, encoder: DenseEncoder | TokenEncoder, texts: list[str]) -> EncoderSpeed:
    encode, model = encoder.encode, encoder.model
    words = " ".join(texts).split()
    encode(texts[:8])
    took = min(_timed(lambda: encode(texts)) for _ in range(3))
    tokens = [min(len(model.tokenizer.encode(text).ids), 512) for text in texts]
    bundled = bool(model.files.bundled)
    gflops = sum(map(_operations, tokens)) / took / 1e9 if bundled else None
    return EncoderSpeed(
        role=role,
        bundled=bundled,
        text_ms={str(n): _one(encode, " ".join(words[:n])) for n in _LENGTHS},
        skills_per_second=round(len(texts) / took, 1),
        gflops=None if gflops is None else round(gflops, 1),
        share_of_peak=None if gflops is None else round(gflops / _peak(), 3),
    )


def _one(encode: Callable[[list[str]], object], text: str) -> float:
    return round(1e3 * median(_timed(lambda: encode([text])) for _ in range(_ROUNDS)), 2)


def _operations(tokens: int) -> float:
    """Multiplications and additions of a text: the matrices, then attention's two products."""
    matrices = 2 * 12 * _WIDTH**2 * tokens
    attention = 2 * 2 * tokens * tokens * _WIDTH
    return float(_LAYERS * (matrices + attention))


def _peak() -> float:
    rng = np.random.default_rng(0)
    a = rng.standard_normal((_MATRIX, _MATRIX), dtype=np.float32)
    a @ a
    return 2 * _MATRIX**3 / min(_timed(lambda: a @ a) for _ in range(5)) / 1e9


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
