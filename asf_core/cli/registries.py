"""``asf init``, ``asf registry ...`` and ``asf sync``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.session import Session, command
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from asf_core.domain.sync import RegistryRow, SyncReport


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
        Path, typer.Argument(metavar="DIR", help="Where to make the workspace's .asf directory.")
    ] = Path(),
) -> None:
    """Make a workspace here, so that commands below this directory share it."""
    from asf_core.services.engine import Engine

    root = Engine.create_workspace(directory)
    session.emit({"workspace": str(root)}, lambda: f"Workspace: {one_line(str(root))}")


def add(
    session: Session,
    path: Annotated[Path, typer.Argument(metavar="DIR", help="Directory tree of skills.")],
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Default: the directory's name.")
    ] = None,
) -> None:
    """Add a registry; `asf sync` then reads it."""
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
) -> None:
    """Read what changed in the registries, encode it, and renew the index.

    A second run with nothing changed encodes nothing. Ctrl-C keeps what is finished; the next
    run goes on from there.
    """
    from asf_core.cli.progress import sync_progress

    targets = [session.engine.registry_for(name).name for name in names or []]
    with sync_progress(session) as (progress, cancel):
        report = session.engine.sync(
            targets or None, progress=progress, cancel=cancel, rebuild=rebuild
        )
    session.emit(report, lambda: _report(report))
    if report.cancelled:
        raise KeyboardInterrupt


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


def _report(report: SyncReport) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    lines: list[Text] = []
    for sync in report.registries:
        lines.append(
            Text(
                f"{one_line(sync.registry)}: {sync.listed} skills listed, "
                f"{sync.added} new, {sync.changed} changed, {sync.removed} gone, "
                f"{sync.unchanged} as they were; {sync.encoded} encoded"
            )
        )
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
