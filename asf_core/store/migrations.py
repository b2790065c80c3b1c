"""Steps that bring an older database up to the tables of this program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from sqlalchemy import Connection

from asf_core.store.event_log import append_event, decision_event
from asf_core.store.ledger_tables import LEDGER_TABLES
from asf_core.store.quality_tables import add_quality_tables
from asf_core.store.quarantine import read_decisions
from asf_core.store.tables import decisions, skills


def _add_control_plane(connection: Connection) -> None:
    """From 2: the control plane, with the decisions so far as its first events."""
    for table in LEDGER_TABLES:
        table.create(connection)
    for table in (skills, decisions):
        next(i for i in table.indexes if i.name == f"ix_{table.name}_digest").create(connection)
    for decision in read_decisions(connection):
        append_event(connection, decision_event(decision))


MIGRATIONS: Mapping[int, Callable[[Connection], None]] = MappingProxyType(
    {1: add_quality_tables, 2: _add_control_plane}
)
"""From each older schema version, the step to the next one. All pending steps run in one
transaction, so a step that fails leaves the database as it was."""
