"""``asf events`` and ``asf snapshot ...``: the audit log, and the ledger as a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.session import Session, command
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from asf_core.domain.event import Event
    from asf_core.governance.audit import LedgerResult
    from asf_core.governance.restoring import RestoreResult


FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The snapshot.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    command(app, "events")(events)
    group = typer.Typer(
        help="The ledger as a file: one record a line, stable for version control.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    command(group, "export")(export)
    command(group, "verify")(verify_snapshot)
    command(group, "restore")(restore)
    app.add_typer(group, name="snapshot")


def events(
    session: Session,
    about: Annotated[
        str | None, typer.Argument(metavar="SKILL|VERSION", help="Only what is about it.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help="Only of a kind, as activated.")
    ] = None,
    last: Annotated[
        int | None, typer.Option("--last", metavar="N", min=1, help="Only the newest N.")
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check chain, records and kept bytes instead.")
    ] = False,
) -> None:
    """Read the audit log: who, what version, on what evidence, when.

    --verify leaves with 3 when anything does not agree.
    """
    audit = session.engine.control.audit
    if verify:
        _verify(session, audit.verify())
        return
    from asf_core.domain.errors import InputError
    from asf_core.domain.event import EventKind

    if kind is not None and kind not in set(EventKind):
        raise InputError(
            f"There is no event of kind {kind!r}", hint=f"Use one of: {', '.join(EventKind)}"
        )
    found = audit.events(about, EventKind(kind) if kind else None, last)
    session.emit([event.model_dump(mode="json") for event in found], lambda: _view(found))


def export(session: Session, file: FileArgument) -> None:
    """Verify the ledger and write it to a file. The same ledger gives the same bytes."""
    head = session.engine.control.snapshots.export(file)
    session.emit(
        {"file": str(file), "events": head.count, "head": head.digest},
        lambda: f"Written: {one_line(str(file))}, {head.count} events.\nHead: {head.digest}",
    )


def verify_snapshot(session: Session, file: FileArgument) -> None:
    """Check a snapshot whole: chain, records, receipts, bytes, pins. Leaves with 3 if it fails."""
    from asf_core.domain.errors import ConditionsError

    result = session.engine.control.snapshots.verify(file)
    if result.refusals:
        raise ConditionsError("The snapshot does not verify", result.refusals)
    session.emit(_snapshot_facts(result), lambda: f"Verified: {_snapshot_said(result)}")


def restore(
    session: Session,
    file: FileArgument,
    adopt_policy: Annotated[
        bool, typer.Option("--adopt-policy", help="Trust whom the snapshot's policy trusts.")
    ] = False,
    policy: Annotated[
        Path | None,
        typer.Option("--policy", metavar="FILE", help="A policy, as `asf trust show --json`."),
    ] = None,
) -> None:
    """Bring a snapshot back into an empty workspace, or one that is its beginning.

    Nothing is runnable before all of it was checked, its active versions by the policy of this
    workspace, which stays in force: whoever wrote the file may have written its policy too.
    """
    found = session.engine.control.snapshots.restore(
        file, adopt_policy=adopt_policy, policy_file=policy
    )
    said = f"Restored: {_snapshot_said(found.result)}"
    if found.policy_kept:
        said += "\nThis workspace's policy stays in force."
    session.emit(
        {**_snapshot_facts(found.result), "policy_kept": found.policy_kept},
        lambda: said,
    )


def _snapshot_facts(result: RestoreResult) -> dict[str, object]:
    return {
        "events": result.ledger.head.count,
        "head": result.ledger.head.digest,
        "versions": result.ledger.versions,
        "active": result.active,
        "receipts": result.ledger.receipts,
    }


def _snapshot_said(result: RestoreResult) -> str:
    return (
        f"{result.ledger.head.count} events, {result.ledger.versions} versions "
        f"({result.active} active), {result.ledger.receipts} receipts."
    )


def _verify(session: Session, result: LedgerResult) -> None:
    from asf_core.domain.errors import ConditionsError
    from asf_core.governance.audit import ledger_refusals

    if result.problems:
        raise ConditionsError("The ledger does not verify", ledger_refusals(result.problems))
    value = {
        "verified": True,
        "events": result.head.count,
        "head": result.head.digest,
        "versions": result.versions,
        "receipts": result.receipts,
    }
    session.emit(
        value,
        lambda: (
            f"Verified: {result.head.count} events, {result.versions} versions with their "
            f"bytes, {result.receipts} receipts.\nHead: {result.head.digest}"
        ),
    )


def _view(found: tuple[Event, ...]) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    from asf_core.cli.control_view import short_key

    if not found:
        return Text("No events.")
    lines = []
    for event in found:
        when = event.at[:19].replace("T", " ") + "Z"
        what = event.kind.value.replace("_", " ")
        about = (
            f"{event.pin.skill_id}@{event.pin.version} {event.pin.content_hash[:12]}"
            if event.pin
            else event.facts.get("skill_id", "")
        )
        head = Text(f"{event.number:5}  {when}  {one_line(event.actor)}  ")
        head.append(what, "bold").append(f"  {one_line(about)}")
        lines.append(head)
        if event.reason:
            lines.append(Text(f"{'':7}{one_line(event.reason)}"))
        lines += [Text(f"{'':7}on {short_key(key)}", "dim") for key in event.evidence]
        if told := _told(event):
            lines.append(Text(f"{'':7}{one_line(told)}", "dim"))
    return Group(*lines)


def _told(event: Event) -> str:
    """What else it says; digests are cut, and what stands elsewhere is left out."""
    hidden = {"skill_id", "signer", "sha256", "before"}
    return ", ".join(
        f"{name} {_DIGEST.sub(lambda found: found.group()[:12], value)}"
        for name, value in event.facts.items()
        if name not in hidden and value
    )


_DIGEST = re.compile(r"[0-9a-f]{40,64}")
