"""The project's dense encoder behind the Skillbook's port."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from asf_core.retrieval.models.catalogue import Role
from asf_core.retrieval.models.encoders import fingerprint
from asf_core.retrieval.models.files import find_model
from asf_core.retrieval.models.loading import Encoders

VIEW = "skillbook-1"
"""Changes whenever the text that is encoded does."""


class ProjectEmbedder:
    """Encodes one text at a time, so that a vector never depends on what it was made with.

    Args:
        encoders: Of this process.
        model_dir: Where they look.
    """

    def __init__(self, encoders: Encoders, model_dir: Path | None) -> None:
        self._encoders = encoders
        self._model_dir = model_dir

    @cached_property
    def model(self) -> str:
        """Digest of the model's files and of the view."""
        return fingerprint(find_model(Role.DENSE, self._model_dir), VIEW)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """Encode texts: (n, D).

        Raises:
            ModelMissingError: The model is absent, altered or cannot be opened.
        """
        dense = self._encoders.dense
        if query:
            return np.stack([dense.encode_query(text) for text in texts])
        return dense.encode(texts)
