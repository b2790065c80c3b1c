"""Triggers by which the database itself refuses to rewrite history.

A bug or a stray statement must not change what was decided. Someone who can write the file can drop
a trigger too: that the chain of events shows (:mod:`asf_core.trust.chain`).
"""

from __future__ import annotations

from sqlalchemy import Connection, Table


def only_added(table: Table, connection: Connection, **_: object) -> None:
    """Let rows of a table be added, never changed or deleted; a listener of ``after_create``."""
    forbid(table.name, ("UPDATE", "DELETE"), f"{table.name} are only added", connection)


def forbid(
    name: str,
    verbs: tuple[str, ...],
    message: str,
    connection: Connection,
    columns: tuple[str, ...] = (),
) -> None:
    """Make triggers that refuse statements on a table.

    Args:
        name: The table.
        verbs: ``UPDATE``, ``DELETE``.
        message: What the database says.
        connection: Inside the transaction that makes the table.
        columns: An update is refused only of these; empty for all.
    """
    if connection.dialect.name == "postgresql":
        statements = _postgresql(name, verbs, message, columns)
    else:
        statements = _sqlite(name, verbs, message, columns)
    for statement in statements:
        connection.exec_driver_sql(statement)


def _of(verb: str, columns: tuple[str, ...]) -> str:
    return f"{verb} OF {', '.join(columns)}" if verb == "UPDATE" and columns else verb


def _sqlite(name: str, verbs: tuple[str, ...], message: str, columns: tuple[str, ...]) -> list[str]:
    return [
        f"CREATE TRIGGER {name}_no_{verb.lower()} BEFORE {_of(verb, columns)} ON {name} "
        f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        for verb in verbs
    ]


def _postgresql(
    name: str, verbs: tuple[str, ...], message: str, columns: tuple[str, ...]
) -> list[str]:
    events = " OR ".join(_of(verb, columns) for verb in verbs)
    return [
        f"CREATE FUNCTION {name}_only_added() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{message}'; END $$",
        f"CREATE TRIGGER {name}_only_added BEFORE {events} ON {name} "
        f"FOR EACH ROW EXECUTE FUNCTION {name}_only_added()",
    ]
