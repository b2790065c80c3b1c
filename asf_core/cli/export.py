"""``asf export``: chosen skills as tools of a host, or as a directory of exact bytes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asf_core.cli.session import Session, command
from asf_core.cli.use import ProductOption, TenantOption, UserOption
from asf_core.domain.exporting import ExportFormat
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from asf_core.export.bundle import ExportBundle
    from asf_core.export.directory import Difference
    from asf_core.export.lock import Lock
    from asf_core.export.values import Exported

FORMATS = ", ".join(ExportFormat)
FormatOption = Annotated[
    str | None,
    typer.Option("--format", metavar="FORMAT", help=f"One of {FORMATS}."),
]
UnreviewedOption = Annotated[
    bool,
    typer.Option(
        "--allow-unreviewed",
        help="Also skills without an active version, as they stand on disk, marked so.",
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="DIR", help="For skill-md: the directory to write."),
]
OverwriteOption = Annotated[
    bool,
    typer.Option("--overwrite", help="Replace files that were edited since they were exported."),
]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "export")(export)


def export(
    session: Session,
    skills: Annotated[
        list[str] | None, typer.Argument(metavar="[SKILL]...", help="Ids or slugs, in order.")
    ] = None,
    format_: FormatOption = None,
    output: OutputOption = None,
    verify: Annotated[
        Path | None,
        typer.Option(
            "--verify", metavar="DIR", help="Compare an exported directory with its lock."
        ),
    ] = None,
    allow_unreviewed: UnreviewedOption = False,
    overwrite: OverwriteOption = False,
    product: ProductOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
) -> None:
    """Give skills to a host: tools of a vendor's API on stdout, or a directory of files.

    Only active versions go out, byte for byte as they were reviewed. --verify leaves with 1 when a
    directory is not what was exported.
    """
    if verify is not None:
        if skills or format_ or output:
            raise typer.BadParameter("stands alone", param_hint="--verify")
        _verify(session, verify)
        return
    if not skills:
        raise typer.BadParameter("name at least one, or use asf route --format", param_hint="SKILL")
    from asf_core.services.control.active import local_subject

    chosen = check_format(format_ or ExportFormat.DIRECTORY, output)
    ids = [session.engine.resolve(ref) for ref in skills]
    bundle = session.engine.exporter.bundle(
        ids, subject=local_subject(product, tenant, user), allow_unreviewed=allow_unreviewed
    )
    give_out(session, bundle, chosen, output, overwrite=overwrite)


def check_format(format_: str, output: Path | None) -> ExportFormat:
    """The format that is meant.

    Raises:
        BadParameter: An unknown format, or a directory for one that prints, or none for the other.
    """
    if format_ not in list(ExportFormat):
        raise typer.BadParameter(f"is one of {FORMATS}", param_hint="--format")
    chosen = ExportFormat(format_)
    writes = chosen is ExportFormat.DIRECTORY
    if writes and output is None:
        raise typer.BadParameter("names the directory to write", param_hint="--output")
    if not writes and output is not None:
        raise typer.BadParameter(
            "is for skill-md; the other formats are printed", param_hint="--output"
        )
    return chosen


def give_out(
    session: Session,
    bundle: ExportBundle,
    format_: ExportFormat,
    output: Path | None,
    *,
    overwrite: bool,
) -> None:
    """Print a bundle as a host takes it, or write it; say on stderr what was lost.

    Args:
        session: Of the command.
        bundle: What goes out.
        format_: As :func:`check_format` took it, with ``output``.
        output: Where the directory is written; ``None`` for a format that is printed.
        overwrite: Also replace files that were edited.
    """
    if output is not None:
        _wrote(session, bundle.to_skill_md_dir(output, overwrite=overwrite), output)
        return
    exported = bundle.to(format_)
    tokens = session.engine.exporter.tokens(exported)
    session.emit(_as_json(exported, tokens), lambda: _printed(session, exported, tokens))


def _printed(session: Session, exported: Exported, tokens: int) -> None:
    """The bare document on stdout, so that it can be piped; all else on stderr."""
    session.emit_json(exported.document)
    for skill_id in exported.unreviewed:
        session.remark(f"! {one_line(skill_id)} was not reviewed by anybody")
    for loss in exported.losses:
        session.remark(f"! {one_line(loss.skill_id or 'all')}: {one_line(loss.what)}")
    for left in exported.left_out:
        session.remark(f"- left out {one_line(left.skill_id)}: {one_line(left.reason)}")
    session.remark(f"{len(exported.names)} exported for {exported.format}, {tokens:,} tokens")


def _as_json(exported: Exported, tokens: int) -> dict[str, Any]:
    return {
        "format": exported.format.value,
        "document": exported.document,
        "names": dict(exported.names),
        "unreviewed": list(exported.unreviewed),
        "losses": [{"skill_id": loss.skill_id, "what": loss.what} for loss in exported.losses],
        "left_out": [{"skill_id": o.skill_id, "reason": o.reason} for o in exported.left_out],
        "tokens": tokens,
    }


def _wrote(session: Session, lock: Lock, output: Path) -> None:
    value = {"directory": str(output), **lock.model_dump(mode="json", by_alias=True)}

    def view() -> str:
        lines = [
            f"  {skill.directory}  {one_line(str(skill.pin or skill.skill_id))}"
            + ("" if skill.pin else "  ! unreviewed")
            for skill in lock.skills
        ]
        head = f"{len(lock.skills)} exported to {one_line(str(output))}"
        return "\n".join([head, *lines])

    session.emit(value, view)


def _verify(session: Session, target: Path) -> None:
    lock, found = session.engine.exporter.verify(target)

    def view() -> str:
        if not found:
            return f"{len(lock.skills)} skills, every byte as it was exported"
        return "\n".join(map(_line, found))

    differences = [{"path": d.path, "what": d.what} for d in found]
    session.emit({"skills": len(lock.skills), "differences": differences}, view)
    if found:
        raise typer.Exit(1)


def _line(difference: Difference) -> str:
    return f"{difference.what:8} {one_line(difference.path)}"
