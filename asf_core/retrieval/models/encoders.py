"""The three encoders: one vector a text, one vector a token, one score a pair.

Special tokens: every text is ``[CLS] ... [SEP]``, cut to the encoder's limit with ``[SEP]`` kept;
a pair is ``[CLS] task [SEP] text [SEP]``, the text cut. Nothing is padded (see ``OnnxModel.run``).
"""

from __future__ import annotations

import hashlib
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from asf_core.retrieval.models.files import ModelFiles
from asf_core.retrieval.models.runtime import OnnxModel, workers

Floats = NDArray[np.float32]
_Item = TypeVar("_Item")
_Found = TypeVar("_Found")

LONGEST = 512
"""Positions that the bundled models have."""


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """A text's token vectors, each with a scale of its own: ``values * scales[:, None]``."""

    values: NDArray[np.int8]
    """(t, D)."""
    scales: Floats
    """(t,)."""


@dataclass(frozen=True, slots=True)
class QueryTokens:
    """A task's token vectors, L2-normalised."""

    vectors: Floats
    """(q, D)."""
    spans: NDArray[np.int32]
    """(q, 2): where in the text each token stands, in characters, end excluded."""


class DenseEncoder:
    """One L2-normalised vector a text."""

    def __init__(self, model: OnnxModel, prefix: str = "") -> None:
        self._model = model
        self._prefix = prefix
        self._mean = model.files.mean_pooling

    @property
    def model(self) -> OnnxModel:
        """What it runs."""
        return self._model

    def encode(self, texts: Sequence[str]) -> Floats:
        """Encode skills.

        Returns:
            (n, D), rows L2-normalised, in the order of ``texts``.
        """
        return np.stack(_side_by_side(self._one, texts, len)) if texts else np.zeros((0, 0), "f4")

    def encode_query(self, text: str) -> Floats:
        """Encode a task: (D,), L2-normalised."""
        return self._one(self._prefix + text)

    def _one(self, text: str) -> Floats:
        output = self._model.run(_ids(self._model.tokenizer.encode(text), LONGEST))
        if output.ndim == 2:
            output = output.mean(0) if self._mean else output[0]
        return normalised(output)


class TokenEncoder:
    """One L2-normalised vector a token, for late interaction.

    The bundled weights lack ColBERT's projection, so a vector is a whole hidden state. ColBERT's
    markers (``[unused0]`` before a task, ``[unused1]`` before a text) are set where the
    vocabulary has them; they, ``[CLS]`` and ``[SEP]`` give no vector, nor does a text's
    punctuation.
    """

    def __init__(self, model: OnnxModel, longest: int = LONGEST) -> None:
        self._model = model
        self._longest = longest
        tokenizer = model.tokenizer
        self._query_mark = tokenizer.token_to_id("[unused0]")
        self._text_mark = tokenizer.token_to_id("[unused1]")
        marks = {tokenizer.token_to_id(char) for char in string.punctuation}
        self._silent = np.array(sorted(marks - {None}), np.int64)

    @property
    def model(self) -> OnnxModel:
        """What it runs."""
        return self._model

    def encode(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Encode skills, in the order of ``texts``; a text without words has no vector."""
        return _side_by_side(self._one, texts, len)

    def encode_query(self, text: str) -> QueryTokens:
        """Encode a task."""
        found = self._model.tokenizer.encode(text)
        vectors, _ = self._states(found, self._query_mark, LONGEST)
        spans = np.array(found.offsets[1:-1], np.int32).reshape(-1, 2)
        return QueryTokens(vectors, spans[: len(vectors)])

    def _one(self, text: str) -> TokenVectors:
        vectors, ids = self._states(
            self._model.tokenizer.encode(text), self._text_mark, self._longest
        )
        return quantised(vectors[~np.isin(ids, self._silent)])

    def _states(self, found: Any, mark: int | None, longest: int) -> tuple[Floats, Any]:
        """Vectors and ids of the tokens between the special ones."""
        marks = [] if mark is None else [mark]
        ids = _ids(found, longest - len(marks))
        output = self._model.run([ids[0], *marks, *ids[1:]])
        return normalised(output[1 + len(marks) : -1]), np.array(ids[1:-1], np.int64)


class CrossEncoder:
    """One score for a task and a text read together."""

    def __init__(self, model: OnnxModel, longest: int = 192) -> None:
        self._model = model
        self._longest = longest

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """Judge texts against a task.

        Returns:
            (n,) logits, higher is better, in the order of ``texts``.
        """
        task = _ids(self._model.tokenizer.encode(query), self._longest // 2)

        def one(text: str) -> float:
            room = self._longest - len(task)
            rest = _ids(self._model.tokenizer.encode(text), room + 1)[1:]
            types = [0] * len(task) + [1] * len(rest)
            return float(self._model.run([*task, *rest], types).reshape(-1)[0])

        return np.array(_side_by_side(one, texts, len), np.float32)


def fingerprint(files: ModelFiles, view: str) -> str:
    """What a stored vector depends on: 16 hexadecimal characters.

    Args:
        files: The model.
        view: Version of the text that it encoded and of the way it was done.
    """
    parts = [files.role, view, "mean" if files.mean_pooling else "cls"]
    parts += [f"{name}:{digest}" for name, digest in sorted(files.digests.items())]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def normalised(rows: NDArray[Any]) -> Floats:
    """Rows (or one row) scaled to length 1; a row of zeros stays."""
    length = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.maximum(length, 1e-12), np.float32)


def quantised(vectors: Floats) -> TokenVectors:
    """Rows (t, D) as int8 with one scale each, so that the greatest component is 127."""
    scales = np.maximum(np.abs(vectors).max(axis=1, initial=0.0), 1e-12) / 127
    values = np.rint(vectors / scales[:, None]).astype(np.int8)
    return TokenVectors(values, scales.astype(np.float32))


def _ids(found: Any, longest: int) -> list[int]:
    ids: list[int] = found.ids
    return ids if len(ids) <= longest else [*ids[: longest - 1], ids[-1]]


def _side_by_side(
    work: Callable[[_Item], _Found], items: Sequence[_Item], cost: Callable[[_Item], int]
) -> list[_Found]:
    """Do it for each item, the costly ones first so that no core ends up waiting for one."""
    order = sorted(range(len(items)), key=lambda i: -cost(items[i]))
    done = workers().map(lambda i: work(items[i]), order)
    placed = dict(zip(order, done, strict=True))
    return [placed[i] for i in range(len(items))]
