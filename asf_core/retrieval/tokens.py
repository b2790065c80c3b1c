"""How many tokens a text has, for the plan's budget and the savings it shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from asf_core.retrieval.models.catalogue import Role
from asf_core.retrieval.models.files import find_model
from asf_core.retrieval.models.runtime import load_tokenizer, workers
from asf_core.retrieval.views import clean


class TokenCounter:
    """Counts the WordPiece tokens of the dense encoder's own tokenizer.

    A language model's tokenizer counts otherwise (usually fewer): the figures compare texts with
    one another, they are no bill.

    Args:
        model_dir: As of ``find_model``.

    Raises:
        ModelMissingError: The tokenizer's file is absent or altered.
    """

    def __init__(self, model_dir: Path | None = None) -> None:
        self._tokenizer = load_tokenizer(find_model(Role.DENSE, model_dir).tokenizer)

    def count(self, text: str) -> int:
        """Tokens of one text, without special ones."""
        return len(self._tokenizer.encode(clean(text), add_special_tokens=False))

    def count_all(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, several texts side by side."""
        return list(workers().map(self.count, texts))
