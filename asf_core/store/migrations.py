"""Steps that bring an older database up to the tables of this program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from sqlalchemy import Connection

MIGRATIONS: Mapping[int, Callable[[Connection], None]] = MappingProxyType({})
"""From each older schema version, the step to the next one. All pending steps run in one
transaction, so a step that fails leaves the database as it was."""
