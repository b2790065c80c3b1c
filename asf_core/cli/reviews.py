"""``asf review ...``, ``asf activate`` and ``asf rollback``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from asf_core.cli.candidates import VersionArgument
from asf_core.cli.keys import KeyOption, ask_passphrase
from asf_core.cli.session import Session, command
from asf_core.domain.text import one_line

if TYPE_CHECKING:
    from asf_core.governance.lifecycle import Change
    from asf_core.trust.verify import VerifiedReceipt

ReasonOption = Annotated[
    str, typer.Option("--reason", metavar="TEXT", help="Why; signed with the decision.")
]
_LONGEST_ENVELOPE = 4 * 1024 * 1024


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    group = typer.Typer(
        help="Signed decisions about versions.", no_args_is_help=True, rich_markup_mode=None
    )
    command(group, "approve")(approve)
    command(group, "reject")(reject)
    command(group, "record")(record)
    app.add_typer(group, name="review")
    command(app, "activate")(activate)
    command(app, "rollback")(rollback)


def approve(
    session: Session, version: VersionArgument, reason: ReasonOption, key: KeyOption = None
) -> None:
    """Approve a candidate; of a retired version, approve going back to it."""
    _review(session, version, "approve", reason, key)


def reject(
    session: Session, version: VersionArgument, reason: ReasonOption, key: KeyOption = None
) -> None:
    """Reject a candidate, which is quarantined at once, or going back to a retired version."""
    _review(session, version, "reject", reason, key)


def record(
    session: Session,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A DSSE envelope.")],
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="What it must be: security, governance, rollback_governance or grant.",
        ),
    ],
) -> None:
    """Take in a receipt that was signed elsewhere."""
    from asf_core.domain.errors import InputError
    from asf_core.domain.receipts import ReceiptKind

    if kind not in set(ReceiptKind):
        raise InputError(
            f"There is no receipt of kind {kind!r}", hint=f"Use one of: {', '.join(ReceiptKind)}"
        )
    try:
        with file.open("rb") as opened:
            envelope = opened.read(_LONGEST_ENVELOPE + 1)
    except OSError as error:
        raise InputError(f"{file} cannot be read", why=error.strerror or "") from error
    found = session.engine.control.receipts.take(envelope, ReceiptKind(kind))
    session.emit(_facts(found), lambda: f"Recorded: {_said(found)}")


def activate(session: Session, version: VersionArgument) -> None:
    """Make a reviewed candidate the active version of its skill."""
    change = session.engine.control.versions.activate(version)
    session.emit(_change(change), lambda: _changed(change, "Active"))


def rollback(session: Session, version: VersionArgument) -> None:
    """Go back to a retired version, on receipts that are newer than its retirement."""
    change = session.engine.control.versions.roll_back(version)
    session.emit(_change(change), lambda: _changed(change, "Active again"))


def _review(session: Session, version: str, verdict: str, reason: str, key: str | None) -> None:
    from asf_core.domain.receipts import Verdict

    control = session.engine.control
    found = control.receipts.review(
        version, Verdict(verdict), reason, key=key, passphrase=ask_passphrase
    )
    session.emit(_facts(found), lambda: f"Signed: {_said(found)}")
    drift = control.versions.show(found.content_hash).drift
    if drift:
        names = one_line(", ".join((*drift.changed, *drift.missing, *drift.added)), 200)
        session.remark(
            f"This is about the kept files. Those on disk are others since ({drift}: {names}); "
            "to have these reviewed, add them as a new version."
        )


def _facts(found: VerifiedReceipt) -> dict[str, object]:
    return {
        "key": found.key,
        "kind": found.kind.value,
        "content_hash": found.content_hash,
        "receipt": found.receipt.model_dump(mode="json"),
        "signers": [{"key_id": key.key_id, "name": key.name} for key in found.signers],
    }


def _said(found: VerifiedReceipt) -> str:
    verdict = getattr(found.receipt, "verdict", None)
    who = ", ".join(f"{one_line(key.name)} (key {key.key_id[:12]})" for key in found.signers)
    said = f"{verdict.value} " if verdict else ""
    kind = found.kind.value.replace("_", " ")
    return (
        f"{said}by {who}, {kind} receipt {found.receipt.id} on content {found.content_hash[:12]}."
    )


def _change(change: Change) -> dict[str, object]:
    return {
        "active": change.active.model_dump(mode="json"),
        "retired": change.retired.model_dump(mode="json") if change.retired else None,
        "evidence": list(change.evidence),
    }


def _changed(change: Change, what: str) -> str:
    lines = [f"{what}: {one_line(str(change.active))}"]
    if change.retired:
        retired = f"{change.retired.skill_id}@{change.retired.version}"
        lines.append(f"Retired and kept: {one_line(retired)}")
    from asf_core.cli.control_view import short_key

    lines += [f"On: {short_key(key)}" for key in change.evidence]
    return "\n".join(lines)
