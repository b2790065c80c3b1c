"""The base of every value that crosses a layer: frozen, strict, closed."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints


class Value(BaseModel):
    """A frozen value.

    Strict: no coercion on the way in (``True`` is not ``1``, ``"1"`` is not ``1``).
    Closed: an unknown field is an error, so a misspelt one is never lost.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""A SHA-256 in lower-case hexadecimal, 64 characters."""
