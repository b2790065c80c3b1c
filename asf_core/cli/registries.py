"""``asf init``, ``asf registry ...`` and ``asf sync``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.exits import Exit
from asf_core.cli.session import Session, command
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from asf_core.domain.sync import RegistryRow, RegistrySync, SyncReport


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    command(app, "init")(init)
    group = typer.Typer(
        help="The registries of this workspace.", no_args_is_help=True, rich_markup_mode=None
    )
    command(group, "add")(add)
    command(group, "list")(list_)
    command(group, "remove")(remove)
    app.add_typer(group, name="registry")
    command(app, "sync")(sync)


def init(
    session: Session,
    directory: Annotated[
        Path | None,
        typer.Argument(
            metavar="DIR",
            help="Where to make the workspace's .asf directory. Default: here, or --workspace.",
        ),
    ] = None,
) -> None:
    """Make a workspace here, so that commands below this directory share it.

    One that is there already is looked at: can it be read and written, is its database whole.
    """
    from asf_core.services.engine import Engine
    from asf_core.services.mending import establish

    named = directory is None and session.workspace is not None
    with session.engine if named else Engine.below(directory or Path()) as engine:
        made, root = establish(engine), str(engine.workspace.root)
    words = "Made the workspace" if made else "The workspace is there already:"
    session.emit({"workspace": root, "created": made}, lambda: f"{words} {one_line(root)}")


def add(
    session: Session,
    path: Annotated[Path, typer.Argument(metavar="DIR", help="Directory tree of skills.")],
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Default: the directory's name.")
    ] = None,
) -> None:
    """Add a registry; `asf sync` then reads it."""
    with session.telling_what_is_made():
        row = session.engine.add_registry(path, name)
    session.emit(
        _row(row),
        lambda: f"Added {one_line(row.name)} ({one_line(row.path)}). Next: asf sync",
    )


def list_(session: Session) -> None:
    """List the registries."""
    rows = session.engine.registries()
    session.emit([_row(row) for row in rows], lambda: _table(rows))


def remove(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the registry.")],
) -> None:
    """Forget a registry and its index. Its files, and decisions about its skills, stay."""
    session.engine.remove_registry(name)
    session.emit(
        {"removed": name}, lambda: f"Removed {one_line(name)}. Its files were not touched."
    )


def sync(
    session: Session,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="DIR|NAME", help="Registries or directories; default: all."),
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Read and encode everything anew.")
    ] = False,
    new_database: Annotated[
        bool,
        typer.Option(
            "--new-database",
            help="Go on where the database was lost; decisions that stood in it no longer hold.",
        ),
    ] = False,
    fail_on_broken: Annotated[
        bool,
        typer.Option(
            "--fail-on-broken", help="Leave with 1 when a skill cannot be routed or read."
        ),
    ] = False,
) -> None:
    """Read what changed in the registries, encode it, and renew the index.

    Compares every byte of the index with what was written, and mends what is damaged. A second
    run with nothing changed encodes nothing. Ctrl-C keeps what is finished; the next run goes on
    from there. Skills that are broken are listed; that is no failure unless asked to be one.
    """
    from asf_core.cli.progress import sync_progress

    if new_database:
        _adopt_database(session)
    elif rebuild:
        _mend_database(session)
    with session.telling_what_is_made():
        targets = [session.engine.registry_for(name).name for name in names or []]
        session.engine.create()
    with sync_progress(session) as (progress, cancel):
        report = session.engine.sync(
            targets or None, progress=progress, cancel=cancel, rebuild=rebuild, check=True
        )
    session.emit(report, lambda: _report(report))
    if report.cancelled:
        raise KeyboardInterrupt
    if fail_on_broken and any(one.broken or one.unread for one in report.registries):
        raise typer.Exit(Exit.FINDINGS)


def _adopt_database(session: Session) -> None:
    from asf_core.services.mending import adopt_database

    lost = adopt_database(session.engine.workspace)
    if lost is not None:
        session.remark(f"Accepted: {one_line(lost.what)}. {one_line(lost.why)}")


def _mend_database(session: Session) -> None:
    from asf_core.services.mending import mend_database

    kept = mend_database(session.engine.workspace)
    if kept is not None:
        session.remark(f"The database was damaged; it is kept as {one_line(str(kept))}")


def _row(row: RegistryRow) -> dict[str, object]:
    return {
        "name": row.name,
        "path": row.path,
        "added_at": row.added_at,
        "synced_at": row.synced_at,
        "skills": row.skills,
    }


def _table(rows: tuple[RegistryRow, ...]) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    if not rows:
        return Text("No registries yet. Add one with: asf registry add PATH")
    table = Table("name", "skills", "synced", "path", box=None, pad_edge=False)
    for row in rows:
        cells = (row.name, str(row.skills), row.synced_at or "never", row.path)
        table.add_row(*(Text(one_line(cell)) for cell in cells))
    return table


def _line(sync: RegistrySync) -> str:
    name = one_line(sync.registry)
    if not sync.listed and not sync.removed:
        return f"{name}: 0 skills found. A skill is a directory with a SKILL.md in it"
    return (
        f"{name}: {sync.listed} skills listed, "
        f"{sync.added} new, {sync.changed} changed, {sync.removed} gone, "
        f"{sync.unchanged} as they were; {sync.encoded} encoded"
    )


def _report(report: SyncReport) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    lines: list[Text] = []
    if not report.registries:
        lines.append(Text("No registry yet. Take one in with: asf sync DIR"))
    for sync in report.registries:
        lines.append(Text(_line(sync)))
        if sync.broken:
            lines.append(Text(f"  {len(sync.broken)} listed that cannot be routed:"))
            lines += [Text(f"    {one_line(ref)}") for ref in sync.broken]
        if sync.unread:
            lines.append(Text(f"  {len(sync.unread)} could not be read:"))
        lines += [
            Text(f"    {one_line(item.path)}: {one_line(item.message)}") for item in sync.unread
        ]
    if report.gated:
        lines.append(
            Text(f"{report.gated} taken out of routing by the gate; why: asf quality [SKILL]")
        )
    if report.aliases:
        lines.append(Text(f"{report.aliases} are aliases of others; of which: asf dedup"))
    lines.append(Text(f"Took {report.seconds:.1f} s."))
    if report.cancelled:
        lines.append(Text("Stopped. What was finished is kept; run asf sync again to go on."))
    return Group(*lines)
