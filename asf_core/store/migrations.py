"""Steps that bring an older database up to the tables of this program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from sqlalchemy import Connection

from asf_core.store.quality_tables import add_quality_tables

MIGRATIONS: Mapping[int, Callable[[Connection], None]] = MappingProxyType({1: add_quality_tables})
"""From each older schema version, the step to the next one. All pending steps run in one
transaction, so a step that fails leaves the database as it was."""
