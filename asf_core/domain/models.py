"""What is known of an encoder's files."""

from __future__ import annotations

from asf_core.domain.base import Value


class ModelStatus(Value):
    """One encoder, as ``asf models`` shows it."""

    role: str
    """``dense``, ``late`` or ``cross``."""
    name: str
    licence: str
    path: str | None
    """Of its directory; ``None`` when it is absent."""
    ok: bool
    """Whether every file is there and is the one its checksum names."""
    problem: str = ""
