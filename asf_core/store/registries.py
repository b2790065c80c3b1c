"""Records of registries, of what is wrong with them as a whole, and of their syncs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from sqlalchemy import Connection, delete, func, insert, select, update

from asf_core.domain.errors import InputError
from asf_core.domain.findings import Finding
from asf_core.domain.paths import utf8
from asf_core.domain.sync import RegistryRow
from asf_core.store.database import add_numbered
from asf_core.store.group import RecordGroup, stamp
from asf_core.store.tables import registries, registry_findings, skills, sync_runs
from asf_core.store.values import Outcome, SyncRun


class RegistryRecords(RecordGroup):
    """Registries by name."""

    def add_registry(self, name: str, path: Path) -> RegistryRow:
        """Add a registry; adding the same one again changes nothing.

        Args:
            name: The first part of its skills' ids.
            path: Absolute path of its root.

        Raises:
            InputError: The name cannot be part of an id, stands for another path, or the path
                is there under another name.
        """
        check_registry_name(name)
        _check_path(path)
        with self._database.write() as connection:
            for row in _registry_rows(connection):
                if (row.name == name) != (row.path == str(path)):
                    raise _taken(row, name, path)
                if row.name == name:
                    return row
            added_at = stamp()
            values = {"name": name, "path": str(path), "added_at": added_at}
            connection.execute(insert(registries).values(values))
        return RegistryRow(name, str(path), added_at, None, 0)

    def remove_registry(self, name: str) -> tuple[str, ...]:
        """Forget a registry with its skills, edges, findings and runs; decisions stay.

        Returns:
            The ids of the skills that went with it, sorted, so that the index can follow.

        Raises:
            InputError: There is no registry of that name.
        """
        with self._database.write() as connection:
            ids = connection.scalars(
                select(skills.c.id).where(skills.c.registry == name).order_by(skills.c.id)
            ).all()
            gone = connection.execute(delete(registries).where(registries.c.name == name))
            if gone.rowcount == 0:
                raise unknown_registry(name, [row.name for row in _registry_rows(connection)])
        return tuple(ids)

    def registries(self) -> tuple[RegistryRow, ...]:
        """All registries, by name."""
        with self._database.read() as connection:
            return _registry_rows(connection)

    def put_registry_findings(self, registry: str, findings: Sequence[Finding]) -> None:
        """Replace what is wrong with a registry and belongs to none of its skills."""
        rows = [
            {"registry": registry, "position": at, "finding": finding.model_dump_json()}
            for at, finding in enumerate(findings)
        ]
        with self._database.write() as connection:
            connection.execute(
                delete(registry_findings).where(registry_findings.c.registry == registry)
            )
            if rows:
                connection.execute(insert(registry_findings), rows)

    def registry_findings(self, registry: str) -> tuple[Finding, ...]:
        """What is wrong with a registry and belongs to none of its skills, in order."""
        table = registry_findings
        query = (
            select(table.c.finding).where(table.c.registry == registry).order_by(table.c.position)
        )
        with self._understood(), self._database.read() as connection:
            return tuple(map(Finding.model_validate_json, connection.scalars(query)))

    def start_run(self, registry: str) -> int:
        """Record that a sync begins. The caller holds the writer lock.

        Runs of that registry that never said how they ended are closed as ``interrupted``: under
        the lock, no other can be going on.

        Returns:
            The run's number.
        """
        with self._database.write() as connection:
            connection.execute(
                update(sync_runs)
                .where(sync_runs.c.registry == registry, sync_runs.c.outcome.is_(None))
                .values(outcome="interrupted")
            )
            values = {"registry": registry, "started_at": stamp(), "report": ""}
            return add_numbered(connection, sync_runs, values)

    def finish_run(self, number: int, outcome: Outcome, report: str = "") -> None:
        """Record how a sync ended; ``done`` also dates the registry.

        Args:
            number: From :meth:`start_run`.
            outcome: How.
            report: JSON of what it did.
        """
        now = stamp()
        of_run = sync_runs.c.number == number
        with self._database.write() as connection:
            connection.execute(
                update(sync_runs)
                .where(of_run)
                .values(finished_at=now, outcome=outcome, report=report)
            )
            if outcome == "done":
                name = select(sync_runs.c.registry).where(of_run).scalar_subquery()
                connection.execute(
                    update(registries).where(registries.c.name == name).values(synced_at=now)
                )

    def last_run(self, registry: str) -> SyncRun | None:
        """The latest sync of a registry, whether or not it has ended."""
        query = (
            select(sync_runs)
            .where(sync_runs.c.registry == registry)
            .order_by(sync_runs.c.number.desc())
            .limit(1)
        )
        with self._database.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        number, name, started, finished, outcome, report = row
        return SyncRun(number, name, started, finished, cast("Outcome | None", outcome), report)


def check_registry_name(name: str) -> None:
    """Refuse a name that could not be the first part of an id.

    Raises:
        InputError: It is empty, too long, a dot name, or has a slash, a backslash, white space
            at an end or a character that does not print.
    """
    plain = name.isprintable() and name == name.strip() and not {"/", "\\"} & set(name)
    if not plain or name in {"", ".", ".."} or len(name) > 100:
        raise InputError(
            f"{name[:100]!r} cannot be the name of a registry",
            why="A name has 1 to 100 printable characters, none of them / or \\",
            hint="Give one with --name",
        )


def unknown_registry(name: str, known: Sequence[str]) -> InputError:
    """The error for a name that no registry has."""
    return InputError(
        f"No registry is called {name!r}",
        why=f"There are: {', '.join(known)}" if known else "There is none yet",
        hint="List them with: asf registry list",
    )


def _check_path(path: Path) -> None:
    utf8(path)
    if not path.is_absolute():
        raise InputError(
            f"The path {path} is not absolute",
            why="It would mean another directory when started elsewhere",
            hint="Give the whole path",
        )


def _taken(row: RegistryRow, name: str, path: Path) -> InputError:
    if row.name == name:
        what, why = f"There is a registry {name!r} already", f"It stands for {row.path}"
    else:
        what, why = f"{path} is in the workspace already", f"Its name there is {row.name!r}"
    return InputError(what, why=why, hint="Give another one with --name, or remove the old one")


def _registry_rows(connection: Connection) -> tuple[RegistryRow, ...]:
    query = (
        select(
            registries.c.name,
            registries.c.path,
            registries.c.added_at,
            registries.c.synced_at,
            func.count(skills.c.id),
        )
        .outerjoin(skills, skills.c.registry == registries.c.name)
        .group_by(*registries.c)
        .order_by(registries.c.name)
    )
    return tuple(RegistryRow(*row) for row in connection.execute(query))
